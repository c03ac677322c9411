//! What moves while bodies and vehicles meet: masses, velocities, and how they change poses.

use rolima_math::{Quat, Sym3, Vec3};

/// Velocity of the centre of mass, m/s, and angular velocity in the world, rad/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BodyVelocity {
    pub(crate) velocity: Vec3,
    pub(crate) omega: Vec3,
}

impl BodyVelocity {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self { velocity: self.velocity + other.velocity, omega: self.omega + other.omega }
    }

    pub(crate) fn times(self, factor: f64) -> Self {
        Self { velocity: self.velocity * factor, omega: self.omega * factor }
    }

    /// So far from this to another: 0 here, 1 there.
    pub(crate) fn towards(self, other: Self, share: f64) -> Self {
        let between = |a: Vec3, b: Vec3| a + (b - a) * share;
        Self {
            velocity: between(self.velocity, other.velocity),
            omega: between(self.omega, other.omega),
        }
    }
}

/// A body or vehicle for the time of one contact resolution.
#[derive(Clone, Debug)]
pub(crate) struct Mover {
    /// Centre of mass, in its own frame and in the world, m.
    pub(crate) middle: Vec3,
    pub(crate) centre: Vec3,
    pub(crate) orientation: Quat,
    /// Farthest point from the origin of its frame, m.
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) per_mass: f64,
    /// Inertia and its inverse in its own frame; the inverse as it is turned.
    pub(crate) inertia: Sym3,
    pub(crate) inverse_inertia: Sym3,
    pub(crate) answer: Sym3,
    /// What gravity does to it in this contact resolution, m/s2; of vehicles it has done so
    /// already.
    pub(crate) pull: Vec3,
    pub(crate) is_proxy: bool,
    /// Drag, 1/s.
    pub(crate) drag: f64,
    /// At the start of a round, before gravity, and after it.
    pub(crate) start: BodyVelocity,
    pub(crate) pulled: BodyVelocity,
    /// When in a round it is hit, s; the round's end if it is not.
    pub(crate) hit_at: f64,
    /// Whether it presses on something without hitting it.
    pub(crate) rests: bool,
    /// How far contacts of a round were searched around each of its points, m.
    pub(crate) reach: f64,
    /// Mean speed of a round, which its pose follows.
    pub(crate) travel: BodyVelocity,
    /// Speed and mean speed were nothing to rebound.
    pub(crate) stopped: BodyVelocity,
    pub(crate) stopped_travel: BodyVelocity,
    /// What pushes it out of others, for its pose alone.
    pub(crate) aside: BodyVelocity,
    pub(crate) speed: BodyVelocity,
    /// Its speed when a part of a hit began.
    pub(crate) mark: BodyVelocity,
    /// Whether something pressed on it in this round, and in this contact resolution.
    pub(crate) touched: bool,
    pub(crate) pressed: bool,
    /// Of a vehicle: whether it was hit in this contact resolution, and the energy of turning that
    /// it got, J.
    pub(crate) was_hit: bool,
    pub(crate) turning_gained: f64,
}

impl Mover {
    /// The ground, and all that never moves.
    pub(crate) fn fixed() -> Self {
        Self::new(Vec3::ZERO, (Vec3::ZERO, Quat::IDENTITY), BodyVelocity::default())
    }

    /// Something at a place, with a speed; its mass is still to be told.
    pub(crate) fn new(
        middle: Vec3,
        (position, orientation): (Vec3, Quat),
        speed: BodyVelocity,
    ) -> Self {
        Self {
            middle,
            centre: position + orientation.rotate(middle),
            orientation,
            radius: 0.0,
            mass: 0.0,
            per_mass: 0.0,
            inertia: Sym3::default(),
            inverse_inertia: Sym3::default(),
            answer: Sym3::default(),
            pull: Vec3::ZERO,
            is_proxy: false,
            drag: 0.0,
            start: speed,
            pulled: speed,
            hit_at: 0.0,
            rests: false,
            reach: 0.0,
            travel: speed,
            stopped: speed,
            stopped_travel: speed,
            aside: BodyVelocity::default(),
            speed,
            mark: speed,
            touched: false,
            pressed: false,
            was_hit: false,
            turning_gained: 0.0,
        }
    }

    /// With this mass and inertia about the centre of mass, in its own frame.
    pub(crate) fn weighing(mut self, mass: f64, inertia: Sym3) -> Self {
        (self.mass, self.per_mass) = (mass, 1.0 / mass);
        self.inertia = inertia;
        self.inverse_inertia = inertia.inverse().unwrap_or_default();
        self
    }

    /// Origin of its own frame, m.
    pub(crate) fn position(&self) -> Vec3 {
        self.centre - self.orientation.rotate(self.middle)
    }

