//! Writing a log beside the loop: a slow disk never delays it.

use super::bundled::Known;
use super::line::{Entry, Header, LoggedEnd, put_end, put_entry, put_header};
use super::read::LogError;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Entries that may wait for the disk.
const QUEUE_LENGTH: usize = 1 << 14;
/// Entries that are handed to the system at once.
const MOST_AT_ONCE: u64 = 1 << 10;
/// How long the loop waits for a batch to be handed to the system before it begins the next one.
/// Waking the log's thread takes some 0.05 ms; with less, a process that is killed could lose more
/// than its last batch, with more, a disk that stalls would cost a deadline, once.
const MOST_WAIT: Duration = Duration::from_millis(1);

/// Told once, at once, if the log breaks off. Called on the log's thread.
pub type LogAlarm = Box<dyn FnOnce(LogBroken) + Send>;

/// A log that has broken off.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {why}; what is done from here on is not logged")]
pub struct LogBroken {
    /// Which file.
    pub file: String,
    /// Why.
    pub why: String,
}

/// Writes a log on a thread of its own.
///
/// Entries go there through a bounded queue. Those of one step are a batch, which is handed to the
/// system before the first entry of the next: a process that is killed loses its last batch at
/// most. A disk that stalls is waited for once, up to 1 ms, and then not again until it has
/// caught up. Once an entry finds no room in the queue, those after it are left out, too, as without
/// it they would say something else; they are counted, and the log's last line tells how many
/// there were.
pub struct LogWriter {
    queue: Option<SyncSender<(u64, Entry)>>,
    end: SyncSender<LoggedEnd>,
    thread: Option<JoinHandle<io::Result<u64>>>,
    file: String,
    lost: u64,
    /// Entries in the queue so far, and the step of the last.
    noted: (u64, u64),
    written: Arc<Written>,
    /// Whether the disk was waited for in vain.
    is_behind: bool,
}

/// How many entries the system has got.
#[derive(Default)]
struct Written {
    count: Mutex<u64>,
    more: Condvar,
}

impl Written {
    fn set(&self, count: u64) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) = count;
        self.more.notify_one();
    }

    /// Whether so many are written, after some time at most.
    fn reaches(&self, wanted: u64, most: Duration) -> bool {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let is_short = |count: &mut u64| *count < wanted;
        let waited = self.more.wait_timeout_while(count, most, is_short);
        let (count, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *count >= wanted
    }
}

/// How a log came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogSummary {
    /// Entries written.
    pub entries: u64,
    /// Entries that came too fast to be written: the log replays only up to the first of them.
    pub lost: u64,
}

impl LogWriter {
    /// Writes to a new file; over an old one only if that is `forced` or nothing is in it.
    pub fn create(
        path: &Path,
        header: &Header,
        forced: bool,
        alarm: LogAlarm,
    ) -> Result<Self, LogError> {
        let file = path.display().to_string();
        match rolima_scene::create_file(path, forced) {
            Ok(output) => Self::start(&file, output, header, QUEUE_LENGTH, alarm),
            Err(source) => Err(LogError::File { file, source }),
        }
    }

    /// Writes to some output; `file` is its name in errors.
    pub fn new(
        file: &str,
        output: impl Write + Send + 'static,
        header: &Header,
    ) -> Result<Self, LogError> {
        Self::start(file, output, header, QUEUE_LENGTH, Box::new(|_| {}))
    }

    fn start(
        file: &str,
        output: impl Write + Send + 'static,
        header: &Header,
        length: usize,
        alarm: LogAlarm,
    ) -> Result<Self, LogError> {
        let failed = |source| LogError::File { file: file.to_owned(), source };
        let mut output = BufWriter::new(output);
        put_header(&mut output, header).and_then(|()| output.flush()).map_err(failed)?;
        let mut known = Known::default();
        known.begin(&header.source);
        let (queue, entries) = sync_channel(length);
        let (end, ended) = sync_channel(1);
        let written = Arc::new(Written::default());
        let so_far = Arc::clone(&written);
        let name = file.to_owned();
        let thread = Builder::new()
            .name("rolima-log".to_owned())
            .spawn(move || {
                let mut alarm = Some(alarm);
                let mut raise = |why: &str| {
                    if let Some(alarm) = alarm.take() {
                        alarm(LogBroken { file: name.clone(), why: why.to_owned() });
                    }
                };
                let result = write((output, known), (&entries, &ended), &so_far, &mut raise);
                if let Err(error) = &result {
                    raise(&error.to_string());
                }
                result
            })
            .map_err(|source| LogError::File { file: file.to_owned(), source })?;
        let (queue, thread, file) = (Some(queue), Some(thread), file.to_owned());
        Ok(Self { queue, end, thread, file, lost: 0, noted: (0, 0), written, is_behind: false })
    }

