//! The tables `[sim]` and `[contact]`.

use crate::reader::{Fields, Key, Range, colour, keys_of, number, table};
use crate::scene::Assembler;
use rolima_model::{ContactSpec, LookSpec, SimSpec};

pub(crate) const SIM: &[&[Key]] = &[keys_of!(SimSpec::KEYS)];

pub(crate) const CONTACT: &[&[Key]] = &[
    &[
        table("restitution", "defaults", "how much bounces back, for each pair of kinds"),
        table("friction", "defaults", "friction between bodies, for each pair of kinds"),
    ],
    keys_of!(ContactSpec::KEYS),
];
pub(crate) const RESTITUTION: &[Key] = keys_of!(ContactSpec::RESTITUTION);
pub(crate) const FRICTION: &[Key] = keys_of!(ContactSpec::FRICTION);

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
        self.vision(scene);
    }

    fn sim(&mut self, scene: &Fields<'_>) {
        let node = scene.child("sim");
        let log = &mut self.log;
        let Some(fields) = Fields::open(log, &node, scene.key_path("sim"), SIM) else { return };
        fields.numbers(log, &mut self.spec.sim, SimSpec::KEYS);
    }

    fn contact(&mut self, scene: &Fields<'_>) {
        let node = scene.child("contact");
        let log = &mut self.log;
        let path = scene.key_path("contact");
        let Some(fields) = Fields::open(log, &node, path, CONTACT) else { return };
        let contact = &mut self.spec.contact;
        fields.numbers(log, contact, ContactSpec::KEYS);
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
