//! Robots that hit a wall with gripping tyres, against the model integrated by itself.
//!
//! An impact takes no time, so tyres that give at most mu N cannot act in it: the robot is a free body
//! of mass m and inertia J, and its wheels keep turning. Then its tyres slide, until they hold again.
//! Tyres without a limit hold through the impact: the robot answers along its heading and by turning,
//! with the mass matrix M of equation 7.

use crate::common;
use common::coulomb::Coulomb;
use common::*;
use rolima_core::World;
use rolima_core::model::*;
use rolima_math::{Pose2, Stream, Vec2, sin_cos};

/// Change of (x, y, turning) by an impulse (x, y, moment).
type Mobility = [[f64; 3]; 3];

/// A robot just before it hits the wall above y = 0.
struct Before {
    /// (x, y, theta), (vx, vy, omega) in the world.
    pose: [f64; 3],
    v: [f64; 3],
    /// Seconds until it hits.
    until: f64,
    /// From the origin to the corner that hits, then.
    arm: Vec2,
}

fn corners(pose: [f64; 3]) -> [Vec2; 4] {
    let (s, c) = sin_cos(pose[2]);
    [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|(i, j)| {
        let (x, y) = (0.0375 * i, 0.0375 * j);
        Vec2::new(pose[0] + c * x - s * y, pose[1] + s * x + c * y)
    })
}

fn lowest(pose: [f64; 3]) -> Vec2 {
    corners(pose).into_iter().min_by(|a, b| a.y.total_cmp(&b.y)).expect("four corners")
}

impl Before {
    /// A robot that hits within the next step, if it does.
    fn of(w: &World) -> Option<Self> {
        let b = w.frame().bodies[0];
        let pose = [b.pose.position.x, b.pose.position.y, b.pose.theta()];
        let v = [b.velocity.x, b.velocity.y, b.omega];
        let at = |t: f64| [0, 1, 2].map(|i| pose[i] + v[i] * t);
        let h = w.model().step_s;
        if lowest(at(h)).y > 0.0 {
            return None;
        }
        let (mut low, mut high) = (0.0, h);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *if lowest(at(middle)).y > 0.0 { &mut low } else { &mut high } = middle;
        }
        let then = at(low);
        // A face that is nearly flat on the wall hits with two corners.
        if corners(then).iter().filter(|c| c.y < 2e-3).count() > 1 {
            return None;
        }
        Some(Self { pose, v, until: low, arm: lowest(then) - Vec2::new(then[0], then[1]) })
    }

    fn approach(&self) -> f64 {
        -(self.v[1] + self.v[2] * self.arm.x)
    }

    /// Its velocities after the hit: Stronge's model in small impulses.
    fn after(&self, answer: &Mobility, e: f64, mu: f64) -> [f64; 3] {
        let mut v = self.v;
        // Rows of the wall's normal (0, 1) and of its tangent (1, 0) at the corner.
        let normal = [0.0, 1.0, self.arm.x];
        let tangent = [1.0, 0.0, -self.arm.y];
        let times =
            |row: [f64; 3]| [0, 1, 2].map(|i| (0..3).map(|j| answer[i][j] * row[j]).sum::<f64>());
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (by_normal, by_tangent) = (times(normal), times(tangent));
        let dp = 1e-5 * self.approach() / dot(normal, by_normal);
        let k = dot(tangent, by_tangent);
        let (mut taken, mut given) = (0.0, 0.0);
        for _ in 0..5_000_000 {
            let before = dot(normal, v);
            v = [0, 1, 2].map(|i| v[i] + dp * by_normal[i]);
            let wanted = if k > 1e-9 { -dot(tangent, v) / k } else { 0.0 };
            let friction = wanted.clamp(-mu * dp, mu * dp);
            v = [0, 1, 2].map(|i| v[i] + friction * by_tangent[i]);
            let work = 0.5 * (before + dot(normal, v)) * dp;
            if work < 0.0 {
                taken -= work;
            } else {
                given += work;
                if given >= e * e * taken {
                    break;
                }
            }
        }
        v
    }
}

fn free(spec: &DriveSpec) -> Mobility {
    let (m, j) = (1.0 / spec.mass, 1.0 / spec.inertia);
    [[m, 0.0, 0.0], [0.0, m, 0.0], [0.0, 0.0, j]]
}

/// A robot that drives at the wall, with its friction and restitution.
fn shot(rng: &mut Stream, drive: DriveSpec, step_s: f64) -> (World, f64, f64) {
    let (e, mu) = (rng.between(0.4, 1.0), rng.between(0.0, 0.6));
    let mut spec = SceneSpec::default();
    spec.sim.step_s = step_s;
    spec.contact.restitution = PairTable::uniform(e);
    spec.contact.friction = PairTable::uniform(mu);
    spec.walls.push(segment((-5.0, -0.05), (5.0, -0.05), 0.1));
    let heading = -rng.between(0.3, 2.8);
    let speed = rng.between(0.3, 2.5);
    let mut r = robot("r", drive, Pose2::new(0.0, 0.056 + 1e-3 * rng.uniform(), heading));
    // Forwards or backwards.
    if rng.uniform() < 0.3 {
        r.pose = Pose2::new(0.0, r.pose.position.y, heading + core::f64::consts::PI);
        r.velocity = -speed;
    } else {
        r.velocity = speed;
    }
    r.omega = rng.between(-4.0, 4.0);
    spec.robots.push(r);
    (world(&spec), e, mu)
}