    /// Notes what is done after so many steps. Waits for the disk as said above, never longer.
    pub fn note(&mut self, steps_done: u64, entry: Entry) {
        let Some(queue) = &self.queue else {
            self.lost += 1;
            return;
        };
        let (count, last) = self.noted;
        if steps_done != last {
            let most = if self.is_behind { Duration::ZERO } else { MOST_WAIT };
            self.is_behind = !self.written.reaches(count, most);
        }
        match queue.try_send((steps_done, entry)) {
            Ok(()) => self.noted = (count + 1, steps_done),
            // Full: too fast. Gone: the disk failed. The log's thread tells either at once.
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {
                self.lost += 1;
                self.queue = None;
            }
        }
    }

    /// How many entries are missing so far.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Writes the last line and waits until all is on its way to the disk.
    pub fn finish(mut self, steps: u64, state_hash: u64) -> Result<LogSummary, LogError> {
        // The thread takes the end once the queue is empty and closed; it has room for one.
        let _ = self.end.try_send(LoggedEnd { steps, state_hash, lost: self.lost });
        self.queue = None;
        let result = match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            _ => Err(io::Error::other("the log's thread is gone")),
        };
        match result {
            Ok(entries) => Ok(LogSummary { entries, lost: self.lost }),
            Err(source) => Err(LogError::File { file: self.file, source }),
        }
    }
}

