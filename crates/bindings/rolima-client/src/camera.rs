//! A camera's client, whatever it comes by.

use crate::transport::{Heard, Link};
use rolima_link::{
    CameraInfo, ClientMessage, FrameError, FrameHead, MessageError, PictureDecoder, ServerMessage,
    Turn,
};
use std::net::ToSocketAddrs;
use std::time::{Duration, Instant};

/// Time between two requests for a background.
const KEY_REST: Duration = Duration::from_millis(250);

/// What frames come by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// A stream: nothing is lost, but what a slow program does not read is left out before it is sent.
    #[default]
    Tcp,
    /// Datagrams: the newest frame always, and some may be lost.
    Udp,
}

/// How a client connects.
#[derive(Clone, Debug)]
pub struct CameraOptions {
    /// What frames come by.
    pub transport: Transport,
    /// The camera's token; empty where none is needed.
    pub token: String,
    /// Whether the world waits for this program at every frame ([`CameraClient::done`]). By TCP only.
    pub lock_step: bool,
    /// How long connecting may take.
    pub patience: Duration,
}

impl Default for CameraOptions {
    fn default() -> Self {
        let transport = Transport::Tcp;
        let (token, lock_step) = (String::new(), false);
        Self { transport, token, lock_step, patience: Duration::from_secs(5) }
    }
}

/// Why there are no frames.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The simulator does not want this client.
    #[error("the camera link refuses: {0}")]
    Refused(String),
    /// Nobody answers.
    #[error("no camera link answers at {0}")]
    Silent(String),
    /// What came makes no sense: it is no camera link, or another version of it.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// A frame that makes no sense came by TCP, where none can be damaged.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// Anything else of the system's.
    #[error("the camera link: {0}")]
    System(#[from] std::io::Error),
}

/// What has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraEvent {
    /// A frame: [`CameraClient::rgb`] and [`CameraClient::head`] are its own.
    Frame,
    /// The camera, or another one: [`CameraClient::info`].
    Camera,
    /// In lock step the world waits for [`CameraClient::done`].
    Turn(Turn),
    /// The run is over.
    End,
}

/// What has come so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CameraStats {
    /// Whole frames.
    pub frames: u64,
    /// Bytes of all messages.
    pub bytes: u64,
    /// Frames that are missing between those that came.
    pub missed: u64,
    /// Frames that came before their background.
    pub without_background: u64,
    /// Messages that made no sense, by UDP.
    pub bad: u64,
}

/// A client of one camera.
pub struct CameraClient {
    link: Link,
    decoder: PictureDecoder,
    info: CameraInfo,
    head: FrameHead,
    stats: CameraStats,
    key_asked: Option<Instant>,
}

impl CameraClient {
    /// Connects to a camera.
    pub fn connect(
        address: impl ToSocketAddrs,
        options: &CameraOptions,
    ) -> Result<Self, ClientError> {
        let mut last = None;
        for address in address.to_socket_addrs()? {
            match Link::connect(address, options) {
                Ok(link) => {
                    let (decoder, info) = (PictureDecoder::default(), CameraInfo::default());
                    let (head, stats) = (FrameHead::default(), CameraStats::default());
                    return Ok(Self { link, decoder, info, head, stats, key_asked: None });
                }
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| ClientError::Silent("an address without a machine".to_owned())))
    }

    /// The camera; empty before it has told.
    pub fn info(&self) -> &CameraInfo {
        &self.info
    }

    /// What the last frame says of itself.
    pub fn head(&self) -> &FrameHead {
        &self.head
    }

    /// Width and height of the last frame, pixels; 0 before the first background.
    pub fn size(&self) -> [u32; 2] {
        self.decoder.size()
    }

    /// The last frame: red, green, blue of each pixel, top row first. The background before the first one.
    pub fn rgb(&self) -> &[u8] {
        self.decoder.rgb()
    }

    /// The picture of the empty field, in the same form.
    pub fn background(&self) -> &[u8] {
        self.decoder.background()
    }

    /// What has come so far.
    pub fn stats(&self) -> CameraStats {
        self.stats
    }

    /// Waits for what comes next; nothing if that takes too long.
    pub fn next(&mut self, longest: Duration) -> Result<Option<CameraEvent>, ClientError> {
        let until = Instant::now() + longest;
        loop {
            let Heard::Message = self.link.hear(until)? else { return Ok(None) };
            self.stats.bytes += self.link.message().len() as u64;
            let event = match ServerMessage::read(self.link.message()) {
                Ok(message) => take(&mut self.decoder, &mut self.info, message),
                Err(error) => Err(error.into()),
            };
            match event {
                Ok(Some(Taken::Event(event))) => return Ok(Some(event)),
                Ok(Some(Taken::Frame(head))) => {
                    self.count(&head);
                    return Ok(Some(CameraEvent::Frame));
                }
                Ok(Some(Taken::Refused(why))) => return Err(ClientError::Refused(why)),
                Ok(None) => {}
                Err(FrameError::NoKey { .. }) => {
                    self.stats.without_background += 1;
                    self.want_key()?;
                }
                Err(error) if self.link.is_reliable() => return Err(error.into()),
                Err(_) => self.stats.bad += 1,
            }
        }
    }

    /// Asks for the background; it comes anyway now and then.
    pub fn want_key(&mut self) -> Result<(), ClientError> {
        if self.key_asked.is_none_or(|asked| asked.elapsed() >= KEY_REST) {
            self.key_asked = Some(Instant::now());
            self.link.say(&ClientMessage::KeyWanted)?;
        }
        Ok(())
    }

    /// In lock step: the world may leave the step of a turn.
    pub fn done(&mut self, turn: Turn) -> Result<(), ClientError> {
        self.link.say(&ClientMessage::Done { step: turn.step })
    }

    /// A frame came.
    fn count(&mut self, head: &FrameHead) {
        let between = head.number.checked_sub(self.head.number + 1);
        if self.stats.frames > 0 {
            // A scene that starts over counts anew; a late one was counted as missed before.
            self.stats.missed += between.unwrap_or(0);
        }
        self.stats.frames += 1;
        self.head = *head;
    }
}

impl Drop for CameraClient {
    fn drop(&mut self) {
        let _ = self.link.say(&ClientMessage::Bye);
    }
}

/// What a message leads to.
enum Taken {
    Event(CameraEvent),
    Frame(FrameHead),
    Refused(String),
}

fn take(
    decoder: &mut PictureDecoder,
    info: &mut CameraInfo,
    message: ServerMessage<'_>,
) -> Result<Option<Taken>, FrameError> {
    Ok(match message {
        ServerMessage::Camera(told) => {
            // Datagrams tell it again and again.
            let is_new = *info != told;
            *info = told;
            is_new.then_some(Taken::Event(CameraEvent::Camera))
        }
        ServerMessage::Key { key, width, height, crc, data } => {
            decoder.key(key, [width, height], crc, data)?;
            None
        }
        ServerMessage::Frame { head, crc, patches, data } => {
            decoder.frame(&head, crc, &patches, data)?;
            Some(Taken::Frame(head))
        }
        ServerMessage::Turn(turn) => Some(Taken::Event(CameraEvent::Turn(turn))),
        ServerMessage::Refused(why) => Some(Taken::Refused(why)),
        ServerMessage::End => Some(Taken::Event(CameraEvent::End)),
        ServerMessage::Cookie(_) => None,
    })
}
