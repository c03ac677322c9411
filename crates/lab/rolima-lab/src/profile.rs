//! `rolima profile`: where the time of a step goes.
//!
//! The scene runs twice, as fast as it can: once plainly, which gives the time of a step, and once with
//! a clock that is read at every part of a step, which gives the shares. Reading the clock takes time
//! itself; its cost is measured first and taken off each part.

use anyhow::Result;
use rolima_agents::Simulation;
use rolima_console::failure::say;
use rolima_console::text::{columns, hex, thousands};
use rolima_core::Model;
use rolima_run::stopwatch::{Spent, Stopwatch};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// What is profiled.
pub struct Profiled {
    /// The compiled scene.
    pub model: Arc<Model>,
    /// Key of all random numbers; none: that of the scene.
    pub seed: Option<u64>,
    /// How many steps, at most: a world that comes to its end is not stepped further.
    pub steps: u64,
}

/// Runs the scene and prints where its time went.
pub fn profile(profiled: &Profiled, as_json: bool) -> Result<()> {
    let mut plain = simulation(profiled);
    let begin = Instant::now();
    let steps = plain.steps(profiled.steps);
    let plain_s = begin.elapsed().as_secs_f64();

    let mut watched = simulation(profiled);
    let mut watch = Stopwatch::default();
    watched.steps_with(steps, &mut watch);
    let (parts, hash) = (watch.profile().spent().collect(), watched.state_hash());
    let profile = Profile { steps, plain_s, parts, hash };
    debug_assert_eq!(profile.hash, plain.state_hash(), "looking changes nothing");
    if as_json {
        say(&profile.as_json().to_string())?
    } else {
        say(&profile.for_people())?
    }
    Ok(())
}

fn simulation(profiled: &Profiled) -> Simulation {
    let model = profiled.model.clone();
    let seed = profiled.seed.unwrap_or(model.spec.sim.seed);
    Simulation::with_seed(model, seed)
}

/// What is printed.
struct Profile {
    steps: u64,
    /// Time of all steps without a clock in them, s.
    plain_s: f64,
    parts: Vec<Spent>,
    hash: u64,
}

impl Profile {
    fn total_s(&self) -> f64 {
        self.parts.iter().map(|spent| spent.time_s).sum::<f64>().max(1e-12)
    }

    fn ns_a_step(&self, time_s: f64) -> f64 {
        1e9 * time_s / self.steps.max(1) as f64
    }

    fn as_json(&self) -> Value {
        let parts = self.parts.iter().map(|spent| {
            json!({
                "stage": spent.part.stage(), "part": spent.part.name(), "calls": spent.calls,
                "time_s": spent.time_s, "ns_a_step": self.ns_a_step(spent.time_s),
                "share": spent.time_s / self.total_s(),
            })
        });
        json!({
            "steps": self.steps, "ns_a_step": self.ns_a_step(self.plain_s),
            "parts": parts.collect::<Vec<_>>(), "state_hash": hex(self.hash),
        })
    }

    fn for_people(&self) -> String {
        let head = ["stage", "part", "calls", "ms", "ns a step", "share"].map(str::to_owned);
        let mut rows = vec![head.to_vec()];
        let row = |stage: &str, part: &str, calls: String, time_s: f64| {
            let share = format!("{:5.1} %", 100.0 * time_s / self.total_s());
            let ns = thousands(self.ns_a_step(time_s));
            let ms = format!("{:.2}", 1e3 * time_s);
            vec![stage.to_owned(), part.to_owned(), calls, ms, ns, share]
        };
        for stage in self.parts.chunk_by(|a, b| a.part.stage() == b.part.stage()) {
            let name = stage[0].part.stage();
            let time_s = stage.iter().map(|spent| spent.time_s).sum();
            let of = |spent: &Spent| thousands(spent.calls as f64);
            if let [only] = stage {
                rows.push(row(name, only.part.name(), of(only), time_s));
                continue;
            }
            rows.push(row(name, "", String::new(), time_s));
            rows.extend(stage.iter().map(|s| row("", s.part.name(), of(s), s.time_s)));
        }
        let plain = self.ns_a_step(self.plain_s);
        let last = format!(
            "{} steps, {} ns each without a clock in them; state hash {}",
            thousands(self.steps as f64),
            thousands(plain),
            hex(self.hash)
        );
        let mut lines = columns(&rows);
        lines.push(last);
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_core::probe::StepPart;

    fn profile_of(scene: &str, steps: u64) -> Profile {
        let model = rolima_scene::builtin_model(scene, &[]).unwrap();
        let mut watched = Simulation::new(model);
        let mut watch = Stopwatch::default();
        watched.steps_with(steps, &mut watch);
        Profile {
            steps,
            plain_s: 1.0,
            parts: watch.profile().spent().collect(),
            hash: watched.state_hash(),
        }
    }

    #[test]
    fn every_stage_is_told_once_in_its_order_and_shares_are_of_one_whole() {
        for scene in ["soccer", "hills", "things"] {
            let profile = profile_of(scene, 300);
            let stages: Vec<&str> = profile.parts.iter().map(|spent| spent.part.stage()).collect();
            let mut once = stages.clone();
            once.dedup();
            let all = ["commands", "actuators", "dynamics", "contacts", "sensors", "publish"];
            assert_eq!(once, all, "{scene}");
            let value = profile.as_json();
            let shares = value["parts"].as_array().unwrap().iter();
            let sum: f64 = shares.map(|part| part["share"].as_f64().unwrap()).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{scene}: {sum}");
            let steps = profile.parts.iter().filter(|spent| spent.part == StepPart::Commands);
            assert_eq!(steps.map(|spent| spent.calls).sum::<u64>(), 300);
            assert!(profile.for_people().lines().count() >= 8, "{}", profile.for_people());
        }
    }

    #[test]
    fn looking_changes_no_bit() {
        for scene in ["soccer", "hills", "go-to"] {
            let mut plain = Simulation::new(rolima_scene::builtin_model(scene, &[]).unwrap());
            plain.steps(300);
            assert_eq!(profile_of(scene, 300).hash, plain.state_hash(), "{scene}");
        }
    }
}
