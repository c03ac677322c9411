//! Forces of four wheels at a time: suspension, tyre, motor, axle friction, and the spin that they
//! cause. Straight-line code over lanes, which the compiler makes vectors of.
//!
//! Everything is in the chassis' frame: x forward (n), y left (t), z up (b); of a steered wheel in
//! that frame turned about z with the wheel. The ground under a
//! wheel is a plane with unit normal m; with p = -m_x/m_z and s = -m_y/m_z its rises forward and to
//! the left, q = sqrt(1 + p^2):
//!
//! | what | how |
//! |---|---|
//! | compression | h = (distance of the plane from the hub along b) + r q, plus what the crown adds |
//! | its rate | dh/dt = p v_x + s v_y - v_z at the contact point |
//! | rolling direction | e_x = (1, 0, p)/q; across it e_y = m x e_x |
//! | load | N = F_susp / (m_z + f_x e_xz + f_y e_yz), so that the forces along b balance (3.15, 3.19) |
//! | slip | bristles: ds/dt = ((omega r - v_x) - V s)/L, slip = s + tau ds/dt; steady, it is (omega r - v_x)/V. L is shortened by sqrt(1 + (slip/peak slip)^2), so that the tread's deflection L s grows no more once the tyre slides |
//! | spin | implicit, together with tyre, motor and axle friction, all linear in the new spin |
//!
//! V is the largest of |omega r|, |v_x| and a tenth of |v_y|, so steady slip is that of the source;
//! sideways |v_x| and a tenth of the others. At standstill nothing decays: the tyre is a spring, and
//! a parked vehicle stays.

use crate::actuator::{JointRotation, along_axles};
use crate::model::{LANES, Lanes, WheelBlock};
use crate::motor::{LuGre, Rates, behind_gear};
use crate::state::WheelState;
use rolima_math::{Vec3, larger, smaller};

/// Parts of the speed across that also renew bristles.
const ACROSS: f64 = 0.1;

/// Relaxation of a sliding tyre: at most so many times shorter than of a gripping one.
const MOST_HASTE: f64 = 20.0;

/// Least sharpness of a tyre that has any: on ice it may have none.
const SOFTEST: f64 = 1e-3;

/// Least part of the suspension's force that a contact's direction may balance: below, a wheel
/// jams itself against an edge.
const LEAST_BALANCE: f64 = 0.25;

/// Motion of the chassis in its own frame, and how it lies in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    pub(crate) position: Vec3,
    pub(crate) axes: [Vec3; 3],
    pub(crate) velocity: Vec3,
    pub(crate) omega: Vec3,
}

/// What wheels do to the chassis, in its frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Load {
    pub(crate) force: Vec3,
    pub(crate) torque: Vec3,
    /// Sum of spins times what the chassis feels of them, N m s.
    pub(crate) spin: Vec3,
}

/// What a step of four wheels computed, for recorders, sensors and tests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WheelReadings {
    /// Compression of the suspension, m; negative is the gap to the ground.
    pub compression: Lanes,
    /// Its rate, m/s.
    pub compression_rate: Lanes,
    /// Force of the suspension, N.
    pub suspension: Lanes,
    /// Its spring's part, N.
    pub spring: Lanes,
    /// Load: force along the ground's normal, N.
    pub load: Lanes,
    /// Force along the rolling direction, N.
    pub lengthwise: Lanes,
    /// Force across it, to the left, N.
    pub sideways: Lanes,
    /// Slip, ratio.
    pub slip: Lanes,
    /// Tangent of the slip angle.
    pub slip_angle: Lanes,
    /// Speed of the contact point along and across the rolling direction, m/s.
    pub speed: [Lanes; 2],
    /// Spin against the chassis at the end of the step, rad/s.
    pub spin: Lanes,
    /// Torque that motor and gear give to the axle, N m: their own friction taken off.
    pub motor_torque: Lanes,
    /// Torque of all other friction at the axle, brake included, N m, against the spin.
    pub friction_torque: Lanes,
    /// Current of the motor, A.
    pub current: Lanes,
    /// Contact angle on the wheel as a tangent.
    pub contact: Lanes,
}

