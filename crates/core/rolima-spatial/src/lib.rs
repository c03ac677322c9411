//! Vehicles with suspended wheels on rough terrain: the spatial engine.

pub mod terrain;
