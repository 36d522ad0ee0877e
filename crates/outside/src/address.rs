//! Addresses of sockets, from the bytes of a `sockaddr`.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

const UNIX: u16 = 1;
const INTERNET: u16 = 2;
const INTERNET_6: u16 = 10;

/// Where a socket can be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    Internet {
        host: IpAddr,
        port: u16,
    },
    /// A path, or a name of no file, which starts with `@`.
    Unix(String),
}

impl Address {
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        let family = u16::from_ne_bytes([*bytes.first()?, *bytes.get(1)?]);
        match family {
            INTERNET | INTERNET_6 => {
                let port = u16::from_be_bytes([*bytes.get(2)?, *bytes.get(3)?]);
                Some(Self::Internet { host: host(family, bytes)?, port })
            }
            UNIX => {
                let path = bytes.get(2..)?;
                let (mark, path) = match path.strip_prefix(b"\0") {
                    Some(name) => ("@", name),
                    None => ("", path),
                };
                let end = path.iter().position(|byte| *byte == 0).unwrap_or(path.len());
                let name = String::from_utf8_lossy(&path[..end]);
                (end > 0).then(|| Self::Unix(format!("{mark}{name}")))
            }
            _ => None,
        }
    }

    /// Whether it can only be on this machine.
    pub(crate) fn is_local(&self) -> bool {
        match self {
            Self::Internet { host, .. } => host.is_loopback() || host.is_unspecified(),
            Self::Unix(_) => true,
        }
    }
}

fn host(family: u16, bytes: &[u8]) -> Option<IpAddr> {
    if family == INTERNET {
        let four: [u8; 4] = bytes.get(4..8)?.try_into().ok()?;
        return Some(Ipv4Addr::from(four).into());
    }
    let sixteen: [u8; 16] = bytes.get(8..24)?.try_into().ok()?;
    // A socket for both kinds has the older addresses inside the newer ones.
    Some(Ipv6Addr::from(sixteen).to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_internet_addresses_are_read() {
        let mut bytes = INTERNET.to_ne_bytes().to_vec();
        bytes.extend([0x1f, 0x90, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
        let old = Address::of(&bytes).unwrap();
        assert_eq!(old, Address::Internet { host: Ipv4Addr::LOCALHOST.into(), port: 8080 });
        let mut bytes = INTERNET_6.to_ne_bytes().to_vec();
        bytes.extend([0x1f, 0x90, 0, 0, 0, 0]);
        bytes.extend(Ipv4Addr::LOCALHOST.to_ipv6_mapped().octets());
        assert_eq!(Address::of(&bytes), Some(old.clone()));
        assert!(old.is_local());
    }

    #[test]
    fn unix_sockets_have_a_path_or_a_name() {
        let of = |name: &[u8]| {
            let mut bytes = UNIX.to_ne_bytes().to_vec();
            bytes.extend(name);
            Address::of(&bytes)
        };
        assert_eq!(of(b"/run/x\0\0"), Some(Address::Unix("/run/x".into())));
        assert_eq!(of(b"\0x"), Some(Address::Unix("@x".into())));
        assert_eq!(of(b""), None);
        assert_eq!(Address::of(b"\xff\xff"), None);
    }
}
