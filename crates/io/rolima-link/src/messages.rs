//! What both sides say. Numbers are little-endian; a message's first byte tells its kind.

use std::fmt;

/// What a client's TCP connection and each of its datagrams begin with.
pub const MAGIC: &[u8; 4] = b"RLCK";
/// Counts incompatible changes of the messages.
pub const VERSION: u8 = 1;
/// Most pixels of a picture: bounds what a message can make a client allocate.
pub const MOST_PIXELS: u32 = 4096 * 4096;
/// Longest message of the server, bytes.
pub const MOST_BODY_BYTES: usize = 64 << 20;
/// Longest message of a client, bytes.
pub const MOST_CLIENT_BYTES: usize = 256;
/// Most patches of a frame.
pub const MOST_PATCHES: usize = 4096;

/// Kinds of the server's messages.
pub(crate) mod kind {
    pub(crate) const CAMERA: u8 = 1;
    pub(crate) const KEY: u8 = 2;
    pub(crate) const FRAME: u8 = 3;
    pub(crate) const TURN: u8 = 4;
    pub(crate) const REFUSED: u8 = 5;
    pub(crate) const END: u8 = 6;
    pub(crate) const COOKIE: u8 = 7;
    pub(crate) const HELLO: u8 = 0x81;
    pub(crate) const KEY_WANTED: u8 = 0x82;
    pub(crate) const DONE: u8 = 0x83;
    pub(crate) const BYE: u8 = 0x84;
}

/// Flag of a frame: every pixel may differ from the background, and the frame is one patch.
pub const EVERYWHERE: u8 = 1;
/// Flag of a frame: its bytes are differences to the background, all red ones first, and not pixels.
pub const DIFFERENCES: u8 = 2;
/// Flag of a hello and of a camera: the world waits for clients at every frame.
pub const LOCK_STEP: u8 = 1;

/// Why bytes are no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// It ends early.
    #[error("expected {expected} bytes of {what}, got {got}")]
    Short {
        /// Of what.
        what: &'static str,
        /// Bytes.
        expected: usize,
        /// Bytes.
        got: usize,
    },
    /// Something in it makes no sense.
    #[error("{what}: expected {expected}, got {got}")]
    Bad {
        /// Of what.
        what: &'static str,
        /// What would make sense.
        expected: String,
        /// What stands there.
        got: String,
    },
}

pub(crate) fn bad(
    what: &'static str,
    expected: impl fmt::Display,
    got: impl fmt::Display,
) -> MessageError {
    MessageError::Bad { what, expected: expected.to_string(), got: got.to_string() }
}

/// The error of a message that says it has so many bytes.
pub fn bad_length(got: usize) -> MessageError {
    bad("length of a message", format!("1 to {MOST_BODY_BYTES} bytes"), got)
}

/// A camera, as its clients are told first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraInfo {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Simulated time between two frames, s.
    pub period_s: f64,
    /// Whether the world waits for this client at every frame.
    pub lock_step: bool,
    /// What the scene calls it.
    pub name: String,
}

/// A rectangle of a frame that is sent, pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FramePatch {
    /// First column.
    pub left: u16,
    /// First row.
    pub top: u16,
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl FramePatch {
    /// Pixels in it.
    pub fn pixels(&self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }
}

/// What a frame says of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameHead {
    /// Which background its patches are laid over.
    pub key: u32,
    /// Counts the camera's pictures, from 1, those that are lost included; a scene that starts over counts anew.
    pub number: u64,
    /// Steps of the world when it was taken.
    pub step: u64,
    /// Simulated time when it was taken, s.
    pub time_s: f64,
    /// [`EVERYWHERE`], [`DIFFERENCES`].
    pub flags: u8,
}

impl FrameHead {
    /// Whether every pixel may differ from the background: the whole frame was sent.
    pub fn is_whole(&self) -> bool {
        self.flags & EVERYWHERE != 0
    }
}

/// In lock step: the world waits for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turn {
    /// The step that it waits at: what is answered.
    pub step: u64,
    /// Simulated time, s.
    pub time_s: f64,
}

