//! One outer step of everything that can touch, through rapier.
//!
//! Vehicles have run their fine steps alone. Now rapier gets them at their old poses with the mean
//! velocity of that time, without gravity and without the ground, which they have felt already, and
//! moves everything by the outer step. A vehicle that pressed on nothing keeps what its own steps
//! gave; one that did takes pose and change of velocity from rapier, so that momentum is exchanged,
//! not lost.
//!
//! Rapier has no memory of its own here: its world is made anew from the state at every meeting, so
//! that a snapshot is a list of words and going on from it gives the same bits. That rules out warm
//! starting; sleeping is done here, by a count in the state. Meant for tens of bodies at once.

use super::guest::Guest;
use super::near::{self, MARGIN};
use super::press::{Press, party, presses, tag, touches};
use super::solid::{MeetModel, Solid, our_rotation, ours, their_rotation, theirs};
use super::state::Meeting;
use super::{BodySpec, BodyState, Party, REST_WAY};
use crate::model::SpatialModel;
use crate::terrain::Edge;
use crate::world::Vehicle;
use rapier3d_f64::prelude::{
    ActiveHooks, ColliderBuilder, ColliderHandle, ContactModificationContext, Group,
    InteractionGroups, InteractionTestMode, NarrowPhase, PhysicsHooks, PhysicsWorld, Pose,
    RigidBodyBuilder, RigidBodyHandle, SharedShape, Vector,
};
use rolima_math::{Quat, Vec3};

/// Who collides with whom: vehicles not with the ground, which their wheels and hulls feel.
const GROUND: Group = Group::GROUP_1;
const FIXED: Group = Group::GROUP_2;
const FREE: Group = Group::GROUP_3;
pub(crate) const VEHICLES: Group = Group::GROUP_4;

/// Longest step of rapier, s; a longer time is divided.
const LONGEST_STEP: f64 = 0.02;

/// Natural frequency of contacts that press, Hz, at short steps.
const STIFFEST: f64 = 100.0;

/// How far below the ground a body has surely fallen through it, m, beyond its own size.
const FALLEN: f64 = 0.5;

/// Speed from which a vehicle wakes what it presses on, m/s.
const MOVES: f64 = 3e-3;

/// A collider for this part of a party; none is the ground.
pub(crate) fn collider(
    shape: SharedShape,
    pose: Pose,
    of: Option<Party>,
    own: Group,
) -> ColliderBuilder {
    let others = match own {
        GROUND => FREE,
        FIXED => FREE | VEHICLES,
        FREE => GROUND | FIXED | FREE | VEHICLES,
        _ => FIXED | FREE | VEHICLES,
    };
    ColliderBuilder::new(shape)
        .position(pose)
        .density(0.0)
        .collision_groups(InteractionGroups::new(own, others, InteractionTestMode::And))
        .active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS)
        .user_data(tag(of))
}

/// Friction and restitution of what touches.
struct Materials<'a> {
    model: &'a SpatialModel,
}

impl PhysicsHooks for Materials<'_> {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        let spec = &self.model.spec;
        let of = |c: ColliderHandle| context.colliders.get(c).and_then(|c| party(c.user_data));
        let (a, b) = (of(context.collider1), of(context.collider2));
        let speed = |body: Option<RigidBodyHandle>, at: Vector| {
            body.and_then(|h| context.bodies.get(h))
                .map_or(Vector::ZERO, |b| b.velocity_at_point(at))
        };
        let (body1, body2) = (context.rigid_body1, context.rigid_body2);
        let Some(manifold) = context.rigid() else { return };
        let Some(first) = manifold.solver_contacts.first() else { return };
        let at = first.anchor1;
        let (mut friction, mut restitution) = match (a, b) {
            (None, Some(Party::Body(i))) | (Some(Party::Body(i)), None) => {
                let body = &spec.bodies[i as usize];
                let factor = self.model.terrain.friction(at.x, at.y);
                (body.friction * factor, body.restitution)
            }
            (a, b) => {
                let kind = |p: Option<Party>| match p {
                    Some(Party::Body(i)) => Some(spec.bodies[i as usize].kind),
                    _ => None,
                };
                let (a, b) = (kind(a), kind(b));
                (spec.contact.friction.of(a, b), spec.contact.restitution.of(a, b))
            }
        };
        // The normal points from the first to the second.
        let closing = (speed(body1, at) - speed(body2, at)).dot(*manifold.normal);
        if closing < spec.contact.restitution_threshold {
            restitution = 0.0;
        }
        if let Some(manifold) = context.rigid_mut() {
            core::mem::swap(manifold.friction, &mut friction);
            core::mem::swap(manifold.restitution, &mut restitution);
        }
    }
}

