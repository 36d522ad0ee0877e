//! Addresses of sockets: who has them, and who wants something from there.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::slice;

use libc::{sa_family_t, sockaddr, sockaddr_storage, socklen_t};
use residue_outside::EventKind;
use residue_outside::flags::{ANY_PORT, DATAGRAM, REFUSED};

use crate::descriptors;
use crate::errno::{self, quietly};
use crate::notes::{self, Again};

interpose! {
    fn bind(fd: c_int, address: *const sockaddr, length: socklen_t) -> c_int = |real| {
        let done = unsafe { real(fd, address, length) };
        let errno = errno::get();
        quietly((), || {
            let Some(wanted) = (unsafe { Address::given(address, length) }) else { return };
            let detail = kind_of_socket(fd);
            if done == 0 {
                bound(fd, &wanted, detail);
            } else if matches!(errno, libc::EADDRINUSE | libc::EEXIST) {
                wanted.noted(EventKind::CannotBind, detail, Again::Boring);
            }
        });
        done
    };
    fn connect(fd: c_int, address: *const sockaddr, length: socklen_t) -> c_int = |real| {
        let done = unsafe { real(fd, address, length) };
        let errno = errno::get();
        quietly((), || {
            let Some(peer) = (unsafe { Address::given(address, length) }) else { return };
            let refused = match (done, errno) {
                (0, _) | (_, libc::EINPROGRESS | libc::EINTR) => 0,
                (_, libc::ECONNREFUSED | libc::ENOENT) => REFUSED,
                _ => return,
            };
            peer.noted(EventKind::Connect, kind_of_socket(fd) | refused, Again::Boring);
        });
        done
    };
}

/// The bytes of a `sockaddr` of a family that other tests can meet.
pub(super) struct Address {
    storage: sockaddr_storage,
    length: usize,
}

impl Address {
    /// # Safety
    /// The address must be as the kernel would take it.
    unsafe fn given(address: *const sockaddr, length: socklen_t) -> Option<Self> {
        let mut storage = MaybeUninit::<sockaddr_storage>::zeroed();
        let length = (length as usize).min(size_of::<sockaddr_storage>());
        if address.is_null() || length < size_of::<sa_family_t>() {
            return None;
        }
        // SAFETY: by contract the address has so many bytes, and zeros are a valid storage.
        let storage = unsafe {
            storage.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(address.cast(), length);
            storage.assume_init()
        };
        let family = c_int::from(storage.ss_family);
        let known = matches!(family, libc::AF_INET | libc::AF_INET6 | libc::AF_UNIX);
        known.then_some(Self { storage, length })
    }

    fn of_socket(descriptor: c_int) -> Option<Self> {
        let mut storage = MaybeUninit::<sockaddr_storage>::zeroed();
        let mut length = size_of::<sockaddr_storage>() as socklen_t;
        // SAFETY: the kernel fills in at most as many bytes as told.
        unsafe {
            let place = storage.as_mut_ptr();
            let done = libc::syscall(libc::SYS_getsockname, descriptor, place, &raw mut length);
            if done != 0 { None } else { Self::given(place.cast(), length) }
        }
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: a storage is plain bytes, and so many of them are filled in.
        unsafe { slice::from_raw_parts((&raw const self.storage).cast::<u8>(), self.length) }
    }

    /// In network order; 0 if the kernel is to choose one.
    fn port(&self) -> Option<u16> {
        let is_internet = c_int::from(self.storage.ss_family) != libc::AF_UNIX;
        let bytes = self.bytes();
        (is_internet && bytes.len() >= 4).then(|| u16::from_be_bytes([bytes[2], bytes[3]]))
    }

    fn noted(&self, kind: EventKind, flags: u16, again: Again) {
        notes::record(kind, flags, (0, 0), self.bytes(), b"", again);
    }
}

fn bound(descriptor: c_int, wanted: &Address, detail: u16) {
    let any = wanted.port() == Some(0);
    if any && detail & DATAGRAM != 0 {
        return;
    }
    let flags = if any { detail | ANY_PORT } else { detail };
    descriptors::is_bound_socket(descriptor);
    if let Some(got) = Address::of_socket(descriptor) {
        got.noted(EventKind::Bind, flags, Again::Matters);
    }
}

fn kind_of_socket(descriptor: c_int) -> u16 {
    let (mut kind, mut length) = (0 as c_int, size_of::<c_int>() as socklen_t);
    // SAFETY: the kernel fills in a number.
    unsafe {
        libc::syscall(
            libc::SYS_getsockopt,
            descriptor,
            libc::SOL_SOCKET,
            libc::SO_TYPE,
            (&raw mut kind).cast::<c_void>(),
            &raw mut length,
        );
    }
    if kind == libc::SOCK_DGRAM { DATAGRAM } else { 0 }
}

/// The address that a socket has until it is closed.
pub(super) fn address_to_give_back(descriptor: c_int) -> Option<(Address, u16)> {
    if !descriptors::has_address(descriptor) {
        return None;
    }
    quietly(None, || {
        Address::of_socket(descriptor).map(|address| (address, kind_of_socket(descriptor)))
    })
}

pub(super) fn gave_back(address: Option<(Address, u16)>) {
    if let Some((address, detail)) = address {
        quietly((), || address.noted(EventKind::Unbind, detail, Again::Matters));
    }
}