    /// Begins a round: gravity acts.
    pub(crate) fn begin(&mut self, h: f64) {
        self.answer = turned(&self.inverse_inertia, self.orientation);
        self.pulled = self.speed;
        if self.is_proxy {
            // Its own steps have pulled it already.
            self.start.velocity = self.speed.velocity - self.pull * h;
            self.start.omega = self.speed.omega;
        } else {
            self.start = self.speed;
            self.pulled.velocity += self.pull * h;
        }
        self.restart(h);
        self.reach = self.fastest(h) * h;
    }

    /// Begins the same round anew, as a shorter one.
    pub(crate) fn begin_shorter(&mut self, h: f64) {
        let reach = self.reach;
        self.speed = if self.is_proxy { self.pulled } else { self.start };
        self.begin(h);
        self.reach = reach;
    }

    /// Begins the same round again.
    pub(crate) fn restart(&mut self, h: f64) {
        self.speed = self.pulled;
        self.touched = false;
        (self.hit_at, self.rests) = (h, false);
        self.aside = BodyVelocity::default();
        self.travel = self.unhindered(h);
        (self.stopped, self.stopped_travel) = (self.speed, self.travel);
    }

    /// It is stopped: its pose follows that, unless something rebounds.
    pub(crate) fn stop(&mut self) {
        self.stopped = self.speed;
        if self.touched {
            self.travel = self.speed;
        }
        self.stopped_travel = self.travel;
    }

    /// How fast any point of it may be in a round, m/s.
    pub(crate) fn fastest(&self, h: f64) -> f64 {
        let BodyVelocity { velocity, omega } = self.speed;
        velocity.length() + omega.length() * self.radius + self.pull.length() * h
    }

    /// Kinetic energy at a speed, J.
    pub(crate) fn kinetic(&self, speed: BodyVelocity) -> f64 {
        let own = self.orientation.unrotate(speed.omega);
        0.5 * (self.mass * speed.velocity.dot(speed.velocity) + own.dot(self.inertia.times(own)))
    }

    /// Energy of turning at an angular velocity, J.
    fn turning(&self, omega: Vec3) -> f64 {
        self.kinetic(BodyVelocity { velocity: Vec3::ZERO, omega })
    }

    /// Mean speed of so much of the round's beginning if nothing touches it.
    pub(crate) fn unhindered(&self, time: f64) -> BodyVelocity {
        if self.is_proxy {
            return self.pulled;
        }
        // Along its parabola.
        let BodyVelocity { velocity, omega } = self.start;
        BodyVelocity { velocity: velocity + self.pull * (0.5 * time), omega }
    }

    /// Its speed after so much of the round if nothing touches it.
    pub(crate) fn speed_after(&self, time: f64) -> BodyVelocity {
        if self.is_proxy {
            return self.pulled;
        }
        let BodyVelocity { velocity, omega } = self.start;
        BodyVelocity { velocity: velocity + self.pull * time, omega }
    }

    /// Its centre of mass after so much of the round if nothing touches it, m.
    pub(crate) fn centre_after(&self, time: f64) -> Vec3 {
        self.centre + self.unhindered(time).velocity * time
    }

    /// Origin and orientation of its frame after so much of the round if nothing touches it.
    pub(crate) fn place_after(&self, time: f64) -> (Vec3, Quat) {
        if time == 0.0 {
            return (self.position(), self.orientation);
        }
        let orientation = self.orientation_after(self.unhindered(time).omega, time);
        (self.centre_after(time) - orientation.rotate(self.middle), orientation)
    }

    /// What gravity does to it in a round of `h` seconds after it was hit, m/s; what rests has
    /// borne it already.
    pub(crate) fn pull_after_hit(&self, h: f64) -> Vec3 {
        if self.rests { Vec3::ZERO } else { self.pull * (h - self.hit_at) }
    }

    /// What its way until the hit adds to its mean speed; without a hit, all of it.
    pub(crate) fn travel_to_hit(&self, h: f64) -> BodyVelocity {
        if self.hit_at >= h {
            return self.stopped_travel;
        }
        let until = if self.rests { self.start } else { self.unhindered(self.hit_at) };
        until.times(self.hit_at / h)
    }

    /// What half of its way after the hit adds to its mean speed, at its speed of now.
    pub(crate) fn travel_after_hit(&self, h: f64) -> BodyVelocity {
        self.speed.times(0.5 * (h - self.hit_at) / h)
    }

    /// How far any of its points gets in a round, m.
    pub(crate) fn gets(&self, h: f64) -> f64 {
        let BodyVelocity { velocity, omega } = self.travel.plus(self.aside);
        (velocity.length() + omega.length() * self.radius) * h
    }