/// Vehicles and bodies meet: `steps` fine steps have gone by since they last did.
pub(crate) fn meet(
    model: &SpatialModel,
    meeting_model: &MeetModel,
    vehicles: &mut [Vehicle],
    meeting: &mut Meeting,
    steps: u64,
) {
    let dt = steps as f64 * model.step_s;
    if !near::find(model, meeting_model, vehicles, meeting, dt) {
        return;
    }
    let mut world = PhysicsWorld::new();
    world.narrow_phase = NarrowPhase::with_query_dispatcher(meeting_model.surface.clone());
    world.gravity = Vector::new(0.0, 0.0, -model.spec.gravity);
    let rounds = (dt / LONGEST_STEP).ceil().max(1.0);
    let parameters = &mut world.integration_parameters;
    parameters.dt = dt / rounds;
    // For bodies of centimetres, too; what is farther away than this is not looked at anyway.
    parameters.normalized_prediction_distance = 0.1 * MARGIN;
    parameters.normalized_allowed_linear_error = 1e-4;
    // As stiff as the step allows, so that piles sag by tenths of a millimetre only.
    let stiff = STIFFEST.min(1.0 / parameters.dt);
    parameters.contact_softness.natural_frequency = stiff;
    parameters.static_contact_softness.natural_frequency = 2.0 * stiff;
    // The ground's planes are sorted out already.
    parameters.contact_clustering = false;
    let ground = SharedShape::halfspace(Vector::Z);
    world.colliders.insert(collider(ground, Pose::IDENTITY, None, GROUND));
    let active = &meeting.room.active;
    let (active_vehicles, active_bodies) = active.split_at(vehicles.len());
    let mut bodies: Vec<(usize, RigidBodyHandle)> = vec![];
    for (i, _) in active_bodies.iter().enumerate().filter(|(_, active)| **active) {
        let (solid, spec) = (&meeting_model.solids[i], &model.spec.bodies[i]);
        let handle = insert_body(&mut world, i, solid, spec, &meeting.bodies[i]);
        if !solid.is_fixed() {
            bodies.push((i, handle));
        }
    }
    let mut guests: Vec<Guest> = vec![];
    for (i, _) in active_vehicles.iter().enumerate().filter(|(_, active)| **active) {
        let from = meeting.vehicles[i];
        guests.push(Guest::insert(&mut world, (model, meeting_model), i, &vehicles[i], from, dt));
    }
    for _ in 0..rounds as u32 {
        world.step_with_events(&Materials { model }, &());
    }
    let presses = presses(&world);
    touches(&presses, &mut meeting.touches);
    for &(i, handle) in &bodies {
        let solid = &meeting_model.solids[i];
        let spec = &model.spec.bodies[i];
        let mut now = read(&world, handle, &meeting.bodies[i]);
        let load: f64 = presses.iter().filter(|p| p.is_ground_of(i)).map(|p| p.impulse).sum();
        roll(&mut now, spec, solid, load);
        let moved = is_moved_by(&presses, i, &meeting.bodies, (&guests, meeting_model));
        let old = meeting.bodies[i];
        meeting.bodies[i] = settle(model, meeting_model, solid, old, now, (moved, steps));
        if meeting.bodies[i].left_terrain && !old.left_terrain {
            meeting.left.push(i as u32);
        }
    }
    for guest in &guests {
        guest.take_back(&world, &presses, &model.vehicles[guest.index], &mut vehicles[guest.index]);
    }
}

fn insert_body(
    world: &mut PhysicsWorld,
    index: usize,
    solid: &Solid,
    spec: &BodySpec,
    state: &BodyState,
) -> RigidBodyHandle {
    let pose = Pose::from_parts(theirs(state.position), their_rotation(state.orientation));
    let body = match solid.mass {
        None => RigidBodyBuilder::fixed(),
        Some(mass) => RigidBodyBuilder::dynamic()
            .additional_mass_properties(mass)
            .linvel(theirs(state.velocity))
            .angvel(theirs(state.omega))
            .linear_damping(spec.drag)
            .angular_damping(spec.drag)
            .ccd_enabled(true),
    };
    let own = if solid.is_fixed() { FIXED } else { FREE };
    let handle = world.insert_body(body.pose(pose).can_sleep(false));
    for (shape, place) in &solid.parts {
        let part = collider(shape.clone(), *place, Some(Party::Body(index as u32)), own);
        world.colliders.insert_with_parent(part, handle, &mut world.bodies);
    }
    handle
}

fn read(world: &PhysicsWorld, handle: RigidBodyHandle, old: &BodyState) -> BodyState {
    let body = &world.bodies[handle];
    let now = BodyState {
        position: ours(body.translation()),
        orientation: our_rotation(body.rotation()),
        velocity: ours(body.linvel()),
        omega: ours(body.angvel()),
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
fn roll(now: &mut BodyState, spec: &BodySpec, solid: &Solid, load: f64) {
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
    meeting: &MeetModel,
    solid: &Solid,
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
    if (now.position - old.rest.0).length() + turned > REST_WAY {
        now.wake();
    } else {
        now.rest_steps = now.rest_steps.saturating_add(steps);
    }
    if now.rest_steps >= meeting.rest_steps {
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
    presses: &[Press],
    body: usize,
    bodies: &[BodyState],
    (guests, meeting): (&[Guest], &MeetModel),
) -> bool {
    let own = Some(Party::Body(body as u32));
    presses.iter().filter(|p| p.a == own || p.b == own).any(|p| {
        match if p.a == own { p.b } else { p.a } {
            Some(Party::Body(i)) => {
                let other = &bodies[i as usize];
                !other.asleep && 2 * other.rest_steps < meeting.rest_steps && {
                    other.velocity != Vec3::ZERO
                }
            }
            Some(Party::Vehicle(i)) => guests
                .iter()
                .any(|g| g.index == i as usize && g.velocity.length() + g.omega.length() > MOVES),
            None => false,
        }
    })
}
