//! The page of a run on another machine: serves the page here and passes every viewer through.

use super::intake::{Budget, Intake};
use super::options::{Limits, ServerError, ServerOptions};
use super::routes::with_page;
use super::server::{House, ServerHandle, stopped};
use super::stats::Stats;
use super::upgrade::{Socket, upgrade};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::{SinkExt, StreamExt};
use http_body_util::{BodyExt, Empty, Limited};
use hyper_util::rt::TokioIo;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// Longest message from the other side: a scene of a hundred thousand bodies fits.
const MOST_FAR_BYTES: usize = 64 * 1024 * 1024;
/// Largest picture.
const MOST_PICTURE_BYTES: usize = 4 * 1024 * 1024;
/// How long the other side has to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves the page and passes viewers on to a simulator elsewhere.
pub struct Relay {
    far: Far,
    stats: Arc<Stats>,
    limits: Limits,
    budget: Arc<Budget>,
    stop: watch::Receiver<bool>,
}

/// A simulator elsewhere.
#[derive(Clone, Debug)]
pub struct Far {
    /// `HOST:PORT`.
    authority: String,
    token: Option<String>,
}

impl Far {
    /// The simulator at an address: `HOST:PORT`, or as it printed it, token included.
    pub fn new(address: &str) -> Result<Self, ServerError> {
        let (authority, token) =
            parse(address).ok_or_else(|| ServerError::Address { got: address.to_owned() })?;
        Ok(Self { authority, token })
    }

    /// Asks whether it is there and lets a relay in, and waits for the answer, `patience` at most.
    pub fn ask(&self, patience: Duration) -> Result<(), ServerError> {
        let system = |error: std::io::Error| ServerError::System(error.to_string());
        let runtime = Builder::new_current_thread().enable_all().build().map_err(system)?;
        let asked = runtime
            .block_on(async { timeout(patience, self.fetch("/access", &HeaderMap::new())).await });
        // A name that is being looked up is not waited for any longer.
        runtime.shutdown_background();
        let why = match asked {
            Err(_) => format!("nothing in {} s", patience.as_secs_f64()),
            Ok(Err(why)) => why,
            Ok(Ok((status, ..))) if status.is_success() => return Ok(()),
            Ok(Ok((StatusCode::FORBIDDEN, ..))) => {
                "it asks for the token of the address that it printed".to_owned()
            }
            Ok(Ok((StatusCode::BAD_GATEWAY, ..))) => "a relay without a run behind it".to_owned(),
            Ok(Ok((status, ..))) => format!("a web server that is no run of rolima ({status})"),
        };
        Err(ServerError::NoRun { address: self.authority.clone(), why })
    }
}

impl Relay {
    /// Starts a relay to a simulator: `HOST:PORT`, or the address that it printed, token included.
    pub fn start(options: ServerOptions, far: &str) -> Result<ServerHandle, ServerError> {
        let far = Far::new(far)?;
        let house = House::open(&options)?;
        let stats = Arc::new(Stats::default());
        let relay = Arc::new(Self {
            far,
            stats: Arc::clone(&stats),
            limits: options.limits,
            budget: Arc::new(Budget::new(options.limits.half_sent_bytes)),
            stop: house.stop.subscribe(),
        });
        let routes = Router::new()
            .route("/ws", get(websocket))
            .route("/pictures/{*name}", get(picture))
            .route("/access", get(access))
            .with_state(relay);
        let router = with_page(routes, Arc::clone(&house.guard));
        house.serve(router, options.limits, stats)
    }
}

impl Far {
    fn query(&self) -> String {
        self.token.as_ref().map(|token| format!("?token={token}")).unwrap_or_default()
    }
}

