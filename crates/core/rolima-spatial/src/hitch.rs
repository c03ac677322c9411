//! Hitches: a point of a vehicle held at a point of another one, as a cart behind its tug.
//!
//! A hitch is a pin that turns every way, a spring and a damper between the two points. At every fine
//! step both vehicles get one impulse, equal and opposite, at the middle between the points, and then
//! each does its own step; so momentum and angular momentum are kept to rounding. The impulse is the
//! implicit one: with d the distance of the points, u the speed at which it grows, and K what u changes
//! by for an impulse,
//!
//! ```text
//! J = -h (k (d + h u') + c u'),  u' = u + K J   =>   (1 + h (c + h k) K) J = -h (k d + (c + h k) u)
//! ```
//!
//! which is stable for any stiffness, damping and step, and gains no energy of its own. From
//! `MOST_STRETCH` on the spring pulls no harder: vehicles that were put down apart come together
//! slowly.

use crate::model::{SpatialModel, VehicleModel};
use crate::spec::VehicleSpec;
use crate::state::VehicleState;
use crate::world::SpatialState;
use rolima_check::Range::Within;
use rolima_check::{self as check, ModelError, OURS, check_numbers, keys};
use rolima_math::{Pose2, Pose3, Rot2, Sym3, Vec3};

/// Stretch beyond which the spring pulls no harder, m.
const MOST_STRETCH: f64 = 0.02;

/// How far apart, seen from above, the points may be where vehicles start, m.
const MOST_APART: f64 = 0.05;

keys! {
    /// How a vehicle hangs on another one.
    #[derive(Clone, Debug, PartialEq)]
    pub struct HitchSpec {
        /// Name of the vehicle in front.
        to: String = String::new();
        /// The point there, in that vehicle's own frame (origin on the ground below its centre of mass), m.
        at: Vec3 = Vec3::ZERO;
        /// The point of this vehicle, in its own frame, m.
        own: Vec3 = Vec3::ZERO;
        /// stiffness of the pin
        stiffness: f64 = 2e5, "N/m", Within(1.0, 1e9), OURS;
        /// damping of the pin
        damping: f64 = 2e3, "N s/m", Within(0.0, 1e9), OURS;
    }
}

impl HitchSpec {
    /// A pin as stiff as by default.
    pub fn new(to: impl Into<String>, at: Vec3, own: Vec3) -> Self {
        Self { to: to.into(), at, own, ..Self::default() }
    }
}

/// A compiled hitch.
#[derive(Clone, Copy, Debug)]
pub struct Hitch {
    /// Number of the vehicle in front.
    pub towing: u32,
    /// Number of the one behind.
    pub towed: u32,
    /// Where the one behind starts, seen from the one in front.
    pub behind: Pose2,
    /// The points, from the centres of mass.
    at: Vec3,
    own: Vec3,
    stiffness: f64,
    damping: f64,
}

/// Checks the hitches of vehicles and compiles them, in the order of those behind.
pub(crate) fn compile(vehicles: &[VehicleSpec]) -> Result<Vec<Hitch>, ModelError> {
    let mut hitches = vec![];
    for (i, vehicle) in vehicles.iter().enumerate() {
        let Some(hitch) = &vehicle.hitch else { continue };
        let key = format!("vehicle.{i}.hitch");
        let Some(towing) = vehicles.iter().position(|v| v.name == hitch.to) else {
            let expected = "the name of a vehicle of the scene";
            return Err(ModelError::new(format!("{key}.to"), expected, &hitch.to));
        };
        if leads_to(vehicles, towing, i) {
            let expected = "a vehicle that does not hang on this one";
            return Err(ModelError::new(format!("{key}.to"), expected, &hitch.to));
        }
        for (name, point) in [("at", hitch.at), ("own", hitch.own)] {
            for x in point.array() {
                check::at_most(&format!("{key}.{name}"), ("a distance", "m"), x, 100.0)?;
            }
        }
        check_numbers(&key, hitch, HitchSpec::KEYS)?;
        let compiled = of(vehicles, (towing, i), hitch);
        let [there, here] = [(towing, compiled.at), (i, compiled.own)].map(|(vehicle, point)| {
            let start = &vehicles[vehicle].start;
            start.position + start.orientation.rotate(point)
        });
        let apart = there - here;
        // Written so that a number that is none is refused, too.
        let resolve_contacts = apart.x * apart.x + apart.y * apart.y <= MOST_APART * MOST_APART;
        if !resolve_contacts {
            let place = |p: Vec3| format!("[{}, {}]", check::shown(p.x), check::shown(p.y));
            let expected =
                format!("a pose with the hitch at that of {:?}, {}", hitch.to, place(there));
            return Err(ModelError::new(key, expected, place(here)));
        }
        hitches.push(compiled);
    }
    Ok(hitches)
}

/// Whether one vehicle is another one or hangs on it, directly or by others.
fn leads_to(vehicles: &[VehicleSpec], mut from: usize, to: usize) -> bool {
    for _ in 0..=vehicles.len() {
        if from == to {
            return true;
        }
        let next = vehicles[from].hitch.as_ref();
        match next.and_then(|hitch| vehicles.iter().position(|v| v.name == hitch.to)) {
            Some(next) => from = next,
            None => return false,
        }
    }
    true
}

