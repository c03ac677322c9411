//! What HTTP requests get.

use super::crowd::Counted;
use super::encoding::Content;
use super::guard::Guard;
use super::line::SharedSocket;
use super::page;
use super::picture::picture;
use super::recordings;
use super::server::{Peer, Shared};
use super::upgrade::upgrade;
use super::viewer;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use rolima_wire::Role;
use std::sync::{Arc, PoisonError};

/// The routes of a server.
pub(crate) fn router(shared: Arc<Shared>, guard: Arc<Guard>) -> Router {
    let routes = Router::new()
        .route("/ws", get(websocket))
        .route("/pictures/{*name}", get(scene_picture))
        .route("/access", get(access))
        .route("/recordings", get(recordings::list))
        .route("/recordings/{name}", get(recordings::get).put(recordings::put))
        .with_state(shared);
    with_page(routes, guard)
}

/// Adds the page and keeps strangers out.
pub(crate) fn with_page(routes: Router, guard: Arc<Guard>) -> Router {
    keep_strangers_out(routes.fallback(page_file), guard, Role::Watch)
}

/// Checks every request and gives every answer its headers. What is guarded is for this role and
/// those above it.
pub(crate) fn keep_strangers_out(routes: Router, guard: Arc<Guard>, least: Role) -> Router {
    routes
        .route("/healthz", get(async || "ok\n"))
        .layer(middleware::from_fn_with_state((guard, least), keep))
}

/// Checks every request, takes note of its role, and gives every answer its headers.
async fn keep(
    State((guard, least)): State<(Arc<Guard>, Role)>,
    mut request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let path = request.uri().path();
    let query = request.uri().query().map(str::to_owned);
    let host = guard.host(headers).map(str::to_owned);
    let role = guard.role(query.as_deref(), headers);
    // Recordings can be sent.
    let is_sent = *request.method() == Method::PUT && path.starts_with("/recordings/");
    let mut response = if host.is_none() {
        refuse(StatusCode::FORBIDDEN, "This simulator does not go by that name (Host).")
    } else if !matches!(*request.method(), Method::GET | Method::HEAD) && !is_sent {
        refuse(StatusCode::METHOD_NOT_ALLOWED, "Only GET.")
    } else if (path == "/ws" || is_sent) && !guard.knows_origin(headers) {
        refuse(StatusCode::FORBIDDEN, "Pages from elsewhere may not connect (Origin).")
    } else if is_guarded(path) && role.is_none() {
        refuse(
            StatusCode::FORBIDDEN,
            "The access token is missing or wrong: see the addresses that the simulator printed.",
        )
    } else if is_sent && role < Some(Role::Control) {
        refuse(StatusCode::FORBIDDEN, "Sending recordings needs the role control.")
    } else if is_guarded(path) && role < Some(least) {
        refuse(StatusCode::FORBIDDEN, "This needs the token of the role control.")
    } else {
        if let Some(role) = role {
            request.extensions_mut().insert(role);
        }
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

/// The header that tells the role of whoever asks for `/access`.
pub(crate) const ROLE_HEADER: &str = "rolima-role";

/// Whether somebody may come in, and as what.
async fn access(Extension(role): Extension<Role>) -> Response {
    (StatusCode::NO_CONTENT, [(ROLE_HEADER, role.name())]).into_response()
}

/// What only those get who have a token; the page itself tells nothing about the run.
fn is_guarded(path: &str) -> bool {
    path == "/ws"
        || path == "/access"
        || path.starts_with("/pictures/")
        || path == "/recordings"
        || path.starts_with("/recordings/")
}

pub(crate) fn refuse(status: StatusCode, text: &'static str) -> Response {
    (status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{text}\n"))
        .into_response()
}

async fn websocket(
    State(shared): State<Arc<Shared>>,
    Extension(line): Extension<SharedSocket>,
    Extension(Peer(address)): Extension<Peer>,
    Extension(role): Extension<Role>,
    request: Request,
) -> Response {
    let Some(counted) = Counted::enter(&shared, address) else {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "There are too many viewers.");
    };
    upgrade(request, &shared.limits, &shared.budget, move |socket, intake| {
        viewer::serve(socket, line, intake, counted, role)
    })
}

async fn page_file(request: Request) -> Response {
    match page::file(request.uri().path().trim_start_matches('/')) {
        Some(file) => file.answer(request.headers()),
        None => refuse(StatusCode::NOT_FOUND, "There is no such file."),
    }
}

async fn scene_picture(
    State(shared): State<Arc<Shared>>,
    Path(file): Path<String>,
    asked: HeaderMap,
) -> Response {
    let not_found = || refuse(StatusCode::NOT_FOUND, "There is no picture of such a scene.");
    let Some(name) = file.strip_suffix(".svg") else { return not_found() };
    if !shared.handler.backend.scenes.iter().any(|scene| scene.name == name) {
        return not_found();
    }
    match picture_of(&shared, name.to_owned()).await {
        Some(svg) => svg.answer(&asked),
        None => not_found(),
    }
}

/// A scene's picture, drawn once; one is drawn at a time.
async fn picture_of(shared: &Arc<Shared>, name: String) -> Option<Content> {
    let _permit = shared.drawing.acquire().await.ok()?;
    let known = || shared.pictures.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(svg) = known().get(&name) {
        return Some(svg.clone());
    }
    let (load, wanted) = (Arc::clone(&shared.handler.backend.load), name.clone());
    let drawn = tokio::task::spawn_blocking(move || {
        let scene = load(&wanted).ok()?;
        let svg = picture(&scene.model, &wanted, scene.map.is_some());
        Some(Content::compress("image/svg+xml", svg))
    });
    let svg = drawn.await.ok()??;
    known().insert(name, svg.clone());
    Some(svg)
}
