//! Everything that changes while a world runs, complete and serialisable.

use crate::dynamics::errors::{self, Drift};
use rolima_math::{Hash64, Pose2, Rot2, Stream, Vec2};
use rolima_model::{BodyKind, LANES, Model};

use crate::commands::{Command, Control};
use crate::events::{EVENT_KINDS, EventKind, FLAT_EVENT_KINDS};
use crate::rough::{self, RoughState};
use crate::sensors::SenseState;

/// Motion of up to [`LANES`] bodies, an array a quantity.
///
/// Velocities of robots are in the robot's frame (`vx` forward, `vy` left), those of balls and
/// objects in the world's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct Block {
    /// Position, m.
    pub x: [f64; LANES],
    /// Position, m.
    pub y: [f64; LANES],
    /// Cosine of the heading.
    pub c: [f64; LANES],
    /// Sine of the heading.
    pub s: [f64; LANES],
    /// Velocity, m/s.
    pub vx: [f64; LANES],
    /// Velocity, m/s.
    pub vy: [f64; LANES],
    /// Turning, rad/s.
    pub omega: [f64; LANES],
}

impl Block {
    /// Pose of the body in a lane.
    #[inline(always)]
    pub fn pose(&self, lane: usize) -> Pose2 {
        Pose2 {
            position: Vec2::new(self.x[lane], self.y[lane]),
            rotation: Rot2 { c: self.c[lane], s: self.s[lane] },
        }
    }
    /// Puts the body in a lane at a pose.
    #[inline(always)]
    pub fn set_pose(&mut self, lane: usize, pose: Pose2) {
        self.x[lane] = pose.position.x;
        self.y[lane] = pose.position.y;
        self.c[lane] = pose.rotation.c;
        self.s[lane] = pose.rotation.s;
    }
    /// Velocity of the body in a lane, in the frame that its kind uses.
    #[inline(always)]
    pub fn velocity(&self, lane: usize) -> Vec2 {
        Vec2::new(self.vx[lane], self.vy[lane])
    }
    /// Sets velocity and turning of the body in a lane.
    #[inline(always)]
    pub fn set_velocity(&mut self, lane: usize, velocity: Vec2, omega: f64) {
        self.vx[lane] = velocity.x;
        self.vy[lane] = velocity.y;
        self.omega[lane] = omega;
    }
    /// Copies the body in a lane from another block.
    pub fn copy_lane(&mut self, lane: usize, from: &Self) {
        self.set_pose(lane, from.pose(lane));
        self.set_velocity(lane, from.velocity(lane), from.omega[lane]);
    }
}

/// Block and lane of a slot.
#[inline(always)]
pub(crate) fn place(slot: u32) -> (usize, usize) {
    (slot as usize / LANES, slot as usize % LANES)
}

/// Motor voltages of a block of robots, V.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct VoltBlock {
    /// Right motors.
    pub right: [f64; LANES],
    /// Left motors.
    pub left: [f64; LANES],
}

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

/// Impulse of a contact point in the last step, divided by the step's length, for a warm start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CachedImpulse {
    /// Which bodies and parts touch; see `contacts`.
    pub key: u64,
    /// Which features of them touch.
    pub feature: u32,
    /// Normal force, N.
    pub normal: f64,
    /// Friction force, N.
    pub tangent: f64,
}

/// Everything that changes while a world runs.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Steps done.
    pub step: u64,
    /// Key of every random stream.
    pub seed: u64,
    /// Motion of all bodies, by block.
    pub(crate) motion: Vec<Block>,
    /// Motor voltages, by block (blocks without robots stay zero).
    pub(crate) volts: Vec<VoltBlock>,
    /// Which lanes of a block hold a robot whose wheels slip, a bit each.
    pub(crate) slipping: Vec<u8>,
    /// Which lanes of a block are quarantined, a bit each.
    pub(crate) quarantined: Vec<u8>,
    /// Wheel speeds (right, left) of slipping robots, by slot of the robot, rad/s.
    ///
    /// While the wheels stick they follow from v and omega (eq 1) and stand here as zero.
    pub(crate) wheel_speeds: Vec<[f64; 2]>,
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
    /// Velocity of the balls' lower surface against their centre, m/s: equals the ball's velocity
    /// while it rolls.
    pub ball_rolls: Vec<Vec2>,
    /// Impulses of the last step, in the order of their keys.
    pub impulses: Vec<CachedImpulse>,
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
    /// Energy that the `equivalent-sphere` response made from nothing, and lost, J.
    pub sphere_energy: [f64; 2],
    /// What there is more on rough ground; none on flat ground.
    pub rough: Option<Box<RoughState>>,
}

