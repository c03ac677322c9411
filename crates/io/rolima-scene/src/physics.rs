//! The tables `[sim]` and `[contact]`.

use crate::reader::{
    Absent, Fields, Key, OURS, Range, colour, count, keys_of, number, table, word, words,
};
use crate::scene::Assembler;
use rolima_model::{ContactResponse, ContactSpec, Integrator, LookSpec, SimSpec};

pub(crate) const SIM: &[&[Key]] = &[
    &[
        word("integrator", || words(INTEGRATORS), "how robots are integrated over a step")
            .or(Absent::Text("exact"), OURS),
        count("seed", (0, u64::MAX), "key of every random stream").or(Absent::Whole(1), OURS),
    ],
    keys_of!(SimSpec::KEYS),
];

const INTEGRATORS: &[(&str, Integrator)] =
    &[("euler", Integrator::Euler), ("rk4", Integrator::Rk4), ("exact", Integrator::Exact)];

pub(crate) const CONTACT: &[&[Key]] = &[
    &[
        word("response", || words(RESPONSES), "model of a collision")
            .or(Absent::Text("rigid"), OURS),
        table("restitution", "defaults", "how much bounces back, for each pair of kinds"),
        table("friction", "defaults", "friction between bodies, for each pair of kinds"),
    ],
    keys_of!(ContactSpec::KEYS),
    &[count("iterations", (1, 10_000), "most sweeps of the contact solver a step")
        .or(Absent::Whole(8), OURS)],
];
pub(crate) const RESTITUTION: &[Key] = keys_of!(ContactSpec::RESTITUTION);
pub(crate) const FRICTION: &[Key] = keys_of!(ContactSpec::FRICTION);

const RESPONSES: &[(&str, ContactResponse)] =
    &[("rigid", ContactResponse::Rigid), ("equivalent-sphere", ContactResponse::EquivalentSphere)];

pub(crate) const LOOK: &[Key] = &[
    colour("ground", "tiles, or by height and slope", "colour of the ground; dyes a texture"),
    colour("walls", "bricks, or boards if lower than 0.5 m", "colour of the walls"),
    number(
        "fade",
        "m",
        Range::Positive,
        "distance at which half of a colour has gone into the air's",
    )
    .computed("clear air"),
];

impl Assembler {
    /// Reads `[look]`.
    pub(crate) fn look(&mut self, scene: &Fields<'_>) {
        let node = scene.child("look");
        let Some(fields) = Fields::open(&mut self.log, &node, "look".to_owned(), &[LOOK]) else {
            return;
        };
        let log = &mut self.log;
        self.spec.look = LookSpec {
            ground: fields.colour(log, "ground"),
            walls: fields.colour(log, "walls"),
            fade: fields.optional(log, "fade"),
        };
    }

    /// Reads `[sim]` and `[contact]`.
    pub(crate) fn physics(&mut self, scene: &Fields<'_>) {
        self.sim(scene);
        self.contact(scene);
    }

    fn sim(&mut self, scene: &Fields<'_>) {
        let node = scene.child("sim");
        let log = &mut self.log;
        let Some(fields) = Fields::open(log, &node, scene.key_path("sim"), SIM) else { return };
        let sim = &mut self.spec.sim;
        fields.numbers(log, sim, SimSpec::KEYS);
        if let Some(integrator) = fields.word(log, "integrator", INTEGRATORS) {
            sim.integrator = integrator;
        }
        sim.seed = fields.count(log, "seed");
    }

    fn contact(&mut self, scene: &Fields<'_>) {
        let node = scene.child("contact");
        let log = &mut self.log;
        let path = scene.key_path("contact");
        let Some(fields) = Fields::open(log, &node, path, CONTACT) else { return };
        let contact = &mut self.spec.contact;
        if let Some(response) = fields.word(log, "response", RESPONSES) {
            contact.response = response;
        }
        fields.numbers(log, contact, ContactSpec::KEYS);
        let iterations = fields.count(log, "iterations");
        contact.iterations = u32::try_from(iterations).unwrap_or(u32::MAX);
        for (name, keys, numbers) in [
            ("restitution", RESTITUTION, ContactSpec::RESTITUTION),
            ("friction", FRICTION, ContactSpec::FRICTION),
        ] {
            let node = fields.child(name);
            if let Some(pairs) = Fields::open(log, &node, fields.key_path(name), &[keys]) {
                pairs.numbers(log, contact, numbers);
            }
        }
    }
}
