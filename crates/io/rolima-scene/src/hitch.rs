//! Hitches: what a robot hangs on.

use crate::ledger::Origin;
use crate::reader::{Fields, Key, Number, OURS, Range, key};
use crate::scene::{Assembler, Site};
use rolima_math::Vec3;
use rolima_spatial::HitchSpec;

const HITCH: &[Key] = &[
    key("to", "-", "name of the vehicle in front"),
    key("at", "m", "the point there: [x, y, z] in its own frame, z over the ground"),
    key("own", "m", "the point of this one, in its own frame"),
];

const PIN: &[Number<HitchSpec>] = &[
    Number {
        key: key("stiffness", "N/m", "stiffness of the pin"),
        range: Range::Positive,
        source: OURS,
        slot: |h| &mut h.stiffness,
    },
    Number {
        key: key("damping", "N s/m", "damping of the pin"),
        range: Range::NotNegative,
        source: OURS,
        slot: |h| &mut h.damping,
    },
];

impl Assembler {
    /// Reads what a robot hangs on, and where that is said.
    pub(crate) fn hitch(
        &mut self,
        robot: &Fields<'_>,
        site: &Site<'_>,
    ) -> Option<(HitchSpec, Origin)> {
        let node = robot.get("hitch")?;
        let known = HITCH.iter().chain(PIN.iter().map(|number| &number.key));
        let log = &mut self.log;
        let fields = Fields::open(log, node, robot.key_path("hitch"), known)?;
        let to = format!("{}{}", site.prefix, fields.text(log, "to", None));
        let [at, own] = ["at", "own"].map(|name| fields.array(log, name, None).map(Vec3::from));
        let mut hitch = HitchSpec::new(to, at?, own?);
        fields.numbers(log, &mut hitch, PIN);
        Some((hitch, node.origin.clone()))
    }
}
