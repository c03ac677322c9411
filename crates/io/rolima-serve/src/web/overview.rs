//! One page about many runs, for a classroom.

use super::options::{ServerError, ServerOptions};
use super::routes::keep_strangers_out;
use super::server::{HttpService, ServerHandle};
use super::stats::Stats;
use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use rolima_wire::Role;
use std::sync::Arc;

const PAGE: &str = include_str!("overview.html");
const SCRIPT: &str = include_str!("overview.js");

/// What the page shows, as JSON: a list with an object for every run, made when somebody asks.
pub type OverviewState = Arc<dyn Fn() -> String + Send + Sync>;

/// A small picture of a run's world from above, as SVG, by the run's number; none if there is none.
pub type OverviewPicture = Arc<dyn Fn(u32) -> Option<String> + Send + Sync>;

/// One page about many runs.
pub struct Overview;

impl Overview {
    /// Serves the page. Whoever can open it can open the runs that it names.
    pub fn start(
        options: ServerOptions,
        state: OverviewState,
        picture: OverviewPicture,
    ) -> Result<ServerHandle, ServerError> {
        let http_service = HttpService::open(&options)?;
        let of_type = |kind: &'static str, text: &'static str| {
            get(async move || ([(header::CONTENT_TYPE, kind)], text).into_response())
        };
        let runs = get(async move || {
            ([(header::CONTENT_TYPE, "application/json")], state()).into_response()
        });
        let pictures = get(async move |Path(run): Path<u32>| match picture(run) {
            Some(svg) => ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        });
        let routes = Router::new()
            .route("/", of_type("text/html; charset=utf-8", PAGE))
            .route("/overview.js", of_type("text/javascript; charset=utf-8", SCRIPT))
            // Guarded by the token, where there is one.
            .route("/access", runs)
            .route("/pictures/{run}", pictures);
        // It names the addresses of the runs, with their tokens.
        let router = keep_strangers_out(routes, Arc::clone(&http_service.guard), Role::Control);
        http_service.serve(router, options.limits, Arc::new(Stats::default()))
    }
}
