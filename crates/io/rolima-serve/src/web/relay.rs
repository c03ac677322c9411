//! The page of a run on another machine: serves the page here and passes every viewer through.

use super::intake::{Intake, IntakeBudget};
use super::options::{ServerError, ServerLimits, ServerOptions};
use super::routes::{ROLE_HEADER, with_page};
use super::server::{HttpService, ServerHandle, stopped};
use super::stats::Stats;
use super::tls::TlsTrust;
use super::upgrade::{Socket, upgrade};
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use futures_util::{SinkExt, StreamExt};
use http_body_util::{BodyExt, Empty, Limited};
use hyper_util::rt::TokioIo;
use rolima_wire::Role;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::rustls;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// Longest message from the other side: a scene of a hundred thousand bodies fits.
const MOST_FAR_BYTES: usize = 64 * 1024 * 1024;
/// Largest picture.
const MOST_PICTURE_BYTES: usize = 4 * 1024 * 1024;
/// How long the other side has to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// What is told where a simulator encrypts and nothing is known to trust.
const NO_TRUST: &str = "it is at https: --tls-ca FILE has to name its certificate, or the one that \
                        has signed it";

/// Serves the page and passes viewers on to a simulator elsewhere.
pub struct Relay {
    far: Far,
    stats: Arc<Stats>,
    limits: ServerLimits,
    budget: Arc<IntakeBudget>,
    stop: watch::Receiver<bool>,
}

/// A simulator elsewhere.
#[derive(Clone, Debug)]
pub struct Far {
    /// `HOST:PORT`.
    authority: String,
    token: Option<String>,
    /// The most that is asked for.
    role: Role,
    /// Which servers are trusted, where the connection is encrypted.
    trust: Option<TlsTrust>,
}

impl Far {
    /// The simulator at an address: `HOST:PORT`, or as it printed it, token included; encrypted where
    /// there is something to trust.
    pub fn new(address: &str, trust: Option<TlsTrust>) -> Result<Self, ServerError> {
        let Parsed { encrypted, authority, token, role } =
            parse(address).ok_or_else(|| ServerError::Address { got: address.to_owned() })?;
        let no_run = |why: &str| {
            let (address, why) = (authority.clone(), why.to_owned());
            Err(ServerError::NoRun { address, why })
        };
        match (encrypted, &trust) {
            (Some(true), None) => no_run(NO_TRUST),
            (Some(false), Some(_)) => no_run("--tls-ca is for addresses with https, got http"),
            _ => Ok(Self { authority, token, role, trust }),
        }
    }

    /// Asks whether it is there and lets a relay in, and waits for the answer, `patience` at most:
    /// what the relay may do.
    pub fn ask(&self, patience: Duration) -> Result<Role, ServerError> {
        let system = |error: std::io::Error| ServerError::System(error.to_string());
        let runtime = Builder::new_current_thread().enable_all().build().map_err(system)?;
        let asked = runtime.block_on(async { timeout(patience, self.access(Role::Control)).await });
        // A name that is being looked up is not waited for any longer.
        runtime.shutdown_background();
        let why = match asked {
            Err(_) => format!("nothing in {} s", patience.as_secs_f64()),
            Ok(Err(why)) => why,
            Ok(Ok((status, Some(role)))) if status.is_success() => return Ok(role),
            // It would pass on more than this relay's own tokens allow.
            Ok(Ok((StatusCode::NO_CONTENT, None))) => "a run of an older rolima".to_owned(),
            Ok(Ok((StatusCode::FORBIDDEN, ..))) => {
                "it asks for the token of an address that it printed".to_owned()
            }
            Ok(Ok((StatusCode::UPGRADE_REQUIRED, ..))) => NO_TRUST.to_owned(),
            Ok(Ok((StatusCode::BAD_GATEWAY, ..))) => "a relay without a run behind it".to_owned(),
            Ok(Ok((status, ..))) => format!("a web server that is no run of rolima ({status})"),
        };
        Err(ServerError::NoRun { address: self.authority.clone(), why })
    }
}