/// Writes what comes until the queue is closed, then the end if there is one.
fn write(
    (mut output, mut known): (BufWriter<impl Write>, Known),
    (entries, ended): (&Receiver<(u64, Entry)>, &Receiver<LoggedEnd>),
    so_far: &Written,
    raise: &mut dyn FnMut(&str),
) -> io::Result<u64> {
    let mut written = 0;
    while let Ok((step, entry)) = entries.recv() {
        put_entry(&mut output, step, &entry, &mut known)?;
        written += 1;
        // What has come meanwhile goes to the system with it.
        let more = entries.try_iter().take(MOST_AT_ONCE as usize);
        for (step, entry) in more {
            put_entry(&mut output, step, &entry, &mut known)?;
            written += 1;
        }
        output.flush()?;
        so_far.set(written);
    }
    // The end is there before the queue is closed, unless entries were lost or the loop is gone
    // without finishing the log, which then is cut off here.
    let end = ended.try_recv().ok().or_else(|| {
        raise("entries come too fast for the disk");
        ended.recv().ok()
    });
    if let Some(end) = end {
        put_end(&mut output, &end)?;
    }
    output.flush()?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::log::{LogLine, LogReader};
    use rolima_scene::{Bundle, Root};
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};

    fn header() -> Header {
        Header {
            rolima: "1".into(),
            scene: "s".into(),
            seed: 1,
            step_s: 1e-3,
            model: 2,
            source: Arc::new(Bundle {
                root: Root::Text("s".into()),
                sets: vec![],
                title: None,
                files: [("s".into(), b"title = \"s\"\n".as_slice().into())].into(),
            }),
        }
    }

    /// A disk in memory that writes only while the test lets it.
    struct SlowDisk(Arc<Mutex<Vec<u8>>>, std::sync::mpsc::Receiver<()>);

    impl Write for SlowDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.1.recv();
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_disk_that_stalls_never_blocks_and_the_log_says_what_it_lost() {
        let bytes = Arc::new(Mutex::new(vec![]));
        let (go, wait) = channel();
        let disk = SlowDisk(bytes.clone(), wait);
        let (alarm, alarms) = alarm();
        // The header is written at once.
        go.send(()).unwrap();
        let mut log = LogWriter::start("mem", disk, &header(), 4, alarm).unwrap();
        for step in 0..10 {
            log.note(step, Entry::Seed(step));
        }
        assert!((5..=6).contains(&log.lost()), "{}", log.lost());
        drop(go);
        // As soon as it has written what it got, before the end.
        let alarm = alarms.recv().unwrap();
        assert!(alarm.starts_with("mem: entries come too fast for the disk"), "{alarm}");
        let lost = log.lost();
        let summary = log.finish(10, 7).unwrap();
        assert_eq!(summary, LogSummary { entries: 10 - lost, lost });
        let bytes = bytes.lock().unwrap();
        let mut reader = LogReader::new("mem", &bytes[..]).unwrap();
        assert_eq!(reader.header(), &header());
        for step in 0..10 - lost {
            assert_eq!(reader.read().unwrap(), Some(LogLine::Entry(step, Entry::Seed(step))));
        }
        let end = LoggedEnd { steps: 10, state_hash: 7, lost };
        assert_eq!(reader.read().unwrap(), Some(LogLine::End(end)));
        assert_eq!(reader.read().unwrap(), None);
        assert!(!reader.is_cut_off());
    }

    fn alarm() -> (LogAlarm, Receiver<String>) {
        let (send, alarms) = channel();
        (Box::new(move |broken| send.send(broken.to_string()).unwrap()), alarms)
    }

    /// A disk that fails after its first line.
    struct BrokenDisk(bool);

    impl Write for BrokenDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match std::mem::replace(&mut self.0, true) {
                false => Ok(bytes.len()),
                true => Err(io::Error::other("no space left")),
            }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_disk_that_fails_is_told_at_once_and_at_the_end() {
        let (alarm, alarms) = alarm();
        let mut log = LogWriter::start("x.log", BrokenDisk(false), &header(), 200, alarm).unwrap();
        log.note(0, Entry::Reset);
        let at_once = alarms.recv().unwrap();
        assert_eq!(at_once, "x.log: no space left; what is done from here on is not logged");
        (0..100).for_each(|step| log.note(step, Entry::Reset));
        let error = log.finish(100, 0).unwrap_err().to_string();
        assert_eq!(error, "x.log: no space left");
    }

    #[test]
    fn a_batch_is_with_the_system_before_the_next_one_begins() {
        let bytes = Arc::new(Mutex::new(vec![]));
        let (go, wait) = channel();
        drop(go);
        let mut log = LogWriter::new("mem", SlowDisk(bytes.clone(), wait), &header()).unwrap();
        for step in 1..200 {
            (0..3).for_each(|_| log.note(step, Entry::Reset));
            // A machine that holds the log's thread up for a millisecond is not what this is about.
            if log.is_behind {
                assert!(log.written.reaches(log.noted.0, Duration::from_secs(60)));
                continue;
            }
            let text = String::from_utf8(bytes.lock().unwrap().clone()).unwrap();
            let before = text.lines().filter(|line| line.contains("reset")).count() as u64;
            assert!(before >= 3 * (step - 1), "{before} entries before step {step}");
        }
    }

    #[test]
    fn an_old_log_is_written_over_only_if_that_is_forced() {
        let path = std::env::temp_dir().join(format!("rolima-old-{}.log", std::process::id()));
        let create = |forced| LogWriter::create(&path, &header(), forced, Box::new(|_| {}));
        std::fs::write(&path, "").unwrap();
        create(false).unwrap().finish(1, 2).unwrap();
        let first = std::fs::read_to_string(&path).unwrap();
        let refused = create(false).err().map(|error| error.to_string()).unwrap();
        assert!(refused.contains("rolima-old-"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), first, "it is as it was");
        create(true).unwrap().finish(3, 4).unwrap();
        assert_ne!(std::fs::read_to_string(&path).unwrap(), first);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_writer_that_is_dropped_leaves_a_log_that_is_cut_off() {
        let bytes = Arc::new(Mutex::new(vec![]));
        let (go, wait) = channel();
        drop(go);
        let mut log = LogWriter::new("mem", SlowDisk(bytes.clone(), wait), &header()).unwrap();
        log.note(3, Entry::Reset);
        let LogWriter { queue, end, thread, .. } = log;
        drop((queue, end));
        thread.unwrap().join().unwrap().unwrap();
        let bytes = bytes.lock().unwrap();
        let mut reader = LogReader::new("mem", &bytes[..]).unwrap();
        assert_eq!(reader.read().unwrap(), Some(LogLine::Entry(3, Entry::Reset)));
        assert_eq!(reader.read().unwrap(), None);
        assert!(reader.is_cut_off());
    }
}
