//! Figures of a soak in rows.

use super::target::Figures;
use rolima_run::live::Deadlines;
use rolima_wire::pb;
use std::fmt;

/// Above the rows; lateness in ms, of the live run since it began, of the bare loop in this row.
pub(super) const HEADING: &str = "\
row  memory MB   descriptors  viewers  programs  attacks | live: p50   p99  p99.9     max  missed  30 ms \
| bare: p50   p99  p99.9     max  missed  30 ms";

/// What was seen in one stretch of time.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) number: u32,
    /// Least and most.
    pub(super) memory_mb: [f64; 2],
    pub(super) descriptors: [u64; 2],
    /// So far, of all rows.
    pub(super) viewers: u64,
    pub(super) programs: u64,
    pub(super) attacks: u64,
    pub(super) live: pb::Status,
    pub(super) bare: Option<[Deadlines; 2]>,
}

impl Row {
    pub(super) fn new(number: u32) -> Self {
        Self {
            number,
            memory_mb: [f64::INFINITY, 0.0],
            descriptors: [u64::MAX, 0],
            viewers: 0,
            programs: 0,
            attacks: 0,
            live: pb::Status::default(),
            bare: None,
        }
    }

    pub(super) fn add(&mut self, figures: Figures) {
        let Figures { memory_mb, descriptors, .. } = figures;
        self.memory_mb = [self.memory_mb[0].min(memory_mb), self.memory_mb[1].max(memory_mb)];
        let [least, most] = self.descriptors;
        self.descriptors = [least.min(descriptors), most.max(descriptors)];
    }
}

impl fmt::Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [least, most] = self.memory_mb;
        let [fewest, highest] = self.descriptors;
        let memory = format!("{least:.0}..{most:.0}");
        let descriptors = format!("{fewest}..{highest}");
        let (viewers, programs, attacks) = (self.viewers, self.programs, self.attacks);
        write!(
            out,
            "{:>3}  {memory:<11} {descriptors:<12} {viewers:>7} {programs:>9} {attacks:>8}",
            self.number
        )?;
        let late = self.live.tick_lateness.unwrap_or_default();
        let live = [late.p50, late.p99, late.p999, late.max];
        write!(out, " | {}", lateness(live, [self.live.missed_ticks, self.live.missed_frames]))?;
        if let Some([ticks, frames]) = &self.bare {
            let late = ticks.lateness();
            let bare = [late.p50, late.p99, late.p999, late.max];
            write!(out, " | {}", lateness(bare, [ticks.missed(), frames.missed()]))?;
        }
        Ok(())
    }
}

/// Seconds as milliseconds, and how many deadlines of 1 and of 30 ms were missed.
fn lateness(seconds: [f64; 4], [ticks, frames]: [u64; 2]) -> String {
    let [p50, p99, p999, max] = seconds.map(|s| 1e3 * s);
    format!("{p50:>9.3} {p99:>5.2} {p999:>6.2} {max:>7.1} {ticks:>7} {frames:>6}")
}
