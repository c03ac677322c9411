//! From a request to a WebSocket whose incoming bytes are watched.

use super::intake::{Intake, IntakeBudget, Metered};
use super::options::ServerLimits;
use super::routes::refuse;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use rolima_wire::map::MOST_MAP_MESSAGE_BYTES;
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

/// A viewer's connection.
pub(crate) type Socket = WebSocketStream<Metered<TokioIo<Upgraded>>>;

/// Answers a request for a WebSocket, and serves it when it is one.
pub(crate) fn upgrade<S: Future<Output = ()> + Send + 'static>(
    mut request: Request,
    limits: &ServerLimits,
    budget: &Arc<IntakeBudget>,
    serve: impl FnOnce(Socket, Arc<Intake>) -> S + Send + 'static,
) -> Response {
    let Ok(response) = create_response_with_body(&request, Body::empty) else {
        return refuse(StatusCode::BAD_REQUEST, "Expected a WebSocket.");
    };
    let upgrading = hyper::upgrade::on(&mut request);
    let config = WebSocketConfig::default()
        .max_message_size(Some(MOST_MAP_MESSAGE_BYTES))
        .max_frame_size(Some(MOST_MAP_MESSAGE_BYTES))
        .read_buffer_size(8 * 1024)
        .write_buffer_size(0);
    let intake = Intake::new(Arc::clone(budget), limits, Instant::now());
    tokio::spawn(async move {
        // One who goes before the answer has come is nobody's business.
        let Ok(upgraded) = upgrading.await else { return };
        let metered = Metered::new(TokioIo::new(upgraded), Arc::clone(&intake));
        let socket = WebSocketStream::from_raw_socket(metered, Role::Server, Some(config)).await;
        serve(socket, Arc::clone(&intake)).await;
        if intake.was_long() {
            // The allocator keeps such buffers for messages that may never come.
            tokio::task::spawn_blocking(rolima_run::memory::give_back);
        }
    });
    response
}