    /// Ends a round: the pose follows. What nothing pressed on falls along its parabola, and keeps
    /// its angular momentum; its turning gains no energy by that.
    pub(crate) fn end(&mut self, h: f64) {
        let mut travel = self.travel.plus(self.aside);
        if !self.touched && !self.is_proxy {
            let half = self.orientation_after(travel.omega, 0.5 * h);
            travel.omega = self.carried(travel.omega, half);
        }
        let mut to = self.orientation_after(travel.omega, h);
        if !self.touched && !self.is_proxy {
            to = self.with_energy_kept(to);
        }
        let hit = self.hit_at < h && !self.rests;
        if self.is_proxy {
            self.was_hit |= hit;
            self.turning_gained += self.turning(self.speed.omega) - self.turning(self.pulled.omega);
        } else {
            let before = self.kinetic(self.speed);
            self.speed.omega = self.carried(self.speed.omega, to);
            self.orientation = to;
            let after = self.kinetic(self.speed);
            // What was hit took part of its turn with another speed: it keeps its energy, which would
            // change by up to the turn of a round, up or down.
            if after > before || (hit && after < before) {
                let own = self.turning(self.speed.omega);
                let share = ((own - (after - before)) / own).max(0.0).sqrt();
                self.speed.omega = self.speed.omega * share;
            }
            let kept = 1.0 / (1.0 + h * self.drag);
            self.speed.velocity = self.speed.velocity * kept;
            self.speed.omega = self.speed.omega * kept;
        }
        self.centre += travel.velocity * h;
        self.orientation = to;
    }

    /// The orientation next to this one at which a body that turns freely has its old energy with its
    /// old angular momentum. Seen from the body the momentum stays on a sphere, along which the energy
    /// changes fastest about the axis momentum x omega.
    fn with_energy_kept(&self, mut to: Quat) -> Quat {
        let momentum = self.inertia.times(self.orientation.unrotate(self.speed.omega));
        let momentum = self.orientation.rotate(momentum);
        let before = momentum.dot(self.speed.omega);
        for _ in 0..ENERGY_PASSES {
            let own = to.unrotate(momentum);
            let omega = self.inverse_inertia.times(own);
            let axis = own.cross(omega);
            // Energies are half of these.
            let turn = axis * (0.5 * (before - own.dot(omega)) / axis.dot(axis));
            // Balls, and what turns about a main axis, have the same energy at any orientation near.
            if !turn.is_finite() || turn.length() > MOST_CORRECTED {
                break;
            }
            let half = turn * -0.5;
            to = (to * Quat { w: 1.0, x: half.x, y: half.y, z: half.z }).unit();
        }
        to
    }

    /// Angular velocity at another orientation, with the same angular momentum.
    fn carried(&self, omega: Vec3, to: Quat) -> Vec3 {
        let momentum = self.inertia.times(self.orientation.unrotate(omega));
        let momentum = self.orientation.rotate(momentum);
        to.rotate(self.inverse_inertia.times(to.unrotate(momentum)))
    }

    fn orientation_after(&self, omega: Vec3, h: f64) -> Quat {
        let angle = omega.length() * h;
        if angle < 0.05 {
            // Half the angle over its sine, to the fourth power of the angle.
            let half = 0.5 * h * (1.0 + angle * angle * (1.0 / 12.0));
            let turn = Quat { w: 1.0, x: omega.x * half, y: omega.y * half, z: omega.z * half };
            return (turn * self.orientation).unit();
        }
        let axis = omega.unit_or(Vec3::new(0.0, 0.0, 1.0));
        (Quat::about(axis, angle) * self.orientation).unit()
    }
}

/// How often the orientation is corrected for its energy: each time squares what it is off.
const ENERGY_PASSES: u32 = 2;

/// Largest turn by which it is corrected, rad: a step's error is less, unless it is all rounding.
const MOST_CORRECTED: f64 = 0.05;

/// A symmetric matrix of a body's own frame, in the world.
fn turned(m: &Sym3, orientation: Quat) -> Sym3 {
    let axes = orientation.axes();
    let [a, b, c] = axes;
    // Columns of R M, with R of columns a, b, c.
    let ([xx, yy, zz], [xy, xz, yz]) = (m.diagonal, m.beside);
    let columns = [a * xx + b * xy + c * xz, a * xy + b * yy + c * yz, a * xz + b * yz + c * zz];
    let at = |f: fn(Vec3) -> f64, g: fn(Vec3) -> f64| {
        (0..3).map(|k| f(columns[k]) * g(axes[k])).sum::<f64>()
    };
    let (x, y, z) = (|v: Vec3| v.x, |v: Vec3| v.y, |v: Vec3| v.z);
    Sym3 { diagonal: [at(x, x), at(y, y), at(z, z)], beside: [at(x, y), at(x, z), at(y, z)] }
}
