//! The page and pictures of scenes over a real socket, as they are and compressed.

use crate::common;

use common::live::{PATIENCE, Run, options};
use flate2::read::GzDecoder;
use rolima_serve::web::Far;
use rolima_serve::{BlockPlace, Relay};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

struct Answer {
    status: u16,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

/// Asks for a path with more headers, and takes the answer apart.
fn ask(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head =
        format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n{more}Connection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("sent");
    let mut bytes = vec![];
    stream.read_to_end(&mut bytes).expect("an answer");
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.get(9..12)).and_then(|s| s.parse().ok());
    let pairs = lines.filter_map(|line| line.split_once(": "));
    let headers = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Answer { status: status.expect("a status"), headers, body: bytes[end + 4..].to_vec() }
}

fn unpack(bytes: &[u8]) -> Vec<u8> {
    let mut plain = vec![];
    GzDecoder::new(bytes).read_to_end(&mut plain).expect("gzip");
    plain
}

/// Asks with and without gzip; both have to be the same. Gives both sizes.
#[track_caller]
fn is_the_same_compressed(address: SocketAddr, path: &str) -> (usize, usize) {
    let plain = ask(address, "GET", path, &[]);
    let short = ask(address, "GET", path, &[("Accept-Encoding", "gzip, deflate, br")]);
    assert_eq!((plain.status, short.status), (200, 200), "{path}");
    assert_eq!(plain.header("content-encoding"), None);
    assert_eq!(short.header("content-encoding"), Some("gzip"), "{path}");
    assert!(unpack(&short.body) == plain.body, "{path}: not the same");
    assert_eq!(plain.header("content-type"), short.header("content-type"));
    for answer in [&plain, &short] {
        assert_eq!(answer.header("vary"), Some("accept-encoding"));
        assert_eq!(answer.header("content-length"), Some(&*answer.body.len().to_string()));
    }
    for refused in ["br", "gzip;q=0", "identity"] {
        let answer = ask(address, "GET", path, &[("Accept-Encoding", refused)]);
        assert!(answer.header("content-encoding").is_none() && answer.body == plain.body);
    }
    let head = ask(address, "HEAD", path, &[("Accept-Encoding", "gzip")]);
    assert!(head.body.is_empty());
    assert_eq!(head.header("content-length"), short.header("content-length"));
    assert_eq!(head.header("content-encoding"), Some("gzip"));
    (plain.body.len(), short.body.len())
}

#[test]
fn pictures_go_compressed_to_those_who_take_it_and_once() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let relay =
        Relay::start(options(), Far::new(&server.address().to_string(), None).expect("an address"))
            .expect("a relay");
    for address in [server.address(), relay.address()] {
        let path = "/pictures/playground.svg";
        let (plain, short) = is_the_same_compressed(address, path);
        assert!(2 * short < plain, "{short} of {plain} bytes");
        let first = ask(address, "GET", path, &[("Accept-Encoding", "gzip")]);
        assert_eq!(first.header("cache-control"), Some("no-cache"));
        let tag = first.header("etag").expect("a tag");
        let known = [("Accept-Encoding", "gzip"), ("If-None-Match", tag)];
        let again = ask(address, "GET", path, &known);
        assert_eq!((again.status, again.body.len()), (304, 0));
        assert_eq!(again.header("etag"), Some(tag));
        // What is known in one encoding is not known in another.
        assert_eq!(ask(address, "GET", path, &[("If-None-Match", tag)]).status, 200);
    }
}

#[test]
fn the_page_goes_compressed_and_its_assets_are_kept_for_ever() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let address = server.address();
    let page = ask(address, "GET", "/", &[]);
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    assert!(page.header("etag").is_some());
    if !server.has_page() {
        eprintln!("built without the page: nothing of it is compressed");
        return;
    }
    let html = String::from_utf8(page.body).expect("a text");
    let (mut plain, mut short) = is_the_same_compressed(address, "/");
    let assets: Vec<&str> = html.split('"').filter(|part| part.starts_with("./assets/")).collect();
    assert!(assets.len() >= 2, "{html}");
    for asset in assets {
        let sizes = is_the_same_compressed(address, &asset[1..]);
        (plain, short) = (plain + sizes.0, short + sizes.1);
        let caching = ask(address, "GET", &asset[1..], &[]);
        let caching = caching.header("cache-control").map(str::to_owned);
        assert_eq!(caching.as_deref(), Some("public, max-age=31536000, immutable"));
    }
    assert!(3 * short < plain, "{short} of {plain} bytes");
    assert_eq!(ask(address, "GET", "/assets/none.js", &[]).status, 404);
}
