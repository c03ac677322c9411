//! Tables that the thesis has not: controllers and estimators compared.

use super::{Claim, Section, Verdict};
use anyhow::Result;
use rolima_agents::tables::{CONTROLLERS, ESTIMATORS, controller_row, estimator_row};
use rolima_agents::tasks::{RULE, random_tasks};
use rolima_agents::vision::{Blur, TASK_BLUR};
use rolima_console::text::counted;
use rolima_scene::builtin_model;

fn controllers() -> Result<Section> {
    let model = builtin_model("navigation", &[])?;
    let tasks = random_tasks(300, 1);
    let mut claims = vec![];
    for (condition, blur) in
        [("true poses", Blur::default()), ("one frame late, 2 mm, 1 degree", TASK_BLUR)]
    {
        for controller in CONTROLLERS {
            let row = controller_row(&model, &tasks, controller, blur, RULE)?;
            let time = if row.time_s.is_finite() {
                format!("median {:.2} s", row.time_s)
            } else {
                "never".to_owned()
            };
            let (name, measured) = (
                format!("{}, {condition}", controller.name()),
                format!(
                    "{:.1}% held, {time}; at the end off by {:.1} mm, {:.1} degrees (medians); overshoot {:.1} mm, a tenth above {:.0} mm",
                    100.0 * row.reached,
                    1e3 * row.distance,
                    row.angle.to_degrees(),
                    1e3 * row.overshoot,
                    1e3 * row.overshoot_90
                ),
            );
            claims.push(if controller == CONTROLLERS[2] {
                Claim::ours(&name, measured, Verdict::of(row.reached >= 0.99))
            } else {
                Claim::new(&name, measured, Verdict::Measured)
            });
        }
    }
    Ok(Section {
        id: "beyond-control",
        title: "Beyond the thesis: controllers compared".to_owned(),
        setting: "300 random starts and goals on the MiroSot field, preset minirobot: held within 1 cm and 3 degrees for 0.5 s within 6 s. \
                  `rolima bench nav-tasks` does it with 1,000. The plan of the PIDs is our cubic. The tracker has to hold 99 of 100; the thesis claims nothing of random goals.".to_owned(),
        claims,
        pictures: vec![],
    })
}

fn estimators() -> Result<Section> {
    let model = builtin_model("navigation", &[])?;
    let mut claims = vec![];
    for delay in 1..=3 {
        let blur = Blur { delay, gaps: 0.02, gap_length: 6, ..TASK_BLUR };
        let rows = ESTIMATORS
            .iter()
            .map(|&e| estimator_row(&model, e, blur, 1))
            .collect::<Result<Vec<_>, _>>()?;
        let fits = rows.iter().filter(|row| row.estimator != ESTIMATORS[5]);
        let best = fits.map(|row| row.position).fold(f64::INFINITY, f64::min);
        for row in rows {
            let (name, measured) = (
                format!("{}, {} late", row.estimator.name(), counted(delay, "frame")),
                format!(
                    "{:.1} mm, {:.1} degrees; in gaps {:.1} mm, {:.1} degrees, lost in {:.0}% of them",
                    1e3 * row.position,
                    row.heading.to_degrees(),
                    1e3 * row.position_in_gaps,
                    row.heading_in_gaps.to_degrees(),
                    100.0 * row.lost
                ),
            );
            claims.push(if row.estimator == ESTIMATORS[5] {
                Claim::ours(&name, measured, Verdict::of(row.position < 0.5 * best))
            } else {
                Claim::new(&name, measured, Verdict::Measured)
            });
        }
    }
    Ok(Section {
        id: "beyond-estimation",
        title: "Beyond the thesis: estimators compared".to_owned(),
        setting: "Root mean square errors of the pose now, predicted over the delay, while a minirobot drives from goal to goal for a \
                  minute; vision of 2 mm and 1 degree with gaps of 6 frames, and errors in gaps over all their frames. The filter on the true model passes if it is off by less than half of what the best of the others is.".to_owned(),
        claims,
        pictures: vec![],
    })
}

pub(super) fn sections() -> Result<Vec<Section>> {
    Ok(vec![controllers()?, estimators()?])
}
