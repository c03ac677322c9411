//! One outer step of everything that can touch.
//!
//! Vehicles have run their fine steps alone. Now they stand at their old poses with their velocity
//! of now and the mean turning of that time, without the ground, which they have felt already, and everything moves by the outer
//! step, in rounds that are short enough: contacts are found at the poses of the start with their
//! gaps ([`super::find`]), solved island by island ([`super::island`]), and poses follow. A vehicle
//! that pressed on nothing keeps what its own steps gave; one that did takes pose and change of
//! velocity back, so that momentum is exchanged, not lost.
//!
//! Nothing is remembered from one contact resolution to the next but the state, so that a snapshot
//! is a list of words and going on from it gives the same bits. That rules out warm starting;
//! sleeping is done here, by a count in the state. Meant for tens of bodies at once.

use super::contact::{Contact, Found};
use super::find::{AHEAD, Piece, find};
use super::island::{Island, Islands};
use super::mover::{BodyVelocity, Mover};
use super::near;
use super::pairs::touches;
use super::solid::{BodySolid, CollisionModel, their_rotation, theirs};
use super::state::ContactState;
use super::vehicle_proxy::VehicleProxy;
use super::{BodyRef, BodySpec, BodyState, REST_TRAVEL, SpatialContact};
use crate::model::SpatialModel;
use crate::terrain::Edge;
use crate::world::Vehicle;
use parry3d_f64::math::Pose;
use rolima_math::{Quat, Vec3, larger};

/// Longest round, s; a longer time is divided.
const LONGEST_ROUND: f64 = 0.02;

/// Longest way of anything in a round, m: contacts that do not hit are taken for flat over so much. A
/// longer one is divided, into so many rounds at most.
const LONGEST_TRAVEL: f64 = 0.05;
const MOST_ROUNDS: f64 = 64.0;

/// Times that rounds of a contact resolution are divided at most, as something hits two others one
/// after the other: a corner takes two. Each costs a further round of everything that is near
/// something.
const MOST_DIVISIONS: u32 = 3;

/// For that, what both hits close in a round that is not divided yet at least, and what would be off at
/// the second, m.
const LEAST_WAY: f64 = 1e-4;
const LEAST_OFF: f64 = 5e-6;

/// How often contacts are searched again in a round, farther, as something was hit and got fast.
const MOST_SEARCHES: u32 = 2;

/// How far below the ground a body has surely fallen through it, m, beyond its own size.
const FALLEN: f64 = 0.5;

/// Speed from which a vehicle wakes what it presses on, m/s.
const MOVES: f64 = 3e-3;

/// Vehicles and bodies meet: `steps` fine steps have gone by since they last did.
pub(crate) fn resolve_contacts(
    model: &SpatialModel,
    collision_model: &CollisionModel,
    vehicles: &mut [Vehicle],
    contact_state: &mut ContactState,
    steps: u64,
) {
    let dt = steps as f64 * model.step_s;
    if !near::find(model, collision_model, vehicles, contact_state, dt) {
        return;
    }
    let (mut movers, mut pieces) = (vec![Mover::fixed()], vec![]);
    let (active_vehicles, active_bodies) =
        contact_state.broad_phase.active.split_at(vehicles.len());
    let mut bodies: Vec<(usize, usize)> = vec![];
    for (i, _) in active_bodies.iter().enumerate().filter(|(_, active)| **active) {
        let mover =
            insert_body((&mut movers, &mut pieces), (model, collision_model), i, contact_state);
        if mover > 0 {
            bodies.push((i, mover));
        }
    }
    let mut proxies: Vec<VehicleProxy> = vec![];
    for (i, _) in active_vehicles.iter().enumerate().filter(|(_, active)| **active) {
        let (all, models) = ((&mut movers, &mut pieces), (model, collision_model));
        proxies.push(VehicleProxy::insert(
            all,
            models,
            i,
            &vehicles[i],
            contact_state.vehicles[i],
            dt,
        ));
    }
    let presses = rounds((model, collision_model), &pieces, &mut movers, dt);
    touches(&presses, &mut contact_state.touches);
    for &(i, mover) in &bodies {
        let solid = &collision_model.solids[i];
        let spec = &model.spec.bodies[i];
        let mut now = read(&movers[mover], &contact_state.bodies[i]);
        let own = BodyRef::Body(i as u32);
        let on_ground = presses.iter().filter(|p| p.on(own) == Some(None));
        roll(&mut now, spec, solid, on_ground.map(|p| p.impulse).sum());
        let moved = is_moved_by(&presses, own, &contact_state.bodies, (&proxies, collision_model));
        let old = contact_state.bodies[i];
        contact_state.bodies[i] = settle(model, collision_model, solid, old, now, (moved, steps));
        if contact_state.bodies[i].left_terrain && !old.left_terrain {
            contact_state.left.push(i as u32);
        }
    }
    for proxy in &proxies {
        proxy.take_back(&movers, &model.vehicles[proxy.index], &mut vehicles[proxy.index]);
    }
    contact_state.presses = presses;
}