/// What the server says.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerMessage<'a> {
    /// The camera; before all else, and again when another scene is loaded.
    Camera(CameraInfo),
    /// The picture of the empty field.
    Key {
        /// Its number; frames name it.
        key: u32,
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
        /// CRC-32 of its pixels.
        crc: u32,
        /// Its pixels, compressed.
        data: &'a [u8],
    },
    /// What differs from it.
    Frame {
        /// What the frame says of itself.
        head: FrameHead,
        /// CRC-32 of its patches: of each its four numbers, then its pixels.
        crc: u32,
        /// Its patches.
        patches: Vec<FramePatch>,
        /// Their pixels, compressed.
        data: &'a [u8],
    },
    /// In lock step: all frames for this step were sent, and the world waits.
    Turn(Turn),
    /// The client is not served.
    Refused(String),
    /// The run is over.
    End,
    /// By UDP: the hello is to be said again with this.
    Cookie(u64),
}

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientMessage {
    /// Wants frames.
    Hello {
        /// The camera's token; empty where none is needed.
        token: String,
        /// Whether the world is to wait for this client.
        lock_step: bool,
        /// By UDP: what the server gave; 0 before.
        cookie: u64,
    },
    /// Wants the picture of the empty field.
    KeyWanted,
    /// In lock step: the world may leave this step.
    Done {
        /// The step of the turn.
        step: u64,
    },
    /// Wants no more frames.
    Bye,
}

/// Reads numbers one after another.
struct Reader<'a> {
    bytes: &'a [u8],
    what: &'static str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], MessageError> {
        let (what, got) = (self.what, self.bytes.len());
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(MessageError::Short {
            what,
            expected: count,
            got,
        })?;
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], MessageError> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| bad(self.what, N, taken.len()))
    }

    fn u8(&mut self) -> Result<u8, MessageError> {
        Ok(self.array::<1>()?[0])
    }

    fn u16(&mut self) -> Result<u16, MessageError> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, MessageError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, MessageError> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self, count: usize) -> Result<String, MessageError> {
        let bytes = self.take(count)?;
        let text = std::str::from_utf8(bytes);
        text.map(str::to_owned).map_err(|_| bad(self.what, "a text in UTF-8", "other bytes"))
    }

    fn time(&mut self) -> Result<f64, MessageError> {
        let time_s = f64::from_bits(self.u64()?);
        if time_s.is_finite() { Ok(time_s) } else { Err(bad(self.what, "a time", time_s)) }
    }

    fn size(&mut self) -> Result<[u32; 2], MessageError> {
        let [width, height] = [self.u16()?, self.u16()?].map(u32::from);
        if width == 0 || height == 0 || width * height > MOST_PIXELS {
            let expected = format!("a picture of 1 to {MOST_PIXELS} pixels");
            return Err(bad(self.what, expected, format!("{width} x {height}")));
        }
        Ok([width, height])
    }

    fn end(self) -> Result<(), MessageError> {
        let left = self.bytes.len();
        if left == 0 {
            Ok(())
        } else {
            Err(bad(self.what, "its end", format!("{left} bytes more")))
        }
    }
}

impl<'a> ServerMessage<'a> {
    /// Reads a message.
    pub fn read(body: &'a [u8]) -> Result<Self, MessageError> {
        let mut reader = Reader { bytes: body, what: "message" };
        let message = match reader.u8()? {
            kind::CAMERA => Self::Camera(camera(&mut reader)?),
            kind::KEY => {
                reader.what = "key frame";
                let key = reader.u32()?;
                let [width, height] = reader.size()?;
                let crc = reader.u32()?;
                let data = reader.take(reader.bytes.len())?;
                Self::Key { key, width, height, crc, data }
            }
            kind::FRAME => frame(&mut reader)?,
            kind::TURN => {
                reader.what = "turn";
                Self::Turn(Turn { step: reader.u64()?, time_s: reader.time()? })
            }
            kind::REFUSED => {
                reader.what = "refusal";
                let count = reader.u16()?;
                Self::Refused(reader.text(count.into())?)
            }
            kind::END => Self::End,
            kind::COOKIE => Self::Cookie(reader.u64()?),
            other => return Err(bad("message", "a kind from 1 to 7", other)),
        };
        reader.end()?;
        Ok(message)
    }

    /// Adds the message to bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Camera(info) => {
                out.extend([kind::CAMERA, VERSION, u8::from(info.lock_step) * LOCK_STEP]);
                for side in [info.width, info.height] {
                    out.extend((side as u16).to_le_bytes());
                }
                out.extend(info.period_s.to_le_bytes());
                let name = shortened(&info.name, 255);
                out.push(name.len() as u8);
                out.extend(name.as_bytes());
            }
            Self::Key { key, width, height, crc, data } => {
                out.push(kind::KEY);
                out.extend(key.to_le_bytes());
                for side in [*width, *height] {
                    out.extend((side as u16).to_le_bytes());
                }
                out.extend(crc.to_le_bytes());
                out.extend_from_slice(data);
            }
            Self::Frame { head, crc, patches, data } => {
                write_frame_head(head, *crc, patches, out);
                out.extend_from_slice(data);
            }
            Self::Turn(Turn { step, time_s }) => {
                out.push(kind::TURN);
                out.extend(step.to_le_bytes());
                out.extend(time_s.to_le_bytes());
            }
            Self::Refused(why) => {
                let why = shortened(why, 1000);
                out.push(kind::REFUSED);
                out.extend((why.len() as u16).to_le_bytes());
                out.extend(why.as_bytes());
            }
            Self::End => out.push(kind::END),
            Self::Cookie(cookie) => {
                out.push(kind::COOKIE);
                out.extend(cookie.to_le_bytes());
            }
        }
    }

    /// The message as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = vec![];
        self.write(&mut out);
        out
    }
}