fn of(vehicles: &[VehicleSpec], (towing, towed): (usize, usize), hitch: &HitchSpec) -> Hitch {
    let (front, back) = (&vehicles[towing], &vehicles[towed]);
    let from_centre = |v: &VehicleSpec, p: Vec3| p - Vec3::new(0.0, 0.0, v.ride_height());
    let place = |v: &VehicleSpec| {
        let pose = Pose3 { position: v.start.position, rotation: v.start.orientation };
        pose.planar()
    };
    let (a, b) = (place(front), place(back));
    let rotation = Rot2 {
        c: a.rotation.c * b.rotation.c + a.rotation.s * b.rotation.s,
        s: a.rotation.c * b.rotation.s - a.rotation.s * b.rotation.c,
    };
    Hitch {
        towing: towing as u32,
        towed: towed as u32,
        behind: Pose2 { position: a.rotation.unrotate(b.position - a.position), rotation },
        at: from_centre(front, hitch.at),
        own: from_centre(back, hitch.own),
        stiffness: hitch.stiffness,
        damping: hitch.damping,
    }
}

/// One end of a hitch for a moment: what it moves like and answers to impulses.
struct End<'a> {
    state: &'a mut VehicleState,
    /// From the centre of mass to the middle of the hitch, in the world.
    lever: Vec3,
    per_mass: f64,
    /// Inverse inertia, in the chassis' frame.
    inverse: Sym3,
    velocity: Vec3,
}

impl<'a> End<'a> {
    fn new(state: &'a mut VehicleState, known: &VehicleModel, middle: Vec3) -> Self {
        let lever = middle - state.position;
        let omega = state.orientation.rotate(state.omega(known));
        let velocity = state.velocity + omega.cross(lever);
        let inverse = known.inverse_inertia(state);
        Self { state, lever, per_mass: known.per_mass, inverse, velocity }
    }

    /// How the velocity there changes by an impulse there.
    fn answer(&self, impulse: Vec3) -> Vec3 {
        let turn = self.state.orientation;
        let own = turn.unrotate(self.lever.cross(impulse));
        impulse * self.per_mass + turn.rotate(self.inverse.times(own)).cross(self.lever)
    }

    fn push(&mut self, impulse: Vec3) {
        self.state.velocity += impulse * self.per_mass;
        self.state.momentum += self.lever.cross(impulse);
    }
}

impl Hitch {
    /// Where the two points are in the world: of the vehicle in front, and of the one behind.
    pub(crate) fn points(&self, front: &VehicleState, back: &VehicleState) -> [Vec3; 2] {
        let place = |state: &VehicleState, p| state.position + state.orientation.rotate(p);
        [place(front, self.at), place(back, self.own)]
    }

    /// The impulses of a step `h`.
    fn pull(
        &self,
        (front, front_known): (&mut VehicleState, &VehicleModel),
        (back, back_known): (&mut VehicleState, &VehicleModel),
        h: f64,
    ) {
        if front.is_stopped() || back.is_stopped() {
            return;
        }
        let [there, here] = self.points(front, back);
        let (stretch, middle) = (here - there, (here + there) * 0.5);
        let length = stretch.length();
        let stretch =
            if length > MOST_STRETCH { stretch * (MOST_STRETCH / length) } else { stretch };
        let mut front = End::new(front, front_known, middle);
        let mut back = End::new(back, back_known, middle);
        let resistance = self.damping + h * self.stiffness;
        let wanted = stretch * self.stiffness + (back.velocity - front.velocity) * resistance;
        let column = |v: Vec3| v + (front.answer(v) + back.answer(v)) * (h * resistance);
        let [x, y, z] =
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|e| column(e.into()));
        let matrix = Sym3 { diagonal: [x.x, y.y, z.z], beside: [x.y, x.z, y.z] };
        // Its inverse is there: it is at least the unit matrix, as long as the states are finite.
        let Some(inverse) = matrix.inverse() else { return };
        let impulse = inverse.times(wanted) * -h;
        back.push(impulse);
        front.push(-impulse);
    }
}

impl SpatialState {
    /// Several steps of the vehicles that are hitched, together.
    pub(crate) fn advance_trains(&mut self, model: &SpatialModel, steps: u64) {
        if model.hitches.is_empty() {
            return;
        }
        for _ in 0..steps {
            for hitch in &model.hitches {
                let ends = [hitch.towing as usize, hitch.towed as usize];
                let Ok([front, back]) = self.vehicles.get_disjoint_mut(ends) else { continue };
                let [front_known, back_known] = ends.map(|i| &model.vehicles[i]);
                let (front, back) = (&mut front.state, &mut back.state);
                hitch.pull((front, front_known), (back, back_known), model.step_s);
            }
            for (vehicle, known) in self.vehicles.iter_mut().zip(&model.vehicles) {
                if known.is_hitched {
                    vehicle.advance_alone(model, known, 1);
                }
            }
        }
    }

    /// How far the points of a hitch are apart, m.
    pub fn stretch(&self, hitch: &Hitch) -> f64 {
        let ends = [hitch.towing, hitch.towed].map(|i| self.vehicle(i).map(|v| &v.state));
        let [Some(front), Some(back)] = ends else { return 0.0 };
        let [there, here] = hitch.points(front, back);
        (here - there).length()
    }
}

impl Hitch {
    /// Where, seen from above, the vehicle behind stands when the one in front is put down at a pose:
    /// behind it as they start.
    pub fn place_behind(&self, front: Pose2) -> Pose2 {
        let position = front.position + front.rotation.rotate(self.behind.position);
        Pose2 { position, rotation: front.rotation.after(self.behind.rotation) }
    }
}
