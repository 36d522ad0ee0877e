//! Ports, peers and Unix sockets.

use std::collections::HashSet;

use residue_model::trace::OutsideKind;

use crate::address::Address;
use crate::event::{Event, EventKind, flags};
use crate::log::Log;

use super::History;
use super::recorder::{Binding, By, Key};

/// Ports that the JVM or its children take themselves: to connect to one of
/// them is to talk to the test's own server, whose state is in the heap.
#[derive(Debug, Default)]
pub(super) struct OwnPorts {
    all: HashSet<u16>,
    /// Those that somebody asked for by number.
    wanted: HashSet<u16>,
}

impl OwnPorts {
    pub(super) fn of(log: &Log<'_>) -> Self {
        let mut ports = Self::default();
        for event in log.events().filter(|event| event.kind == EventKind::Bind) {
            if let Some(Address::Internet { port, .. }) = Address::of(&event.text) {
                ports.all.insert(port);
                if !event.has(flags::ANY_PORT) {
                    ports.wanted.insert(port);
                }
            }
        }
        ports
    }

    fn is_chosen_by_system(&self, port: u16) -> bool {
        self.all.contains(&port) && !self.wanted.contains(&port)
    }
}

impl History<'_> {
    pub(super) fn socket(&mut self, event: &Event<'_>, by: By) {
        let Some(address) = Address::of(&event.text) else { return };
        let key = match &address {
            Address::Unix(name) => Key::Other(OutsideKind::UnixSocket, name.clone()),
            Address::Internet { host, port } => {
                let own = self.ports.all.contains(port);
                if event.kind == EventKind::Connect && !own {
                    return self.peer(&format!("{host}:{port}"), address.is_local(), event, by);
                }
                let protocol = if event.has(flags::DATAGRAM) { "/udp" } else { "" };
                Key::Other(OutsideKind::Port, format!("{port}{protocol}"))
            }
        };
        if !self.watches_other(&key) {
            return;
        }
        let key = match (key, address) {
            (Key::Other(_, name), Address::Internet { port, .. })
                if self.ports.is_chosen_by_system(port) =>
            {
                Key::ChosenPort(name)
            }
            (key, _) => key,
        };
        match event.kind {
            // Whoever gets an address has seen that it was free.
            EventKind::Bind => {
                self.recorder.read(key.clone(), by);
                self.recorder.occupy(key, Binding::Nothing, Binding::Something, by);
            }
            EventKind::Unbind => {
                self.recorder.occupy(key, Binding::Something, Binding::Nothing, by);
            }
            _ => self.recorder.read(key, by),
        }
    }

    /// Somebody else's server: what it is told there, it may tell others.
    fn peer(&mut self, name: &str, is_local: bool, event: &Event<'_>, by: By) {
        let refused = event.has(flags::REFUSED);
        if refused && is_local {
            // Another test may have a server there.
            let port = name.rsplit(':').next().unwrap_or_default();
            let key = Key::Other(OutsideKind::Port, port.into());
            if self.watches_other(&key) {
                self.recorder.read(key, by);
            }
            return;
        }
        let key = Key::Other(OutsideKind::Peer, name.into());
        if self.watches_other(&key) {
            self.recorder.read(key.clone(), by);
            if !refused {
                self.recorder.write(key, by);
            }
        }
    }

    fn watches_other(&self, key: &Key) -> bool {
        matches!(key, Key::Other(kind, name) if self.rules.watches(*kind, name))
    }
}