#[inline(always)]
fn clamp(x: f64, most: f64) -> f64 {
    smaller(larger(x, -most), most)
}

/// Kinematics of a block, between its loops.
struct WheelKinematics {
    up: Lanes,
    per_up: Lanes,
    per_q: Lanes,
    p: Lanes,
    s: Lanes,
    contact: [Lanes; 3],
    h_rate: Lanes,
    force: Lanes,
    omega: Lanes,
    vx: Lanes,
    vy: Lanes,
    /// Slip lengthwise with the spin unchanged, and sideways.
    sx: Lanes,
    sy: Lanes,
    /// Change of the bristles' slip with the speed of slipping, s/m.
    answer: Lanes,
    /// Damping of the bristles, in steps, and their slip before, as it counts.
    damped: Lanes,
    old: Lanes,
}

/// One step of a block's wheels, which are turned where `STEERED`. With `fresh`, tyre and axle
/// friction are evaluated, else their secants hold.
#[inline(always)]
pub(crate) fn step<const STEERED: bool>(
    (c, turn): (&WheelBlock, &JointRotation),
    w: &mut WheelState,
    out: &mut WheelReadings,
    motion: &Motion,
    dt: f64,
    fresh: bool,
) -> Load {
    let wheel_kinematics = kinematics::<STEERED>((c, turn), w, out, motion, dt);
    if fresh {
        evaluate(c, w, &wheel_kinematics);
    }
    forces::<STEERED>((c, turn), w, out, &wheel_kinematics, dt)
}

