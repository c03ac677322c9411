use rolima_math::*;
use rolima_spatial::*;
use std::sync::Arc;
fn main() {
    let mode = std::env::args().nth(1).unwrap();
    if mode == "stop" {
        let spec = SpatialSpec::new(Arc::new(Terrain::new(TerrainSpec::flat(100.0)).unwrap()));
        let mut w = SpatialWorld::new(Arc::new(
            SpatialModel::compile(SpatialSpec { vehicles: vec![presets::skid_steer()], ..spec })
                .unwrap(),
        ));
        w.steps(1000);
        w.command(0, Drive { left_volts: -8.0, right_volts: 8.0, brake: 0.0 }).unwrap();
        w.steps(3000);
        w.command(0, Drive { left_volts: 0.0, right_volts: 0.0, brake: 1.0 }).unwrap();
        for i in 0..1000 {
            w.steps(10);
            let v = w.vehicle(0).unwrap();
            if i % 25 == 0 {
                println!(
                    "{i} v {:?} w {:?} fy {:?} sy {:?} load {:?} spin {:?}",
                    v.state.velocity,
                    w.angular_velocity(0),
                    v.readings[0].sideways,
                    v.readings[0].slip_angle,
                    v.readings[0].load,
                    v.readings[0].spin
                );
            }
        }
    } else {
        for step in [1e-3, 2e-4, 5e-5] {
            let hills = Hills {
                seed: 93,
                amplitude: 3.2469156857491273,
                nodes: 100,
                wavelength: 3.0,
                octaves: 6,
                roughness: 0.6,
                size: 20.0,
                ..Hills::default()
            };
            let mut vehicle = presets::vivi();
            vehicle.start.orientation =
                Quat::from_roll_pitch_yaw(2.520199763998344, 2.5135860075681613, 0.0);
            let spec = SpatialSpec::new(Arc::new(Terrain::new(hills.terrain().unwrap()).unwrap()));
            let mut w = SpatialWorld::new(Arc::new(
                SpatialModel::compile(SpatialSpec {
                    step_s: step,
                    vehicles: vec![vehicle],
                    ..spec
                })
                .unwrap(),
            ));
            w.command(0, Drive { left_volts: -8.06, right_volts: 0.0, brake: 0.0 }).unwrap();
            for i in 0..3000 {
                w.step();
                let v = w.vehicle(0).unwrap();
                if v.state.velocity.length() > 12.0 || i % 1000 == 0 {
                    println!(
                        "{step} {i} p {:?} v {:?} up {:?} h {:?} p {:?} susp {:?} load {:?} fy {:?} fx {:?} touch {} L {:?}",
                        v.state.position,
                        v.state.velocity,
                        v.state.orientation.axes()[2],
                        v.readings[0].compression,
                        v.readings[0].contact,
                        v.readings[0].suspension,
                        v.readings[0].load,
                        v.readings[0].sideways,
                        v.readings[0].lengthwise,
                        v.state.chassis_touches(),
                        v.state.momentum
                    );
                    if i % 500 != 0 {
                        break;
                    }
                }
            }
        }
    }
}
