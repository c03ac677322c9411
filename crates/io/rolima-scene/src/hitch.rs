//! Hitches: what a robot hangs on.

use crate::ledger::Origin;
use crate::reader::{Fields, Key, KeyKind, key, keys_of, text};
use crate::scene::{Assembler, Site};
use rolima_math::Vec3;
use rolima_spatial::HitchSpec;

pub(crate) const HITCH: &[&[Key]] = &[
    &[
        text("to", "name of the vehicle in front"),
        key(
            "at",
            "m",
            KeyKind::Numbers(3),
            "the point there: [x, y, z] in its own frame, z over the ground",
        ),
        key("own", "m", KeyKind::Numbers(3), "the point of this one, in its own frame"),
    ],
    keys_of!(HitchSpec::KEYS),
];

impl Assembler {
    /// Reads what a robot hangs on, and where that is said.
    pub(crate) fn hitch(
        &mut self,
        robot: &Fields<'_>,
        site: &Site<'_>,
    ) -> Option<(HitchSpec, Origin)> {
        let node = robot.get("hitch")?;
        let log = &mut self.log;
        let fields = Fields::open(log, node, robot.key_path("hitch"), HITCH)?;
        let to = format!("{}{}", site.prefix, fields.text(log, "to"));
        let points = ["at", "own"].map(|name| fields.array(log, name).map(Vec3::from));
        let mut hitch = HitchSpec { to, ..HitchSpec::default() };
        fields.numbers(log, &mut hitch, HitchSpec::KEYS);
        [hitch.at, hitch.own] = [points[0]?, points[1]?];
        Some((hitch, node.origin.clone()))
    }
}
