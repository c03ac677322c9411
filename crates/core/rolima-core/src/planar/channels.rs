//! Quantities that only bodies in the plane have: the wheels of two-wheeled robots, how balls roll.
//!
//! Slip is the velocity of a tyre's contact patch over the ground, forward and to the left: negative
//! forward where a wheel turns faster than it rolls. Slip ratio and slip angle are those that the spatial
//! engine's tyres have once they are steady (see `rolima_spatial::wheels`): positive where the tyre drives.

use super::tyre_forces::{HOLDS, TyreForce};
use crate::schema::loose::Loose;
use crate::schema::robots::{Robot, SIDES};
use crate::schema::{
    Instant, POSITIVE, Quantity, ROUND, Subject, Walker, bounded, flag, grip_used, quantity, truth,
};
use rolima_math::{Vec2, atan2};
use rolima_model::{BodyKind, ContactResponse, Model, RobotId, Wheel};

/// Worlds with the published equivalent spheres.
struct Spheres;

impl Subject for Spheres {
    type At<'a> = Instant<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        bounded(
            POSITIVE,
            "sphere_energy.gained",
            "J",
            "energy that equivalent spheres made",
            |now| now.world.sphere_energy()[0],
        ),
        bounded(
            POSITIVE,
            "sphere_energy.lost",
            "J",
            "energy that equivalent spheres lost",
            |now| now.world.sphere_energy()[1],
        ),
    ];
}

/// A wheel of a robot.
struct Flat;

/// It at one instant.
struct FlatWheel<'a> {
    robot: Robot<'a>,
    known: &'a Wheel,
    /// 0 right, 1 left.
    side: usize,
    /// rad/s.
    spin: f64,
    tyre: TyreForce,
}

/// Part of the speeds across and of the rim that steady slip is at least counted by.
const ACROSS: f64 = 0.1;

impl FlatWheel<'_> {
    /// m/s; a tyre that sticks has none, to the bit.
    fn slip(&self) -> [f64; 2] {
        if !self.robot.body.slips {
            return [0.0; 2];
        }
        let [along, across] = self.speed();
        [along - self.known.radius * self.spin, across]
    }

    /// Of the tyres of a robot that slips one may hold.
    fn slides(&self) -> bool {
        let [along, across] = self.slip();
        along * along + across * across > HOLDS * HOLDS
    }

    /// Of the contact point's place, along the heading and to the left, m/s.
    fn speed(&self) -> [f64; 2] {
        let own = self.robot.own_velocity;
        [own.x - self.known.left * self.robot.body.omega, own.y]
    }

    /// Slip by the speed; none where nothing moves.
    fn ratio(&self) -> f64 {
        let [along, across] = self.speed().map(f64::abs);
        let rolls = (self.known.radius * self.spin).abs();
        let by = rolls.max(along).max(ACROSS * across);
        let slip = self.slip()[0];
        // A tyre that sticks has none, without a sign.
        if by > 0.0 && slip != 0.0 { -slip / by } else { 0.0 }
    }

    /// rad.
    fn angle(&self) -> f64 {
        let ([along, across], slip) = (self.speed(), self.slip()[1]);
        let rolls = (self.known.radius * self.spin).abs();
        let by = along.abs().max(ACROSS * across.abs().max(rolls));
        if slip == 0.0 { 0.0 } else { atan2(-slip, by) }
    }

    /// In the world, m.
    fn contact(&self) -> Vec2 {
        self.robot.body.pose.transform(Vec2::new(0.0, self.known.left))
    }
}

impl Subject for Flat {
    type At<'a> = FlatWheel<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("spin", "rad/s", "turning of the wheel", |w| w.spin),
        bounded(POSITIVE, "load", "N", "force of the ground along its normal", |w| w.tyre.load),
        quantity("force.forward", "N", "force of the ground along the heading", |w| w.tyre.force.x),
        quantity("force.left", "N", "force of the ground to the left", |w| w.tyre.force.y),
        grip_used(|w| w.tyre.grip_used.unwrap_or(f64::NAN)),
        truth("slips", "whether its tyre slides", |w| flag(w.slides())),
        bounded(SLIP, "slip.ratio", "", "slip along the rolling direction by the speed", |w| {
            w.ratio()
        }),
        bounded(
            ROUND,
            "slip.angle",
            "rad",
            "from the rolling direction to the hub's motion",
            |w| w.angle(),
        ),
        quantity("slip.forward", "m/s", "velocity of the tyre's patch over the ground", |w| {
            w.slip()[0]
        }),
        quantity("slip.left", "m/s", "velocity of the tyre's patch over the ground", |w| {
            w.slip()[1]
        }),
        quantity("speed.forward", "m/s", "velocity of the contact point's place", |w| w.speed()[0]),
        quantity("speed.left", "m/s", "velocity of the contact point's place", |w| w.speed()[1]),
        quantity("voltage", "V", "voltage at its motor", |w| w.robot.body.volts[w.side]),
        quantity("current", "A", "current of its motor", |w| w.robot.body.amps[w.side]),
        quantity("motor_torque", "N m", "torque of motor and gear on the axle", |w| {
            w.robot.torque(w.side)
        }),
        quantity("contact.x", "m", "where it touches the ground", |w| w.contact().x),
        quantity("contact.y", "m", "where it touches the ground", |w| w.contact().y),
    ];
}

/// Slip ratios of wheels that are turned against their motion.
const SLIP: [f64; 2] = [-2.0, 2.0];

/// Balls.
struct Ball;

impl Subject for Ball {
    type At<'a> = Loose<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("roll.x", "m/s", "velocity of its lower side against its centre", |l| roll(l).x),
        quantity("roll.y", "m/s", "velocity of its lower side against its centre", |l| roll(l).y),
    ];
}

fn roll(ball: &Loose<'_>) -> Vec2 {
    ball.world.ball_roll(ball.body.index).unwrap_or_default()
}

/// What only such a world has.
pub(crate) fn walk_world(model: &Model, now: Option<Instant<'_>>, walker: &mut impl Walker) {
    if model.contact.response == ContactResponse::EquivalentSphere {
        walker.subject::<Spheres>(String::new, now.as_ref());
    }
}

/// The right and the left wheel of a robot.
pub(crate) fn walk_wheels(
    model: &Model,
    index: usize,
    robot: Option<Robot<'_>>,
    walker: &mut impl Walker,
) {
    let known = &model.robots[index];
    let drive = &model.drives[known.drive as usize];
    let tyres =
        robot.and_then(|robot| robot.world.tyres(RobotId(index as u32))).unwrap_or_default();
    for (side, (wheel, side_name)) in drive.wheels.iter().zip(SIDES).enumerate() {
        let at = robot.map(|robot| {
            let spin = robot.body.wheel_speeds[side];
            FlatWheel { robot, known: wheel, side, spin, tyre: tyres[side] }
        });
        let name = || format!("robot.{}.wheel.{side_name}", known.name);
        walker.subject::<Flat>(name, at.as_ref());
    }
}

/// What a ball or an object has.
pub(crate) fn walk_loose(
    kind: BodyKind,
    name: impl Fn() -> String,
    loose: Option<Loose<'_>>,
    walker: &mut impl Walker,
) {
    if kind == BodyKind::Ball {
        walker.subject::<Ball>(name, loose.as_ref());
    }
}
