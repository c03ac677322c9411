//! What the tables of estimators and controllers must show.

use rolima_agents::tables::{
    CONTROLLERS, Controller, ESTIMATORS, Estimator, controller_row, estimator_row,
};
use rolima_agents::tasks::{RULE, random_tasks};
use rolima_agents::vision::{Blur, TASK_BLUR};
use rolima_core::Model;
use rolima_scene::{Source, load};
use std::sync::Arc;

fn model() -> Arc<Model> {
    let scene =
        load(&Source::BuiltIn("navigation.toml".to_owned()), &[]).expect("a built-in scene");
    Arc::new(scene.compile().expect("a good scene"))
}

#[test]
fn the_tracker_reaches_what_the_pids_do_not() {
    let tasks = random_tasks(100, 5);
    for blur in [Blur::default(), TASK_BLUR] {
        let rows = CONTROLLERS.map(|c| controller_row(&model(), &tasks, c, blur, RULE).unwrap());
        for row in &rows {
            println!("{row:?}");
        }
        let tracker = rows.iter().find(|row| row.controller == Controller::Tracker).unwrap();
        assert!(tracker.reached >= 0.99 && tracker.distance < 0.004);
        let others = rows.iter().filter(|row| row.controller != Controller::Tracker);
        assert!(others.into_iter().all(|row| row.reached < tracker.reached));
    }
}

#[test]
fn the_filter_on_the_true_model_beats_the_fits_in_every_condition() {
    let model = model();
    for delay in 1..=3 {
        let blur = Blur { delay, gaps: 0.02, gap_length: 6, ..TASK_BLUR };
        let rows = ESTIMATORS.map(|e| estimator_row(&model, e, blur, 3).unwrap());
        for row in &rows {
            println!(
                "{delay} {}: {:.1} mm {:.1} deg, gaps {:.1} mm {:.1} deg, lost {:.2}",
                row.estimator.name(),
                1e3 * row.position,
                row.heading.to_degrees(),
                1e3 * row.position_in_gaps,
                row.heading_in_gaps.to_degrees(),
                row.lost
            );
        }
        let [last, .., kalman] = &rows;
        assert_eq!(kalman.estimator, Estimator::Kalman);
        assert!(rows[..5].iter().all(|row| row.position > kalman.position));
        assert!(kalman.position < 0.004 && kalman.position_in_gaps < 0.02, "{kalman:?}");
        assert!(last.position > 4.0 * kalman.position);
    }
}
