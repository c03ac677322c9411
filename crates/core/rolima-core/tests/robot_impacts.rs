//! Robots on gripping and sliding tyres that hit walls, robots, balls and boxes, against the model
//! integrated by itself. What their tyres do after is in `robot_slides`.
//!
//! An impact takes no time, so tyres that give at most mu N cannot act in it: the robot is a free body
//! of mass m and inertia J, and its wheels keep turning. Then its tyres slide, until they hold again.
//! Tyres without a limit hold through the impact: the robot answers along its heading and by turning,
//! with the mass matrix M of equation 7.

use crate::common;
use common::stronge::{Body, Course, Kind, Outline, Struck, distance, first_contact, strike};
use common::*;
use rolima_core::model::*;
use rolima_core::{BodyFrame, BodyId, RobotId, Volts, World};
use rolima_math::{Pose2, Stream, Vec2, sin_cos, wrap_angle};
use rolima_testing::samples;

/// What a robot hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Other {
    Wall,
    Robot(Kind),
    Ball,
    Box,
}

/// A robot that will hit something within some steps.
pub(crate) struct Shot {
    pub(crate) w: World,
    pub(crate) kind: Kind,
    pub(crate) other: Other,
    pub(crate) drive: DriveSpec,
    /// Of both, if both are robots: right and left, V.
    pub(crate) volts: [[f64; 2]; 2],
    pub(crate) e: f64,
    pub(crate) mu: f64,
}

/// The instant of a hit.
pub(crate) struct Hit {
    /// Both at the start of the step, and how long after it they touch, s.
    pub(crate) start: [Body; 2],
    pub(crate) until: f64,
    /// Both after it.
    pub(crate) after: [Struck; 2],
    pub(crate) approach: f64,
    pub(crate) course: Course,
    /// Whether nothing else touches in the rest of the step.
    pub(crate) alone: bool,
}

fn robot_kind(rng: &mut Stream) -> Kind {
    [Kind::Box, Kind::Disc, Kind::Fork][(rng.next_u64() % 3) as usize]
}

/// A body that drives along its heading.
fn driving(rng: &mut Stream, at: Vec2, heading: f64) -> Body {
    let (sin, cos) = sin_cos(heading);
    // Forwards or backwards.
    let speed = rng.between(0.3, 2.5);
    let angle = if rng.uniform() < 0.3 { heading + core::f64::consts::PI } else { heading };
    let v = Vec2::new(cos, sin) * speed;
    let DriveSpec { mass, inertia, .. } = DriveSpec::default();
    Body { at, angle, v, omega: rng.between(-4.0, 4.0), mass, inertia }
}

impl Other {
    fn any(rng: &mut Stream) -> Self {
        match rng.next_u64() % 4 {
            0 => Self::Wall,
            1 => Self::Robot(robot_kind(rng)),
            2 => Self::Ball,
            _ => Self::Box,
        }
    }

    fn outlines(self) -> Vec<Outline> {
        match self {
            Self::Wall => {
                let corners = [(-5.0, -0.1), (5.0, -0.1), (5.0, 0.0), (-5.0, 0.0)];
                vec![Outline::Corners(corners.map(|(x, y)| Vec2::new(x, y)).to_vec())]
            }
            Self::Robot(kind) => kind.outlines(),
            Self::Ball => Kind::Ball.outlines(),
            Self::Box => Kind::Box.outlines(),
        }
    }

    fn body(self, rng: &mut Stream) -> Body {
        let v = Vec2::new(rng.between(-0.5, 0.5), rng.between(-0.5, 0.5));
        let box_ = Body {
            at: Vec2::ZERO,
            angle: rng.between(-3.0, 3.0),
            v,
            omega: rng.between(-4.0, 4.0),
            mass: rng.between(0.1, 0.6),
            inertia: rng.between(2e-4, 5e-4),
        };
        match self {
            Self::Wall => Body::WALL,
            Self::Robot(_) => {
                let heading = rng.between(-3.0, 3.0);
                driving(rng, Vec2::ZERO, heading)
            }
            Self::Ball => {
                let mass = rng.between(0.03, 0.1);
                Body { omega: 0.0, mass, inertia: 0.4 * mass * 0.02135 * 0.02135, ..box_ }
            }
            Self::Box => box_,
        }
    }
}

