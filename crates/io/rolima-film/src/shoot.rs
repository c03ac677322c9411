//! Drawing and encoding side by side.

use crate::FilmError;
use crate::encode::{Encode, Reel};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

/// Pictures on their way to the encoder: enough that neither side waits for single slow ones.
const UNDER_WAY: usize = 4;

/// Takes the pictures of a reel: `picture` draws one, by its number from 0, on the calling thread, while
/// the one before is encoded on another; false ends the film before it. Returns how many were taken. Where
/// it fails, or none was taken, what there is of the file is removed.
pub fn shoot<E: From<FilmError>>(
    reel: &Reel,
    file: Box<dyn Encode>,
    mut picture: impl FnMut(u64, &mut [u8]) -> Result<bool, E>,
) -> Result<u64, E> {
    let (full, to_encode) = sync_channel::<Vec<u8>>(UNDER_WAY);
    let (back, empty) = channel();
    thread::scope(|scope| {
        let encoder = scope.spawn(move || encode(file, &to_encode, |room| drop(back.send(room))));
        let taken = draw(reel, &full, &empty, &mut picture);
        let failed = taken.is_err();
        if failed {
            // An empty picture calls the file off.
            let _ = full.send(vec![]);
        }
        drop(full);
        let encoded = encoder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let taken = taken?;
        encoded?;
        Ok(taken)
    })
}

/// Draws until the reel is full, somebody ends it, or nobody encodes any more.
fn draw<E>(
    reel: &Reel,
    full: &SyncSender<Vec<u8>>,
    empty: &Receiver<Vec<u8>>,
    picture: &mut impl FnMut(u64, &mut [u8]) -> Result<bool, E>,
) -> Result<u64, E> {
    let bytes = reel.bytes();
    for number in 0..reel.pictures {
        let mut rgb = empty.try_recv().unwrap_or_else(|_| vec![0; bytes]);
        if !picture(number, &mut rgb)? || full.send(rgb).is_err() {
            return Ok(number);
        }
    }
    Ok(reel.pictures)
}

/// Encodes what comes, and gives the rooms of pictures back.
fn encode(
    mut file: Box<dyn Encode>,
    pictures: &Receiver<Vec<u8>>,
    back: impl Fn(Vec<u8>),
) -> Result<(), FilmError> {
    let mut taken = 0_u64;
    for rgb in pictures {
        if rgb.is_empty() {
            file.call_off();
            return Ok(());
        }
        if let Err(error) = file.write(&rgb) {
            file.call_off();
            return Err(error);
        }
        taken += 1;
        back(rgb);
    }
    if taken == 0 {
        file.call_off();
        return Ok(());
    }
    file.finish()
}