impl Relay {
    /// Starts a relay to a simulator. Viewers get the lesser of their role here and that of the
    /// relay there.
    pub fn start(options: ServerOptions, far: Far) -> Result<ServerHandle, ServerError> {
        let http_service = HttpService::open(&options)?;
        let stats = Arc::new(Stats::default());
        let relay = Arc::new(Self {
            far,
            stats: Arc::clone(&stats),
            limits: options.limits,
            budget: Arc::new(IntakeBudget::new(options.limits.half_sent_bytes, Arc::clone(&stats))),
            stop: http_service.stop.subscribe(),
        });
        let routes = Router::new()
            .route("/ws", get(websocket))
            .route("/pictures/{*name}", get(picture))
            .route("/access", get(access))
            .with_state(relay);
        let router = with_page(routes, Arc::clone(&http_service.guard));
        http_service.serve(router, options.limits, stats)
    }
}

impl Far {
    /// Asks for a role, or for less where the relay has less; the other side grants no more than the
    /// token is for.
    fn query(&self, role: Role) -> String {
        let role = role.min(self.role).name();
        let token = self.token.as_ref().map(|token| format!("&token={token}"));
        format!("?role={role}{}", token.unwrap_or_default())
    }
}

/// What an address says.
struct Parsed {
    /// None if it does not say.
    encrypted: Option<bool>,
    /// `HOST:PORT`.
    authority: String,
    token: Option<String>,
    role: Role,
}

fn parse(far: &str) -> Option<Parsed> {
    let schemes = [("http://", false), ("ws://", false), ("https://", true), ("wss://", true)];
    let said = schemes.iter().find_map(|(scheme, tls)| Some((far.strip_prefix(scheme)?, *tls)));
    let (rest, encrypted) = said.map_or((far, None), |(rest, tls)| (rest, Some(tls)));
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = place.split('/').next()?;
    let (host, port) = authority.rsplit_once(':')?;
    port.parse::<u16>().ok()?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    if host.is_empty() || !host.chars().all(is_name) {
        return None;
    }
    let value = |key: &str| query.split('&').find_map(|pair| pair.strip_prefix(key));
    let token = value("token=").map(str::to_owned);
    let is_token = |token: &String| token.chars().all(|c| c.is_ascii_alphanumeric());
    let role = value("role=").map_or(Some(Role::Control), Role::of_name)?;
    let authority = authority.to_owned();
    token.iter().all(is_token).then_some(Parsed { encrypted, authority, token, role })
}

async fn websocket(
    State(relay): State<Arc<Relay>>,
    Extension(role): Extension<Role>,
    request: Request,
) -> Response {
    let entered = relay.stats.viewers.fetch_update(Relaxed, Relaxed, |count| {
        (count < relay.limits.viewers as u64).then_some(count + 1)
    });
    if entered.is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, "There are too many viewers.\n").into_response();
    }
    let counted = Counted(Arc::clone(&relay));
    upgrade(request, &relay.limits, &relay.budget, async move |near, intake| {
        Stats::add(&counted.0.stats.viewers_ever, 1);
        pass(near, role, &intake, &counted.0).await;
    })
}

struct Counted(Arc<Relay>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.stats.viewers.fetch_sub(1, Relaxed);
    }
}

