//! Everything that changes while a world runs, complete and serialisable.

use crate::commands::{Command, Control};
use crate::dynamics::errors::{self, Drift};
use crate::engine::{self, Engine};
use crate::events::{EVENT_KINDS, EventKind};
use crate::sensors::SenseState;
use rolima_math::{Hash64, Stream};
use rolima_model::Model;

/// What a built-in driver remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DriverState {
    /// Its own random stream.
    pub stream: Stream,
    /// The step at which it acts next.
    pub due: u64,
    /// Whether a client has taken over from it.
    pub overridden: bool,
    /// A chaser's patience: how often it has looked without getting on, or, below zero, how often
    /// it will still back off.
    pub patience: i64,
}

/// Everything that changes while a world runs.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Steps done.
    pub step: u64,
    /// Key of every random stream.
    pub seed: u64,
    /// Where bodies are and how they move, by the engine that runs.
    pub(crate) engine: Engine,
    /// The two numbers of each robot's command: voltages (right, left), V, or what `control` says.
    pub commanded: Vec<[f64; 2]>,
    /// What robots with a speed controller are commanded by; none for those without.
    pub control: Vec<Option<Control>>,
    /// Commands that wait for the next step, by robot.
    pub waiting: Vec<Option<Command>>,
    /// Drivers, by robot.
    pub drivers: Vec<DriverState>,
    /// The first step at which any driver acts.
    pub drivers_due: u64,
    /// Goals by zone.
    pub scores: Vec<u64>,
    /// Balls inside each zone, by zone and ball.
    pub inside: Vec<bool>,
    /// How often each kind of event happened.
    pub event_counts: [u64; EVENT_KINDS],
    /// What the errors of the executed motion are drawn from, by robot; of those with odometry.
    pub drifts: Vec<Drift>,
    /// The sensors and what they read last.
    pub senses: SenseState,
}

impl State {
    /// Draws all random numbers from now on by another seed.
    pub(crate) fn reseed(&mut self, model: &Model, seed: u64) {
        let fresh = Self::new(model, seed);
        self.seed = seed;
        for (own, fresh) in self.drivers.iter_mut().zip(&fresh.drivers) {
            own.stream.key = fresh.stream.key;
        }
        for (own, fresh) in self.drifts.iter_mut().zip(&fresh.drifts) {
            own.stream.key = fresh.stream.key;
        }
        self.senses.reseed(model, seed);
    }

    /// The first state of a model.
    pub fn new(model: &Model, seed: u64) -> Self {
        let mut state = Self {
            step: 0,
            seed,
            engine: Engine::new(model),
            commanded: vec![[0.0; 2]; model.robots.len()],
            control: (0..model.robots.len())
                .map(|i| engine::obeys_speeds(model, i).then(Control::default))
                .collect(),
            waiting: vec![None; model.robots.len()],
            drivers: (0..model.robots.len() as u64)
                .map(|i| DriverState {
                    stream: Stream::new(seed, i, "driver"),
                    ..Default::default()
                })
                .collect(),
            drivers_due: 0,
            scores: vec![0; model.spec.zones.len()],
            inside: vec![false; model.spec.zones.len() * model.layout.ball_slots.len()],
            event_counts: [0; EVENT_KINDS],
            drifts: errors::drifts(model, seed),
            senses: SenseState::new(model, seed),
        };
        state.send_home(model);
        state
    }

    /// Puts every body where the scene starts it; time, streams and scores go on.
    pub(crate) fn send_home(&mut self, model: &Model) {
        self.engine.send_home(model);
        self.inside.fill(false);
        self.senses.teleported(model, 0..model.robots.len() as u32);
    }

    /// How often an event of this kind happened.
    pub fn event_count(&self, kind: EventKind) -> u64 {
        self.event_counts[kind as usize]
    }

    /// Every word of the state, in a fixed order: the one list behind hash and snapshot.
    ///
    /// The visitor may change the words; lengths of the vectors must already be right.
    pub(crate) fn visit(&mut self, model: &Model, visitor: &mut impl Visitor) {
        visitor.word(&mut self.step);
        visitor.word(&mut self.seed);
        self.engine.visit_motion(visitor);
        self.visit_orders(visitor);
        self.engine.visit_contacts(visitor);
        self.scores.iter_mut().for_each(|s| visitor.word(s));
        self.inside.iter_mut().for_each(|i| visitor.flag(i));
        let kinds = self.engine.event_kinds();
        self.event_counts[..kinds].iter_mut().for_each(|n| visitor.word(n));
        self.engine.visit_energy(visitor);
        for drift in &mut self.drifts {
            visitor.word(&mut drift.stream.key);
            visitor.word(&mut drift.stream.drawn);
        }
        self.senses.visit(model, &mut |word| visitor.word(word));
    }

    /// What robots are told, and what tells them.
    pub(crate) fn visit_orders(&mut self, visitor: &mut impl Visitor) {
        self.commanded.iter_mut().flatten().for_each(|x| visitor.number(x));
        for w in &mut self.waiting {
            // 0 for none, 1 for voltages and so on.
            let (control, mut numbers) = w.map_or((0, [0.0; 2]), |command| {
                let (control, numbers) = command.parts();
                (control as u64 + 1, numbers)
            });
            let mut code = control;
            visitor.word(&mut code);
            numbers.iter_mut().for_each(|x| visitor.number(x));
            let control = Control::ALL.get((code as usize).wrapping_sub(1));
            *w = control.map(|&control| Command::from_parts(control, numbers));
        }
        for control in self.control.iter_mut().flatten() {
            let mut code = *control as u64;
            visitor.word(&mut code);
            *control = Control::ALL.get(code as usize).copied().unwrap_or_default();
        }
        for d in &mut self.drivers {
            visitor.word(&mut d.stream.key);
            visitor.word(&mut d.stream.drawn);
            visitor.word(&mut d.due);
            visitor.flag(&mut d.overridden);
            let mut patience = d.patience as u64;
            visitor.word(&mut patience);
            d.patience = patience as i64;
        }
        visitor.word(&mut self.drivers_due);
    }

    /// Hash of every bit of the state.
    pub fn hash(&self, model: &Model) -> u64 {
        // A copy keeps one list of fields for read and write.
        self.clone().hash_in_place(model)
    }

    /// The same without a copy, so that nothing is allocated.
    pub(crate) fn hash_in_place(&mut self, model: &Model) -> u64 {
        struct Hasher(Hash64);
        impl Visitor for Hasher {
            fn word(&mut self, w: &mut u64) {
                self.0.word(*w);
            }

            fn shown(&mut self, _: &mut f64) {}
        }
        let mut hasher = Hasher(Hash64::default());
        hasher.0.word(self.engine.remembered() as u64);
        self.visit(model, &mut hasher);
        hasher.0.finish()
    }
}

/// Something that goes over every word of a state.
pub(crate) trait Visitor {
    /// A whole number.
    fn word(&mut self, w: &mut u64);
    /// A number, by its bits.
    fn number(&mut self, x: &mut f64) {
        let mut bits = x.to_bits();
        self.word(&mut bits);
        *x = f64::from_bits(bits);
    }
    /// A number that is only looked at: no step reads it. It is saved and restored, and no part of the
    /// hash.
    fn shown(&mut self, x: &mut f64) {
        self.number(x);
    }
    /// A byte.
    fn byte(&mut self, b: &mut u8) {
        let mut w = u64::from(*b);
        self.word(&mut w);
        *b = w as u8;
    }
    /// A flag.
    fn flag(&mut self, f: &mut bool) {
        let mut w = u64::from(*f);
        self.word(&mut w);
        *f = w != 0;
    }
}
