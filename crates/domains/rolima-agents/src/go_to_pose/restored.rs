//! Whether a task of going to a pose that was read back can go on: it may have been forged.

use super::sending::known_of;
use super::{GoToPose, LONGEST_WAIT, MOST_POINTS, REST};
use crate::active_goal::blur_of;
use crate::nearest::MOST_HEEDED;
use rolima_core::Model;

/// More than anything that is counted in frames, plans or looks comes to.
const MOST_COUNTED: u64 = 1 << 30;

impl GoToPose {
    /// Whether it is that of a robot of a model: what follows from the model is so, all numbers of places
    /// in lists are of places there, and no list is longer than it may be. Where the robot takes itself
    /// and others to be may be any numbers, as what vision tells may be.
    pub(crate) fn fits(&self, model: &Model) -> bool {
        let (robot, blur) = (self.robot, blur_of(model, self.robot));
        let Ok((drive, settings, radius)) = known_of(model, robot, &blur) else { return false };
        (self.drive, self.settings) == (drive, settings)
            && self.robot_vision.fit(model, robot, blur, settings.period)
            && self.navigator.fits(&drive, &settings)
            && self
                .encounter
                .as_ref()
                .is_none_or(|encounter| encounter.fits(model, robot, &settings, &self.robot_vision))
            && self.planner.fits(radius, settings.margin)
            && self.corner > 0
            && self.clearances.fit()
            && self.braking.as_ref().is_none_or(|braking| braking.fits(&self.navigator, &drive))
            && self.are_counts_sane()
            && self.are_lists_short()
    }

    fn are_counts_sane(&self) -> bool {
        let looked = self.looked.as_ref().map_or(0, |looked| looked.frame);
        let most = [self.frames, looked, self.plans, u64::from(self.goal_progress.plan)];
        most.into_iter().all(|count| count < MOST_COUNTED << 20)
            && u64::from(self.goal_progress.plan.max(self.stuck)) < MOST_COUNTED
            && (self.looks.unsigned_abs() as u64) < MOST_COUNTED
            && self.rest <= REST
            && self.wait <= LONGEST_WAIT
    }

    fn are_lists_short(&self) -> bool {
        self.near_others.fits()
            && self.near_walls.fits()
            && self.obstacles.len() <= MOST_HEEDED + 1
            && self.barriers.len() <= MOST_HEEDED
            && self.goal_progress.references.len().max(self.goal_progress.beyond.len())
                <= MOST_POINTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::Simulation;
    use std::sync::Arc;

    /// Robots that go to poses and balls by a camera's vision, after some time.
    fn going() -> Simulation {
        let source = rolima_scene::Source::BuiltIn("go-to.toml".to_owned());
        let model = rolima_scene::load(&source, &[]).expect("a scene").compile().expect("a model");
        let mut simulation = Simulation::new(Arc::new(model));
        simulation.steps(700);
        simulation
    }

    #[test]
    fn what_was_forged_about_an_errand_is_refused() {
        let simulation = going();
        let model = simulation.world().model();
        let tasks = &simulation.agents.go_to.tasks();
        assert!(tasks.len() > 1);
        let forges: [fn(&mut GoToPose); 9] = [
            |go_to_pose| go_to_pose.corner = 0,
            |go_to_pose| go_to_pose.settings.limits.speed *= 2.0,
            |go_to_pose| go_to_pose.drive.supply = 1e6,
            |go_to_pose| go_to_pose.looks = isize::MIN,
            |go_to_pose| go_to_pose.frames = u64::MAX,
            |go_to_pose| go_to_pose.stuck = u32::MAX,
            |go_to_pose| go_to_pose.goal_progress.plan = u32::MAX,
            |go_to_pose| go_to_pose.wait = u32::MAX,
            |go_to_pose| go_to_pose.robot.0 += 1,
        ];
        for good in tasks {
            assert!(good.fits(model));
            for (number, forge) in forges.iter().enumerate() {
                let mut forged = GoToPose::clone(good);
                forge(&mut forged);
                assert!(!forged.fits(model), "forged in way {number}");
            }
        }
    }
}
