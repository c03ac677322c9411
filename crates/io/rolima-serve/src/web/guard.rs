//! Who may come in: a page elsewhere must not drive the robots, whatever its visitors click.
//!
//! A browser says in `Host` by which name it found us and in `Origin` which page asks. A page of a
//! stranger has another origin; a stranger's name that was made to point at this machine has
//! another host. Who is no browser can say anything, and is kept out by the token.

use axum::http::{HeaderMap, header};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Name of the cookie with the token.
const COOKIE: &str = "rolima_token";

/// What is asked of those who come.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    address: SocketAddr,
    hosts: Vec<String>,
    origins: Vec<String>,
    token: Option<String>,
}

impl Guard {
    pub(crate) fn new(
        address: SocketAddr,
        hosts: &[String],
        origins: &[String],
        token: Option<String>,
    ) -> Self {
        Self { address, hosts: hosts.to_vec(), origins: origins.to_vec(), token }
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The name and port by which the request calls us, if they are a name of ours and a port: both
    /// go into headers of the answer.
    pub(crate) fn host<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let host = text(headers, header::HOST)?;
        self.is_ours(without_port(host)?).then_some(host)
    }

    fn is_ours(&self, name: &str) -> bool {
        let bracketed = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let address = match bracketed {
            Some(inside) => inside.parse::<Ipv6Addr>().ok().map(IpAddr::from),
            None => name.parse::<Ipv4Addr>().ok().map(IpAddr::from),
        };
        if let Some(ip) = address {
            // Addresses cannot be made to point elsewhere, as names can.
            let own = self.address.ip();
            return ip.is_loopback() || own.is_unspecified() || ip == own;
        }
        let known = |known: &String| known.eq_ignore_ascii_case(name);
        name.eq_ignore_ascii_case("localhost") || self.hosts.iter().any(known)
    }

    /// Whether a WebSocket is asked for by our own page, or by a program.
    pub(crate) fn knows_origin(&self, headers: &HeaderMap) -> bool {
        if !headers.contains_key(header::ORIGIN) {
            return true;
        }
        let Some(origin) = text(headers, header::ORIGIN) else { return false };
        if self.origins.iter().any(|known| known.eq_ignore_ascii_case(origin)) {
            return true;
        }
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let host = text(headers, header::HOST);
        authority
            .is_some_and(|authority| host.is_some_and(|host| authority.eq_ignore_ascii_case(host)))
    }

    /// Whether the token is right, in the query or in a cookie, where one is needed.
    pub(crate) fn knows_token(&self, query: Option<&str>, headers: &HeaderMap) -> bool {
        let Some(token) = self.token.as_deref() else { return true };
        let given = query_value(query, "token");
        given.is_some_and(|given| equal(given, token))
            || cookies(headers).any(|cookie| equal(cookie, token))
    }

    /// The cookie for one who came with the right token in the query.
    pub(crate) fn cookie(&self, query: Option<&str>) -> Option<String> {
        let token = self.token.as_deref()?;
        let given = query_value(query, "token")?;
        equal(given, token).then(|| format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict"))
    }
}

/// 128 random bits.
pub(crate) fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    // Two of them: somebody plays tricks.
    values.next().is_none().then_some(value)
}

/// A host without its port; none where that is no port.
fn without_port(host: &str) -> Option<&str> {
    let Some((name, port)) = host.rsplit_once(':').filter(|(_, port)| !port.contains(']')) else {
        return Some(host);
    };
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    is_port.then_some(name)
}

fn query_value<'a>(query: Option<&'a str>, key: &str) -> Option<&'a str> {
    let pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs =
        all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value)
}

/// Compares in a time that does not tell where they differ.
fn equal(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (x, y)| all | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        let value = |text: &str| HeaderValue::from_str(text).expect("a header");
        pairs.iter().map(|(name, text)| (name.clone(), value(text))).collect()
    }

    fn guard(address: &str, token: Option<&str>) -> Guard {
        let hosts = ["lab.example".to_owned()];
        Guard::new(address.parse().expect("an address"), &hosts, &[], token.map(str::to_owned))
    }

    #[test]
    fn only_own_names_are_known() {
        let knows = |address: &str, host: &str| {
            guard(address, None).host(&headers(&[(header::HOST, host)])).is_some()
        };
        for host in ["localhost", "LocalHost:8642", "127.0.0.1:8642", "[::1]:8642", "lab.example"] {
            assert!(knows("127.0.0.1:8642", host), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "192.168.1.5:8642", "", "[::1"] {
            assert!(!knows("127.0.0.1:8642", host), "{host}");
        }
        let ports = ["", "65536", "8642 wss://evil.example", "*", "+80", "80;script-src *", "0x50"];
        for port in ports {
            for name in ["localhost", "127.0.0.1", "[::1]", "lab.example"] {
                assert!(!knows("127.0.0.1:8642", &format!("{name}:{port}")), "{name}:{port}");
            }
        }
        assert!(knows("192.168.1.5:8642", "192.168.1.5:8642"));
        assert!(!knows("192.168.1.5:8642", "192.168.1.6:8642"));
        assert!(knows("0.0.0.0:8642", "10.1.2.3"));
        assert!(!knows("0.0.0.0:8642", "evil.example"));
        assert_eq!(guard("127.0.0.1:1", None).host(&HeaderMap::new()), None);
    }

    #[test]
    fn only_the_own_page_is_known() {
        let knows = |origin: &str| {
            let headers = headers(&[(header::HOST, "localhost:8642"), (header::ORIGIN, origin)]);
            guard("127.0.0.1:8642", None).knows_origin(&headers)
        };
        assert!(knows("http://localhost:8642") && knows("https://localhost:8642"));
        for origin in ["http://localhost:1", "http://evil.example", "null", "file://", ""] {
            assert!(!knows(origin), "{origin}");
        }
        let program = headers(&[(header::HOST, "localhost:8642")]);
        assert!(guard("127.0.0.1:8642", None).knows_origin(&program));
    }

    #[test]
    fn the_token_comes_by_query_or_cookie() {
        let guard = guard("0.0.0.0:8642", Some("0123abcd"));
        let none = HeaderMap::new();
        assert!(guard.knows_token(Some("x=1&token=0123abcd"), &none));
        for query in [None, Some("token="), Some("token=0123abce"), Some("token=0123abcd0")] {
            assert!(!guard.knows_token(query, &none), "{query:?}");
        }
        assert!(
            guard.knows_token(None, &headers(&[(header::COOKIE, "a=b; rolima_token=0123abcd")]))
        );
        assert!(!guard.knows_token(None, &headers(&[(header::COOKIE, "rolima_token=0")])));
        assert!(guard.cookie(Some("token=0123abcd")).is_some_and(|c| c.contains("HttpOnly")));
        assert_eq!(guard.cookie(Some("token=0")), None);
        let (one, other) = (new_token().expect("a token"), new_token().expect("a token"));
        assert!(one.len() == 32 && one != other);
    }
}
