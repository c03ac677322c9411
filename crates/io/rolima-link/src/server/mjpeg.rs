//! Viewers that can only read MJPEG over HTTP: `GET /` or `/camera.mjpg`, with `?token=...` where one is needed.

use super::options::equal;
use super::tcp::{LOOK, write};
use super::{Shared, lock};
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use std::io::Read;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};

/// What such a request begins with.
pub(crate) const GET: &[u8; 4] = b"GET ";
/// Longest request, bytes.
const MOST_REQUEST: usize = 8 * 1024;
/// How good the pictures are, of 100.
const QUALITY: u8 = 90;
/// Between two pictures.
const BOUNDARY: &str = "rolima-frame";

/// The newest picture, for those who want it as JPEG.
#[derive(Default)]
pub(crate) struct Jpegs {
    wanted: AtomicUsize,
    newest: Mutex<Newest>,
    news: Condvar,
}

#[derive(Default)]
struct Newest {
    number: u64,
    size: [u32; 2],
    rgb: Vec<u8>,
    /// Made by the first viewer that gets to it.
    jpeg: Option<std::sync::Arc<[u8]>>,
}

impl Jpegs {
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Relaxed) > 0
    }

    /// Leaves a picture. Where a viewer is just making one of the picture before, this one is left out.
    pub(crate) fn put(&self, size: [u32; 2], rgb: &[u8]) {
        if let Ok(mut newest) = self.newest.try_lock() {
            newest.number += 1;
            (newest.size, newest.jpeg) = (size, None);
            newest.rgb.clear();
            newest.rgb.extend_from_slice(rgb);
            drop(newest);
            self.news.notify_all();
        }
    }

    /// The newest picture, if it is not the one of this number.
    fn wait(&self, number: &mut u64) -> Option<std::sync::Arc<[u8]>> {
        let mut newest = lock(&self.newest);
        if newest.number == *number {
            newest = self.news.wait_timeout(newest, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        if newest.number == *number || newest.rgb.is_empty() {
            return None;
        }
        *number = newest.number;
        if newest.jpeg.is_none() {
            let mut file = vec![];
            let ([width, height], kind) = (newest.size, ExtendedColorType::Rgb8);
            let made = JpegEncoder::new_with_quality(&mut file, QUALITY).encode(
                &newest.rgb,
                width,
                height,
                kind,
            );
            newest.jpeg = made.ok().map(|()| file.into());
        }
        newest.jpeg.clone()
    }
}

/// Reads the rest of a request. Whether its token is right.
pub(crate) fn asked(shared: &Shared, stream: &mut TcpStream) -> std::io::Result<bool> {
    let mut request = vec![];
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") && !request.ends_with(b"\n\n") {
        if request.len() >= MOST_REQUEST || stream.read(&mut byte)? == 0 {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        request.push(byte[0]);
    }
    let line = request.split(|byte| *byte == b'\r' || *byte == b'\n').next().unwrap_or_default();
    let target = String::from_utf8_lossy(line);
    let target = target.split(' ').next().unwrap_or_default();
    let (_, query) = target.split_once('?').unwrap_or((target, ""));
    let given = query.split('&').find_map(|pair| pair.strip_prefix("token=")).unwrap_or_default();
    Ok(shared.token.as_ref().is_none_or(|own| equal(own, given)))
}

/// Refuses a request.
pub(crate) fn refuse(stream: &mut TcpStream, token_is_right: bool) -> std::io::Result<()> {
    use std::io::Write;
    let why = if token_is_right { "503 Too Many Clients" } else { "403 Wrong Token" };
    write!(stream, "HTTP/1.1 {why}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

/// Sends pictures until the viewer goes or the link ends.
pub(crate) fn serve(shared: &Shared, stream: &mut TcpStream) -> std::io::Result<()> {
    shared.jpeg.wanted.fetch_add(1, Relaxed);
    shared.outbox.add_clients(1);
    let served = send_all(shared, stream);
    shared.outbox.add_clients(-1);
    shared.jpeg.wanted.fetch_sub(1, Relaxed);
    served
}

fn send_all(shared: &Shared, stream: &mut TcpStream) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary={BOUNDARY}\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    );
    write(shared, stream, head.as_bytes())?;
    let mut number = 0;
    while !shared.is_stopped() {
        let Some(jpeg) = shared.jpeg.wait(&mut number) else { continue };
        let mut part = format!(
            "--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n",
            jpeg.len()
        )
        .into_bytes();
        part.extend_from_slice(&jpeg);
        part.extend_from_slice(b"\r\n");
        write(shared, stream, &part)?;
    }
    Ok(())
}