fn robot_of(name: &str, kind: Kind, drive: &DriveSpec, body: &Body) -> RobotSpec {
    let mut r = robot(name, drive.clone(), Pose2::new(body.at.x, body.at.y, body.angle));
    r.shape = kind.parts();
    let (sin, cos) = sin_cos(body.angle);
    (r.velocity, r.omega) = (body.v.dot(Vec2::new(cos, sin)), body.omega);
    r
}

/// Some steps of a body that drives along its heading.
fn driven(body: &Body, time: f64) -> Body {
    let (sin, cos) = sin_cos(body.omega * time);
    let v = Vec2::new(cos * body.v.x - sin * body.v.y, sin * body.v.x + cos * body.v.y);
    Body { v, ..body.later(time) }
}

/// Something for a robot to hit. `sideways` lets it slide already.
pub(crate) fn shot(
    rng: &mut Stream,
    drive: &DriveSpec,
    step_s: f64,
    sideways: bool,
) -> Option<Shot> {
    let (e, mu) = (rng.uniform(), rng.between(0.0, 0.8));
    let (kind, other) = (robot_kind(rng), Other::any(rng));
    let mut spec = SceneSpec::default();
    spec.sim.step_s = step_s;
    spec.contact.restitution = PairTable::uniform(e);
    spec.contact.friction = PairTable::uniform(mu);
    let heading = -rng.between(0.3, 2.8);
    let mut a = driving(rng, Vec2::new(0.0, 0.07), heading);
    let mut b = other.body(rng);
    if other != Other::Wall {
        let (sin, cos) = sin_cos(heading);
        let way = Vec2::new(cos, sin);
        b.at = a.at + way * 0.13 + way.perp() * rng.between(-0.04, 0.04);
    }
    if sideways {
        a.v = a.v + a.v.perp() * rng.between(0.3, 0.8);
    }
    let outlines = [kind.outlines(), other.outlines()];
    let (time, ..) = first_contact((&outlines[0], &a), (&outlines[1], &b), 0.2)?;
    // Just before.
    let ahead = time - rng.between(1.0, 3.0) * step_s;
    if ahead < 0.0 {
        return None;
    }
    let robots = matches!(other, Other::Robot(_));
    a = if sideways { a.later(ahead) } else { driven(&a, ahead) };
    b = if robots { driven(&b, ahead) } else { b.later(ahead) };
    spec.robots.push(robot_of("a", kind, drive, &a));
    match other {
        Other::Wall => spec.walls.push(segment((-5.0, -0.05), (5.0, -0.05), 0.1)),
        Other::Robot(kind) => spec.robots.push(robot_of("b", kind, drive, &b)),
        Other::Ball => Kind::Ball.add(&mut spec, "b", &b),
        Other::Box => Kind::Box.add(&mut spec, "b", &b),
    }
    let mut w = world(&spec);
    if sideways {
        let pose = Pose2::new(a.at.x, a.at.y, a.angle);
        assert!(w.set_motion(BodyId(0), pose, a.v, a.omega));
    }
    let volts = [(); 2].map(|()| [rng.between(-9.0, 9.0), rng.between(-9.0, 9.0)]);
    for (i, [right, left]) in (0..w.model().robots.len() as u32).zip(volts) {
        w.command(RobotId(i), Volts { right, left }).expect("good volts");
    }
    Some(Shot { w, kind, other, drive: drive.clone(), volts, e, mu })
}

impl Shot {
    pub(crate) fn outlines(&self) -> [Vec<Outline>; 2] {
        [self.kind.outlines(), self.other.outlines()]
    }

    pub(crate) fn is_robot(&self, i: usize) -> bool {
        i == 0 || matches!(self.other, Other::Robot(_))
    }