/// Passes messages both ways until one side goes. Nothing is kept: a slow viewer here is a slow
/// viewer there, and skips frames there.
async fn pass(mut near: Socket, role: Role, intake: &Intake, relay: &Relay) {
    let Ok(Some(far)) = timeout(PATIENCE, connect(&relay.far, role)).await else {
        // The page says that the simulator is gone, and tries again.
        let _ = timeout(relay.limits.write_timeout, near.send(Message::Close(None))).await;
        return;
    };
    let (mut to_far, mut from_far) = far.split();
    let (mut to_near, mut from_near) = near.split();
    let inward = async {
        while let Some(Ok(message)) = from_far.next().await {
            let message = match message {
                Message::Binary(_) | Message::Ping(_) => message,
                Message::Close(_) => break,
                _ => continue,
            };
            let length = match &message {
                Message::Binary(bytes) => bytes.len() as u64,
                _ => 0,
            };
            match timeout(relay.limits.write_timeout, to_near.send(message)).await {
                Ok(Ok(())) => {
                    Stats::add(&relay.stats.bytes_sent, length);
                    Stats::add(&relay.stats.frames_sent, u64::from(length > 0));
                }
                Ok(Err(_)) => break,
                Err(_) => {
                    Stats::add(&relay.stats.cut_off, 1);
                    break;
                }
            }
        }
    };
    let outward = async {
        while let Some(Ok(message)) = from_near.next().await {
            let message = match message {
                Message::Binary(_) => message,
                Message::Close(_) => break,
                _ => continue,
            };
            if to_far.send(message).await.is_err() {
                break;
            }
        }
    };
    let mut stop = relay.stop.clone();
    tokio::select! {
        () = inward => {}
        () = outward => {}
        _ = intake.trouble() => Stats::add(&relay.stats.cut_off, 1),
        () = stopped(&mut stop) => {}
    }
    let _ = timeout(Duration::from_millis(200), to_far.close()).await;
    let _ = timeout(Duration::from_millis(200), to_near.close()).await;
}

/// A connection to the other side, encrypted or not.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// A connection to the other side, and its address in numbers: it lets nobody in who calls it by
/// a name that it does not know.
async fn reach(far: &Far) -> io::Result<(Box<dyn Stream>, SocketAddr)> {
    let stream = TcpStream::connect(&far.authority).await?;
    let address = stream.peer_addr()?;
    stream.set_nodelay(true)?;
    let Some(trust) = &far.trust else { return Ok((Box::new(stream), address)) };
    let host = far.authority.rsplit_once(':').map_or("", |(host, _)| host);
    Ok((Box::new(trust.connect(host, stream).await?), address))
}

async fn connect(far: &Far, role: Role) -> Option<WebSocketStream<Box<dyn Stream>>> {
    let (stream, address) = reach(far).await.ok()?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MOST_FAR_BYTES))
        .max_frame_size(Some(MOST_FAR_BYTES));
    // Encrypted or not, as the stream is: the address is for the request's head.
    let url = format!("ws://{address}/ws{}", far.query(role));
    let connected = tokio_tungstenite::client_async_with_config(url, stream, Some(config)).await;
    connected.ok().map(|(socket, _)| socket)
}

/// What the other side answered.
type Fetched = (StatusCode, HeaderMap, Bytes);

/// What of a request for a picture is passed on, and of the answer.
const ASKED: [HeaderName; 2] = [header::ACCEPT_ENCODING, header::IF_NONE_MATCH];
const ANSWERED: [HeaderName; 4] =
    [header::CONTENT_ENCODING, header::CACHE_CONTROL, header::VARY, header::ETAG];

