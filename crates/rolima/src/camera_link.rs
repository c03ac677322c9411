//! The camera links of a run, and `rolima camera`: frames of one for programs that read a pipe.

use anyhow::Result;
use clap::Args;
use rolima_client::{CameraClient, CameraEvent, CameraOptions, Transport};
use rolima_console::failure::{Usage, say, tell};
use rolima_console::numbers::{count, duration};
use rolima_core::Model;
use rolima_link::server::{CameraLinkError, CameraLinkOptions, CameraLinks, keep_tokens};
use rolima_run::live::Live;
use rolima_serve::addresses::listen;
use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often is told how frames come.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// Programs that see by the cameras of the world.
#[derive(Clone, Debug, Args)]
pub(crate) struct CameraLinkArguments {
    /// Send the frames of the world's cameras to programs on this machine, by TCP and UDP: the first camera at port
    /// 8650 or the next free one, the others after it
    #[arg(long)]
    camera_link: bool,

    /// The same here; other machines need the camera's token, as it is printed. With port 0 each camera has any that
    /// is free
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = listen)]
    camera_link_listen: Option<SocketAddr>,

    /// Keep the tokens of the cameras in this file, a line `CAMERA TOKEN` each, so that the next run has the same
    /// ones; made with random ones if it is not there. They are needed on this machine, too
    #[arg(long, value_name = "FILE")]
    camera_link_tokens: Option<PathBuf>,
}

impl CameraLinkArguments {
    /// Whether frames are to be sent.
    pub(crate) fn is_wanted(&self) -> bool {
        self.camera_link || self.camera_link_listen.is_some() || self.camera_link_tokens.is_some()
    }
}

/// Opens the links that are asked for, and says where they are. They end when what is returned is dropped.
pub(crate) fn open(
    arguments: &CameraLinkArguments,
    model: &Arc<Model>,
    live: &mut Live,
    lock_step: bool,
) -> Result<Option<CameraLinks>> {
    if !arguments.is_wanted() {
        return Ok(None);
    }
    let refused = |error: CameraLinkError| Usage(format!("--camera-link: {error}"));
    let tokens = match &arguments.camera_link_tokens {
        Some(file) => keep_tokens(file, model).map_err(refused)?,
        None => Default::default(),
    };
    let listen = arguments.camera_link_listen;
    let options = CameraLinkOptions { listen, tokens, ..CameraLinkOptions::default() };
    let mailbox = lock_step.then(|| live.mailbox());
    let (links, sink) = CameraLinks::open(model, &options, mailbox).map_err(refused)?;
    live.add_sink(Box::new(sink));
    for link in links.announced() {
        let token = link.token.map(|token| format!(", token {token}")).unwrap_or_default();
        tell(&format!("{}: camera link at {}{token}", link.camera, link.address));
    }
    Ok(Some(links))
}

/// Says what was sent.
pub(crate) fn tell_counts(links: &CameraLinks) {
    for (link, stats) in links.announced().zip(links.stats()) {
        tell(&format!("{}: {stats}", link.camera));
    }
}

/// `rolima camera`.
#[derive(Debug, Args)]
pub(crate) struct CameraArguments {
    /// The camera's link, as `rolima run --camera-link` prints it
    #[arg(value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8650")]
    address: String,

    /// The camera's token
    #[arg(long, value_name = "TOKEN", default_value = "")]
    token: String,

    /// Take datagrams in place of a stream
    #[arg(long)]
    udp: bool,

    /// Write whole frames to standard output, red, green, blue of each pixel, top row first, for programs that read
    /// a pipe; else it is told how they come
    #[arg(long)]
    raw: bool,

    /// End after so many frames
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    frames: Option<u64>,

    /// Give up where nothing comes for so long, s
    #[arg(long, value_name = "SECONDS", value_parser = duration, default_value = "10")]
    patience: Duration,
}

/// Takes frames of a camera.
pub(crate) fn run(arguments: &CameraArguments) -> Result<()> {
    let options = CameraOptions {
        transport: if arguments.udp { Transport::Udp } else { Transport::Tcp },
        token: arguments.token.clone(),
        lock_step: false,
        patience: arguments.patience,
    };
    let mut camera = CameraClient::connect(arguments.address.as_str(), &options)?;
    let mut out = std::io::stdout().lock();
    let (mut told, mut before, mut taken) = (Instant::now(), camera.stats(), 0);
    while arguments.frames.is_none_or(|most| taken < most) {
        match camera.next(arguments.patience)? {
            Some(CameraEvent::Frame) => taken += 1,
            Some(CameraEvent::Camera) => {
                let info = camera.info();
                let (rate, size) = (1.0 / info.period_s, [info.width, info.height]);
                tell(&format!(
                    "{}: {} x {}, rgb24, {rate:.3} frames/s",
                    info.name, size[0], size[1]
                ));
                continue;
            }
            Some(CameraEvent::End) => break,
            Some(CameraEvent::Turn(_)) => continue,
            None => return Err(Usage("no frame came in time".to_owned()).into()),
        }
        if arguments.raw {
            match out.write_all(camera.rgb()).and_then(|()| out.flush()) {
                // Who reads has enough.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
                written => written?,
            }
        } else if told.elapsed() >= TELL_EVERY || arguments.frames == Some(taken) {
            let (now, seconds) = (camera.stats(), told.elapsed().as_secs_f64());
            let rate = (now.frames - before.frames) as f64 / seconds;
            let kilobytes = (now.bytes - before.bytes) as f64 / seconds / 1e3;
            let missed = now.missed - before.missed;
            say(&format!("{rate:.1} frames/s, {kilobytes:.1} kB/s, {missed} missed"))?;
            (told, before) = (Instant::now(), now);
        }
    }
    Ok(())
}
