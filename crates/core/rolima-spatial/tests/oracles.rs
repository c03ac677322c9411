//! Numbers that tyre, motor and axle friction must give.

use rolima_spatial::{Curve, LuGreForm, LuGreSpec, Magic, MotorSpec, TyreLaw};

fn near(got: f64, expected: f64, relative: f64) {
    assert!((got / expected - 1.0).abs() < relative, "got {got}, expected {expected}");
}

fn degrees(x: f64) -> f64 {
    x.to_radians()
}

#[test]
fn peaks_stiffness_and_bend_are_those_of_table_5() {
    for (kn, along, across) in [
        (2.0, [2202.8, 566.5626, 0.574], [1933.6, 708.7768, -0.001]),
        (4.0, [4235.2, 1288.1608, 0.614], [3690.4, 1027.3347, -0.709]),
    ] {
        let [x, y] = TyreLaw::default().coefficients(1e3 * kn).unwrap();
        for i in 0..3 {
            near(x[i], along[i], 2e-7);
            near(y[i], across[i], 2e-7);
        }
    }
}

#[test]
fn pure_slip_at_4_kn_gives_the_published_forces() {
    let force = |slip: f64, angle: f64| TyreLaw::default().forces(slip, angle, 4000.0).unwrap();
    for (percent, expected) in
        [(1.0, 1247.613), (5.0, 3843.773), (10.0, 4235.146), (20.0, 3964.888)]
    {
        near(force(percent / 100.0, 0.0)[0], expected, 6e-7);
        near(force(-percent / 100.0, 0.0)[0], -expected, 6e-7);
    }
    for (angle, expected) in [(1.0, 1008.388), (2.0, 1902.197), (4.0, 3049.453), (8.0, 3639.864)] {
        near(force(0.0, degrees(angle))[1], expected, 6e-7);
    }
}

#[test]
fn combined_slip_weakens_as_published() {
    let mut magic = Magic::default();
    magic.weaken_lengthwise.shift = 0.007;
    magic.weaken_sideways.shift = 0.009;
    let law = TyreLaw::Magic(magic);
    for (angle, slip, gx, gy) in [(4.0, 0.1, 0.812093, 0.807523), (2.0, 0.05, 0.896049, 0.928162)] {
        let [x, y] = law.weakening(slip, degrees(angle)).unwrap();
        near(x, gx, 1e-6);
        near(y, gy, 1e-6);
    }
    // The shift makes the tyre lopsided.
    near(law.weakening(0.1, degrees(-4.0)).unwrap()[0], 0.864, 1e-3);
    // And the forces are the pure ones times the weakening.
    let [x, y] = law.forces(0.1, degrees(4.0), 4000.0).unwrap();
    near(x, 4235.146 * 0.812093, 1e-6);
    near(y, 3049.453 * 0.807523, 1e-6);
}

#[test]
fn without_slip_there_is_no_force_and_the_slope_is_the_stiffness() {
    let law = TyreLaw::default();
    assert_eq!(law.forces(0.0, 0.0, 4000.0).unwrap(), [0.0, 0.0]);
    let [x, _] = law.forces(1e-9, 0.0, 4000.0).unwrap();
    near(x, 1288.1608 * 100.0 * 1e-9, 1e-6);
    let [_, y] = law.forces(0.0, degrees(1e-6), 4000.0).unwrap();
    near(y, 1027.3347e-6, 1e-6);
    assert_eq!(law.forces(0.1, 0.1, 0.0).unwrap(), [0.0, 0.0]);
}

#[test]
fn direct_entry_of_b_c_d_e_is_the_formula() {
    let [b, c, d, e] = [0.15f64, 1.5, 0.9, 0.3];
    let law = TyreLaw::Magic(Magic::direct([b, c, d, e], [b, c, d, e]));
    for load in [20.0, 300.0, 4000.0] {
        let x = 7.0f64;
        let bx = b * x;
        #[allow(clippy::disallowed_methods)]
        let expected = load * d * (c * (bx - e * (bx - bx.atan())).atan()).sin();
        near(law.forces(x / 100.0, 0.0, load).unwrap()[0], expected, 1e-12);
        near(law.forces(0.0, degrees(x), load).unwrap()[1], expected, 1e-12);
    }
}

#[test]
fn a_friction_scale_lowers_the_peak_and_leaves_the_stiffness() {
    let icy = TyreLaw::Magic(Magic { friction_scale: 0.2, ..Magic::default() });
    let [ice, _] = icy.coefficients(2000.0).unwrap();
    let [dry, _] = TyreLaw::default().coefficients(2000.0).unwrap();
    near(ice[0], 0.2 * dry[0], 1e-12);
    assert_eq!(ice[1], dry[1]);
    let peak = (1..100)
        .map(|i| icy.forces(f64::from(i) / 100.0, 0.0, 2000.0).unwrap()[0])
        .fold(0.0, f64::max);
    near(peak, ice[0], 5e-3);
}

