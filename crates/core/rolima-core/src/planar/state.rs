//! What changes in the plane.

use crate::motion::Twist;
use crate::snapshot::SnapshotError;
use crate::sound::holds;
use crate::state::Visitor;
use rolima_math::{Pose2, Rot2, Vec2};
use rolima_model::{BodyKind, BodyModel, LANES, Model};

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

/// No wheel turns as fast as this, rad/s, and no ball rolls, m/s.
const FASTEST: f64 = 1e12;

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

/// What changes in the plane.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
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
    /// Velocity of the balls' lower surface against their centre, m/s: equals the ball's velocity
    /// while it rolls.
    pub(crate) ball_rolls: Vec<Vec2>,
    /// Impulses of the last step, in the order of their keys.
    pub(crate) impulses: Vec<CachedImpulse>,
    /// Energy that the `equivalent-sphere` response made from nothing, and lost, J.
    pub(crate) sphere_energy: [f64; 2],
}

impl State {
    /// The first state of a model, with every body at the origin.
    pub(crate) fn new(model: &Model) -> Self {
        let blocks = model.layout.blocks.len();
        let slots = blocks * LANES;
        Self {
            motion: vec![Block { c: [1.0; LANES], ..Block::default() }; blocks],
            volts: vec![VoltBlock::default(); blocks],
            slipping: vec![0; blocks],
            quarantined: vec![0; blocks],
            wheel_speeds: vec![[0.0; 2]; slots],
            ball_rolls: vec![Vec2::ZERO; model.layout.ball_slots.len()],
            // Room for two points a body, so that a step does not allocate later.
            impulses: Vec::with_capacity(4 * slots + 64),
            sphere_energy: [0.0; 2],
        }
    }

    /// Puts every body where the scene starts it.
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
    }

    /// The same bodies in the slots that another model with the same bodies has for them. Where these are
    /// others, the contacts of the last step, which are named by slots, are found anew without a warm start.
    pub(crate) fn moved_over(&self, from: &Model, to: &Model) -> Self {
        let slots = |model: &Model| model.bodies().map(|body| body.slot).collect::<Vec<_>>();
        let (old, new) = (slots(from), slots(to));
        if old == new && self.motion.len() == to.layout.blocks.len() {
            return self.clone();
        }
        let mut moved = Self::new(to);
        for (old, new) in old.into_iter().zip(new) {
            let ((from, lane), (to, into)) = (place(old), place(new));
            let motion = &self.motion[from];
            moved.motion[to].set_pose(into, motion.pose(lane));
            moved.motion[to].set_velocity(into, motion.velocity(lane), motion.omega[lane]);
            moved.volts[to].right[into] = self.volts[from].right[lane];
            moved.volts[to].left[into] = self.volts[from].left[lane];
            moved.slipping[to] |= (self.slipping[from] >> lane & 1) << into;
            moved.quarantined[to] |= (self.quarantined[from] >> lane & 1) << into;
            moved.wheel_speeds[new as usize] = self.wheel_speeds[old as usize];
        }
        moved.ball_rolls.clone_from(&self.ball_rolls);
        moved.sphere_energy = self.sphere_energy;
        moved
    }

    /// Whether steps can be made from it: names of contacts are looked for by halving, and only what is
    /// a robot slips.
    pub(crate) fn check(&self, model: &Model) -> Result<(), SnapshotError> {
        // Steps look after bodies' motion; wheels and rolling balls follow it where they touch the ground.
        let rolls = self.ball_rolls.iter().flat_map(|roll| [roll.x, roll.y]);
        let mut speeds = self.wheel_speeds.iter().flatten().copied().chain(rolls);
        holds(speeds.all(|x| x.abs() < FASTEST), "a speed of wheels or balls", "below 1e12")?;
        let sorted = self.impulses.is_sorted_by_key(|impulse| impulse.key);
        holds(sorted, "the contacts of the last step", "an order by name")?;
        let is = |slot: usize, robot: bool| {
            let body = model.layout.bodies.get(slot).and_then(Option::as_ref);
            body.is_some_and(|body| !robot || body.kind == BodyKind::Robot)
        };
        for (block, bits) in self.slipping.iter().zip(&self.quarantined).enumerate() {
            for lane in 0..LANES {
                let set = [bits.0 >> lane & 1 == 1, bits.1 >> lane & 1 == 1];
                let slot = block * LANES + lane;
                holds(!set[0] || is(slot, true), "what slips", "a robot")?;
                holds(!set[1] || is(slot, false), "what was taken out", "a body")?;
            }
        }
        Ok(())
    }

    /// Pose of the body in a slot.
    #[inline]
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

    /// How a body moves.
    pub(crate) fn twist(&self, body: &BodyModel) -> Twist {
        let (block, lane) = place(body.slot);
        let motion = &self.motion[block];
        Twist::new(body, motion.pose(lane), motion.velocity(lane), motion.omega[lane])
    }

    /// Words of the motion. Those of the planar engine stand apart among those of the world, in the order
    /// in which they have always been.
    pub(crate) fn visit_motion(&mut self, visitor: &mut impl Visitor) {
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
    }

    /// Words of the contacts.
    pub(crate) fn visit_contacts(&mut self, visitor: &mut impl Visitor) {
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
    }

    /// Words of the energies.
    pub(crate) fn visit_energy(&mut self, visitor: &mut impl Visitor) {
        self.sphere_energy.iter_mut().for_each(|e| visitor.number(e));
    }
}