/// Compression, suspension and slip. Writes the sideways bristles.
#[inline(always)]
fn kinematics<const STEERED: bool>(
    (c, turn): (&WheelBlock, &JointRotation),
    w: &mut WheelState,
    out: &mut WheelReadings,
    motion: &Motion,
    dt: f64,
) -> WheelKinematics {
    let zero = [0.0; LANES];
    let mut k = WheelKinematics {
        up: zero,
        per_up: zero,
        per_q: zero,
        p: zero,
        s: zero,
        contact: [zero; 3],
        h_rate: zero,
        force: zero,
        omega: zero,
        vx: zero,
        vy: zero,
        sx: zero,
        sy: zero,
        answer: zero,
        damped: zero,
        old: zero,
    };
    let at = motion.position;
    for l in 0..LANES {
        // In the frame of the wheel, which is the chassis' if it is not turned.
        let own = |v: Vec3| if STEERED { turn.in_wheel_frame(l, v) } else { v };
        let [n, t, b] = if STEERED { turn.axes(l, motion.axes) } else { motion.axes };
        let (v, omega) = (own(motion.velocity), own(motion.omega));
        let hub_at = own(Vec3::new(c.x[l], c.y[l], c.z[l]));
        let normal = Vec3::new(w.normal[0][l], w.normal[1][l], w.normal[2][l]);
        let (mx, my, mz) = (n.dot(normal), t.dot(normal), b.dot(normal));
        let offset = w.offset[l] - normal.dot(at);
        // One division for the plane's rises and for the damper's implicit part, which is
        // 1 / (1 + load (1 + p^2 + s^2)) with 1 + p^2 + s^2 = 1/mz^2.
        let mz2 = mz * mz;
        let damped = mz2 + c.damper_load[l];
        let both = 1.0 / (mz * damped);
        let per_up = damped * both;
        let (p, s) = (-mx * per_up, -my * per_up);
        // q = sqrt(1 + p^2), without waiting for p.
        let level = (mz2 + mx * mx).sqrt();
        let q = level * per_up;
        let per_q = mz / level;
        let r = c.radius[l];
        // Compression with the crown's part.
        let hub = mx * hub_at.x + my * hub_at.y + mz * hub_at.z;
        let apart = 2.0 * c.half_width[l] * s + w.lean[l];
        let lean = clamp(apart * c.per_lean[l], 1.0);
        let crown = lean * (0.5 * apart - 0.25 * c.lean[l] * lean);
        let h = (offset - hub) * per_up + r * q + crown;
        // The contact point, its velocity, and the rate of compression.
        let cx = hub_at.x + r * p * per_q;
        let cy = hub_at.y + c.half_width[l] * lean;
        let cz = hub_at.z + h - r * per_q;
        let vx = v.x + (omega.y * cz - omega.z * cy);
        let vy = v.y + (omega.z * cx - omega.x * cz);
        let vz = v.z + (omega.x * cy - omega.y * cx);
        let rate = p * vx + s * vy - vz;
        // Spring, stiffening, bump stop; damper, implicitly.
        let beyond = larger(h - c.linear_travel[l], 0.0);
        let bend = smaller(beyond, c.stop_length[l]);
        let spring = c.stiffness[l] * h
            + c.extra_stiffness[l] * (bend * bend * c.per_two_stop_lengths[l] + (beyond - bend));
        let damper = c.damping[l] * rate * (mz2 * mz * both);
        let force = larger(spring + damper, 0.0);
        let force = if h > 0.0 { force } else { 0.0 };
        // Velocity along and across the rolling direction.
        let along = (vx + p * vz) * per_q;
        let ey = Vec3::new(my * p, mz - mx * p, -my) * per_q;
        let across = vx * ey.x + vy * ey.y + vz * ey.z;
        let spin = (w.spin[l] - c.coupling[l] * omega.y) * c.per_inertia[l];
        let rolling = spin * r;
        // Bristles.
        let (a, b, e) = (rolling.abs(), along.abs(), ACROSS * across.abs());
        let renew = larger(larger(a, b), e);
        let renew_side = larger(larger(b, e), ACROSS * a);
        let (sharp, sharp_side) = (w.grip[3][l], w.grip[4][l]);
        let slides = rolling - along;
        // Turned round, the tread springs back from its deflection at the peak: what slid beyond is
        // no spring.
        let (old, old_side) = (w.bristle[0][l], w.bristle[1][l]);
        let old = if slides * old < 0.0 { clamp(old, 1.0 / larger(sharp, SOFTEST)) } else { old };
        let most = 1.0 / larger(sharp_side, SOFTEST);
        let old_side = if across * old_side > 0.0 { clamp(old_side, most) } else { old_side };
        let (far, far_side) = (old * sharp, old_side * sharp_side);
        let haste = smaller((1.0 + far * far + far_side * far_side).sqrt(), MOST_HASTE);
        let rate_x = dt * c.per_relaxation[l] * haste;
        let rate_y = dt * c.per_side_relaxation[l] * haste;
        let decay = 1.0 + renew * rate_x;
        let decay_side = 1.0 + renew_side * rate_y;
        let both = 1.0 / (decay * decay_side);
        let (keep, keep_side) = (decay_side * both, decay * both);
        let new = (old + rate_x * slides) * keep;
        let new_side = (old_side - rate_y * across) * keep_side;
        // In the air bristles stand up at once.
        let touches = force > 0.0;
        w.bristle[1][l] = if touches { new_side } else { 0.0 };
        // Damped at rest; rolling renews the tread, which damps by itself.
        let damped = c.bristle[l] / (1.0 + c.bristle[l] * (decay - 1.0));
        let damped_side = c.bristle[l] / (1.0 + c.bristle[l] * (decay_side - 1.0));
        (k.per_up[l], k.damped[l], k.old[l]) = (per_up, damped, old);
        k.sx[l] = new + damped * (new - old);
        k.sy[l] = new_side + damped_side * (new_side - old_side);
        (k.up[l], k.per_q[l], k.p[l], k.s[l]) = (mz, per_q, p, s);
        (k.contact[0][l], k.contact[1][l], k.contact[2][l]) = (cx, cy, cz);
        (k.h_rate[l], k.force[l], k.omega[l]) = (rate, force, spin);
        (k.vx[l], k.vy[l], k.answer[l]) = (along, across, keep * rate_x);
        out.compression[l] = h;
        out.spring[l] = spring;
    }
    k
}

