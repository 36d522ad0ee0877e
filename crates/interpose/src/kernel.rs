//! System calls of our own, which go past everything that is interposed.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;

/// Which file, and what kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    mode: u32,
    names: u64,
}

impl File {
    #[allow(clippy::unnecessary_cast, reason = "other machines have narrower numbers")]
    pub(crate) fn of(stat: &libc::stat) -> Self {
        Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            mode: stat.st_mode,
            names: stat.st_nlink as u64,
        }
    }

    pub(crate) fn of_statx(stat: &libc::statx) -> Self {
        let device = libc::makedev(stat.stx_dev_major, stat.stx_dev_minor);
        let (mode, names) = (stat.stx_mode.into(), stat.stx_nlink.into());
        Self { device, inode: stat.stx_ino, mode, names }
    }

    pub(crate) fn id(self) -> (u64, u64) {
        (self.device, self.inode)
    }

    pub(crate) fn is_regular(self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFREG
    }

    pub(crate) fn is_folder(self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFDIR
    }

    pub(crate) fn has_one_name(self) -> bool {
        self.names <= 1
    }

    pub(crate) fn changes_user(self) -> bool {
        self.mode & (libc::S_ISUID | libc::S_ISGID) != 0
    }

    /// Terminals, disks, `/dev/null`: nothing is left in them.
    pub(crate) fn is_device(self) -> bool {
        matches!(self.mode & libc::S_IFMT, libc::S_IFCHR | libc::S_IFBLK)
    }
}

pub(crate) fn of_descriptor(descriptor: c_int) -> Option<File> {
    let mut stat = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the kernel fills in the structure if it says that all went well.
    unsafe {
        let done = libc::syscall(libc::SYS_fstat, descriptor, stat.as_mut_ptr());
        (done == 0).then(|| File::of(stat.assume_init_ref()))
    }
}

/// Whether a descriptor can be read, and whether it can be written.
pub(crate) fn ways_to_use(descriptor: c_int) -> (bool, bool) {
    // SAFETY: this command only asks.
    let flags = unsafe { libc::syscall(libc::SYS_fcntl, descriptor, libc::F_GETFL) };
    let access = flags as c_int & libc::O_ACCMODE;
    (flags >= 0 && access != libc::O_WRONLY, flags >= 0 && access != libc::O_RDONLY)
}

/// What a name stands for; the link itself if `follow` is not set.
pub(crate) fn of_name(folder: c_int, name: *const c_char, follow: bool) -> Option<File> {
    let flags = if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    let mut stat = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: as above; a bad pointer is an error to the kernel, no more.
    unsafe {
        let done = libc::syscall(libc::SYS_newfstatat, folder, name, stat.as_mut_ptr(), flags);
        (done == 0).then(|| File::of(stat.assume_init_ref()))
    }
}

/// Where a symbolic link points to.
pub(crate) fn read_link(name: &CStr, into: &mut [u8]) -> Option<usize> {
    // SAFETY: the buffer is as long as told.
    let length = unsafe {
        let (buffer, size) = (into.as_mut_ptr(), into.len());
        libc::syscall(libc::SYS_readlinkat, libc::AT_FDCWD, name.as_ptr(), buffer, size)
    };
    usize::try_from(length).ok()
}

/// Length without the zero byte at the end.
pub(crate) fn working_folder(into: &mut [u8]) -> Option<usize> {
    // SAFETY: the buffer is as long as told.
    let length = unsafe { libc::syscall(libc::SYS_getcwd, into.as_mut_ptr(), into.len()) };
    usize::try_from(length).ok()?.checked_sub(1)
}

/// The first bytes of a file.
pub(crate) fn first_bytes(name: *const c_char, into: &mut [u8]) -> Option<usize> {
    // SAFETY: the buffer is as long as told, and the descriptor is our own.
    unsafe {
        let flags = libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NONBLOCK;
        let opened = libc::syscall(libc::SYS_openat, libc::AT_FDCWD, name, flags, 0);
        let descriptor = c_int::try_from(opened).ok().filter(|opened| *opened >= 0)?;
        let count = libc::syscall(libc::SYS_read, descriptor, into.as_mut_ptr(), into.len());
        libc::syscall(libc::SYS_close, descriptor);
        usize::try_from(count).ok()
    }
}

/// Memory of a file that all who map it share.
pub(crate) fn map_shared(name: *const c_char, bytes: usize) -> Option<*mut u8> {
    // SAFETY: a new mapping harms nobody, and the descriptor is our own.
    unsafe {
        let flags = libc::O_RDWR | libc::O_CLOEXEC;
        let opened = libc::syscall(libc::SYS_openat, libc::AT_FDCWD, name, flags, 0);
        let descriptor = c_int::try_from(opened).ok().filter(|opened| *opened >= 0)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let mapped = map(bytes, protection, libc::MAP_SHARED, descriptor);
        libc::syscall(libc::SYS_close, descriptor);
        mapped
    }
}

/// Memory that nobody else uses, filled with zeros.
pub(crate) fn map_private(bytes: usize) -> Option<*mut u8> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    map(bytes, protection, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1)
}

fn map(bytes: usize, protection: c_int, flags: c_int, descriptor: c_int) -> Option<*mut u8> {
    // SAFETY: a new mapping at an address that the kernel chooses.
    let address = unsafe {
        // Addresses and offsets are long, and nobody widens them on the way.
        let (anywhere, start) = (0_usize, 0_i64);
        libc::syscall(libc::SYS_mmap, anywhere, bytes, protection, flags, descriptor, start)
    };
    (address != -1).then_some(address as *mut u8)
}

/// # Safety
/// The memory must come from [`map_private`], with as many bytes, and not be
/// used any more.
pub(crate) unsafe fn unmap(address: *mut u8, bytes: usize) {
    // SAFETY: by contract.
    unsafe { libc::syscall(libc::SYS_munmap, address.cast::<c_void>(), bytes) };
}

pub(crate) fn process() -> u32 {
    // SAFETY: it has no conditions.
    unsafe { libc::syscall(libc::SYS_getpid) as u32 }
}
