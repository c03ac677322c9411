//! Writing a log beside the loop: a slow disk never delays it.

use super::line::{End, Entry, Header, end_text, entry_text, header_text};
use super::read::LogError;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread::{Builder, JoinHandle};

/// Entries that may wait for the disk.
const QUEUE_LENGTH: usize = 1 << 14;

/// Writes a log on a thread of its own.
///
/// Entries go there through a bounded queue. Once one finds no room, those after it are left out,
/// too, as without it they would say something else; they are counted, and the log's last line
/// tells how many there were.
pub struct LogWriter {
    queue: Option<SyncSender<(u64, Entry)>>,
    end: SyncSender<End>,
    thread: Option<JoinHandle<io::Result<u64>>>,
    file: String,
    lost: u64,
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
    /// Writes to a new file, or over an old one.
    pub fn create(path: &Path, header: &Header) -> Result<Self, LogError> {
        let file = path.display().to_string();
        match File::create(path) {
            Ok(output) => Self::new(&file, output, header),
            Err(source) => Err(LogError::File { file, source }),
        }
    }

    /// Writes to some output; `file` is its name in errors.
    pub fn new(
        file: &str,
        output: impl Write + Send + 'static,
        header: &Header,
    ) -> Result<Self, LogError> {
        Self::with_queue(file, output, header, QUEUE_LENGTH)
    }

    fn with_queue(
        file: &str,
        output: impl Write + Send + 'static,
        header: &Header,
        length: usize,
    ) -> Result<Self, LogError> {
        let (queue, entries) = sync_channel(length);
        let (end, ended) = sync_channel(1);
        let header = header_text(header);
        let thread = Builder::new()
            .name("rolima-log".to_owned())
            .spawn(move || write(BufWriter::new(output), &header, &entries, &ended))
            .map_err(|source| LogError::File { file: file.to_owned(), source })?;
        let file = file.to_owned();
        Ok(Self { queue: Some(queue), end, thread: Some(thread), file, lost: 0 })
    }

    /// Notes what is done after so many steps. Never waits.
    pub fn note(&mut self, steps_done: u64, entry: Entry) {
        let Some(queue) = &self.queue else {
            self.lost += 1;
            return;
        };
        match queue.try_send((steps_done, entry)) {
            Ok(()) => {}
            // Full: too fast. Gone: the disk failed, which `finish` will tell.
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
        let _ = self.end.try_send(End { steps, state_hash, lost: self.lost });
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
    mut output: BufWriter<impl Write>,
    header: &str,
    entries: &Receiver<(u64, Entry)>,
    ended: &Receiver<End>,
) -> io::Result<u64> {
    let mut written = 0;
    writeln!(output, "{header}")?;
    output.flush()?;
    loop {
        // Out of work: what is written goes to the disk, so that a pulled plug loses little.
        let next = match entries.try_recv() {
            Err(TryRecvError::Empty) => {
                output.flush()?;
                entries.recv().ok()
            }
            other => other.ok(),
        };
        let Some((step, entry)) = next else { break };
        writeln!(output, "{}", entry_text(step, &entry))?;
        written += 1;
    }
    // Without an end the log is cut off here: the loop is gone without finishing it, or entries
    // were lost and the end is yet to come.
    if let Ok(end) = ended.recv() {
        writeln!(output, "{}", end_text(&end))?;
    }
    output.flush()?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::log::{Line, LogReader};
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};

    fn header() -> Header {
        Header {
            rolima: "1".into(),
            scene: "s".into(),
            sets: vec![],
            seed: 1,
            step_s: 1e-3,
            model: 2,
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
        let mut log = LogWriter::with_queue("mem", disk, &header(), 4).unwrap();
        for step in 0..10 {
            log.note(step, Entry::Seed(step));
        }
        assert!((5..=6).contains(&log.lost()), "{}", log.lost());
        drop(go);
        let lost = log.lost();
        let summary = log.finish(10, 7).unwrap();
        assert_eq!(summary, LogSummary { entries: 10 - lost, lost });
        let bytes = bytes.lock().unwrap();
        let mut reader = LogReader::new("mem", &bytes[..]).unwrap();
        assert_eq!(reader.header(), &header());
        for step in 0..10 - lost {
            assert_eq!(reader.read().unwrap(), Some(Line::Entry(step, Entry::Seed(step))));
        }
        let end = End { steps: 10, state_hash: 7, lost };
        assert_eq!(reader.read().unwrap(), Some(Line::End(end)));
        assert_eq!(reader.read().unwrap(), None);
        assert!(!reader.is_cut_off());
    }

    struct BrokenDisk;

    impl Write for BrokenDisk {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("no space left"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_disk_that_fails_is_told_at_the_end() {
        let mut log = LogWriter::new("x.log", BrokenDisk, &header()).unwrap();
        (0..100).for_each(|step| log.note(step, Entry::Reset));
        let error = log.finish(100, 0).unwrap_err().to_string();
        assert_eq!(error, "x.log: no space left");
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
        assert_eq!(reader.read().unwrap(), Some(Line::Entry(3, Entry::Reset)));
        assert_eq!(reader.read().unwrap(), None);
        assert!(reader.is_cut_off());
    }
}
