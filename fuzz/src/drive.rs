//! Bytes to a scene, commands and steps.
//!
//! Every byte string means something, so that a fuzzer wastes none: numbers are drawn from the
//! front, zeros when nothing is left. One input in four is wild: a few of its poses, speeds
//! and voltages are whatever their bits say.

use rolima_core::commands::Volts;
use rolima_core::model::shape::centred_box;
use rolima_core::model::*;
use rolima_core::{BodyId, RobotId, World};
use rolima_math::{Pose2, Vec2};
use std::sync::Arc;

/// Bytes from the front of the input.
struct Input<'a> {
    bytes: &'a [u8],
    wild: bool,
}

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }

    fn below(&mut self, limit: u8) -> u8 {
        self.byte() % limit
    }

    /// Whether the next byte is among the first `share` of 256.
    fn chance(&mut self, share: u8) -> bool {
        self.byte() < share
    }

    /// Any number at all.
    fn any(&mut self) -> f64 {
        let mut bits = [0; 8];
        bits.fill_with(|| self.byte());
        f64::from_le_bytes(bits)
    }

    /// A number within the limits; in wild inputs at times anything.
    fn around(&mut self, low: f64, high: f64) -> f64 {
        if self.wild && self.chance(8) { self.any() } else { self.between(low, high) }
    }

    /// A number within the limits, half way when nothing is left.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let bits = i16::from_le_bytes([self.byte(), self.byte()]);
        0.5 * (low + high) + (high - low) * f64::from(bits) / 65536.0
    }

    fn vector(&mut self, limit: f64) -> Vec2 {
        Vec2::new(self.around(-limit, limit), self.around(-limit, limit))
    }

    fn pose(&mut self, limit: f64) -> Pose2 {
        let at = self.vector(limit);
        Pose2::new(at.x, at.y, self.around(-4.0, 4.0))
    }

    /// A pose of a part in its body.
    fn offset(&mut self) -> Pose2 {
        let (x, y) = (self.between(-0.05, 0.05), self.between(-0.05, 0.05));
        Pose2::new(x, y, self.between(-4.0, 4.0))
    }

    fn table(&mut self, high: f64) -> PairTable {
        PairTable::uniform(self.between(0.0, high))
    }

    fn part(&mut self) -> PartSpec {
        match self.below(4) {
            0 => PartSpec::Circle {
                center: self.offset().position,
                radius: self.between(0.005, 0.1),
            },
            1 => centred_box(0.075, 0.075),
            2 => PartSpec::Box {
                pose: self.offset(),
                size: [self.between(0.005, 0.2), self.between(0.005, 0.2)],
            },
            _ => {
                let a = self.between(0.02, 0.1);
                let b = self.between(0.02, 0.1);
                let corners = [Vec2::new(-a, -b), Vec2::new(a, -0.3 * b), Vec2::new(0.2 * a, b)];
                PartSpec::Polygon { vertices: corners.to_vec() }
            }
        }
    }

    fn shape(&mut self) -> Vec<PartSpec> {
        (0..1 + self.below(3)).map(|_| self.part()).collect()
    }

    fn wall(&mut self) -> WallSpec {
        let thickness = if self.chance(128) { 0.0 } else { self.between(0.0, 0.05) };
        match self.below(3) {
            0 => WallSpec::Arc {
                center: self.vector(0.5),
                radius: self.between(0.05, 0.5),
                from_angle: self.between(-3.0, 0.0),
                to_angle: self.between(0.1, 3.2),
                thickness,
                height: 0.05,
            },
            1 => {
                let (p, size) = (self.vector(1.0), self.between(0.02, 0.5));
                let corners = [p, p + Vec2::new(size, 0.0), p + Vec2::new(0.0, size)];
                WallSpec::Polygon { vertices: corners.to_vec(), height: 0.05 }
            }
            _ => {
                let (from, to) = (self.vector(1.0), self.vector(1.0));
                WallSpec::Segment { from, to, thickness, height: 0.05 }
            }
        }
    }

    fn drive(&mut self) -> DriveSpec {
        let mut drive = match self.below(4) {
            0 => return DriveSpec::minirobot_2001(),
            1 => return DriveSpec::default(),
            _ => DriveSpec::default(),
        };
        for number in [
            &mut drive.wheel_distance,
            &mut drive.wheel_radius_right,
            &mut drive.wheel_radius_left,
            &mut drive.mass,
            &mut drive.inertia,
            &mut drive.friction_linear,
            &mut drive.friction_angular,
            &mut drive.wheel_inertia_right,
            &mut drive.wheel_inertia_left,
            &mut drive.motor_constant_right,
            &mut drive.conductance_left,
            &mut drive.supply,
        ] {
            if self.chance(40) {
                *number *= self.between(0.1, 10.0);
            }
        }
        let mu = self.between(0.0, 1.2);
        let traction = TractionSpec { mu_static: mu, mu_kinetic: mu * self.between(0.0, 1.0) };
        drive.traction = if self.chance(60) { None } else { Some(traction) };
        drive
    }

    fn driver(&mut self) -> DriverSpec {
        let max_volts = self.between(0.0, 12.0);
        match self.below(4) {
            0 => DriverSpec::None,
            1 => DriverSpec::Constant { left: max_volts, right: self.volts() },
            2 => DriverSpec::Random { max_volts, period_s: self.between(1e-3, 0.1) },
            _ => DriverSpec::Chaser { max_volts, patience_s: 0.6 },
        }
    }

    /// A speed that suits a game, or one that suits a bullet.
    fn speed(&mut self) -> f64 {
        let limit = if self.chance(40) { 40.0 } else { 3.0 };
        self.around(-limit, limit)
    }

    fn turning(&mut self) -> f64 {
        self.around(-50.0, 50.0)
    }

    fn volts(&mut self) -> f64 {
        self.around(-12.0, 12.0)
    }

    fn scene(&mut self) -> SceneSpec {
        let mut spec = SceneSpec::default();
        spec.sim.step_s = if self.chance(192) { 1e-3 } else { self.between(1e-5, 4e-3) };
        let integrators = [Integrator::Exact, Integrator::Rk4, Integrator::Euler];
        spec.sim.integrator = integrators[usize::from(self.below(3))];
        spec.sim.seed = u64::from(self.byte());
        // The paper's response gains energy where many things touch, and fast worlds are slow to
        // simulate: fewer of them, and with fewer bodies.
        let spheres = self.chance(24);
        if spheres {
            spec.contact.response = ContactResponse::EquivalentSphere;
        }
        spec.contact.restitution = self.table(1.0);
        spec.contact.friction = self.table(1.5);
        spec.contact.iterations = 1 + u32::from(self.below(20));
        let walls = if self.chance(32) { 24 } else { 5 };
        spec.walls = (0..self.below(walls)).map(|_| self.wall()).collect();
        // Mostly a crowd in which everything touches; at times more than the grid begins with.
        let most = if !spheres && self.chance(32) { 14 } else { 5 };
        for i in 0..self.below(most) {
            let drive = self.drive();
            spec.robots.push(RobotSpec {
                name: format!("r{i}"),
                team: String::new(),
                pose: self.pose(0.5),
                velocity: self.speed(),
                omega: self.turning(),
                shape: self.shape(),
                drive,
                driver: self.driver(),
                vehicle: None,
                servo: None,
                height: None,
                sensors: vec![],
                look: RobotLook::default(),
            });
        }
        for i in 0..self.below(most) {
            let friction = if self.chance(128) {
                BallFriction::Viscous { beta: self.between(0.0, 0.1) }
            } else {
                let mu_slide = self.between(0.0, 1.0);
                BallFriction::Rolling { mu_slide, deceleration: self.between(0.0, 1.0) }
            };
            spec.balls.push(BallSpec {
                name: format!("b{i}"),
                position: self.vector(0.5),
                velocity: Vec2::new(self.speed(), self.speed()),
                radius: self.between(0.005, 0.06),
                mass: self.between(1e-3, 1.0),
                colour: None,
                material: None,
                friction,
            });
        }
        for i in 0..self.below(most) {
            spec.objects.push(ObjectSpec {
                name: format!("o{i}"),
                pose: self.pose(0.5),
                velocity: Vec2::new(self.speed(), self.speed()),
                omega: self.turning(),
                shape: self.shape(),
                mass: self.between(1e-3, 3.0),
                inertia: None,
                ground_friction: self.between(0.0, 1.0),
                height: None,
                colour: None,
                material: None,
            });
        }
        if self.chance(64) {
            let min = self.vector(0.5);
            spec.zones.push(ZoneSpec {
                name: "zone".to_owned(),
                min,
                max: min + Vec2::new(0.3, 0.3),
                scores_for: String::new(),
                kick_off: self.chance(128),
            });
        }
        spec
    }

    /// Something that a client may do between two steps.
    fn meddle(&mut self, world: &mut World) {
        let bodies = world.model().body_count() as u8;
        match self.below(9) {
            0..4 => {
                let volts = Volts { right: self.volts(), left: self.volts() };
                // A refusal is an answer too.
                let _ = world.command(RobotId(self.below(20).into()), volts);
            }
            4 => world.release(RobotId(self.below(20).into())),
            5 => {
                world.place_body(BodyId(self.below(bodies.max(1)).into()), self.pose(0.6));
            }
            6 => {
                let body = BodyId(self.below(bodies.max(1)).into());
                let (velocity, omega) = (self.vector(10.0), self.turning());
                world.set_motion(body, self.pose(0.6), velocity, omega);
            }
            7 => {
                let body = BodyId(self.below(bodies.max(1)).into());
                let (point, impulse) = (self.vector(1.0), self.vector(1.0));
                world.push(body, point, impulse);
            }
            _ => {
                let (bytes, hash) = (world.snapshot(), world.state_hash());
                world.restore(&bytes).expect("its own snapshot");
                assert_eq!(world.state_hash(), hash, "restoring loses nothing");
            }
        }
    }
}

