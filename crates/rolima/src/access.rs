//! Who may connect, and in which role: what the command line says of it.

use anyhow::Result;
use clap::Args;
use rolima_console::failure::Usage;
use rolima_console::numbers::whole;
use rolima_core::Model;
use rolima_serve::addresses::{listen, robotone_listen};
use rolima_serve::robotone::{ForPrograms, Network};
use rolima_serve::web::{TlsError, TlsIdentity, TlsTrust, Tokens};
use rolima_serve::{Listen, ServerLimits, ServerOptions};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The word for all robots.
const ALL: &str = "all";
/// Most names of robots in one message.
const MOST_NAMES: usize = 12;

/// Where the page is served.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Serve the page here, even without a view; other machines need the token of one of the printed
    /// addresses: to watch, to drive, to control [default: this machine only, port 8642 or the next free one]
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = listen)]
    pub(crate) listen: Option<SocketAddr>,

    /// Let everybody in who reaches the address of --listen, without a token, to do anything
    #[arg(long, requires = "listen")]
    pub(crate) open: bool,

    /// Keep the tokens of the addresses in this file, so that the next run has the same ones; made with
    /// random ones if it is not there. They are needed on this machine, too
    #[arg(long, value_name = "FILE", conflicts_with = "open")]
    pub(crate) tokens: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) encryption: Encryption,

    /// A name of this machine by which people open the page, besides its addresses; may be repeated
    #[arg(long = "host", value_name = "NAME", requires = "listen")]
    pub(crate) hosts: Vec<String>,

    /// Memory for maps that are being sent, of all viewers together, MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = whole(1..=65_536_u64))]
    pub(crate) map_memory: u64,

    /// Do not open a browser
    #[arg(long)]
    pub(crate) no_browser: bool,
}

/// What connections are encrypted with.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Encryption {
    /// Encrypt all connections (TLS), with this certificate (PEM) and those that have signed it
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,

    /// The certificate's private key (PEM), without a passphrase
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl Encryption {
    /// The certificate and its key, if connections are to be encrypted.
    pub(crate) fn identity(&self) -> Result<Option<TlsIdentity>, Usage> {
        match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => {
                TlsIdentity::read(certificate, key).map(Some).map_err(no_tls)
            }
            _ => Ok(None),
        }
    }
}

/// Programs that drive robots.
#[derive(Clone, Debug, Args)]
pub(crate) struct RobotOneArguments {
    /// Let programs of Robot One in here, even without a view; it has no password, so an address
    /// that others reach needs --robotone-allow. Without a port 5046 (release) and 5047 (thesis),
    /// else that one and the next [default: this machine only]
    #[arg(long, value_name = "ADDRESS[:PORT]", value_parser = robotone_listen)]
    pub(crate) robotone_listen: Option<SocketAddr>,

    #[command(flatten)]
    pub(crate) networks: Networks,

    /// Robots that programs of Robot One may drive, with `=ADDRESS` those from there alone; `all` lets them
    /// change the world, too [default: all for this machine only, else those that somebody releases on
    /// the page]
    #[arg(
        long,
        value_name = "NAME[=ADDRESS[/BITS]],...",
        value_delimiter = ',',
        conflicts_with = "no_robotone"
    )]
    pub(crate) robotone_robots: Vec<String>,

    /// Let no programs of Robot One in
    #[arg(long, conflicts_with = "robotone_listen")]
    pub(crate) no_robotone: bool,

    /// Advance only when every program of Robot One waits for the next cycle
    #[arg(long, conflicts_with_all = ["lock_step", "no_robotone"])]
    pub(crate) robotone_step: bool,

    /// Send zeros before every program's first picture at the release's port, for the released library
    /// on Linux where it is not recognised by its habits
    #[arg(long)]
    pub(crate) prime_receive_window: bool,
}

/// Where programs come from.
#[derive(Clone, Debug, Args)]
pub(crate) struct Networks {
    /// Addresses that programs of Robot One may come from, such as 192.168.1.7,192.168.2.0/24; needed
    /// where other machines can reach it
    #[arg(long = "robotone-allow", value_name = "ADDRESS[/BITS],...", value_delimiter = ',')]
    pub(crate) allow: Vec<Network>,
}

