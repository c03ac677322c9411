//! How the velocity of robots changed in the last step, for those who look at a world.

use crate::state::{Block, place};
use crate::world::World;
use rolima_math::Vec3;
use rolima_model::RobotId;

impl World {
    /// Mean acceleration of a robot over the last step, in the world, m/s2; of a vehicle on rough ground
    /// that of its centre of mass. None for unknown robots, and where no step is known: before the first,
    /// after a reset or a restored snapshot, and after something was put elsewhere.
    pub fn acceleration(&self, robot: RobotId) -> Option<Vec3> {
        self.model.robots.get(robot.index())?;
        let stepped_at = self.scratch.stepped_at;
        if stepped_at == u64::MAX || stepped_at.wrapping_add(1) != self.state.step {
            return None;
        }
        let per_step = 1.0 / self.model.step_s;
        if let Some(rough) = &self.state.rough {
            let before = *self.scratch.velocities_before.get(robot.index())?;
            return Some((rough.vehicle(robot.0)?.state.velocity - before) * per_step);
        }
        let (block, lane) = place(self.model.layout.robot_slot(robot));
        let in_world = |b: &Block| b.pose(lane).rotation.rotate(b.velocity(lane));
        let change = in_world(&self.state.motion[block]) - in_world(&self.scratch.before[block]);
        Some(Vec3::new(change.x * per_step, change.y * per_step, 0.0))
    }
}