impl State {
    /// The first state of a model.
    pub fn new(model: &Model, seed: u64) -> Self {
        let blocks = model.layout.blocks.len();
        let slots = blocks * LANES;
        let mut state = Self {
            step: 0,
            seed,
            motion: vec![Block { c: [1.0; LANES], ..Block::default() }; blocks],
            volts: vec![VoltBlock::default(); blocks],
            slipping: vec![0; blocks],
            quarantined: vec![0; blocks],
            wheel_speeds: vec![[0.0; 2]; slots],
            commanded: vec![[0.0; 2]; model.robots.len()],
            control: (model.robots.iter())
                .map(|r| (r.servo.is_some() || model.spatial.is_some()).then(Control::default))
                .collect(),
            waiting: vec![None; model.robots.len()],
            drivers: (0..model.robots.len() as u64)
                .map(|i| DriverState {
                    stream: Stream::new(seed, i, "driver"),
                    ..Default::default()
                })
                .collect(),
            drivers_due: 0,
            ball_rolls: vec![Vec2::ZERO; model.layout.ball_slots.len()],
            // Room for two points a body, so that a step does not allocate later.
            impulses: Vec::with_capacity(4 * slots + 64),
            scores: vec![0; model.spec.zones.len()],
            inside: vec![false; model.spec.zones.len() * model.layout.ball_slots.len()],
            event_counts: [0; EVENT_KINDS],
            drifts: errors::drifts(model, seed),
            senses: SenseState::new(model, seed),
            sphere_energy: [0.0; 2],
            rough: model.spatial.as_ref().map(|spatial| Box::new(RoughState::new(model, spatial))),
        };
        state.send_home(model);
        state
    }

    /// Puts every body where the scene starts it; time, streams and scores go on.
    pub(crate) fn send_home(&mut self, model: &Model) {
        for body in model.bodies() {
            let (block, lane) = place(body.slot);
            self.motion[block].set_pose(lane, body.home);
            self.motion[block].set_velocity(lane, body.home_velocity, body.home_omega);
            if body.kind == BodyKind::Ball {
                self.ball_rolls[body.index as usize] = body.home_velocity;
            }
        }
        self.slipping.fill(0);
        self.quarantined.fill(0);
        self.wheel_speeds.fill([0.0; 2]);
        self.impulses.clear();
        self.inside.fill(false);
        self.senses.teleported(model, 0..model.robots.len() as u32);
        rough::send_home(model, self);
    }

    /// Pose of the body in a slot.
    pub(crate) fn pose(&self, slot: u32) -> Pose2 {
        let (block, lane) = place(slot);
        self.motion[block].pose(lane)
    }

    /// Whether the wheels of the robot in a slot slip.
    #[inline]
    pub(crate) fn is_slipping(&self, slot: u32) -> bool {
        let (block, lane) = place(slot);
        self.slipping[block] >> lane & 1 == 1
    }

    /// Marks the robot in a slot as slipping or not.
    #[inline]
    pub(crate) fn set_slipping(&mut self, slot: u32, slips: bool) {
        let (block, lane) = place(slot);
        let bit = 1 << lane;
        if slips {
            self.slipping[block] |= bit;
        } else {
            self.slipping[block] &= !bit;
            self.wheel_speeds[slot as usize] = [0.0; 2];
        }
    }

    /// Whether the body in a slot is quarantined.
    #[inline]
    pub(crate) fn is_quarantined(&self, slot: u32) -> bool {
        let (block, lane) = place(slot);
        self.quarantined[block] >> lane & 1 == 1
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
        for b in &mut self.motion {
            for array in
                [&mut b.x, &mut b.y, &mut b.c, &mut b.s, &mut b.vx, &mut b.vy, &mut b.omega]
            {
                array.iter_mut().for_each(|x| visitor.number(x));
            }
        }
        for v in &mut self.volts {
            v.right.iter_mut().chain(&mut v.left).for_each(|x| visitor.number(x));
        }
        self.slipping.iter_mut().chain(&mut self.quarantined).for_each(|b| visitor.byte(b));
        self.wheel_speeds.iter_mut().flatten().for_each(|x| visitor.number(x));
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
        for r in &mut self.ball_rolls {
            visitor.number(&mut r.x);
            visitor.number(&mut r.y);
        }
        for i in &mut self.impulses {
            visitor.word(&mut i.key);
            let mut feature = u64::from(i.feature);
            visitor.word(&mut feature);
            i.feature = feature as u32;
            visitor.number(&mut i.normal);
            visitor.number(&mut i.tangent);
        }
        self.scores.iter_mut().for_each(|s| visitor.word(s));
        self.inside.iter_mut().for_each(|i| visitor.flag(i));
        let kinds = if self.rough.is_some() { EVENT_KINDS } else { FLAT_EVENT_KINDS };
        self.event_counts[..kinds].iter_mut().for_each(|n| visitor.word(n));
        self.sphere_energy.iter_mut().for_each(|e| visitor.number(e));
        for drift in &mut self.drifts {
            visitor.word(&mut drift.stream.key);
            visitor.word(&mut drift.stream.drawn);
        }
        self.senses.visit(model, &mut |word| visitor.word(word));
        if let Some(rough) = &mut self.rough {
            rough.visit(visitor);
        }
    }

    /// Hash of every bit of the state.
    pub fn hash(&self, model: &Model) -> u64 {
        // A copy keeps one list of fields for read and write.
        self.clone().hash_words(model)
    }

    /// The same without a copy where nothing of it is computed on the way, so that nothing is allocated.
    pub(crate) fn hash_in_place(&mut self, model: &Model) -> u64 {
        if self.rough.is_some() { self.hash(model) } else { self.hash_words(model) }
    }

    fn hash_words(&mut self, model: &Model) -> u64 {
        struct Hasher(Hash64);
        impl Visitor for Hasher {
            fn word(&mut self, w: &mut u64) {
                self.0.word(*w);
            }

            fn shown(&mut self, _: &mut f64) {}
        }
        let mut hasher = Hasher(Hash64::default());
        hasher.0.word(self.impulses.len() as u64);
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