impl Networks {
    /// Those that are allowed for programs at this address; none: all that reach it.
    pub(crate) fn at(&self, address: Option<SocketAddr>) -> Result<Option<Vec<Network>>, Usage> {
        match address.filter(|address| !address.ip().is_loopback()) {
            Some(address) if self.allow.is_empty() => Err(Usage(format!(
                "Robot One has no password, so that at {} it needs --robotone-allow with the addresses \
                 that programs may come from, such as 192.168.1.0/24, or 0.0.0.0/0 for all",
                address.ip()
            ))),
            _ => Ok(Some(self.allow.clone()).filter(|allow| !allow.is_empty())),
        }
    }
}

impl RobotOneArguments {
    /// Which robots programs may drive at first.
    pub(crate) fn for_programs(&self, model: &Model) -> Result<ForPrograms, Usage> {
        let others_reach = self.robotone_listen.is_some_and(|at| !at.ip().is_loopback());
        match self.robotone_robots.as_slice() {
            [] if others_reach => Ok(ForPrograms::named([])),
            [] => Ok(ForPrograms::default()),
            [all] if all == ALL => Ok(ForPrograms::default()),
            robots => {
                let pairs: Vec<_> =
                    robots.iter().map(|robot| pair(robot)).collect::<Result<_, _>>()?;
                let names: Vec<String> = pairs.iter().map(|(name, _)| name.clone()).collect();
                check_robots("--robotone-robots", &names, model)?;
                Ok(ForPrograms::paired(pairs))
            }
        }
    }
}

/// A robot's name, and the addresses behind it where there are any.
fn pair(text: &str) -> Result<(String, Option<Network>), Usage> {
    let Some((name, address)) = text.split_once('=') else { return Ok((text.to_owned(), None)) };
    let network = address.parse().map_err(|why| Usage(format!("--robotone-robots: {why}")))?;
    Ok((name.to_owned(), Some(network)))
}

/// Refuses names of robots that a scene does not have.
pub(crate) fn check_robots(option: &str, names: &[String], model: &Model) -> Result<(), Usage> {
    let is_strange = |name: &&String| !model.robots.iter().any(|robot| robot.name == **name);
    let Some(strange) = names.iter().find(is_strange) else { return Ok(()) };
    let some = model.robots.iter().take(MOST_NAMES).map(|robot| robot.name.as_str());
    let more = if model.robots.len() > MOST_NAMES { ", ..." } else { "" };
    let some = some.collect::<Vec<_>>().join(", ");
    Err(Usage(format!("{option}: expected robots of the scene ({some}{more}), got `{strange}`")))
}

impl ServeArguments {
    /// Whether the page is only for those who have a token.
    pub(crate) fn needs_token(&self) -> bool {
        let others_reach = self.listen.is_some_and(|at| !at.ip().is_loopback());
        self.tokens.is_some() || (others_reach && !self.open)
    }

    /// What a server is told by the command line.
    pub(crate) fn options(&self) -> Result<ServerOptions> {
        Ok(ServerOptions {
            listen: self.listen.map_or(Listen::Default, Listen::At),
            open: self.open,
            tokens: kept_tokens(self.tokens.as_deref())?,
            tls: self.encryption.identity()?,
            hosts: self.hosts.clone(),
            limits: ServerLimits {
                half_sent_bytes: self.map_memory << 20,
                ..ServerLimits::default()
            },
            ..ServerOptions::default()
        })
    }
}

/// The tokens in a file, if they are kept in one.
pub(crate) fn kept_tokens(file: Option<&Path>) -> Result<Option<Tokens>, Usage> {
    let kept = |file: &Path| {
        Tokens::kept_in(file).map_err(|why| Usage(format!("--tokens {}: {why}", file.display())))
    };
    file.map(kept).transpose()
}

/// The certificates in a file, to be trusted.
pub(crate) fn trust(file: &Path) -> Result<TlsTrust> {
    Ok(TlsTrust::read(file).map_err(no_tls)?)
}

fn no_tls(error: TlsError) -> Usage {
    Usage(format!("TLS: {error}"))
}
