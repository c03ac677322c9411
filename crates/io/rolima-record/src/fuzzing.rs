//! Reading any bytes as a recording; for fuzzing and tests: there is an error or what can be read.

use crate::error::RecordError;
use crate::names::{FORMAT, METADATA, PROFILE};
use crate::recording::Recording;
use crate::repair::repair;
use mcap::records::{Metadata, op};
use std::sync::Arc;

/// Reads bytes as a recording, and as the content of a chunk of one, whose checksum would keep most
/// damage away from what is behind it.
pub fn read_any(bytes: &[u8]) {
    read_file(bytes);
    if let Some(file) = around(bytes) {
        read_file(&file);
    }
}

fn read_file(bytes: &[u8]) {
    let Ok(recording) = Recording::from_bytes("any", Arc::from(bytes)) else { return };
    let _ = read_all(&recording);
    let mut mended = vec![];
    if repair(&recording, &mut mended).is_ok()
        && let Ok(mended) = Recording::from_bytes("mended", mended.into())
    {
        let _ = read_all(&mended);
    }
}

/// Reads all that a recording has. Returns how many states there were.
pub fn read_all(recording: &Recording) -> Result<u64, RecordError> {
    const EVER: [f64; 2] = [0.0, f64::INFINITY];
    let mut count = 0;
    for scene in recording.scenes() {
        let channels: Vec<usize> = (0..scene.channels.len()).collect();
        let mut samples = recording.samples(scene.number, &channels, EVER)?;
        while samples.next()?.is_some() {
            count += 1;
        }
    }
    recording.events(EVER).try_for_each(|event| event.map(drop))?;
    recording.pictures(EVER).try_for_each(|picture| picture.map(drop))?;
    recording.saved_before(f64::INFINITY)?;
    let mut log = recording.log()?;
    while log.read()?.is_some() {}
    Ok(count)
}

/// A file without a summary around the records of a chunk.
fn around(content: &[u8]) -> Option<Vec<u8>> {
    let options = mcap::WriteOptions::new().profile(PROFILE).compression(None);
    let mut writer = options.create(std::io::Cursor::new(vec![])).ok()?;
    let told = [("format", FORMAT.to_string()), ("rolima", String::new())];
    let metadata = told.map(|(key, value)| (key.to_owned(), value)).into_iter().collect();
    writer.write_metadata(&Metadata { name: METADATA.to_owned(), metadata }).ok()?;
    writer.flush().ok()?;
    let mut file = writer.into_inner().into_inner();
    // Times, size, no checksum, no compression, size again.
    let mut chunk = vec![0; 16];
    chunk.extend_from_slice(&(content.len() as u64).to_le_bytes());
    chunk.extend_from_slice(&[0; 8]);
    chunk.extend_from_slice(&(content.len() as u64).to_le_bytes());
    chunk.extend_from_slice(content);
    file.push(op::CHUNK);
    file.extend_from_slice(&(chunk.len() as u64).to_le_bytes());
    file.extend_from_slice(&chunk);
    Some(file)
}
