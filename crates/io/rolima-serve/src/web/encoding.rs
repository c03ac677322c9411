//! Content that may go compressed: what a client takes, and the headers that tell what it got.
//!
//! Nothing is compressed while a request waits: the page's files are when the page is built,
//! pictures of scenes once, when they are drawn.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rolima_math::Hash64;
use std::io::Write;

/// The one encoding that every browser takes, also without TLS.
const GZIP: &str = "gzip";

/// Something to be served, as it is and compressed.
#[derive(Clone)]
pub(crate) struct Content {
    pub(crate) kind: &'static str,
    pub(crate) plain: Bytes,
    /// The same by gzip, where that is shorter.
    pub(crate) gzip: Option<Bytes>,
    /// Tells it from what was at its address before; none where its address changes with it, so
    /// that it may be kept for ever.
    pub(crate) version: Option<u64>,
}

impl Content {
    /// Compresses a text now: for what is made while the server runs, away from its threads.
    pub(crate) fn compress(kind: &'static str, text: String) -> Self {
        let mut version = Hash64::default();
        version.text(&text);
        let gzip = gzip(text.as_bytes()).filter(|short| short.len() < text.len());
        let (plain, gzip) = (Bytes::from(text), gzip.map(Bytes::from));
        Self { kind, plain, gzip, version: Some(version.finish()) }
    }

    /// The answer to a request with these headers.
    pub(crate) fn answer(&self, asked: &HeaderMap) -> Response {
        let gzip = self.gzip.as_ref().filter(|_| takes_gzip(asked));
        let tag = self.version.map(|version| tag(version, gzip.is_some()));
        let mut response = match &tag {
            Some(tag) if knows(asked, tag) => StatusCode::NOT_MODIFIED.into_response(),
            _ => self.whole(gzip),
        };
        let headers = response.headers_mut();
        let caching = match self.version {
            Some(_) => "no-cache",
            None => "public, max-age=31536000, immutable",
        };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
        if self.gzip.is_some() {
            // Whoever keeps an answer for others must not give it to those who cannot read it.
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(&tag).ok()) {
            headers.insert(header::ETAG, tag);
        }
        response
    }

    fn whole(&self, gzip: Option<&Bytes>) -> Response {
        let mut response = Body::from(gzip.unwrap_or(&self.plain).clone()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        if gzip.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(GZIP));
        }
        response
    }
}

/// A version's tag; another encoding of it is another thing.
fn tag(version: u64, is_gzip: bool) -> String {
    let encoding = if is_gzip { "-gzip" } else { "" };
    format!("\"{version:016x}{encoding}\"")
}

fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

/// Whether the client has the content with this tag already.
fn knows(asked: &HeaderMap, tag: &str) -> bool {
    let values = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|v| v.to_str().ok());
    let mut tags = values.flat_map(|value| value.split(',')).map(str::trim);
    tags.any(|one| one.strip_prefix("W/").unwrap_or(one) == tag)
}

/// Whether the client reads gzip: named with a weight above zero, or meant by `*` and not named.
pub(crate) fn takes_gzip(asked: &HeaderMap) -> bool {
    let values = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|v| v.to_str().ok());
    let (mut named, mut any) = (None, None);
    for item in values.flat_map(|value| value.split(',')) {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        // A weight that is no number means nothing good.
        let wanted = weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|w| w > 0.0));
        if name.eq_ignore_ascii_case(GZIP) || name.eq_ignore_ascii_case("x-gzip") {
            named = Some(wanted);
        } else if name == "*" {
            any = Some(wanted);
        }
    }
    named.or(any).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_goes_to_those_who_take_it() {
        let takes = |text: &str| {
            let value = HeaderValue::from_str(text).expect("a header");
            takes_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]))
        };
        for yes in ["gzip", "deflate, GZip;q=0.5", "br , gzip ; q=1.0", "*", "x-gzip", "*;q=0.1"] {
            assert!(takes(yes), "{yes}");
        }
        let no =
            ["", "br", "gzip;q=0", "gzip; q=0.000", "*, gzip;q=0", "identity", "gzip;q=x", "*;q=0"];
        for no in no {
            assert!(!takes(no), "{no}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn what_does_not_get_shorter_stays_as_it_is() {
        assert!(Content::compress("text/plain", "a".to_owned()).gzip.is_none());
        assert!(Content::compress("text/plain", "a".repeat(1000)).gzip.is_some());
    }
}