/// Secants of tyres and rates of axle friction.
#[inline(always)]
fn evaluate(c: &WheelBlock, w: &mut WheelState, k: &WheelKinematics) {
    let mut load = [0.0; LANES];
    for l in 0..LANES {
        load[l] = k.force[l] * k.per_up[l];
    }
    c.tyres.grips([&k.sx, &k.sy, &load, &w.ground, &c.mirror], &mut w.grip);
    if c.any_axle {
        if c.any_soft { axles::<true>(c, w, k) } else { axles::<false>(c, w, k) }
    }
}

/// Rates of axle friction.
#[inline(always)]
fn axles<const SOFT: bool>(c: &WheelBlock, w: &mut WheelState, k: &WheelKinematics) {
    for l in 0..LANES {
        let axle = LuGre::from_numbers(|i| c.axles[i][l]);
        let Rates { gain, decay } = axle.rates(k.omega[l], SOFT);
        (w.rates[0][l], w.rates[1][l]) = (gain, decay);
    }
}

/// Spin and forces.
#[inline(always)]
fn forces<const STEERED: bool>(
    (c, turn): (&WheelBlock, &JointRotation),
    w: &mut WheelState,
    out: &mut WheelReadings,
    k: &WheelKinematics,
    dt: f64,
) -> Load {
    let mut sums = [[0.0; LANES]; 7];
    let per_dt = 1.0 / dt;
    for l in 0..LANES {
        let (p, per_q, mz, r) = (k.p[l], k.per_q[l], k.up[l], c.radius[l]);
        let (mx, my) = (-p * mz, -k.s[l] * mz);
        // Friction forces per load, and the load that balances along b.
        let fx = clamp(w.grip[0][l] * k.sx[l], w.grip[2][l]);
        let fy = w.grip[1][l] * k.sy[l];
        let (ex_up, ey_up) = (p * per_q, -my * per_q);
        let balance = larger(mz + fx * ex_up + fy * ey_up, LEAST_BALANCE);
        let load = k.force[l] / balance;
        // The new spin: everything is linear in it but dry friction, which takes its part off.
        let (omega, bristle, damped) = (k.omega[l], k.old[l], k.damped[l]);
        let most = c.most_torque[l];
        let free = c.torque_per_volt[l] * w.volts[l] - c.torque_per_speed[l] * omega;
        let drive = clamp(free, most);
        let motor_slope = if drive == free { c.torque_per_speed[l] } else { 0.0 };
        let axle = LuGre::from_numbers(|i| c.axles[i][l]);
        let settle = 1.0 / (1.0 + dt * w.rates[1][l]);
        let reach = dt * w.rates[0][l] * settle;
        let z = w.axle[l];
        let z_free = (z + dt * w.rates[0][l] * omega) * settle;
        let axle_torque = axle.s0 * z_free + axle.s1 * (z_free - z) * per_dt + axle.s2 * omega;
        let axle_slope = (axle.s0 + axle.s1 * per_dt) * reach + axle.s2;
        let secant = load * w.grip[0][l];
        let slip_slope = r * k.answer[l] * (1.0 + damped);
        let dry = w.brake[l] + c.dry_torque[l] + c.rolling[l] * load;
        let others = c.inertia[l] + dt * axle_slope;
        let motor_stiff = dt * motor_slope;
        // The wheel turns the way it would without dry friction, or not at all. The gear takes its
        // part either way; which one it is depends on that way too.
        let turned = |opposing: f64, inertia: f64| {
            let direction = omega * (inertia + motor_stiff) + dt * (drive - opposing);
            let gear = behind_gear(
                drive * 1f64.copysign(direction),
                c.motor_friction[l],
                c.efficiency[l],
                c.per_efficiency[l],
            );
            let per = dt / (inertia + gear * motor_stiff);
            let free = omega + per * (gear * drive - opposing);
            let held = per * (gear * c.motor_friction[l] + dry);
            (larger(free * 1f64.copysign(direction) - held, 0.0).copysign(direction), gear)
        };
        let stiff = others + dt * r * secant * slip_slope;
        let (gripping, gear_gripping) = turned(axle_torque + r * secant * k.sx[l], stiff);
        let slip = k.sx[l] + slip_slope * (gripping - omega);
        // Beyond the peak the force is the peak's, and does not depend on the spin.
        let most_force = load * w.grip[2][l];
        let wanted = secant * slip;
        let cut = clamp(wanted, most_force);
        let is_cut = cut != wanted;
        // Both ways, before it is known which one it is: a shorter wait than the other way round.
        let ahead = turned(axle_torque + r * most_force, others);
        let back = turned(axle_torque - r * most_force, others);
        let (spinning, gear_spinning) = if cut > 0.0 { ahead } else { back };
        let new = if is_cut { spinning } else { gripping };
        let gear = if is_cut { gear_spinning } else { gear_gripping };
        let lengthwise = cut;
        let sideways = load * fy;
        // New state of spin, bristles and axle friction.
        let change = new - omega;
        w.spin[l] += c.inertia[l] * change;
        w.angle[l] += dt * new;
        let touches = k.force[l] > 0.0;
        // From the damped slip back to the bristles' own.
        let built = (k.sx[l] + damped * bristle) / (1.0 + damped);
        let built = built + k.answer[l] * r * change;
        w.bristle[0][l] = if touches { built } else { 0.0 };
        w.axle[l] = z_free + reach * change;
        // On the chassis.
        let ey = [my * p * per_q, (mz - mx * p) * per_q, -my * per_q];
        let force = [
            load * mx + lengthwise * per_q + sideways * ey[0],
            load * my + sideways * ey[1],
            load * mz + lengthwise * ex_up + sideways * ey[2],
        ];
        let [cx, cy, cz] = [k.contact[0][l], k.contact[1][l], k.contact[2][l]];
        (sums[0][l], sums[1][l], sums[2][l]) = (force[0], force[1], force[2]);
        sums[3][l] = cy * force[2] - cz * force[1];
        sums[4][l] = cz * force[0] - cx * force[2];
        sums[5][l] = cx * force[1] - cy * force[0];
        sums[6][l] = w.spin[l] * c.coupling[l] * c.per_inertia[l];
        if STEERED {
            for i in [0, 3] {
                [sums[i][l], sums[i + 1][l]] =
                    turn.in_chassis_frame(l, [sums[i][l], sums[i + 1][l]]);
            }
        }

        let driven = drive - motor_slope * change;
        // At standstill: what is left to start with.
        let direction = if new == 0.0 { driven } else { new };
        let lost = c.motor_friction[l];
        let lost = if new == 0.0 { smaller(lost, driven.abs()) } else { lost };
        let motor = gear * (driven - lost.copysign(direction));
        (out.compression_rate[l], out.suspension[l], out.load[l]) = (k.h_rate[l], k.force[l], load);
        (out.lengthwise[l], out.sideways[l]) = (lengthwise, sideways);
        (out.slip[l], out.slip_angle[l]) = (if is_cut { k.sx[l] } else { slip }, k.sy[l]);
        (out.speed[0][l], out.speed[1][l]) = (k.vx[l], k.vy[l]);
        (out.spin[l], out.motor_torque[l]) = (new, motor);
        out.friction_torque[l] = motor - r * lengthwise - c.inertia[l] * change * per_dt;
        out.current[l] = driven * c.current_per_torque[l];
        out.contact[l] = p;
    }
    let sum = |a: &Lanes| (a[0] + a[1]) + (a[2] + a[3]);
    Load {
        force: Vec3::new(sum(&sums[0]), sum(&sums[1]), sum(&sums[2])),
        torque: Vec3::new(sum(&sums[3]), sum(&sums[4]), sum(&sums[5])),
        spin: if STEERED {
            along_axles(turn, &sums[6])
        } else {
            Vec3::new(0.0, sum(&sums[6]), 0.0)
        },
    }
}