/// A text of at most so many bytes.
fn shortened(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

fn camera(reader: &mut Reader<'_>) -> Result<CameraInfo, MessageError> {
    reader.what = "camera";
    let version = reader.u8()?;
    if version != VERSION {
        return Err(bad("version", VERSION, version));
    }
    let flags = reader.u8()?;
    let [width, height] = reader.size()?;
    let period_s = reader.time()?;
    let count = reader.u8()?;
    let name = reader.text(count.into())?;
    Ok(CameraInfo { width, height, period_s, lock_step: flags & LOCK_STEP != 0, name })
}

/// Adds all of a frame but its compressed pixels to bytes.
pub(crate) fn write_frame_head(
    head: &FrameHead,
    crc: u32,
    patches: &[FramePatch],
    out: &mut Vec<u8>,
) {
    out.extend([kind::FRAME, head.flags]);
    out.extend((patches.len() as u16).to_le_bytes());
    out.extend(head.key.to_le_bytes());
    out.extend(head.number.to_le_bytes());
    out.extend(head.step.to_le_bytes());
    out.extend(head.time_s.to_le_bytes());
    out.extend(crc.to_le_bytes());
    for patch in patches {
        for number in [patch.left, patch.top, patch.width, patch.height] {
            out.extend(number.to_le_bytes());
        }
    }
}

fn frame<'a>(reader: &mut Reader<'a>) -> Result<ServerMessage<'a>, MessageError> {
    reader.what = "frame";
    let flags = reader.u8()?;
    let count = usize::from(reader.u16()?);
    if count > MOST_PATCHES {
        return Err(bad("frame", format!("at most {MOST_PATCHES} patches"), count));
    }
    let (key, number, step) = (reader.u32()?, reader.u64()?, reader.u64()?);
    let (time_s, crc) = (reader.time()?, reader.u32()?);
    let head = FrameHead { key, number, step, time_s, flags };
    let mut patches = Vec::with_capacity(count);
    for _ in 0..count {
        let [left, top, width, height] =
            [reader.u16()?, reader.u16()?, reader.u16()?, reader.u16()?];
        patches.push(FramePatch { left, top, width, height });
    }
    let data = reader.take(reader.bytes.len())?;
    Ok(ServerMessage::Frame { head, crc, patches, data })
}

impl ClientMessage {
    /// Reads a message.
    pub fn read(body: &[u8]) -> Result<Self, MessageError> {
        let mut reader = Reader { bytes: body, what: "message of a client" };
        let message = match reader.u8()? {
            kind::HELLO => {
                let version = reader.u8()?;
                if version != VERSION {
                    return Err(bad("version", VERSION, version));
                }
                let (flags, cookie, count) = (reader.u8()?, reader.u64()?, reader.u8()?);
                let token = reader.text(count.into())?;
                Self::Hello { token, lock_step: flags & LOCK_STEP != 0, cookie }
            }
            kind::KEY_WANTED => Self::KeyWanted,
            kind::DONE => Self::Done { step: reader.u64()? },
            kind::BYE => Self::Bye,
            other => return Err(bad("message of a client", "a kind from 129 to 132", other)),
        };
        reader.end()?;
        Ok(message)
    }

    /// Adds the message to bytes. Of a token only the first 128 bytes go.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Hello { token, lock_step, cookie } => {
                out.extend([kind::HELLO, VERSION, u8::from(*lock_step) * LOCK_STEP]);
                out.extend(cookie.to_le_bytes());
                let token = shortened(token, 128);
                out.push(token.len() as u8);
                out.extend(token.as_bytes());
            }
            Self::KeyWanted => out.push(kind::KEY_WANTED),
            Self::Done { step } => {
                out.push(kind::DONE);
                out.extend(step.to_le_bytes());
            }
            Self::Bye => out.push(kind::BYE),
        }
    }

    /// The message as a datagram.
    pub fn datagram(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        self.write(&mut out);
        out
    }
}