/// A picture of the other side; its address is passed on as it came.
async fn picture(State(relay): State<Arc<Relay>>, uri: Uri, asked: HeaderMap) -> Response {
    match timeout(PATIENCE, relay.far.fetch(uri.path(), Role::Watch, &asked)).await {
        Ok(Ok((status @ (StatusCode::OK | StatusCode::NOT_MODIFIED), told, svg))) => {
            let kind = [(header::CONTENT_TYPE, "image/svg+xml")];
            let mut response = (status, kind, svg).into_response();
            response.headers_mut().extend(only(&told, &ANSWERED));
            response
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Whether the other side lets this relay in, and as what.
async fn access(State(relay): State<Arc<Relay>>, Extension(role): Extension<Role>) -> Response {
    match timeout(PATIENCE, relay.far.access(role)).await {
        Ok(Ok((status, Some(role)))) => (status, [(ROLE_HEADER, role.name())]).into_response(),
        Ok(Ok((status, None))) => status.into_response(),
        _ => StatusCode::BAD_GATEWAY.into_response(),
    }
}

/// The headers of these names, each once.
fn only(all: &HeaderMap, names: &[HeaderName]) -> HeaderMap {
    names.iter().filter_map(|name| Some((name.clone(), all.get(name)?.clone()))).collect()
}

impl Far {
    /// Whether the other side lets somebody in who asks for this role, and what it grants.
    async fn access(&self, role: Role) -> Result<(StatusCode, Option<Role>), String> {
        let (status, told, _) = self.fetch("/access", role, &HeaderMap::new()).await?;
        let granted = told.get(ROLE_HEADER).and_then(|name| Role::of_name(name.to_str().ok()?));
        Ok((status, granted))
    }

    /// A small file of the other side, with what it says about it, or why there is none.
    async fn fetch(&self, path: &str, role: Role, asked: &HeaderMap) -> Result<Fetched, String> {
        let no_http = |error: &dyn std::error::Error| format!("no web server answers ({error})");
        let (stream, address) = reach(self).await.map_err(|error| unreachable(&error))?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|e| no_http(&e))?;
        let mut request = axum::http::Request::get(format!("{path}{}", self.query(role)))
            .header(header::HOST, address.to_string())
            .header(header::CONNECTION, "close")
            .body(Empty::<Bytes>::new())
            .map_err(|e| e.to_string())?;
        request.headers_mut().extend(only(asked, &ASKED));
        let answer = async {
            let response = sender.send_request(request).await.map_err(|e| no_http(&e))?;
            let (told, body) = response.into_parts();
            let body = Limited::new(body, MOST_PICTURE_BYTES).collect().await;
            Ok((told.status, told.headers, body.map_err(|e| e.to_string())?.to_bytes()))
        };
        tokio::select! {
            answer = answer => answer,
            // Ends after the answer; here only if it fails before.
            Err(error) = connection => Err(no_http(&error)),
        }
    }
}

/// Why there is no connection.
fn unreachable(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match inner {
        Some(rustls::Error::InvalidCertificate(why)) => {
            format!("its certificate is none that --tls-ca names, nor signed by one ({why})")
        }
        Some(rustls::Error::InvalidMessage(_)) => "it does not speak TLS".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, parse};

    #[test]
    fn addresses_of_simulators() {
        let got = |text: &str| parse(text).map(|p| (p.authority, p.token.unwrap_or_default()));
        let some = |a: &str, t: &str| Some((a.to_owned(), t.to_owned()));
        assert_eq!(got("lab:8642"), some("lab:8642", ""));
        assert_eq!(got("http://10.0.0.2:8642/?token=00ff"), some("10.0.0.2:8642", "00ff"));
        assert_eq!(got("ws://[::1]:1/ws?x=1&token=a"), some("[::1]:1", "a"));
        for bad in ["", "lab", "lab:x", ":80", "a b:80", "a:80?token=%20", "http://u@a:80\r\nx:1"] {
            assert_eq!(got(bad), None, "{bad:?}");
        }
        let encrypted = |text: &str| parse(text).and_then(|parsed| parsed.encrypted);
        assert_eq!(encrypted("lab:1"), None);
        assert_eq!(encrypted("http://lab:1/?token=0"), Some(false));
        assert_eq!(encrypted("https://lab:1/?token=0"), Some(true));
        assert_eq!(encrypted("wss://lab:1/ws"), Some(true));
        let role = |text: &str| parse(text).map(|parsed| parsed.role);
        assert_eq!(role("lab:1"), Some(Role::Control));
        assert_eq!(role("lab:1/?token=0&role=watch"), Some(Role::Watch));
        assert_eq!(role("lab:1/?role=king"), None);
    }
}