/// `HOST:PORT` and token of an address.
fn parse(far: &str) -> Option<(String, Option<String>)> {
    let rest = far.strip_prefix("http://").or_else(|| far.strip_prefix("ws://")).unwrap_or(far);
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = place.split('/').next()?;
    let (host, port) = authority.rsplit_once(':')?;
    port.parse::<u16>().ok()?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    if host.is_empty() || !host.chars().all(is_name) {
        return None;
    }
    let token = query.split('&').find_map(|pair| pair.strip_prefix("token="));
    let is_token = |token: &str| token.chars().all(|c| c.is_ascii_alphanumeric());
    match token {
        Some(token) if !is_token(token) => None,
        token => Some((authority.to_owned(), token.map(str::to_owned))),
    }
}

async fn websocket(State(relay): State<Arc<Relay>>, request: Request) -> Response {
    let entered = relay.stats.viewers.fetch_update(Relaxed, Relaxed, |count| {
        (count < relay.limits.viewers as u64).then_some(count + 1)
    });
    if entered.is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, "There are too many viewers.\n").into_response();
    }
    let counted = Counted(Arc::clone(&relay));
    upgrade(request, &relay.limits, &relay.budget, async move |near, intake| {
        Stats::add(&counted.0.stats.viewers_ever, 1);
        pass(near, &intake, &counted.0).await;
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
async fn pass(mut near: Socket, intake: &Intake, relay: &Relay) {
    let Ok(Some(far)) = timeout(PATIENCE, connect(&relay.far)).await else {
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

/// A connection to the other side, and its address in numbers: it lets nobody in who calls it by
/// a name that it does not know.
async fn reach(authority: &str) -> io::Result<(TcpStream, SocketAddr)> {
    let stream = TcpStream::connect(authority).await?;
    let address = stream.peer_addr()?;
    stream.set_nodelay(true)?;
    Ok((stream, address))
}

async fn connect(far: &Far) -> Option<WebSocketStream<TcpStream>> {
    let (stream, address) = reach(&far.authority).await.ok()?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MOST_FAR_BYTES))
        .max_frame_size(Some(MOST_FAR_BYTES));
    let url = format!("ws://{address}/ws{}", far.query());
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
    match timeout(PATIENCE, relay.far.fetch(uri.path(), &asked)).await {
        Ok(Ok((status @ (StatusCode::OK | StatusCode::NOT_MODIFIED), told, svg))) => {
            let kind = [(header::CONTENT_TYPE, "image/svg+xml")];
            let mut response = (status, kind, svg).into_response();
            response.headers_mut().extend(only(&told, &ANSWERED));
            response
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Whether the other side lets this relay in.
async fn access(State(relay): State<Arc<Relay>>) -> Response {
    match timeout(PATIENCE, relay.far.fetch("/access", &HeaderMap::new())).await {
        Ok(Ok((status, ..))) => status.into_response(),
        _ => StatusCode::BAD_GATEWAY.into_response(),
    }
}

/// The headers of these names, each once.
fn only(all: &HeaderMap, names: &[HeaderName]) -> HeaderMap {
    names.iter().filter_map(|name| Some((name.clone(), all.get(name)?.clone()))).collect()
}

impl Far {
    /// A small file of the other side, with what it says about it, or why there is none.
    async fn fetch(&self, path: &str, asked: &HeaderMap) -> Result<Fetched, String> {
        let no_http = |error: &dyn std::error::Error| format!("no web server answers ({error})");
        let (stream, address) = reach(&self.authority).await.map_err(|e| e.to_string())?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|e| no_http(&e))?;
        let mut request = axum::http::Request::get(format!("{path}{}", self.query()))
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

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn addresses_of_simulators() {
        let got = |text: &str| parse(text).map(|(a, t)| (a, t.unwrap_or_default()));
        let some = |a: &str, t: &str| Some((a.to_owned(), t.to_owned()));
        assert_eq!(got("lab:8642"), some("lab:8642", ""));
        assert_eq!(got("http://10.0.0.2:8642/?token=00ff"), some("10.0.0.2:8642", "00ff"));
        assert_eq!(got("ws://[::1]:1/ws?x=1&token=a"), some("[::1]:1", "a"));
        for bad in ["", "lab", "lab:x", ":80", "a b:80", "a:80?token=%20", "http://u@a:80\r\nx:1"] {
            assert_eq!(got(bad), None, "{bad:?}");
        }
    }
}