#[test]
fn coulomb_has_a_friction_circle_without_a_jump() {
    let law = TyreLaw::Coulomb { static_friction: 0.8, sliding_friction: 0.6, peak_slip: 0.05 };
    let size = |slip: f64, side: f64| {
        let [x, y] = law.forces(slip, rolima_math::atan(side), 100.0).unwrap();
        (x * x + y * y).sqrt()
    };
    near(size(0.05, 0.0), 80.0, 1e-9);
    near(size(0.03, 0.04), 80.0, 1e-9);
    near(size(9.0, 0.0), 60.0, 1e-2);
    let mut last = 0.0;
    for i in 1..2000 {
        let now = size(f64::from(i) * 1e-4, 0.0);
        assert!((now - last).abs() < 0.4, "a jump at {i}");
        last = now;
    }
}

#[test]
fn the_magmotor_stalls_at_375_a_and_runs_free_at_6040_7_rpm() {
    let motor = MotorSpec::MAGMOTOR_S28_150;
    near(motor.stall_current(24.0), 375.0, 1e-12);
    let rpm = 60.0 / core::f64::consts::TAU;
    near(motor.no_load_speed(24.0) * rpm, 6040.7, 1e-5);
    near(24.0 / motor.voltage_constant() * rpm, 6096.0, 1e-12);
    near(motor.current(24.0, motor.no_load_speed(24.0)), 3.4, 1e-9);
    assert!(motor.shaft_torque(24.0, motor.no_load_speed(24.0)).abs() < 1e-12);
    // Largest output: the table's 2,183 W, up to how it was measured.
    let most = (0..1000)
        .map(|i| motor.no_load_speed(24.0) * f64::from(i) / 1000.0)
        .map(|speed| speed * motor.shaft_torque(24.0, speed))
        .fold(0.0, f64::max);
    near(most, 2183.0, 1.5e-2);
}

/// A unit mass pulled by a constant force against friction; its speed after `time`.
fn pulled(friction: &LuGreSpec, force: f64, dt: f64, time: f64) -> (f64, f64) {
    let (mut v, mut z, mut x) = (0.0, 0.0, 0.0);
    for _ in 0..(time / dt).round() as u64 {
        let (next, opposing) = friction.step(z, v, dt);
        z = next;
        v += dt * (force - opposing);
        x += dt * v;
    }
    (v, x)
}

const FRICTION: LuGreSpec = LuGreSpec {
    form: LuGreForm::Continuous,
    stiffness: 1e5,
    damping: 316.227_766_016_837_94,
    viscous: 0.4,
    coulomb: 1.0,
    breakaway: 1.5,
    stribeck_speed: 1e-3,
    steepness: 1e4,
};

#[test]
fn the_continuous_form_creeps_below_breakaway_as_computed() {
    let (v, _) = pulled(&FRICTION, 0.75, 1e-6, 2.0);
    near(v, 1.005211e-4, 2e-4);
}

#[test]
fn the_standard_form_sticks_below_breakaway_and_slides_above() {
    let standard = LuGreSpec { form: LuGreForm::Standard, ..FRICTION };
    let (v, x) = pulled(&standard, 0.9, 1e-6, 2.0);
    assert!(v.abs() < 1e-12 && x < 1e-4, "{v} {x}");
    let (v, _) = pulled(&standard, 1.6, 1e-6, 2.0);
    assert!(v > 0.1, "{v}");
}

#[test]
fn friction_settles_at_its_steady_curve_at_any_step() {
    // v dt/g up to 5e3: explicit Euler would explode.
    for form in [LuGreForm::Standard, LuGreForm::Continuous] {
        let friction = LuGreSpec { form, ..FRICTION };
        for dt in [1e-7, 1e-5, 1e-3] {
            let (mut z, mut force) = (0.0, 0.0);
            for _ in 0..20_000 {
                (z, force) = friction.step(z, 50.0, dt);
            }
            near(force, 1.0 + 0.4 * 50.0, 1e-3);
        }
    }
}

#[test]
fn bad_coefficients_are_refused_by_name() {
    let mut magic = Magic::default();
    magic.lengthwise = Curve { c: 2.5, ..magic.lengthwise };
    let message = TyreLaw::Magic(magic).forces(0.1, 0.0, 100.0).unwrap_err().to_string();
    assert!(message.starts_with("tyre.lengthwise.c: expected a number from"), "{message}");
    let law = TyreLaw::Coulomb { static_friction: 0.5, sliding_friction: 0.6, peak_slip: 0.1 };
    assert!(law.forces(0.1, 0.0, 1.0).unwrap_err().to_string().contains("sliding_friction"));
}
