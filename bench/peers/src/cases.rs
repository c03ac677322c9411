//! The worlds of the benchmark and their drivers. Compiled twice, for `f32` and for `f64`; the
//! parent module says which engine and which scalar.

use super::Real;
use super::rapier::prelude::*;
use crate::random::Random;

const STEP_S: Real = 0.001;
/// New voltages come this often, as in the soccer scenes. The velocities that they lead to are
/// imposed just as often and left to the engine between: less work than a wheel model in every
/// step, to the peer's advantage.
const COMMAND_STEPS: u32 = 30;
/// Starting positions differ by up to this much between seeds, so that the runs of a scrum do not
/// all settle into the same heap.
const START_SPREAD_M: Real = 0.02;

const ROBOT_SIDE_M: Real = 0.075;
const ROBOT_MASS_KG: Real = 0.352;
const BALL_RADIUS_M: Real = 0.02135;
const BALL_MASS_KG: Real = 0.046;

const FIELD_HALF_LENGTH_M: Real = 0.75;
const FIELD_HALF_WIDTH_M: Real = 0.65;
const GOAL_HALF_WIDTH_M: Real = 0.20;
const GOAL_DEPTH_M: Real = 0.10;
const CORNER_LEG_M: Real = 0.07;
const WALL_HALF_THICKNESS_M: Real = 0.0125;

/// Share of the hall's floor that the robots of the crowd cover.
const CROWD_FILL: Real = 0.10;

const SUPPLY_V: Real = 9.0;
/// Decay of forward speed and of turning rate (1/s) and their gain (per volt) of the `minirobot`
/// preset: eq 8 of the paper, without its small cross terms.
const FORWARD_DECAY: Real = 0.5436;
const FORWARD_GAIN: Real = 0.1281;
const TURN_DECAY: Real = 0.599;
const TURN_GAIN: Real = 5.06;

/// Who chooses the voltages.
#[derive(Clone, Copy, PartialEq)]
enum Driver {
    /// Uniformly random within the supply.
    Random,
    /// Full speed at the ball.
    Chase,
}

/// One world with its robots and their driver.
pub struct Case {
    world: PhysicsWorld,
    robots: Vec<RigidBodyHandle>,
    ball: Option<RigidBodyHandle>,
    driver: Driver,
    /// Armature voltages (right, left) of each robot.
    voltages: Vec<(Real, Real)>,
    random: Random,
    steps: u32,
    /// No body can be farther out than this along x or y.
    half_extent_m: Real,
}

impl Case {
    /// Six robots and a ball, random voltages: few contacts.
    pub fn soccer(seed: u64) -> Case {
        Case::on_field(Driver::Random, seed)
    }

    /// Six robots and a ball, all driven at the ball: many contacts.
    pub fn scrum(seed: u64) -> Case {
        Case::on_field(Driver::Chase, seed)
    }

    /// `count` robots in a walled hall, random voltages.
    pub fn crowd(count: usize, seed: u64) -> Case {
        let mut case = Case::empty(Driver::Random, seed);
        let hall_side = (count as Real * ROBOT_SIDE_M * ROBOT_SIDE_M / CROWD_FILL).sqrt();
        case.add_hall(hall_side / 2.0);
        let per_row = (count as f64).sqrt().ceil() as usize;
        let pitch = hall_side / per_row as Real;
        for index in 0..count {
            let column = (index % per_row) as Real;
            let row = (index / per_row) as Real;
            let x = (column + 0.5) * pitch - hall_side / 2.0;
            let y = (row + 0.5) * pitch - hall_side / 2.0;
            case.add_robot(x, y);
        }
        case
    }

    /// One step of a millisecond, command and drive included.
    pub fn step(&mut self) {
        if self.steps.is_multiple_of(COMMAND_STEPS) {
            self.command();
            self.impose_wheels();
        }
        self.world.step();
        self.steps += 1;
    }

    /// Contact points that the solver works on at present.
    pub fn contacts(&self) -> usize {
        let pairs = self.world.narrow_phase.contact_pairs();
        pairs.flat_map(|pair| pair.manifolds()).map(|m| m.data.num_active_contacts()).sum()
    }

    /// Whether every robot and the ball are still between the walls: a figure from a world that
    /// fell apart would mean nothing.
    pub fn is_whole(&self) -> bool {
        self.robots.iter().chain(&self.ball).all(|&body| {
            let at = self.world.bodies[body].translation();
            at.x.abs().max(at.y.abs()) < self.half_extent_m
        })
    }

    fn empty(driver: Driver, seed: u64) -> Case {
        let mut world = PhysicsWorld { gravity: Vector::ZERO, ..PhysicsWorld::default() };
        world.integration_parameters.dt = STEP_S;
        // Tolerances are multiples of this length. The default of a metre would allow 5 mm of
        // overlap and search contacts 20 mm ahead, which is both coarser and slower here.
        world.integration_parameters.length_unit = 0.1;
        Case {
            world,
            robots: Vec::new(),
            ball: None,
            driver,
            voltages: Vec::new(),
            random: Random::new(seed),
            steps: 0,
            half_extent_m: FIELD_HALF_LENGTH_M + GOAL_DEPTH_M,
        }
    }

