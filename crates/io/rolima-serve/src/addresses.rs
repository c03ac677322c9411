//! Addresses as people write them.

use rolima_wire::robotone::RELEASE_PORT;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// An address of this machine.
pub fn address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "expected an address in numbers, such as 0.0.0.0".to_owned())
}

/// `ADDRESS:PORT`, or a port of this machine.
pub fn listen(text: &str) -> Result<SocketAddr, String> {
    let here = |port: &str| port.parse().map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let found = match text.strip_prefix("localhost:") {
        Some(port) => here(port).ok(),
        None => text.parse().ok().or_else(|| here(text).ok()),
    };
    found.ok_or_else(|| {
        "expected an address and a port, such as 127.0.0.1:8642 for this machine only or \
         0.0.0.0:8642 for all networks"
            .to_owned()
    })
}

/// An address, or an address and the first of two ports.
pub fn robotone_listen(text: &str) -> Result<SocketAddr, String> {
    let alone = text.parse().ok().map(|ip: IpAddr| SocketAddr::from((ip, RELEASE_PORT)));
    let found = alone.map_or_else(|| listen(text), Ok);
    found.map_err(|_| {
        "expected an address, such as 0.0.0.0 for all networks, or one and the first of two ports, \
         such as 127.0.0.1:6000"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_to_listen_at_has_several_forms() {
        for (text, address) in [
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("0.0.0.0:0", "0.0.0.0:0"),
            ("[::1]:5", "[::1]:5"),
            ("localhost:9000", "127.0.0.1:9000"),
            ("9000", "127.0.0.1:9000"),
        ] {
            assert_eq!(listen(text), Ok(address.parse().unwrap()), "{text}");
        }
        for text in ["", "here", "70000", "1.2.3.4", "host:80"] {
            assert!(listen(text).unwrap_err().contains("0.0.0.0:8642"), "{text}");
        }
    }
}
