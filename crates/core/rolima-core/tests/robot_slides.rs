//! Robots after a hit: their tyres slide and hold again, by Coulomb's law integrated by itself.

use crate::common;
use crate::robot_impacts::{Hit, Shot, shot};
use common::coulomb::Coulomb;
use common::stronge::{Body, distance};
use rolima_core::model::DriveSpec;
use rolima_math::{Stream, Vec2, sin_cos, wrap_angle};
use rolima_testing::samples;

/// The robots of a hit by Coulomb's law, from the start of its step on; the others fly straight.
struct Reference {
    robots: [Option<Coulomb>; 2],
    bodies: [Body; 2],
}

impl Reference {
    fn new(shot: &Shot, hit: &Hit) -> Self {
        let mut bodies = hit.start;
        let robots = [0, 1].map(|i| {
            shot.is_robot(i).then(|| {
                let b = &mut bodies[i];
                let mut robot = Coulomb::new(&shot.drive, own(b.angle, b.v, b.omega));
                robot.pose = [b.at.x, b.at.y, b.angle];
                robot.v[1] = 0.0;
                robot.slides = [false; 2];
                robot
            })
        });
        Self { robots, bodies }
    }

    /// Goes on for so long. Returns whether both stay apart from `clear_from` on.
    fn run(&mut self, shot: &Shot, time: f64, clear_from: f64) -> bool {
        let [p, q] = shot.outlines();
        let steps = (time / 1e-6).round() as u32;
        let mut clear = true;
        for k in 1..=steps {
            for (robot, volts) in self.robots.iter_mut().zip(shot.volts) {
                robot.iter_mut().for_each(|robot| robot.step(volts, time / f64::from(steps)));
            }
            let now = f64::from(k) * 1e-6;
            if k % 200 == 0 && now > clear_from {
                let bodies = [0, 1].map(|i| self.body(i, now));
                let gap = distance((&p, &bodies[0]), (&q, &bodies[1]));
                clear &= gap.is_some_and(|(gap, ..)| gap > 1e-4);
            }
        }
        self.bodies = [0, 1].map(|i| self.body(i, time));
        clear
    }

    /// A body so long after the last instant at which all were told.
    fn body(&self, i: usize, time: f64) -> Body {
        match &self.robots[i] {
            None => self.bodies[i].later(time),
            Some(r) => {
                let (s, c) = sin_cos(r.pose[2]);
                let v = Vec2::new(c * r.v[0] - s * r.v[1], s * r.v[0] + c * r.v[1]);
                let at = Vec2::new(r.pose[0], r.pose[1]);
                Body { at, angle: r.pose[2], v, omega: r.v[2], ..self.bodies[i] }
            }
        }
    }

    /// Lets both hit; wheels turn on as they did before.
    fn hit(&mut self, hit: &Hit) {
        for i in 0..2 {
            let [x, y, omega] = hit.after[i].v;
            let v = Vec2::new(x, y);
            let old = hit.start[i].later(hit.until);
            match &mut self.robots[i] {
                None => self.bodies[i] = Body { v, omega, ..self.bodies[i] },
                Some(r) => {
                    // What it was since the start of the step, its motors have changed by a bit.
                    let (change, turned) = (v - old.v, omega - old.omega);
                    let [dx, dy, _] = own(r.pose[2], change, 0.0);
                    r.v = [r.v[0] + dx, r.v[1] + dy, r.v[2] + turned];
                    r.slides = [true; 2];
                }
            }
        }
    }
}

/// Velocities as seen from a robot.
fn own(angle: f64, v: Vec2, omega: f64) -> [f64; 3] {
    let (s, c) = sin_cos(angle);
    [c * v.x + s * v.y, c * v.y - s * v.x, omega]
}

#[test]
fn after_a_hit_robots_slide_and_hold_again_as_coulombs_law_says() {
    let mut rng = Stream::new(41, 0, "slide");
    let (mut done, mut worst, mut worst_turn, mut pairs) = (0, 0.0f64, 0.0f64, 0);
    while done < samples(20, 300) {
        let Some(mut shot) = shot(&mut rng, &DriveSpec::default(), 1e-3, false) else { continue };
        let Some(hit) = shot.until_hit().filter(|hit| hit.alone) else { continue };
        let mut reference = Reference::new(&shot, &hit);
        reference.run(&shot, hit.until, 1.0);
        reference.hit(&hit);
        if !reference.run(&shot, 0.1 - hit.until, 5e-4) {
            continue;
        }
        done += 1;
        pairs += u32::from(shot.is_robot(1));
        shot.w.steps(100);
        for i in (0..2).filter(|i| shot.is_robot(*i)) {
            let (now, want) = (shot.w.frame().bodies[i], &reference.bodies[i]);
            let error = (now.pose.position - want.at).length();
            let turned = wrap_angle(now.pose.theta() - want.angle).abs();
            (worst, worst_turn) = (worst.max(error), worst_turn.max(turned));
            let what = format!("{done}, robot {i}, {:?} hits {:?}", shot.kind, shot.other);
            assert!(error < 1.5e-3, "{what}: {error} m off, {:?} V", shot.volts);
            assert!(turned < 0.03, "{what}: {turned} rad off");
        }
    }
    println!("worst {:.3} mm, {worst_turn:.4} rad after 0.1 s; {pairs} with robots", 1e3 * worst);
}
