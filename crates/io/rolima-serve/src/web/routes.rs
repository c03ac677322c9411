//! What HTTP requests get.

use super::guard::Guard;
use super::line::Line;
use super::page;
use super::picture::picture;
use super::server::Shared;
use super::viewer::{self, Counted};
use axum::body::{Body, Bytes};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use rolima_wire::map::MOST_MAP_MESSAGE_BYTES;
use std::sync::{Arc, PoisonError};

/// The routes of a server.
pub(crate) fn router(shared: Arc<Shared>, guard: Arc<Guard>) -> Router {
    let routes = Router::new()
        .route("/ws", get(websocket))
        .route("/pictures/{*name}", get(scene_picture))
        .route("/access", get(async || StatusCode::NO_CONTENT))
        .with_state(shared);
    with_page(routes, guard)
}

/// Adds the page and keeps strangers out.
pub(crate) fn with_page(routes: Router, guard: Arc<Guard>) -> Router {
    keep_strangers_out(routes.fallback(page_file), guard)
}

/// Checks every request and gives every answer its headers.
pub(crate) fn keep_strangers_out(routes: Router, guard: Arc<Guard>) -> Router {
    routes
        .route("/healthz", get(async || "ok\n"))
        .layer(middleware::from_fn_with_state(guard, keep))
}

/// Checks every request and gives every answer its headers.
async fn keep(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let path = request.uri().path();
    let query = request.uri().query().map(str::to_owned);
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).map(str::to_owned);
    let mut response = if !guard.knows_host(headers) {
        refuse(StatusCode::FORBIDDEN, "This simulator does not go by that name (Host).")
    } else if !matches!(*request.method(), Method::GET | Method::HEAD) {
        refuse(StatusCode::METHOD_NOT_ALLOWED, "Only GET.")
    } else if path == "/ws" && !guard.knows_origin(headers) {
        refuse(StatusCode::FORBIDDEN, "Pages from elsewhere may not connect (Origin).")
    } else if is_guarded(path) && !guard.knows_token(query.as_deref(), headers) {
        refuse(
            StatusCode::FORBIDDEN,
            "The access token is missing or wrong: see the address that the simulator printed.",
        )
    } else {
        next.run(request).await
    };
    let cookie = guard.cookie(query.as_deref()).and_then(|c| HeaderValue::from_str(&c).ok());
    let headers = response.headers_mut();
    if let Some(cookie) = cookie {
        headers.insert(header::SET_COOKIE, cookie);
    }
    // `self` means WebSockets too, but not in every browser.
    let sockets = host.map(|host| format!("ws://{host} wss://{host}")).unwrap_or_default();
    let policy = format!(
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         media-src 'self' blob:; worker-src 'self' blob:; connect-src 'self' {sockets}; \
         object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// What only those get who have the token; the page itself tells nothing about the run.
fn is_guarded(path: &str) -> bool {
    path == "/ws" || path == "/access" || path.starts_with("/pictures/")
}

fn refuse(status: StatusCode, text: &'static str) -> Response {
    (status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{text}\n"))
        .into_response()
}

async fn websocket(
    State(shared): State<Arc<Shared>>,
    Extension(line): Extension<Line>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(counted) = Counted::enter(&shared) else {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "There are too many viewers.");
    };
    upgrade
        .max_message_size(MOST_MAP_MESSAGE_BYTES)
        .max_frame_size(MOST_MAP_MESSAGE_BYTES)
        .read_buffer_size(8 * 1024)
        .write_buffer_size(0)
        .on_upgrade(move |socket| viewer::serve(socket, line, counted))
}

async fn page_file(request: Request) -> Response {
    let Some(file) = page::file(request.uri().path().trim_start_matches('/')) else {
        return refuse(StatusCode::NOT_FOUND, "There is no such file.");
    };
    let caching = if file.is_constant { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, file.kind), (header::CACHE_CONTROL, caching)];
    (headers, Body::from(file.data)).into_response()
}

async fn scene_picture(State(shared): State<Arc<Shared>>, Path(file): Path<String>) -> Response {
    let not_found = || refuse(StatusCode::NOT_FOUND, "There is no picture of such a scene.");
    let Some(name) = file.strip_suffix(".svg") else { return not_found() };
    if !shared.desk.backend.scenes.iter().any(|scene| scene.name == name) {
        return not_found();
    }
    match picture_of(&shared, name.to_owned()).await {
        Some(svg) => {
            let headers =
                [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "no-cache")];
            (headers, svg).into_response()
        }
        None => not_found(),
    }
}

/// A scene's picture, drawn once; one is drawn at a time.
async fn picture_of(shared: &Arc<Shared>, name: String) -> Option<Bytes> {
    let _permit = shared.drawing.acquire().await.ok()?;
    let known = || shared.pictures.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(svg) = known().get(&name) {
        return Some(svg.clone());
    }
    let (load, wanted) = (Arc::clone(&shared.desk.backend.load), name.clone());
    let drawn = tokio::task::spawn_blocking(move || {
        let scene = load(&wanted).ok()?;
        Some(Bytes::from(picture(&scene.model, &wanted, scene.map.is_some())))
    });
    let svg = drawn.await.ok()??;
    known().insert(name, svg.clone());
    Some(svg)
}
