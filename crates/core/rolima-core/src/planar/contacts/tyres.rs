//! When a pushed robot's tyres let go.
//!
//! While its tyres stick, a robot answers to contacts only along its heading and by turning. The
//! tyres give what that takes: the side part of the contacts' impulses and the centripetal force,
//! and what keeps the wheels turning with the ground. Where that is more than a wheel's friction
//! circle holds, the robot is let loose and its contacts are solved again, together with the
//! kinetic friction of its tyres, which now act against their slip.

use super::energy::energy_from;
use super::island::Island;
use super::solver::SolverBody;
use crate::planar::dynamics::tyre::{self, Answers};
use crate::planar::tyre_forces::Slid;
use crate::planar::{State, place};
use rolima_math::Vec2;
use rolima_model::{DriveModel, Model, Wheel};

/// Most times that contacts are solved in a substep because tyres let go.
pub(crate) const PASSES: u32 = 3;

/// A robot whose tyres have let go in this substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sliding {
    /// Number of the body in the solver.
    pub body: u32,
    wheels: [Wheel; 2],
    answers: Answers,
    /// Wheel speeds (right, left) before the contacts and now, rad/s.
    rolling: [f64; 2],
    speeds: [f64; 2],
    /// Impulses that the tyres have given in this substep (forward, left), N s: before the contacts,
    /// and now.
    first: [Vec2; 2],
    impulses: [Vec2; 2],
    /// Most that a sliding tyre gives in this substep, N s.
    limit: f64,
}

impl Sliding {
    /// The tyres of a robot that have let go before, and slide on for `time` s.
    pub(crate) fn on(number: u32, body: &SolverBody, model: &Model, time: f64) -> Self {
        let drive = &model.drives[body.drive as usize];
        Self {
            body: number,
            wheels: drive.wheels,
            answers: Answers::of(drive),
            rolling: body.wheel_speeds,
            speeds: body.wheel_speeds,
            first: [Vec2::ZERO; 2],
            impulses: [Vec2::ZERO; 2],
            limit: drive.grip_kinetic * time,
        }
    }

    /// Lets both tyres act against their slip, each within its friction circle. Returns the largest
    /// change of a slip velocity.
    #[inline(always)]
    pub(crate) fn rub(&mut self, body: &mut SolverBody) -> f64 {
        let heading = body.pose.rotation;
        let own = (heading.unrotate(body.velocity), body.omega);
        let k = &self.answers;
        let [p, q] = self.impulses;
        let across = k.across * (p.y + q.y);
        let given = [
            Vec2::new(k.along[0] * p.x + k.along_other * q.x, across),
            Vec2::new(k.along[1] * q.x + k.along_other * p.x, across),
        ];
        let without = [0, 1].map(|i| self.slip(own, i) - given[i]);
        let friction = tyre::friction_of_pair(without, k, [self.limit; 2]);
        let mut change = 0.0f64;
        for (i, w) in self.wheels.iter().enumerate() {
            let add = friction.impulses[i] - self.impulses[i];
            body.velocity += heading.rotate(add) * body.inverse_mass;
            body.omega -= w.left * add.x * body.inverse_inertia;
            self.speeds[i] -= w.radius * add.x / w.inertia;
            change = change.max((add.x * k.along[i]).abs()).max((add.y * k.across).abs());
        }
        self.impulses = friction.impulses;
        change
    }

    /// Velocity of a tyre's contact patch over the ground, for a body that moves so in its own frame.
    fn slip(&self, (own, omega): (Vec2, f64), wheel: usize) -> Vec2 {
        let w = &self.wheels[wheel];
        Vec2::new(own.x - w.left * omega - w.radius * self.speeds[wheel], own.y)
    }

    /// Whether the tyres hold again: both circles suffice, and nothing slips.
    fn holds(&self, body: &SolverBody) -> bool {
        let own = (body.pose.rotation.unrotate(body.velocity), body.omega);
        let limit = self.limit * self.limit;
        (0..2).all(|i| {
            self.impulses[i].length_squared() < limit
                && self.slip(own, i).length_squared() < HELD * HELD
        })
    }

    /// Energy that contacts and tyres give the robot, scaled by s: (l, q) of l s + q s^2/2.
    pub(crate) fn energy(&self, body: &SolverBody) -> (f64, f64) {
        let (mut linear, mut quadratic) = energy_from(body, body.free_velocity, body.free_omega);
        for (i, wheel) in self.wheels.iter().enumerate() {
            let w = self.speeds[i] - self.rolling[i];
            linear += wheel.inertia * self.rolling[i] * w;
            quadratic += wheel.inertia * w * w;
        }
        (linear, quadratic)
    }

    /// Back to before the contacts.
    pub(crate) fn restart(&mut self) {
        self.speeds = self.rolling;
        self.impulses = self.first;
    }

    /// Takes back all but a share of what the wheels got.
    pub(crate) fn scale_back(&mut self, share: f64) {
        for i in 0..2 {
            self.speeds[i] = self.rolling[i] + (self.speeds[i] - self.rolling[i]) * share;
        }
    }
}

/// A tyre slower than this over the ground holds again, m/s.
const HELD: f64 = 1e-4;

