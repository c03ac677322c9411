//! Scheduling of the loop's thread: real-time priority, a core of its own, exact timers.
//!
//! All of it is a wish: where the system has none of it or does not permit it, the loop runs all
//! the same, and a note says what is missing and what would help.

/// How the loop's thread shall be scheduled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Before all normal threads of the machine (SCHED_FIFO).
    pub realtime: bool,
    /// On this core only.
    pub pin: Option<usize>,
}

impl Schedule {
    /// Schedules the calling thread. Returns a note for people about each wish that was not
    /// granted.
    pub fn apply(&self) -> Vec<String> {
        let mut notes = vec![];
        if let Some(core) = self.pin {
            notes.extend(system::pin(core).err());
        }
        if self.realtime {
            notes.extend(system::realtime().err());
        }
        notes
    }
}

/// Makes timers of the calling thread as exact as the system can: Linux otherwise lets threads
/// sleep up to 50 us longer, to save power.
pub(super) fn exact_timers() {
    system::exact_timers();
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::io::Errno;
    use rustix::thread::{CpuSet, sched_setaffinity, set_current_timer_slack};
    use std::num::NonZeroU64;

    /// Above normal threads, below the kernel's own (50).
    const PRIORITY: i32 = 40;

    pub(super) fn pin(core: usize) -> Result<(), String> {
        let why = |error: String| format!("not pinned to core {core}: {error}");
        if core >= CpuSet::MAX_CPU {
            return Err(why(format!("expected a core below {}", CpuSet::MAX_CPU)));
        }
        let mut cores = CpuSet::new();
        cores.set(core);
        sched_setaffinity(None, &cores).map_err(|error| match error {
            Errno::INVAL => why("this process has no such core".to_owned()),
            error => why(error.to_string()),
        })
    }

    pub(super) fn realtime() -> Result<(), String> {
        let parameters = libc::sched_param { sched_priority: PRIORITY };
        // SAFETY: the call reads a struct that lives until it returns, and 0 is this thread.
        #[allow(unsafe_code)]
        let done = unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const parameters) };
        if done == 0 {
            return Ok(());
        }
        let error = std::io::Error::last_os_error();
        let help = if error.kind() == std::io::ErrorKind::PermissionDenied {
            "; it needs CAP_SYS_NICE (sudo setcap cap_sys_nice+ep on the program) or a line \
             `USER - rtprio 40` in /etc/security/limits.conf"
        } else {
            ""
        };
        Err(format!("no real-time priority: {error}{help}"))
    }

    pub(super) fn exact_timers() {
        // Worth trying, not worth a note: it only costs some microseconds of lateness.
        let _ = set_current_timer_slack(NonZeroU64::new(1));
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn pin(core: usize) -> Result<(), String> {
        Err(format!("not pinned to core {core}: not supported on this system"))
    }

    pub(super) fn realtime() -> Result<(), String> {
        Err("no real-time priority: not supported on this system".to_owned())
    }

    pub(super) fn exact_timers() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs on a thread of its own, which keeps the schedule to itself.
    fn notes(schedule: Schedule) -> Vec<String> {
        std::thread::spawn(move || schedule.apply()).join().unwrap()
    }

    #[test]
    fn no_wish_needs_no_note() {
        assert_eq!(notes(Schedule::default()), Vec::<String>::new());
    }

    #[test]
    fn a_core_that_is_not_there_gives_a_note_that_names_it() {
        for core in [1023, usize::MAX] {
            let notes = notes(Schedule { pin: Some(core), realtime: false });
            assert!(notes.len() == 1 && notes[0].contains(&core.to_string()), "{notes:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pinned_thread_stays_on_its_core() {
        let may = rustix::thread::sched_getaffinity(None).unwrap();
        let core = (0..1024).find(|&core| may.is_set(core)).unwrap();
        let on = std::thread::spawn(move || {
            assert_eq!(Schedule { pin: Some(core), realtime: false }.apply(), Vec::<String>::new());
            rustix::thread::sched_getcpu()
        });
        assert_eq!(on.join().unwrap(), core);
    }

    #[test]
    fn real_time_is_granted_or_explained() {
        for note in notes(Schedule { realtime: true, pin: None }) {
            assert!(note.starts_with("no real-time priority: "), "{note}");
        }
    }
}