    fn on_field(driver: Driver, seed: u64) -> Case {
        let mut case = Case::empty(driver, seed);
        case.add_field();
        for (x, y) in [(-0.55, 0.0), (-0.25, 0.2), (-0.25, -0.2)] {
            case.add_robot(x, y);
            case.add_robot(-x, y);
        }
        let body = RigidBodyBuilder::dynamic().can_sleep(false).linear_damping(0.1);
        let shape =
            ColliderBuilder::ball(BALL_RADIUS_M).mass(BALL_MASS_KG).restitution(0.5).friction(0.3);
        case.ball = Some(case.world.insert(body, shape).0);
        case
    }

    fn add_robot(&mut self, x: Real, y: Real) {
        let mut spread = || self.random.symmetric() as Real * START_SPREAD_M;
        let start = Vector::new(x + spread(), y + spread());
        let half = ROBOT_SIDE_M / 2.0;
        let body = RigidBodyBuilder::dynamic().translation(start).can_sleep(false);
        let shape =
            ColliderBuilder::cuboid(half, half).mass(ROBOT_MASS_KG).restitution(0.2).friction(0.3);
        self.robots.push(self.world.insert(body, shape).0);
        self.voltages.push((0.0, 0.0));
    }

    fn add_wall(&mut self, x: Real, y: Real, half_x: Real, half_y: Real) {
        let wall = ColliderBuilder::cuboid(half_x, half_y)
            .translation(Vector::new(x, y))
            .restitution(0.2)
            .friction(0.3);
        self.world.insert_collider(wall, None);
    }

    fn add_hall(&mut self, half_side: Real) {
        self.half_extent_m = half_side;
        let t = WALL_HALF_THICKNESS_M;
        for sign in [-1.0, 1.0] {
            self.add_wall(sign * (half_side + t), 0.0, t, half_side + 2.0 * t);
            self.add_wall(0.0, sign * (half_side + t), half_side + 2.0 * t, t);
        }
    }

    fn add_field(&mut self) {
        let (length, width, t) = (FIELD_HALF_LENGTH_M, FIELD_HALF_WIDTH_M, WALL_HALF_THICKNESS_M);
        let post_half = (width - GOAL_HALF_WIDTH_M) / 2.0;
        for sign in [-1.0, 1.0] {
            // Touch line, back of the goal.
            self.add_wall(0.0, sign * (width + t), length + 2.0 * t, t);
            self.add_wall(sign * (length + GOAL_DEPTH_M + t), 0.0, t, GOAL_HALF_WIDTH_M + 2.0 * t);
            for side in [-1.0, 1.0] {
                // Goal line beside the goal, side of the goal, corner triangle.
                let y = side * (GOAL_HALF_WIDTH_M + post_half);
                self.add_wall(sign * (length + t), y, t, post_half);
                let x = sign * (length + GOAL_DEPTH_M / 2.0);
                self.add_wall(x, side * (GOAL_HALF_WIDTH_M + t), GOAL_DEPTH_M / 2.0, t);
                self.add_corner(sign, side);
            }
        }
    }

    fn add_corner(&mut self, sign: Real, side: Real) {
        let (x, y) = (sign * FIELD_HALF_LENGTH_M, side * FIELD_HALF_WIDTH_M);
        let corner = ColliderBuilder::triangle(
            Vector::new(x, y),
            Vector::new(x - sign * CORNER_LEG_M, y),
            Vector::new(x, y - side * CORNER_LEG_M),
        );
        self.world.insert_collider(corner.restitution(0.2).friction(0.3), None);
    }

    /// New voltages for every robot.
    fn command(&mut self) {
        for index in 0..self.robots.len() {
            self.voltages[index] = match self.driver {
                Driver::Random => {
                    let mut volts = || self.random.symmetric() as Real * SUPPLY_V;
                    (volts(), volts())
                }
                Driver::Chase => self.chase(index),
            };
        }
    }

    /// Voltages that turn a robot's nearer face to the ball and drive it there.
    fn chase(&self, index: usize) -> (Real, Real) {
        let Some(ball) = self.ball else { return (0.0, 0.0) };
        let robot = &self.world.bodies[self.robots[index]];
        let to_ball = self.world.bodies[ball].translation() - robot.translation();
        let heading = *robot.rotation() * Vector::X;
        let distance = to_ball.length().max(1e-6);
        let ahead = heading.dot(to_ball) / distance;
        let aside = heading.perp_dot(to_ball) / distance;
        let turn = aside * ahead.signum();
        let forward = ahead.signum() * (1.0 - turn.abs());
        let clamp = |fraction: Real| fraction.clamp(-1.0, 1.0) * SUPPLY_V;
        (clamp(forward + 0.3 * turn), clamp(forward - 0.3 * turn))
    }

    /// Gives every robot the speed and turning rate that its motors reach by the end of the
    /// interval, and no side slip.
    fn impose_wheels(&mut self) {
        let interval = STEP_S * COMMAND_STEPS as Real;
        for (&handle, &(right, left)) in self.robots.iter().zip(&self.voltages) {
            let robot = &mut self.world.bodies[handle];
            let heading = *robot.rotation() * Vector::X;
            let forward = heading.dot(robot.linvel());
            let turn = robot.angvel();
            // One implicit Euler step of the motors' linear equations: stable for any interval.
            let forward = (forward + interval * FORWARD_GAIN * (right + left))
                / (1.0 + interval * FORWARD_DECAY);
            let turn =
                (turn + interval * TURN_GAIN * (right - left)) / (1.0 + interval * TURN_DECAY);
            robot.set_linvel(heading * forward, false);
            robot.set_angvel(turn, false);
        }
    }
}