/// Moves everything by the time `dt`. Returns what pressed.
fn rounds(
    models: (&SpatialModel, &CollisionModel),
    pieces: &[Piece<'_>],
    movers: &mut [Mover],
    dt: f64,
) -> Vec<SpatialContact> {
    let travel = movers.iter().map(|m| m.fastest(dt) * dt).fold(0.0, f64::max);
    let count = (dt / LONGEST_ROUND).max(travel / LONGEST_TRAVEL).ceil().clamp(1.0, MOST_ROUNDS);
    let mut rounds = Rounds::default();
    let mut divisions = MOST_DIVISIONS;
    for _ in 0..count as u32 {
        let mut left = dt / count;
        while left > 0.0 {
            let h = rounds.begin(models, pieces, movers, (left, dt / count), &mut divisions);
            rounds.run(models, pieces, movers, h);
            left -= h;
        }
    }
    rounds.presses
}

/// What rounds find and solve.
#[derive(Default)]
struct Rounds {
    found: Vec<Found>,
    contacts: Vec<Contact>,
    islands: Islands,
    presses: Vec<SpatialContact>,
}

impl Rounds {
    /// Begins a round of `h` s, what is left of one of `whole` s, or a shorter one if something would hit
    /// two others in it one after the other. Returns how long it is.
    fn begin(
        &mut self,
        models: (&SpatialModel, &CollisionModel),
        pieces: &[Piece<'_>],
        movers: &mut [Mover],
        (h, whole): (f64, f64),
        divisions: &mut u32,
    ) -> f64 {
        movers.iter_mut().for_each(|m| m.begin(h));
        find(models, pieces, movers, h, &mut self.found);
        if *divisions == 0 {
            return h;
        }
        self.contacts.clear();
        self.contacts.extend(self.found.iter().map(|f| Contact::new(*f, movers, h)));
        let slowest = larger(models.0.spec.contact.restitution_threshold, LEAST_WAY / whole);
        let Some(shorter) = between_hits(&self.contacts, movers.len(), (h, slowest)) else {
            return h;
        };
        *divisions -= 1;
        // What was found within the whole round is in reach of its beginning.
        movers.iter_mut().for_each(|m| m.begin_shorter(shorter));
        shorter
    }

    /// Solves a round of `h` s that has begun, and moves everything.
    fn run(
        &mut self,
        models: (&SpatialModel, &CollisionModel),
        pieces: &[Piece<'_>],
        movers: &mut [Mover],
        h: f64,
    ) {
        let Self { found, contacts, islands, presses } = self;
        for searches in 0.. {
            contacts.clear();
            contacts.extend(found.iter().map(|f| Contact::new(*f, movers, h)));
            islands.group(contacts, movers.len());
            for [order, members] in islands.all() {
                let threshold = models.0.spec.contact.restitution_threshold;
                Island { contacts, movers, order, members }.solve(h, threshold);
            }
            if !any_leaves_its_reach(movers, h, searches == MOST_SEARCHES) {
                break;
            }
            let known = found.len();
            find(models, pieces, movers, h, found);
            if found.len() == known {
                // There is nothing where it goes.
                break;
            }
            movers.iter_mut().for_each(|m| m.restart(h));
        }
        presses.extend(contacts.iter().filter_map(SpatialContact::of));
        for mover in &mut movers[1..] {
            mover.pressed |= mover.touched;
            mover.end(h);
        }
        movers[0] = Mover::fixed();
    }
}

/// An instant of a round of `h` s between two hits of one mover with others, if what it would be off at
/// the second by turning at the first is worth it. `slowest` is the slowest hit that counts, m/s.
fn between_hits(contacts: &[Contact], movers: usize, (h, slowest): (f64, f64)) -> Option<f64> {
    let hits = || contacts.iter().filter(move |c| c.time < h && c.closing >= slowest);
    // Each mover that is hit, with the party on the other side.
    let sides = |c: &Contact| {
        let ([a, b], [p, q]) = (c.found.movers, c.found.body_refs);
        [(a, q), (b, p)].into_iter().filter(|(mover, _)| *mover > 0)
    };
    hits().nth(1)?;
    let mut first = vec![(h, None); movers];
    for c in hits() {
        for (mover, other) in sides(c) {
            if c.time < first[mover].0 {
                first[mover] = (c.time, Some(other));
            }
        }
    }
    let mut earliest = None;
    for c in hits() {
        for (mover, other) in sides(c) {
            let (time, with) = first[mover];
            let off = (c.time - time) * c.closing;
            if with != Some(other) && off > LEAST_OFF {
                let middle = 0.5 * (time + c.time);
                earliest = Some(earliest.map_or(middle, |e: f64| e.min(middle)));
            }
        }
    }
    earliest
}

/// Whether anything was hit so that it gets farther than contacts were searched: then its reach grows,
/// or at last its way is cut.
fn any_leaves_its_reach(movers: &mut [Mover], h: f64, is_last: bool) -> bool {
    let mut any = false;
    for mover in movers {
        // Contacts are searched a bit farther than both of their movers reach.
        let (gets, room) = (mover.gets(h), mover.reach + 0.5 * AHEAD);
        if gets <= room {
            continue;
        }
        if is_last {
            mover.travel = mover.travel.times(room / gets);
        } else {
            mover.reach = gets;
            any = true;
        }
    }
    any
}

/// Puts a body among the movers, or to what never moves. Returns its mover.
fn insert_body<'a>(
    (movers, pieces): (&mut Vec<Mover>, &mut Vec<Piece<'a>>),
    (model, contact_state): (&SpatialModel, &'a CollisionModel),
    index: usize,
    states: &ContactState,
) -> usize {
    let (solid, spec) = (&contact_state.solids[index], &model.spec.bodies[index]);
    let state = &states.bodies[index];
    let body_ref = BodyRef::Body(index as u32);
    let (mut mover, mut at) = (0, Pose::IDENTITY);
    if let Some(mass) = solid.mass {
        let speed = BodyVelocity { velocity: state.velocity, omega: state.omega };
        let place = (state.position, state.orientation);
        let mut body = Mover::new(solid.middle, place, speed).weighing(mass, solid.inertia);
        body.radius = solid.radius;
        body.pull = Vec3::new(0.0, 0.0, -model.spec.gravity);
        body.drag = spec.drag;
        mover = movers.len();
        movers.push(body);
    } else {
        at = Pose::from_parts(theirs(state.position), their_rotation(state.orientation));
    }
    for (i, (shape, place)) in solid.parts.iter().enumerate() {
        let skin = solid.skins.get(i);
        pieces.push(Piece { mover, body_ref, shape, place: at * *place, skin });
    }
    mover
}

fn read(mover: &Mover, old: &BodyState) -> BodyState {
    let now = BodyState {
        position: mover.position(),
        orientation: mover.orientation,
        velocity: mover.speed.velocity,
        omega: mover.speed.omega,
        ..*old
    };
    let finite = now.position.is_finite()
        && now.orientation.is_finite()
        && now.velocity.is_finite()
        && now.omega.is_finite();
    // A body that is not finite any more stays where it was, at rest.
    if finite { now } else { BodyState { velocity: Vec3::ZERO, omega: Vec3::ZERO, ..*old } }
}

/// Rolling resistance of a ball that pressed on the ground with this impulse.
fn roll(now: &mut BodyState, spec: &BodySpec, solid: &BodySolid, load: f64) {
    let speed = now.velocity.length();
    if solid.is_ball && spec.rolling_resistance > 0.0 && speed > 0.0 {
        let left = (1.0 - spec.rolling_resistance * load * solid.per_mass / speed).max(0.0);
        now.velocity = now.velocity * left;
        now.omega = now.omega * left;
    }
}

/// A body after the step: at rest, asleep, off the terrain?
fn settle(
    model: &SpatialModel,
    contact_state: &CollisionModel,
    solid: &BodySolid,
    old: BodyState,
    mut now: BodyState,
    (moved, steps): (bool, u64),
) -> BodyState {
    // What a body at rest may get in one step by rounding; falling gives more.
    let still = 0.7 * steps as f64 * model.step_s * model.spec.gravity;
    if old.asleep {
        let speed = now.velocity.length() + now.omega.length() * solid.radius;
        if !moved && speed < still {
            // What woke nobody goes on sleeping exactly where it was.
            return old;
        }
        now.wake();
    }
    let back = Quat { w: old.rest.1.w, x: -old.rest.1.x, y: -old.rest.1.y, z: -old.rest.1.z };
    let turn = now.orientation * back;
    let turned = 2.0 * Vec3::new(turn.x, turn.y, turn.z).length() * solid.radius;
    if (now.position - old.rest.0).length() + turned > REST_TRAVEL {
        now.wake();
    } else {
        now.rest_steps = now.rest_steps.saturating_add(steps);
    }
    if now.rest_steps >= contact_state.rest_steps {
        now.asleep = true;
        (now.velocity, now.omega) = (Vec3::ZERO, Vec3::ZERO);
    }
    let terrain = &model.terrain;
    let (x, y) = (now.position.x, now.position.y);
    if terrain.spec().edge == Edge::Ends && !terrain.contains(x, y) {
        (now.velocity, now.omega) = (Vec3::ZERO, Vec3::ZERO);
        now.left_terrain = true;
    }
    let ground = terrain.height(x, y);
    if now.position.z < ground - solid.radius - FALLEN {
        now.position.z = ground + solid.radius;
        (now.velocity, now.omega) = (Vec3::ZERO, Vec3::ZERO);
    }
    now
}

/// Whether something that moves pressed on a body: something that has not been where it is for
/// half the time after which it would sleep.
fn is_moved_by(
    presses: &[SpatialContact],
    own: BodyRef,
    bodies: &[BodyState],
    (proxies, contact_state): (&[VehicleProxy], &CollisionModel),
) -> bool {
    presses.iter().filter_map(|p| p.on(own)).any(|other| match other {
        Some(BodyRef::Body(i)) => {
            let other = &bodies[i as usize];
            !other.asleep && 2 * other.rest_steps < contact_state.rest_steps && {
                other.velocity != Vec3::ZERO
            }
        }
        Some(BodyRef::Vehicle(i)) => proxies.iter().any(|g| {
            g.index == i as usize && g.own.velocity.length() + g.own.omega.length() > MOVES
        }),
        None => false,
    })
}