/// Steps of a run.
pub const STEPS: u32 = 200;

/// Builds a scene from the bytes and runs it; panics where something is wrong with the result.
///
/// Returns whether the scene was one.
pub fn drive(bytes: &[u8]) -> bool {
    let mut input = Input { bytes, wild: false };
    input.wild = input.chance(64);
    let Ok(model) = Model::compile(&input.scene()) else { return false };
    let mut world = World::new(Arc::new(model));
    for step in 1..=STEPS {
        world.step();
        if step % 8 == 0 {
            check(&world);
            for _ in 0..input.below(3) {
                input.meddle(&mut world);
            }
        }
    }
    check(&world);
    true
}

/// Every body is finite or in quarantine, and the energy is finite.
pub fn check(world: &World) {
    check_bodies(world);
    let energy = world.kinetic_energy();
    assert!(energy.is_finite() && energy >= 0.0, "the energy is {energy} J");
}

/// Every body is finite or in quarantine: where a forged state says that one is nowhere, it stays there.
pub fn check_bodies(world: &World) {
    for b in world.frame().bodies {
        let finite = b.pose.is_finite() && b.velocity.is_finite() && b.omega.is_finite();
        assert!(finite || b.quarantined, "{} is not finite: {b:?}", world.model().body_name(b.id));
    }
}
