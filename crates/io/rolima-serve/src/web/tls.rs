//! Encrypted connections: a server's certificate and key, and what a relay trusts.
//!
//! TLS 1.3 only. A relay trusts what it is given and nothing else: the certificate that a server
//! has, or one that has signed it. The usual roots of the web are none of its business, as runs are
//! seldom at names that these sign.

use super::line::SharedSocket;
use rolima_run::live::log::{NOT_REGULAR, open_regular};
use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, DigitallySignedStruct, Error, RootCertStore, ServerConfig, SignatureScheme,
};
use tokio_rustls::{TlsAcceptor, TlsConnector, client, server};

/// Longest file of certificates, bytes.
const MOST_FILE_BYTES: u64 = 1 << 20;
/// The first byte of a connection that begins with a TLS handshake.
const HANDSHAKE: u8 = 0x16;
/// As much is read of a request that comes in the clear, bytes, so that its answer arrives.
const PLAIN_BYTES: usize = 16 * 1024;
/// What those get who come without TLS.
const PLAIN_ANSWER: &[u8] = b"HTTP/1.1 426 Upgrade Required\r\nUpgrade: TLS/1.3\r\n\
    Connection: Upgrade, close\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Content-Length: 45\r\n\r\nThis simulator is at https://, not http://.\r\n";

/// A file for TLS that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: expected {expected}, got {got}")]
pub struct TlsError {
    /// Which file.
    pub file: String,
    /// What should have been in it.
    pub expected: &'static str,
    /// What was found.
    pub got: String,
}

const CERTIFICATES: &str = "certificates in PEM (-----BEGIN CERTIFICATE-----)";
const KEY: &str = "a private key in PEM (-----BEGIN PRIVATE KEY-----), without a passphrase";

/// What a server shows of itself: its certificate and the key to it. Clones are the same.
#[derive(Clone)]
pub struct TlsIdentity {
    config: Arc<ServerConfig>,
}

impl fmt::Debug for TlsIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TlsIdentity { .. }")
    }
}

impl TlsIdentity {
    /// Reads a certificate, with those that have signed it if there are any, and its key: PEM files.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let chain = certificates(certificate)?;
        let found = PrivateKeyDer::from_pem_slice(&bytes(key, KEY)?);
        let private = found.map_err(|error| wrong(key, KEY, &in_words(&error)))?;
        let versions = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(|error| wrong(certificate, CERTIFICATES, &error))?;
        let config = versions.with_no_client_auth().with_single_cert(chain, private);
        let config = config.map_err(|error| match error {
            Error::InvalidCertificate(_) => wrong(certificate, CERTIFICATES, &error),
            Error::InconsistentKeys(_) => {
                let expected = "the key of the certificate";
                let got = format!("that of another one than {}", certificate.display());
                TlsError { file: key.display().to_string(), expected, got }
            }
            _ => wrong(key, KEY, &error),
        })?;
        Ok(Self { config: Arc::new(config) })
    }

    /// Shakes hands with somebody who has connected; none if that fails or takes too long. Those who
    /// come without TLS are told so.
    pub(super) async fn greet(
        &self,
        line: &SharedSocket,
        patience: Duration,
    ) -> Option<server::TlsStream<SharedSocket>> {
        let greeting = async {
            let mut line = line.clone();
            if line.first_byte().await.ok()?? == HANDSHAKE {
                return TlsAcceptor::from(Arc::clone(&self.config)).accept(line).await.ok();
            }
            let mut request = vec![0; PLAIN_BYTES];
            // However much of it has come.
            let _count = line.read(&mut request).await.ok()?;
            line.write_all(PLAIN_ANSWER).await.ok()?;
            line.shutdown().await.ok()?;
            None
        };
        timeout(patience, greeting).await.ok().flatten()
    }
}

/// Which servers a relay trusts. Clones are the same.
#[derive(Clone, Debug)]
pub struct TlsTrust {
    config: Arc<ClientConfig>,
}

impl TlsTrust {
    /// Reads certificates, PEM: of servers themselves, or of those who have signed theirs.
    pub fn read(file: &Path) -> Result<Self, TlsError> {
        let trusted = certificates(file)?;
        let refuse = |error: &dyn fmt::Display| wrong(file, CERTIFICATES, error);
        let mut roots = RootCertStore::empty();
        for certificate in &trusted {
            roots.add(certificate.clone()).map_err(|error| refuse(&error))?;
        }
        let signed = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider())
            .build()
            .map_err(|error| refuse(&error))?;
        let config = ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(|error| refuse(&error))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Known { trusted, signed }))
            .with_no_client_auth();
        Ok(Self { config: Arc::new(config) })
    }

    /// Shakes hands with a server that goes by this name or address.
    pub(super) async fn connect(
        &self,
        host: &str,
        stream: TcpStream,
    ) -> io::Result<client::TlsStream<TcpStream>> {
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let name = ServerName::try_from(host).map_err(io::Error::other)?;
        TlsConnector::from(Arc::clone(&self.config)).connect(name, stream).await
    }
}

/// Trusts a server that shows one of these very certificates, or one that they have signed.
///
/// The first is what makes self-signed certificates work that say of themselves that they may sign
/// others, as those of `openssl req -x509` do: by the rules of the web such a one is for no server.
#[derive(Debug)]
struct Known {
    trusted: Vec<CertificateDer<'static>>,
    signed: Arc<WebPkiServerVerifier>,
}

impl ServerCertVerifier for Known {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.trusted.iter().any(|known| known == end_entity) {
            // That the server has the key to it is checked with the signature.
            return Ok(ServerCertVerified::assertion());
        }
        let signed = &self.signed;
        signed.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signed.supported_verify_schemes()
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// What is wrong with a PEM file; the library's words have bytes as numbers.
fn in_words(error: &pem::Error) -> String {
    match error {
        pem::Error::NoItemsFound => "none".to_owned(),
        pem::Error::MissingSectionEnd { .. } => "a section without its end".to_owned(),
        pem::Error::IllegalSectionStart { .. } => "a broken first line of a section".to_owned(),
        other => other.to_string(),
    }
}

fn wrong(file: &Path, expected: &'static str, got: &dyn fmt::Display) -> TlsError {
    TlsError { file: file.display().to_string(), expected, got: got.to_string() }
}

/// All certificates of a file, one at least.
fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let read = bytes(file, CERTIFICATES)?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&read).collect();
    let found = found.map_err(|error| wrong(file, CERTIFICATES, &in_words(&error)))?;
    if found.is_empty() {
        return Err(wrong(file, CERTIFICATES, &"none"));
    }
    Ok(found)
}

fn bytes(file: &Path, expected: &'static str) -> Result<Vec<u8>, TlsError> {
    let mut read = vec![];
    let opened = open_regular(file)
        .and_then(|opened| opened.take(MOST_FILE_BYTES + 1).read_to_end(&mut read));
    opened.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => wrong(file, expected, &NOT_REGULAR),
        _ => wrong(file, expected, &error),
    })?;
    if read.len() as u64 > MOST_FILE_BYTES {
        return Err(wrong(file, expected, &"more than a megabyte"));
    }
    Ok(read)
}