    /// Both as they are now.
    fn bodies(&self) -> [Body; 2] {
        let frame = self.w.frame();
        let of = |i: usize, mass: f64, inertia: f64| {
            let b = &frame.bodies[i];
            let (at, angle, v) = (b.pose.position, b.pose.theta(), b.velocity);
            Body { at, angle, v, omega: b.omega, mass, inertia }
        };
        let (m, j) = (self.drive.mass, self.drive.inertia);
        let spec = &self.w.model().spec;
        let second = match self.other {
            Other::Wall => Body::WALL,
            Other::Robot(_) => of(1, m, j),
            Other::Ball => {
                let mass = spec.balls[0].mass;
                of(1, mass, 0.4 * mass * 0.02135 * 0.02135)
            }
            Other::Box => of(1, spec.objects[0].mass, spec.objects[0].inertia.expect("told")),
        };
        [of(0, m, j), second]
    }

    /// How it answers to an impact, heading so: with M if its tyres have no limit.
    fn struck(&self, i: usize, body: &Body, point: Vec2) -> Struck {
        let free = body.struck(point);
        if !self.is_robot(i) || self.drive.traction.is_some() {
            return free;
        }
        let m = self.w.model().drives[0].mass_matrix_inverse;
        let (s, c) = sin_cos(body.angle);
        let answer = [
            [m[0][0] * c * c, m[0][0] * c * s, m[0][1] * c],
            [m[0][0] * c * s, m[0][0] * s * s, m[0][1] * s],
            [m[0][1] * c, m[0][1] * s, m[1][1]],
        ];
        Struck { answer, ..free }
    }

    /// Steps until the next step hits.
    pub(crate) fn until_hit(&mut self) -> Option<Hit> {
        let h = self.w.model().step_s;
        let [p, q] = self.outlines();
        for _ in 0..5 {
            let start = self.bodies();
            let found = first_contact((&p, &start[0]), (&q, &start[1]), h);
            let Some((until, point, n)) = found else {
                self.w.step();
                continue;
            };
            let then = start.map(|body| body.later(until));
            let mut after = [0, 1].map(|i| self.struck(i, &then[i], point));
            let approach = -n.dot(then[0].speed_at(point) - then[1].speed_at(point));
            if approach < 0.1 {
                return None;
            }
            let [a, b] = &mut after;
            let course = strike(a, b, n, self.e, self.mu);
            let later = [0, 1].map(|i| {
                let [x, y, omega] = after[i].v;
                Body { v: Vec2::new(x, y), omega, ..then[i] }.later(1e-2 * h)
            });
            let (a, b) = ((&p[..], &later[0]), (&q[..], &later[1]));
            // A hit in the last instant of a step may be found in the next.
            let alone =
                until < 0.95 * h && distance(a, b).is_some() && first_contact(a, b, h).is_none();
            return Some(Hit { start, until, after, approach, course, alone });
        }
        None
    }

    /// How far the velocities of body `i` are from those after a hit, in shares of the approach.
    fn error(&self, i: usize, hit: &Hit) -> f64 {
        let [x, y, omega] = hit.after[i].v;
        let now = self.w.frame().bodies[i];
        let want = Vec2::new(x, y);
        let off = if self.is_robot(i) && self.drive.traction.is_none() {
            // What keeps to its heading turns with it.
            let (s, c) = sin_cos(hit.start[i].angle + hit.start[i].omega * hit.until);
            (now.velocity.dot(now.pose.rotation.x_axis()) - want.dot(Vec2::new(c, s))).abs()
        } else {
            (now.velocity - want).length()
        };
        off.max(0.04 * (now.omega - omega).abs()) / hit.approach
    }

    /// How many of its bodies move.
    fn moving(&self) -> usize {
        if self.other == Other::Wall { 1 } else { 2 }
    }
}

