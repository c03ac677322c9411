//! What the vehicle benchmarks do, without a clock: the caller times [`VehicleWork::run`].

use crate::presets;
use crate::{DriveVolts, Hills, SpatialModel, SpatialSpec, SpatialWorld, Terrain};
use rolima_check::ModelError;
use rolima_math::Vec3;
use std::sync::Arc;

/// How finely a benchmark computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fineness {
    /// Step, s.
    pub step_s: f64,
    /// Steps between two searches for contacts.
    pub contact_every: u32,
    /// Steps between two evaluations of tyre and axle friction.
    pub tyre_every: u32,
}

/// Vehicles on hills of 256 x 256 heights.
#[derive(Clone, Debug)]
pub struct VehicleWork {
    /// The world.
    pub world: SpatialWorld,
    steps_per_order: u64,
    orders: u64,
}

/// Time between orders, s.
const ORDER_S: f64 = 0.25;

impl VehicleWork {
    /// Some vehicles of a kind, apart from one another.
    pub fn new(preset: &str, vehicles: u32, fineness: Fineness) -> Result<Self, ModelError> {
        let hills = Hills { amplitude: 0.6, wavelength: 6.0, octaves: 4, ..Hills::default() };
        let terrain = Arc::new(Terrain::new(hills.terrain()?)?);
        let vehicle = presets::named(preset)
            .ok_or_else(|| ModelError::new("preset", presets::NAMES.join(", "), preset))?;
        let Fineness { step_s, contact_every, tyre_every } = fineness;
        // Each on its own, as threads take them: a fleet's vehicles go through one another.
        let outer_steps = 0;
        let mut spec = SpatialSpec {
            step_s,
            contact_every,
            tyre_every,
            outer_steps,
            ..SpatialSpec::new(terrain)
        };
        let side = (f64::from(vehicles).sqrt()).max(1.0);
        for i in 0..vehicles {
            let mut one = vehicle.clone();
            one.name = format!("{preset}-{i}");
            // On a square lattice of 3 m, in the middle of the hills.
            let (row, column) = (f64::from(i) / side, f64::from(i) % side);
            let at = |k: f64| 3.0 * (k.floor() - 0.5 * (side - 1.0));
            one.start.position = Vec3::new(at(column), at(row), 0.0);
            spec.vehicles.push(one);
        }
        let world = SpatialWorld::new(Arc::new(SpatialModel::compile(spec)?));
        let steps_per_order = ((ORDER_S / step_s) as u64).max(1);
        Ok(Self { world, steps_per_order, orders: 0 })
    }

    /// The next order to all vehicles: forward with turns to either side, and back to the middle
    /// from farther out than 12 m.
    pub fn order(&mut self) {
        let wander = [2.0, -1.0, 4.0, -3.0, 0.0, -4.0, 3.0][(self.orders % 7) as usize];
        self.orders += 1;
        for vehicle in 0..self.world.model().vehicles.len() as u32 {
            let Some(state) = self.world.vehicle(vehicle).map(|v| &v.state) else { continue };
            let home = state.orientation.unrotate(Vec3::ZERO - state.position);
            let far = state.position.x.abs().max(state.position.y.abs()) > 12.0;
            // Towards the side on which the middle lies.
            let turn = if far { 4.0f64.copysign(home.y) } else { wander };
            let turn = if far && home.x > 3.0 * home.y.abs() { 0.0 } else { turn };
            let drive = DriveVolts { left_volts: 9.0 - turn, right_volts: 9.0 + turn, brake: 0.0 };
            // Numbers are finite and the vehicle is there.
            let _ = self.world.command(vehicle, drive);
        }
    }

    /// Steps between two orders.
    pub fn steps_per_order(&self) -> u64 {
        self.steps_per_order
    }

    /// Runs for `orders` orders; returns the steps done.
    pub fn run(&mut self, orders: u64) -> u64 {
        for _ in 0..orders {
            self.order();
            self.world.steps(self.steps_per_order);
        }
        orders * self.steps_per_order
    }
}
