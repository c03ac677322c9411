//! Encrypted connections: over real sockets, with certificates made for the test.
#![allow(clippy::unwrap_used)] // in helpers too

use crate::common;

use common::Folder;
use common::live::{PATIENCE, Run, Seen, Viewer, connect, options, raw};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rolima_serve::web::{Far, Role, TlsIdentity, TlsTrust};
use rolima_serve::{BlockPlace, Relay, ServerError, ServerHandle, ServerLimits, ServerOptions};
use rolima_wire::pb::{control, server_message::Kind};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// Certificate and key in files.
struct Files {
    folder: Folder,
    certificate: PathBuf,
    key: PathBuf,
}

impl Files {
    /// A certificate for this machine that has signed itself; `is_ca`: and may sign others.
    fn new(is_ca: bool) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut asked = CertificateParams::new(names()).unwrap();
        if is_ca {
            asked.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        }
        let certificate = asked.self_signed(&key).unwrap();
        Self::of(&certificate.pem(), &key.serialize_pem())
    }

    fn of(certificate: &str, key: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let folder = Folder::new(&format!("tls-{}", NUMBER.fetch_add(1, Relaxed)));
        let files = [("own.crt", certificate), ("own.key", key)].map(|(name, text)| {
            let path = folder.file(name);
            std::fs::write(&path, text).unwrap();
            path
        });
        let [certificate, key] = files;
        Self { folder, certificate, key }
    }

    fn identity(&self) -> TlsIdentity {
        TlsIdentity::read(&self.certificate, &self.key).unwrap()
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.file(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

fn names() -> Vec<String> {
    vec!["localhost".to_owned(), "127.0.0.1".to_owned()]
}

fn serve(run: &Run, files: &Files) -> ServerHandle {
    run.serve(ServerOptions { tls: Some(files.identity()), ..options() })
}

type Encrypted = StreamOwned<ClientConnection, TcpStream>;

/// Connects as a browser does that trusts this certificate.
fn encrypted(address: SocketAddr, files: &Files) -> Encrypted {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(&files.certificate).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let connection = ClientConnection::new(Arc::new(config), name).unwrap();
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    StreamOwned::new(connection, stream)
}

fn https(address: SocketAddr, files: &Files, path: &str) -> String {
    let mut stream = encrypted(address, files);
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = vec![];
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn pages_and_sockets_are_served_encrypted() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let files = Files::new(false);
    let server = serve(&run, &files);
    assert_eq!(server.url(), format!("https://{}/", server.address()));
    assert_eq!(https(server.address(), &files, "/healthz").lines().last(), Some("ok"));
    let stream = encrypted(server.address(), &files);
    let url = format!("ws://{}/ws", server.address());
    let (mut socket, _) = tokio_tungstenite::tungstenite::client(url, stream).unwrap();
    assert!(socket.read().unwrap().is_binary());
    // A cookie for encrypted connections stays with them.
    let tokens = rolima_serve::web::Tokens::random().unwrap();
    let token = tokens.of(Role::Watch).to_owned();
    let tls = Some(files.identity());
    let server = run.serve(ServerOptions { tls, tokens: Some(tokens), ..options() });
    let page = https(server.address(), &files, &format!("/?token={token}"));
    assert!(page.contains("SameSite=Strict; Secure"), "{page}");
}

#[test]
fn plain_http_is_refused_in_words_and_harms_nobody() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let files = Files::new(false);
    let server = serve(&run, &files);
    let address = server.address();
    let answer = raw(address, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 426"), "{answer}");
    assert!(answer.ends_with("This simulator is at https://, not http://.\r\n"), "{answer}");
    // Neither does what is neither.
    for garbage in [&[0x16u8, 3, 1, 0xff, 0xff, 9, 9, 9, 9][..], &[0; 100], &[0x16; 5]] {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(garbage).unwrap();
    }
    assert!(https(address, &files, "/healthz").starts_with("HTTP/1.1 200"));
}

#[test]
fn connections_that_say_nothing_lock_nobody_out() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let files = Files::new(false);
    let server = serve(&run, &files);
    let silent: Vec<TcpStream> =
        (0..450).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    // Half a handshake is as good as nothing.
    for mut stream in silent.iter().take(400) {
        let _ = stream.write_all(&[0x16, 3, 1, 2, 0, 1]);
    }
    assert!(https(server.address(), &files, "/healthz").starts_with("HTTP/1.1 200"));
}

#[test]
fn a_handshake_has_to_end_in_time() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let files = Files::new(false);
    let limits =
        ServerLimits { request_timeout: Duration::from_millis(50), ..ServerLimits::default() };
    let tls = Some(files.identity());
    let server = run.serve(ServerOptions { tls, limits, ..options() });
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(&[0x16, 3, 1]).unwrap();
    let mut byte = [0];
    assert!(matches!(stream.read(&mut byte), Ok(0)), "it is ended by the server");
}

fn trusting(files: &Files) -> Option<TlsTrust> {
    Some(TlsTrust::read(&files.certificate).unwrap())
}

