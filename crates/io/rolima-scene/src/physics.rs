//! The tables `[sim]` and `[contact]`.

use crate::reader::{Fields, Key, Number, OURS, Range, key};
use crate::scene::Assembler;
use rolima_model::{ContactResponse, Integrator, LookSpec, PairTable, SimSpec};

const SIM_NUMBERS: &[Number<SimSpec>] = &[
    Number {
        key: key("step_s", "s", "length of a step"),
        range: Range::Positive,
        source: OURS,
        slot: |sim| &mut sim.step_s,
    },
    Number {
        key: key("gravity", "m/s2", "presses wheels and objects on the ground"),
        range: Range::NotNegative,
        source: "standard gravity",
        slot: |sim| &mut sim.gravity,
    },
];

const SIM: &[Key] = &[
    key("integrator", "-", "how robots are integrated over a step"),
    key("seed", "1", "key of every random stream"),
];

const INTEGRATORS: &[(&str, Integrator)] =
    &[("euler", Integrator::Euler), ("rk4", Integrator::Rk4), ("exact", Integrator::Exact)];

const CONTACT: &[Key] = &[
    key("response", "-", "model of a collision"),
    key("restitution", "-", "how much bounces back, for each pair of kinds"),
    key("friction", "-", "friction between bodies, for each pair of kinds"),
    key("restitution_threshold", "m/s", "approach speed below which nothing bounces"),
    key("iterations", "1", "most sweeps of the contact solver a step"),
];

const RESPONSES: &[(&str, ContactResponse)] =
    &[("rigid", ContactResponse::Rigid), ("equivalent-sphere", ContactResponse::EquivalentSphere)];

/// A coefficient of a pair of kinds.
const fn pair(
    name: &'static str,
    meaning: &'static str,
    slot: fn(&mut PairTable) -> &mut f64,
) -> Number<PairTable> {
    Number { key: key(name, "1", meaning), range: Range::NotNegative, source: OURS, slot }
}

const PAIRS: &[Number<PairTable>] = &[
    pair("ball_wall", "coefficient between ball and wall", |t| &mut t.ball_wall),
    pair("ball_robot", "coefficient between ball and robot", |t| &mut t.ball_robot),
    pair("ball_ball", "coefficient between two balls", |t| &mut t.ball_ball),
    pair("ball_object", "coefficient between ball and object", |t| &mut t.ball_object),
    pair("robot_wall", "coefficient between robot and wall", |t| &mut t.robot_wall),
    pair("robot_robot", "coefficient between two robots", |t| &mut t.robot_robot),
    pair("robot_object", "coefficient between robot and object", |t| &mut t.robot_object),
    pair("object_wall", "coefficient between object and wall", |t| &mut t.object_wall),
    pair("object_object", "coefficient between two objects", |t| &mut t.object_object),
];

const LOOK: &[Key] = &[
    key("ground", "-", "colour of the ground, \"#rrggbb\""),
    key("walls", "-", "colour of the walls, \"#rrggbb\""),
    key("fade", "m", "distance at which half of a colour has gone into the air's"),
];

impl Assembler {
    /// Reads `[look]`.
    pub(crate) fn look(&mut self, scene: &Fields<'_>) {
        let node = scene.child("look");
        let Some(fields) = Fields::open(&mut self.log, &node, "look".to_owned(), LOOK) else {
            return;
        };
        let log = &mut self.log;
        self.spec.look = LookSpec {
            ground: fields.colour(log, "ground"),
            walls: fields.colour(log, "walls"),
            fade: fields.optional(log, "fade", Range::Positive, "clear air"),
        };
    }

    /// Reads `[sim]` and `[contact]`.
    pub(crate) fn physics(&mut self, scene: &Fields<'_>) {
        self.sim(scene);
        self.contact(scene);
        self.vision(scene);
    }

    fn sim(&mut self, scene: &Fields<'_>) {
        let node = scene.child("sim");
        let known = SIM.iter().chain(SIM_NUMBERS.iter().map(|number| &number.key));
        let log = &mut self.log;
        let Some(fields) = Fields::open(log, &node, scene.key_path("sim"), known) else { return };
        let sim = &mut self.spec.sim;
        fields.numbers(log, sim, SIM_NUMBERS);
        if let Some(integrator) = fields.word(log, "integrator", INTEGRATORS, Some(("exact", OURS)))
        {
            sim.integrator = integrator;
        }
        sim.seed = fields.count(log, "seed", 0..=u64::MAX, Some((sim.seed, OURS)));
    }

    fn contact(&mut self, scene: &Fields<'_>) {
        let node = scene.child("contact");
        let log = &mut self.log;
        let path = scene.key_path("contact");
        let Some(fields) = Fields::open(log, &node, path, CONTACT) else { return };
        let contact = &mut self.spec.contact;
        if let Some(response) = fields.word(log, "response", RESPONSES, Some(("rigid", OURS))) {
            contact.response = response;
        }
        let threshold = Some((contact.restitution_threshold, OURS));
        contact.restitution_threshold =
            fields.number(log, "restitution_threshold", Range::NotNegative, threshold);
        let iterations = Some((u64::from(contact.iterations), OURS));
        let iterations = fields.count(log, "iterations", 1..=10_000, iterations);
        contact.iterations = u32::try_from(iterations).unwrap_or(u32::MAX);
        let tables =
            [("restitution", &mut contact.restitution), ("friction", &mut contact.friction)];
        for (name, table) in tables {
            let node = fields.child(name);
            let known = PAIRS.iter().map(|number| &number.key);
            if let Some(pairs) = Fields::open(log, &node, fields.key_path(name), known) {
                pairs.numbers(log, table, PAIRS);
            }
        }
    }
}
