//! Who may come in: a page elsewhere must not drive the robots, whatever its visitors click.
//!
//! A browser says in `Host` by which name it found us and in `Origin` which page asks. A page of a
//! stranger has another origin; a stranger's name that was made to point at this machine has
//! another host. Who is no browser can say anything, and is kept out by the tokens, one a role.

use super::tokens::Tokens;
use axum::http::{HeaderMap, header};
use rolima_wire::Role;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Name of the cookie with the token.
const COOKIE: &str = "rolima_token";

/// What is asked of those who come.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    address: SocketAddr,
    hosts: Vec<String>,
    origins: Vec<String>,
    tokens: Option<Tokens>,
    /// Whether connections are encrypted.
    tls: bool,
}

impl Guard {
    pub(crate) fn new(
        address: SocketAddr,
        hosts: &[String],
        origins: &[String],
        tokens: Option<Tokens>,
        tls: bool,
    ) -> Self {
        Self { address, hosts: hosts.to_vec(), origins: origins.to_vec(), tokens, tls }
    }

    /// The tokens; none where everybody is let in.
    pub(crate) fn tokens(&self) -> Option<&Tokens> {
        self.tokens.as_ref()
    }

    /// Whether connections are encrypted.
    pub(crate) fn tls(&self) -> bool {
        self.tls
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

    /// What the token lets somebody do, in the query or else in a cookie; none without a token that
    /// is right, where one is needed. `role` in the query asks for less.
    pub(crate) fn role(&self, query: Option<&str>, headers: &HeaderMap) -> Option<Role> {
        let granted = match &self.tokens {
            None => Role::Control,
            Some(tokens) => {
                let given = query_value(query, "token").and_then(|given| tokens.role_of(given));
                given.or_else(|| cookies(headers).find_map(|cookie| tokens.role_of(cookie)))?
            }
        };
        let asked = query_value(query, "role");
        // Whoever asks for what does not exist gets the least.
        Some(asked.map_or(granted, |name| granted.min(Role::of_name(name).unwrap_or(Role::Watch))))
    }

    /// The cookie for one who came with a right token in the query.
    pub(crate) fn cookie(&self, query: Option<&str>) -> Option<String> {
        let given = query_value(query, "token")?;
        self.tokens.as_ref()?.role_of(given)?;
        let secure = if self.tls { "; Secure" } else { "" };
        Some(format!("{COOKIE}={given}; Path=/; HttpOnly; SameSite=Strict{secure}"))
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        let value = |text: &str| HeaderValue::from_str(text).expect("a header");
        pairs.iter().map(|(name, text)| (name.clone(), value(text))).collect()
    }

    fn guard(address: &str, tokens: Option<Tokens>) -> Guard {
        let hosts = ["lab.example".to_owned()];
        Guard::new(address.parse().expect("an address"), &hosts, &[], tokens, false)
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
    fn the_token_comes_by_query_or_cookie_and_has_a_role() {
        let [watch, drive, control] = ["w", "d", "c"].map(|letter| letter.repeat(16));
        let tokens = Tokens::new([&watch, &drive, &control].map(|token| token.clone()));
        let guard = guard("0.0.0.0:8642", Some(tokens.expect("tokens")));
        let none = HeaderMap::new();
        let role = |query: &str| guard.role(Some(query), &none);
        assert_eq!(role(&format!("x=1&token={watch}")), Some(Role::Watch));
        assert_eq!(role(&format!("token={drive}")), Some(Role::Drive));
        assert_eq!(role(&format!("token={control}")), Some(Role::Control));
        assert_eq!(guard.role(None, &none), None);
        for wrong in ["", "w", "wwwwwwwwwwwwwwwd", "wwwwwwwwwwwwwwwww"] {
            assert_eq!(role(&format!("token={wrong}")), None, "{wrong}");
        }
        let with =
            |token: &str| headers(&[(header::COOKIE, &format!("a=b; rolima_token={token}"))]);
        assert_eq!(guard.role(None, &with(&drive)), Some(Role::Drive));
        assert_eq!(guard.role(None, &with("0")), None);
        // Whoever opens the address of a lesser role has that one.
        let opened = format!("token={watch}");
        assert_eq!(guard.role(Some(&opened), &with(&control)), Some(Role::Watch));
        let cookie = guard.cookie(Some(&opened)).expect("a cookie");
        assert!(cookie.contains(&watch) && cookie.contains("HttpOnly"), "{cookie}");
        assert!(!cookie.contains("Secure"));
        assert_eq!(guard.cookie(Some("token=0")), None);
    }

    #[test]
    fn a_lesser_role_can_be_asked_for_and_never_a_greater_one() {
        let [watch, drive, control] = ["w", "d", "c"].map(|letter| letter.repeat(16));
        let tokens = Tokens::new([watch, drive.clone(), control]).expect("tokens");
        let none = HeaderMap::new();
        let closed = guard("0.0.0.0:8642", Some(tokens));
        let asked = |role: &str| closed.role(Some(&format!("token={drive}&role={role}")), &none);
        assert_eq!(asked("watch"), Some(Role::Watch));
        assert_eq!(asked("drive"), Some(Role::Drive));
        assert_eq!(asked("control"), Some(Role::Drive));
        assert_eq!(asked("king"), Some(Role::Watch));
        let open = guard("127.0.0.1:8642", None);
        assert_eq!(open.role(None, &none), Some(Role::Control));
        assert_eq!(open.role(Some("role=watch"), &none), Some(Role::Watch));
    }
}
