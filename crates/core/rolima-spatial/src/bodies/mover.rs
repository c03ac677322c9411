//! What moves while bodies and vehicles meet: masses, velocities, and how they change poses.

use rolima_math::{Quat, Sym3, Vec3};

/// Velocity of the centre of mass, m/s, and angular velocity in the world, rad/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Speed {
    pub(crate) velocity: Vec3,
    pub(crate) omega: Vec3,
}

impl Speed {
    fn plus(self, other: Self) -> Self {
        Self { velocity: self.velocity + other.velocity, omega: self.omega + other.omega }
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

/// A body or vehicle for the time of one meeting.
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
    /// What gravity does to it in this meeting, m/s2; of vehicles it has done so already.
    pub(crate) pull: Vec3,
    pub(crate) is_guest: bool,
    /// Drag, 1/s.
    pub(crate) drag: f64,
    /// At the start of a round, before gravity.
    pub(crate) start: Speed,
    /// What its pose follows in a round: contacts closed, none of them rebounding.
    pub(crate) stopped: Speed,
    /// What pushes it out of others, for its pose alone.
    pub(crate) aside: Speed,
    pub(crate) speed: Speed,
    /// Whether something pressed on it in this round, and in this meeting.
    pub(crate) touched: bool,
    pub(crate) pressed: bool,
}

impl Mover {
    /// The ground, and all that never moves.
    pub(crate) fn fixed() -> Self {
        Self::new(Vec3::ZERO, (Vec3::ZERO, Quat::IDENTITY), Speed::default())
    }

    /// Something at a place, with a speed; its mass is still to be told.
    pub(crate) fn new(middle: Vec3, (position, orientation): (Vec3, Quat), speed: Speed) -> Self {
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
            is_guest: false,
            drag: 0.0,
            start: speed,
            stopped: speed,
            aside: Speed::default(),
            speed,
            touched: false,
            pressed: false,
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
        self.touched = false;
        self.aside = Speed::default();
        if self.is_guest {
            // Its own steps have pulled it already.
            self.start.velocity = self.speed.velocity - self.pull * h;
            self.start.omega = self.speed.omega;
        } else {
            self.start = self.speed;
            self.speed.velocity += self.pull * h;
        }
        self.stopped = self.speed;
    }

    /// How fast any point of it may be in a round, m/s.
    pub(crate) fn fastest(&self, h: f64) -> f64 {
        let Speed { velocity, omega } = self.speed;
        velocity.length() + omega.length() * self.radius + self.pull.length() * h
    }

    /// Kinetic energy at a speed, J.
    pub(crate) fn kinetic(&self, speed: Speed) -> f64 {
        let own = self.orientation.unrotate(speed.omega);
        0.5 * (self.mass * speed.velocity.dot(speed.velocity) + own.dot(self.inertia.times(own)))
    }

    /// Mean speed of a round but for what pushes it aside.
    pub(crate) fn way(&self, h: f64) -> Speed {
        let Speed { velocity, omega } = self.stopped;
        if self.touched || self.is_guest {
            return self.stopped;
        }
        // Along its parabola.
        Speed { velocity: velocity - self.pull * (0.5 * h), omega }
    }

    /// Ends a round: the pose follows. What nothing pressed on falls along its parabola, and keeps
    /// its angular momentum; its turning gains no energy by that.
    pub(crate) fn end(&mut self, h: f64) {
        let mut way = self.way(h).plus(self.aside);
        if !self.touched && !self.is_guest {
            let half = self.orientation_after(way.omega, 0.5 * h);
            way.omega = self.carried(way.omega, half);
        }
        let to = self.orientation_after(way.omega, h);
        if !self.is_guest {
            let before = self.kinetic(self.speed);
            self.speed.omega = self.carried(self.speed.omega, to);
            self.orientation = to;
            let after = self.kinetic(self.speed);
            if after > before {
                let own = self.kinetic(Speed { velocity: Vec3::ZERO, ..self.speed });
                let share = ((own - (after - before)) / own).max(0.0).sqrt();
                self.speed.omega = self.speed.omega * share;
            }
            let kept = 1.0 / (1.0 + h * self.drag);
            self.speed.velocity = self.speed.velocity * kept;
            self.speed.omega = self.speed.omega * kept;
        }
        self.centre += way.velocity * h;
        self.orientation = to;
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
