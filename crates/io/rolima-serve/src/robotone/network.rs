//! Which addresses programs may come from.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// Addresses that begin alike, such as `192.168.1.0/24`; without `/BITS` one address alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    /// Whether an address is one of them. One of IPv4 in the form of IPv6 is the same address.
    pub fn contains(&self, address: IpAddr) -> bool {
        let as_number = |address: IpAddr| match address.to_canonical() {
            IpAddr::V4(v4) => (u128::from(v4.to_bits()) << 96, 4),
            IpAddr::V6(v6) => (v6.to_bits(), 6),
        };
        let ((own, kind), (other, other_kind)) = (as_number(self.address), as_number(address));
        let differs = own ^ other;
        // A shift by all bits would be too far.
        kind == other_kind && differs.checked_shr(128 - self.bits).unwrap_or(0) == 0
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!(
                "expected an address such as 192.168.1.7, or many as 192.168.1.0/24, got `{text}`"
            )
        };
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| expected())?;
        let address = address.to_canonical();
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), str::parse).map_err(|_| expected())?;
        match bits <= most {
            true => Ok(Self { address, bits }),
            false => Err(format!("expected at most {most} bits, got {bits} in `{text}`")),
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_hold_the_addresses_that_begin_alike() {
        let holds = |network: &str, address: &str| {
            let network: Network = network.parse().expect("a network");
            network.contains(address.parse().expect("an address"))
        };
        for (network, address) in [
            ("127.0.0.1", "127.0.0.1"),
            ("192.168.1.0/24", "192.168.1.255"),
            ("192.168.1.77/24", "192.168.1.1"),
            ("0.0.0.0/0", "8.8.8.8"),
            ("10.0.0.0/8", "::ffff:10.2.3.4"),
            ("2001:db8::/32", "2001:db8:1::5"),
            ("::/0", "::1"),
        ] {
            assert!(holds(network, address), "{network} {address}");
        }
        for (network, address) in [
            ("127.0.0.1", "127.0.0.2"),
            ("192.168.1.0/24", "192.168.2.0"),
            ("192.168.1.0/25", "192.168.1.128"),
            ("0.0.0.0/0", "::1"),
            ("::/0", "10.0.0.1"),
            ("2001:db8::/32", "2001:db9::"),
        ] {
            assert!(!holds(network, address), "{network} {address}");
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let refused = |text: &str| text.parse::<Network>().expect_err(text);
        for text in ["", "lab", "10.0.0.0/", "10.0.0.0/x", "10.0.0/8", "10.0.0.0/-1", "1.2.3.4/8/8"]
        {
            assert!(refused(text).contains(&format!("got `{text}`")), "{text}");
        }
        assert_eq!(refused("10.0.0.0/33"), "expected at most 32 bits, got 33 in `10.0.0.0/33`");
        assert_eq!(refused("::1/129"), "expected at most 128 bits, got 129 in `::1/129`");
    }
}