/// Steps until the next step hits.
fn until_hit(w: &mut World) -> Option<Before> {
    for _ in 0..(0.1 / w.model().step_s) as u32 {
        if let Some(before) = Before::of(w) {
            return Some(before);
        }
        w.step();
    }
    None
}

#[test]
fn tyres_give_nothing_in_an_impact() {
    let mut rng = Stream::new(31, 0, "free");
    let mut worst = 0.0f64;
    let mut done = 0;
    while done < 200 {
        // So short a step that tyres do next to nothing in it.
        let (mut w, e, mu) = shot(&mut rng, DriveSpec::default(), 1e-5);
        let Some(before) = until_hit(&mut w) else { continue };
        done += 1;
        let want = before.after(&free(&DriveSpec::default()), e, mu);
        w.step();
        let b = w.frame().bodies[0];
        let error = (b.velocity - Vec2::new(want[0], want[1])).length();
        let error = error.max(0.04 * (b.omega - want[2]).abs()) / before.approach();
        worst = worst.max(error);
        assert!(error < 0.01, "{done}: {b:?} against {want:?}");
    }
    println!("worst error {worst:.2e} of the approach speed");
}

#[test]
fn tyres_without_a_limit_hold_through_an_impact() {
    let mut rng = Stream::new(37, 0, "held");
    let mut worst = 0.0f64;
    let mut done = 0;
    while done < 200 {
        let drive = DriveSpec { traction: None, ..DriveSpec::default() };
        // So short a step that motors do next to nothing in it.
        let (mut w, e, mu) = shot(&mut rng, drive, 1e-4);
        let Some(before) = until_hit(&mut w) else { continue };
        done += 1;
        let m = w.model().drives[0].mass_matrix_inverse;
        let (s, c) = sin_cos(before.pose[2] + before.v[2] * before.until);
        let answer = [
            [m[0][0] * c * c, m[0][0] * c * s, m[0][1] * c],
            [m[0][0] * c * s, m[0][0] * s * s, m[0][1] * s],
            [m[0][1] * c, m[0][1] * s, m[1][1]],
        ];
        let want = before.after(&answer, e, mu);
        w.step();
        let [forward, omega, ..] = robot_state(&w);
        let error = (forward - (want[0] * c + want[1] * s)).abs();
        let error = error.max(0.04 * (omega - want[2]).abs()) / before.approach();
        worst = worst.max(error);
        assert!(error < 0.01, "{done}: {forward}, {omega} against {want:?}");
    }
    println!("worst error {worst:.2e} of the approach speed");
}

#[test]
fn after_a_hit_robots_slide_and_hold_again_as_coulombs_law_says() {
    let mut rng = Stream::new(41, 0, "slide");
    let (mut done, mut worst) = (0, 0.0f64);
    while done < 60 {
        let (mut w, e, mu) = shot(&mut rng, DriveSpec::default(), 1e-3);
        let Some(before) = until_hit(&mut w) else { continue };
        let spec = DriveSpec::default();
        let want = before.after(&free(&spec), e, mu);
        let then = [0, 1, 2].map(|i| before.pose[i] + before.v[i] * before.until);
        let (s, c) = sin_cos(then[2]);
        let own = |v: [f64; 3]| [c * v[0] + s * v[1], c * v[1] - s * v[0], v[2]];
        // The wheels turn on as they did before.
        let mut reference = Coulomb::new(&spec, own(before.v));
        (reference.pose, reference.v, reference.slides) = (then, own(want), [true; 2]);
        let steps = 100u32;
        let time = f64::from(steps) * 1e-3 - before.until;
        let mut clear = true;
        for i in 0..(time / 5e-7).round() as u32 {
            reference.step([0.0; 2], 5e-7);
            // Not where it nearly touches the wall again.
            if i % 200 == 199 && i > 1_000 {
                clear &= lowest(reference.pose).y > 1e-4;
            }
        }
        if !clear {
            continue;
        }
        done += 1;
        w.steps(u64::from(steps));
        let [_, _, x, y, theta] = robot_state(&w);
        let (dx, dy) = (x - reference.pose[0], y - reference.pose[1]);
        let error = (dx * dx + dy * dy).sqrt();
        worst = worst.max(error);
        let turned = rolima_math::wrap_angle(theta - reference.pose[2]).abs();
        assert!(error < 1e-3, "{error} m off");
        assert!(turned < 0.03, "{turned} rad off");
    }
    println!("worst {:.3} mm after 0.1 s", 1e3 * worst);
}