/// Gives the wheel speeds of sliding robots back to their bodies, and notes what their tyres gave in
/// this substep of `h` s; where the tyres have stopped all slip, they hold again.
pub(crate) fn hand_over(island: &mut Island<'_>, slid: &mut [Slid], (step, h): (u64, f64)) {
    for tyres in island.sliding.iter() {
        let body = &mut island.bodies[tyres.body as usize];
        slid[body.slot as usize] = Slid::new(step, tyres.impulses, h);
        body.wheel_speeds = tyres.speeds;
        body.has_let_go = !tyres.holds(body);
        if !body.has_let_go {
            body.velocity = body.pose.rotation.x_axis() * body.forward_speed();
            body.hold();
        }
    }
}

/// Lets a robot loose that is being hit, if its tyres have a limit: in no time they give nothing.
/// They act again over the `time` that is left of the substep, s.
pub(crate) fn let_go_in_hit(island: &mut Island<'_>, number: u32, model: &Model, time: f64) {
    let body = &mut island.bodies[number as usize];
    if !body.grips {
        return;
    }
    let drive = &model.drives[body.drive as usize];
    if !drive.has_traction_limit() {
        return;
    }
    body.let_loose();
    body.released = true;
    body.wheel_speeds = drive.rolling_wheel_speeds(body.forward_speed(), body.omega);
    let tyres = Sliding::on(number, body, model, time);
    island.sliding.push(tyres);
}

/// Sums the bodies' impulses, lets loose every robot whose tyres cannot hold, and marks it as changed:
/// its contacts have to be solved again. Returns whether there was one.
#[inline(always)]
pub(crate) fn let_go(island: &mut Island<'_>, model: &Model, state: &State, h: f64) -> bool {
    island.sum_impulses();
    island.mark_changed(0);
    let mut any = false;
    for &m in island.members {
        let body = &mut island.bodies[m as usize];
        let now = (body.velocity, body.omega);
        if !body.grips {
            continue;
        }
        if let Some(mut tyres) = release((m, body), now, model, state, h) {
            any = true;
            body.changed = 1;
            let (v, omega) = body.answer(body.impulse, body.angular_impulse);
            (body.velocity, body.omega) = (body.free_velocity + v, body.free_omega + omega);
            tyres.rub(body);
            island.sliding.push(tyres);
        }
    }
    if any {
        for &i in island.order {
            let c = &mut island.contacts[i as usize];
            let (a, b) = (&island.bodies[c.a as usize], &island.bodies[c.b as usize]);
            if a.changed + b.changed > 0 {
                c.couple(a, b);
            }
        }
    }
    any
}

/// Lets a gripping robot loose if its tyres would have to give more than they can, to let the
/// contacts bring it to the velocities `now`.
#[inline(always)]
fn release(
    (number, body): (u32, &mut SolverBody),
    now: (Vec2, f64),
    model: &Model,
    state: &State,
    h: f64,
) -> Option<Sliding> {
    if body.impulse == Vec2::ZERO && body.angular_impulse == 0.0 {
        return None;
    }
    let drive = &model.drives[body.drive as usize];
    if !drive.has_traction_limit() {
        return None;
    }
    let heading = body.pose.rotation;
    let (block, lane) = place(body.slot);
    let volts = [state.volts[block].right[lane], state.volts[block].left[lane]];
    let free = (body.free_velocity.dot(heading.x_axis()), body.free_omega);
    let now = (now.0.dot(heading.x_axis()), now.1);
    let side = heading.y_axis().dot(body.impulse);
    let held = tyre_impulses(drive, h, free, now, volts, side);
    let limit = drive.grip_static * h;
    if held.iter().all(|p| p.length_squared() <= limit * limit) {
        return None;
    }
    body.let_loose();
    body.released = true;
    let rolling = drive.rolling_wheel_speeds(free.0, free.1);
    // What the tyres gave before the contacts is in the free motion already.
    let limit = drive.grip_kinetic * h;
    let impulses = tyre_impulses(drive, h, free, free, volts, 0.0).map(|p| {
        let size = p.length();
        if size > limit { p * (limit / size) } else { p }
    });
    Some(Sliding {
        body: number,
        wheels: drive.wheels,
        answers: Answers::of(drive),
        rolling,
        speeds: rolling,
        first: impulses,
        impulses,
        limit,
    })
}

/// Impulses (forward, left) that the right and left tyre give a robot over `h` while they stick.
///
/// `free` and `now` are (v, omega) without and with contacts; `side` is the contacts' impulse to
/// the left, N s.
#[inline(always)]
pub(crate) fn tyre_impulses(
    drive: &DriveModel,
    h: f64,
    free: (f64, f64),
    now: (f64, f64),
    volts: [f64; 2],
    side: f64,
) -> [Vec2; 2] {
    // Centripetal: what turns the velocity with the heading.
    let left = 0.5 * (drive.spec.mass * now.0 * now.1 * h - side);
    let before = drive.rolling_wheel_speeds(free.0, free.1);
    let after = drive.rolling_wheel_speeds(now.0, now.1);
    [0, 1].map(|i| {
        let w = drive.wheels[i];
        // Motor torque less friction goes into the wheel's own inertia, and into the ground. The
        // motion without contacts hardly accelerates the light wheel, which is left out.
        let torque = w.torque_per_volt * volts[i] - w.drag * before[i];
        let forward = (torque * h - w.inertia * (after[i] - before[i])) * w.inverse_radius;
        Vec2::new(forward, left)
    })
}