#[test]
fn a_relay_passes_encrypted_connections_on() {
    for is_ca in [false, true] {
        let run = Run::start("soccer", BlockPlace::Anonymous);
        let files = Files::new(is_ca);
        let server = serve(&run, &files);
        let far = Far::new(&server.url(), trusting(&files)).unwrap();
        assert_eq!(far.ask(PATIENCE).unwrap(), Role::Control, "is_ca: {is_ca}");
        let relay = Relay::start(options(), far).unwrap();
        let mut viewer: Viewer = connect(relay.address());
        assert!(matches!(viewer.next(), Kind::Welcome(_)));
        viewer.control(control::Kind::Reset(true));
        run.wait_for(|seen| *seen == Seen::Reset);
    }
}

fn refusal(server: &ServerHandle, far: Result<Far, ServerError>) -> String {
    let refused = far.and_then(|far| far.ask(PATIENCE)).unwrap_err().to_string();
    let start = format!("no run answers at {}: ", server.address());
    refused.strip_prefix(&start).unwrap_or_else(|| panic!("{refused}")).to_owned()
}

#[test]
fn a_relay_trusts_what_it_is_given_and_nothing_else() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let (files, others) = (Files::new(false), Files::new(false));
    let server = serve(&run, &files);
    let no_trust = "it is at https: --tls-ca FILE has to name its certificate, or the one that has \
                    signed it";
    assert_eq!(refusal(&server, Far::new(&server.url(), None)), no_trust);
    // Also if the address does not say so.
    let bare = server.address().to_string();
    assert_eq!(refusal(&server, Far::new(&bare, None)), no_trust);
    let strange = refusal(&server, Far::new(&bare, trusting(&others)));
    assert!(strange.starts_with("its certificate is none that --tls-ca names"), "{strange}");
    let far = Far::new(&bare, trusting(&files)).unwrap();
    assert_eq!(far.ask(PATIENCE).unwrap(), Role::Control);
    let plain = run.serve(options());
    assert_eq!(
        refusal(&plain, Far::new(&plain.url(), trusting(&files))),
        "--tls-ca is for addresses with https, got http"
    );
    let bare = plain.address().to_string();
    assert_eq!(refusal(&plain, Far::new(&bare, trusting(&files))), "it does not speak TLS");
}

#[test]
fn who_has_signed_a_certificate_is_trusted_too_for_its_names() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let mut root = CertificateParams::new(Vec::<String>::new()).unwrap();
    root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = CertifiedIssuer::self_signed(root, KeyPair::generate().unwrap()).unwrap();
    let signed = |names: Vec<String>| {
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &root).unwrap();
        Files::of(&certificate.pem(), &key.serialize_pem())
    };
    for (files, is_good) in [(signed(names()), true), (signed(vec!["other".to_owned()]), false)] {
        let server = serve(&run, &files);
        let trust = TlsTrust::read(&files.write("root.crt", &root.pem())).unwrap();
        let asked = Far::new(&server.url(), Some(trust)).unwrap().ask(PATIENCE);
        assert_eq!(asked.is_ok(), is_good, "{asked:?}");
    }
}

#[test]
fn files_that_cannot_be_used_are_refused_by_name() {
    let (files, others) = (Files::new(false), Files::new(false));
    let garbage = files.write("garbage.pem", "\u{0}\u{1} nothing");
    let broken = files
        .write("broken.pem", "-----BEGIN CERTIFICATE-----\nAAECAwQF\n-----END CERTIFICATE-----\n");
    let cut = files.write("cut.pem", "-----BEGIN PRIVATE KEY-----\nAAECAwQF\n");
    let missing = files.folder.file("missing.pem");
    let refused = |certificate: &PathBuf, key: &PathBuf| {
        let error = TlsIdentity::read(certificate, key).expect_err("refused");
        error.to_string()
    };
    let (certificate, key) = (&files.certificate, &files.key);
    let pem = "expected certificates in PEM (-----BEGIN CERTIFICATE-----), got";
    let a_key =
        "expected a private key in PEM (-----BEGIN PRIVATE KEY-----), without a passphrase, got";
    let starts = |refused: String, start: String| assert!(refused.starts_with(&start), "{refused}");
    starts(refused(&missing, key), format!("{}: {pem} ", missing.display()));
    starts(refused(&garbage, key), format!("{}: {pem} none", garbage.display()));
    starts(refused(&broken, key), format!("{}: {pem} ", broken.display()));
    starts(refused(key, certificate), format!("{}: {pem} none", key.display()));
    starts(refused(certificate, &missing), format!("{}: {a_key} ", missing.display()));
    starts(refused(certificate, &garbage), format!("{}: {a_key} none", garbage.display()));
    starts(refused(certificate, certificate), format!("{}: {a_key} none", certificate.display()));
    let without_end = format!("{}: {a_key} a section without its end", cut.display());
    starts(refused(certificate, &cut), without_end);
    let another =
        format!("{}: expected the key of the certificate, got that", others.key.display());
    starts(refused(certificate, &others.key), another);
    assert!(TlsTrust::read(&garbage).is_err() && TlsTrust::read(&broken).is_err());
    #[cfg(unix)]
    {
        let endless = PathBuf::from("/dev/zero");
        starts(refused(&endless, key), format!("/dev/zero: {pem} a folder, pipe or device"));
    }
}