/// Compares velocities after single hits with the model.
fn velocities_after_hits(seed: u64, drive: &DriveSpec) {
    let mut rng = Stream::new(seed, 0, "robots hit");
    let (mut worst, mut done, mut courses, mut others) = (0.0f64, 0, [0; 3], [0; 4]);
    while done < samples(300, 2000) {
        // So short a step that tyres and motors do next to nothing in it.
        let Some(mut shot) = shot(&mut rng, drive, 1e-5, false) else { continue };
        let Some(hit) = shot.until_hit().filter(|hit| hit.alone) else { continue };
        done += 1;
        courses[hit.course as usize] += 1;
        others[match shot.other {
            Other::Wall => 0,
            Other::Robot(_) => 1,
            Other::Ball => 2,
            Other::Box => 3,
        }] += 1;
        shot.w.step();
        for i in 0..shot.moving() {
            let error = shot.error(i, &hit);
            worst = worst.max(error);
            let what = format!("{done}, body {i}: {:?} hits {:?}", shot.kind, shot.other);
            assert!(error < 0.01, "{what}, e {}, mu {}: {error}", shot.e, shot.mu);
        }
    }
    println!("worst error {worst:.2e} of the approach speed");
    println!("{courses:?} stick, slide, reverse; {others:?} walls, robots, balls, boxes");
    assert!(others.iter().all(|count| 10 * count >= done), "{others:?}");
    assert!(courses[..2].iter().all(|count| 10 * count >= done), "{courses:?}");
}

#[test]
fn tyres_give_nothing_in_an_impact() {
    velocities_after_hits(31, &DriveSpec::default());
}

#[test]
fn tyres_without_a_limit_hold_through_an_impact() {
    velocities_after_hits(37, &DriveSpec { traction: None, ..DriveSpec::default() });
}

/// How far the paths of a body before and after a hit are from one another when it happens, as a
/// share of the way of the step, of its origin and of what is 4 cm from it.
fn paths_apart(hit: &Hit, i: usize, now: &BodyFrame, (h, held): (f64, bool)) -> f64 {
    let before = if held { driven } else { Body::later };
    // Halfway, the heading is that of the mean velocity.
    let then =
        Body { v: before(&hit.start[i], 0.5 * hit.until).v, ..hit.start[i] }.later(hit.until);
    let since = h - hit.until;
    let after = Body {
        at: now.pose.position,
        angle: now.pose.theta(),
        v: now.velocity,
        omega: now.omega,
        ..hit.start[i]
    };
    let v = if held { driven(&after, -0.5 * since).v } else { after.v };
    let back = Body { v, ..after }.later(-since);
    let turned = wrap_angle(back.angle - then.angle).abs();
    (back.at - then.at).length().max(0.04 * turned) / (hit.approach * h)
}

#[test]
fn robots_turn_where_they_touch_however_their_tyres_do() {
    let held = DriveSpec { traction: None, ..DriveSpec::default() };
    for (name, drive, sideways) in [
        ("holding", DriveSpec::default(), false),
        ("sliding", DriveSpec::default(), true),
        ("without a limit", held, false),
    ] {
        let mut rng = Stream::new(43, 0, "places");
        let (mut worst, mut slow, mut beyond, mut done) = (0.0f64, 0.0f64, 0, 0);
        while done < samples(100, 1000) {
            let Some(mut shot) = shot(&mut rng, &drive, 1e-3, sideways) else { continue };
            let Some(hit) = shot.until_hit().filter(|hit| hit.alone) else { continue };
            done += 1;
            shot.w.step();
            for i in 0..shot.moving() {
                let held = shot.is_robot(i) && drive.traction.is_none();
                let off = paths_apart(&hit, i, &shot.w.frame().bodies[i], (1e-3, held));
                let fast = hit.approach > 0.5;
                *if fast { &mut worst } else { &mut slow } =
                    if fast { worst } else { slow }.max(off);
                let what = format!("{name}, {done}, body {i} of {:?}", shot.other);
                // After a hit, motors act in the next step only: that is 10 µm in the worst case.
                let most = if fast { 0.05 } else { 0.052 };
                assert!(off < most, "{what}: {off} of v h at {} m/s", hit.approach);
                beyond += u32::from(off > 0.05);
            }
        }
        assert!(1000 * beyond <= done, "{name}: {beyond} of {done} beyond 5 %");
        println!("{name}: worst {worst:.2e} of v h, {slow:.2e} below 0.5 m/s");
    }
}
