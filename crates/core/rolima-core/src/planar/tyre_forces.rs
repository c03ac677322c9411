//! What the tyres of robots give in the plane, for those who look at a world.

use super::contacts::solver::SolverBody;
use super::dynamics::stick::at;
use super::{Scratch, State, place};
use rolima_math::Vec2;
use rolima_model::{ContactResponse, DriveModel, Model, RobotId};

/// What a tyre does in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TyreForce {
    /// Force of the ground along its normal, N: half the weight.
    pub load: f64,
    /// Mean force of the ground on the robot, forward and to the left, N; zero where no step is known.
    /// Where contacts divided the step, that of the last of its parts, or of the last in which the tyre
    /// slid.
    pub force: Vec2,
    /// Share of what it could give, from 0 to 1: of the static friction while it sticks, of the kinetic
    /// one while it slides. None where wheels never slip.
    pub grip_used: Option<f64>,
}

/// What a robot's tyres (right, left) gave when they last slid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slid {
    /// In which step; one that no step has while they never did.
    step: u64,
    /// Mean forces forward and to the left, N.
    forces: [Vec2; 2],
}

impl Default for Slid {
    fn default() -> Self {
        Self { step: u64::MAX, forces: [Vec2::ZERO; 2] }
    }
}

impl Slid {
    /// From impulses, N s, over a time, s.
    pub(crate) fn new(step: u64, impulses: [Vec2; 2], time: f64) -> Self {
        Self { step, forces: impulses.map(|p| p * (1.0 / time)) }
    }
}

/// Tyres slower than this over the ground hold, m/s.
pub(crate) const HOLDS: f64 = 1e-6;

/// A world in the plane as its tyres are worked out from it.
#[derive(Clone, Copy)]
pub(crate) struct Tyres<'a> {
    pub(crate) model: &'a Model,
    pub(crate) state: &'a State,
    pub(crate) scratch: &'a Scratch,
    /// Number of the last step, if it is known.
    pub(crate) last: Option<u64>,
}

impl Tyres<'_> {
    /// What the right and left tyre of a robot gave in the last step.
    pub(crate) fn of(&self, robot: RobotId) -> Option<[TyreForce; 2]> {
        let known = self.model.robots.get(robot.index())?;
        let own = self.model.layout.robot_slot(robot);
        let drive = &self.model.drives[known.drive as usize];
        let slid = &self.scratch.slid[own as usize];
        let out = self.state.is_quarantined(own);
        let slides = self.last == Some(slid.step);
        let forces = match (self.last.is_some() && !out, slides) {
            (false, _) => [Vec2::ZERO; 2],
            (true, true) => slid.forces,
            (true, false) => self.sticking(drive, own),
        };
        let slip = self.slip_speeds(drive, own);
        Some([0, 1].map(|i| {
            let kinetic = slides && slip[i] > HOLDS;
            let most = if kinetic { drive.grip_kinetic } else { drive.grip_static };
            TyreForce {
                load: 0.5 * drive.spec.mass * self.model.spec.sim.gravity,
                force: forces[i],
                grip_used: drive.has_traction_limit().then(|| {
                    let used = forces[i].length();
                    if used > 0.0 { used / most } else { 0.0 }
                }),
            }
        }))
    }

    /// Forces of tyres that stuck all step: what the drive took of them, and what contacts did.
    fn sticking(&self, drive: &DriveModel, slot: u32) -> [Vec2; 2] {
        let (block, lane) = place(slot);
        let (before, after) = (&self.scratch.before[block], &self.state.motion[block]);
        let volts = &self.state.volts[block];
        let z = [before.vx[lane], before.omega[lane], volts.right[lane], volts.left[lane]];
        let along = [&drive.stick.force_right, &drive.stick.force_left].map(|row| at(row, z));
        let solver = &self.scratch.solver;
        let number = solver.number_of[slot as usize];
        let body = &solver.bodies[number as usize];
        if number == 0 || !body.touched {
            let left = 0.5 * drive.spec.mass * z[0] * z[1];
            return along.map(|forward| Vec2::new(forward, left));
        }
        // Contacts turn the wheels only by way of the ground.
        let h = self.model.step_s;
        let free = drive.rolling_wheel_speeds(at(&drive.stick.v, z), at(&drive.stick.omega, z));
        let now = drive.rolling_wheel_speeds(after.vx[lane], after.omega[lane]);
        // The published spheres exchange speeds; what that asks of tyres to the side is not known.
        let rigid = self.model.contact.response == ContactResponse::Rigid;
        let side = if rigid { self.pushed_aside(number, body) } else { 0.0 };
        let left = 0.5 * (drive.spec.mass * after.vx[lane] * after.omega[lane] - side);
        [0, 1].map(|i| {
            let w = &drive.wheels[i];
            let spun_up = w.inertia * (now[i] - free[i]) / h;
            Vec2::new(along[i] - spun_up * w.inverse_radius, left)
        })
    }

    /// Force of contacts on a body to its left, N.
    fn pushed_aside(&self, number: u32, body: &SolverBody) -> f64 {
        let solver = &self.scratch.solver;
        let on = |a: u32, b: u32, impulse: Vec2| match number {
            n if n == a => impulse,
            n if n == b => -impulse,
            _ => Vec2::ZERO,
        };
        let mut pressed = Vec2::ZERO;
        for c in &solver.contacts {
            pressed += on(c.a, c.b, c.on_bodies(c.impulses()).0);
        }
        let mut hit = Vec2::ZERO;
        for s in &solver.strikes {
            hit += on(s.a, s.b, s.normal * s.impulse + s.friction);
        }
        let force = pressed * (1.0 / self.scratch.substep_s) + hit * (1.0 / self.model.step_s);
        body.pose.rotation.y_axis().dot(force)
    }

    /// How fast each tyre slides over the ground, m/s.
    fn slip_speeds(&self, drive: &DriveModel, slot: u32) -> [f64; 2] {
        if !self.state.is_slipping(slot) {
            return [0.0; 2];
        }
        let (block, lane) = place(slot);
        let motion = &self.state.motion[block];
        let (own, spins) = (motion.velocity(lane), self.state.wheel_speeds[slot as usize]);
        [0, 1].map(|i| {
            let w = &drive.wheels[i];
            let along = own.x - w.left * motion.omega[lane] - w.radius * spins[i];
            Vec2::new(along, own.y).length()
        })
    }
}
