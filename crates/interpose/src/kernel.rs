//! System calls of our own, which go past everything that is interposed.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;

use residue_outside::Metadata;

/// Which file, and what kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    mode: u32,
    names: u64,
    modified: (i64, i64),
}

impl File {
    #[allow(clippy::unnecessary_cast, reason = "other machines have narrower numbers")]
    pub(crate) fn of(stat: &libc::stat) -> Self {
        Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            mode: stat.st_mode,
            names: stat.st_nlink as u64,
            modified: (stat.st_mtime, stat.st_mtime_nsec),
        }
    }

    pub(crate) fn of_statx(stat: &libc::statx) -> Self {
        let device = libc::makedev(stat.stx_dev_major, stat.stx_dev_minor);
        let (mode, names) = (stat.stx_mode.into(), stat.stx_nlink.into());
        let modified = (stat.stx_mtime.tv_sec, stat.stx_mtime.tv_nsec.into());
        Self { device, inode: stat.stx_ino, mode, names, modified }
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

    pub(crate) fn is_link(self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFLNK
    }

    pub(crate) fn metadata(self) -> Metadata {
        Metadata { mode: self.mode & 0o7777, modified: self.modified }
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
    read_link_at((libc::AT_FDCWD, name.as_ptr()), into)
}

pub(crate) fn read_link_at(place: (c_int, *const c_char), into: &mut [u8]) -> Option<usize> {
    // SAFETY: the buffer is as long as told; a bad pointer is an error to the kernel, no more.
    let length = unsafe {
        let (buffer, size) = (into.as_mut_ptr(), into.len());
        libc::syscall(libc::SYS_readlinkat, place.0, place.1, buffer, size)
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
    let file = Descriptor::open_to_read((libc::AT_FDCWD, name), true)?;
    // SAFETY: the buffer is as long as told.
    let count = unsafe { libc::syscall(libc::SYS_read, file.0, into.as_mut_ptr(), into.len()) };
    usize::try_from(count).ok()
}

/// Memory of a file that all who map it share.
pub(crate) fn map_shared(name: *const c_char, bytes: usize) -> Option<*mut u8> {
    let file = Descriptor::open((libc::AT_FDCWD, name), libc::O_RDWR, 0)?;
    map(bytes, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED, file.0)
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

/// A descriptor of our own, closed when dropped.
#[derive(Debug)]
pub(crate) struct Descriptor(c_int);

impl Descriptor {
    pub(crate) fn open_to_read(place: (c_int, *const c_char), follow: bool) -> Option<Self> {
        let link = if follow { 0 } else { libc::O_NOFOLLOW };
        Self::open(place, libc::O_RDONLY | libc::O_NONBLOCK | link, 0)
    }

    /// Only to find out where it is; also what may not be read.
    pub(crate) fn open_as_place(place: (c_int, *const c_char)) -> Option<Self> {
        Self::open(place, libc::O_PATH, 0)
    }

    fn open(place: (c_int, *const c_char), flags: c_int, mode: c_int) -> Option<Self> {
        let flags = flags | libc::O_CLOEXEC;
        // SAFETY: a bad pointer is an error to the kernel, no more.
        let opened = unsafe { libc::syscall(libc::SYS_openat, place.0, place.1, flags, mode) };
        c_int::try_from(opened).ok().filter(|opened| *opened >= 0).map(Self)
    }

    pub(crate) fn number(&self) -> c_int {
        self.0
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: the descriptor is our own.
        unsafe { libc::syscall(libc::SYS_close, self.0) };
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Copied {
    Whole,
    /// There is a copy already, or none could be made.
    Not,
}

/// Copies a file with its permissions and times to a new one. Where the file
/// system can, both share their blocks until one is changed.
pub(crate) fn copy(from: &Descriptor, to: &CStr) -> Copied {
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
    let place = (libc::AT_FDCWD, to.as_ptr());
    let Some(copy) = Descriptor::open(place, flags, 0o600) else { return Copied::Not };
    let mut stat = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the descriptors are our own, and the structure is filled in if the kernel says so.
    unsafe {
        if libc::syscall(libc::SYS_ioctl, copy.0, CLONE_FILE, from.0) != 0
            && !copy_bytes(from, &copy)
        {
            return Copied::Not;
        }
        if libc::syscall(libc::SYS_fstat, from.0, stat.as_mut_ptr()) == 0 {
            let stat = stat.assume_init();
            let times = [
                libc::timespec { tv_sec: stat.st_atime, tv_nsec: stat.st_atime_nsec },
                libc::timespec { tv_sec: stat.st_mtime, tv_nsec: stat.st_mtime_nsec },
            ];
            libc::syscall(libc::SYS_fchmod, copy.0, stat.st_mode & 0o7777);
            let nothing = std::ptr::null::<c_char>();
            libc::syscall(libc::SYS_utimensat, copy.0, nothing, times.as_ptr(), 0);
        }
    }
    Copied::Whole
}

/// `FICLONE`: one file gets the content of another.
pub(crate) const CLONE_FILE: std::ffi::c_ulong = 0x4004_9409;

fn copy_bytes(from: &Descriptor, to: &Descriptor) -> bool {
    let mut buffer = [0_u8; 16 << 10];
    loop {
        // SAFETY: the buffer is as long as told, and the descriptors are our own.
        let count =
            unsafe { libc::syscall(libc::SYS_read, from.0, buffer.as_mut_ptr(), buffer.len()) };
        let Ok(count) = usize::try_from(count) else { return false };
        if count == 0 {
            return true;
        }
        let mut done = 0;
        while done < count {
            // SAFETY: as above.
            let written = unsafe {
                libc::syscall(libc::SYS_write, to.0, buffer.as_ptr().add(done), count - done)
            };
            match usize::try_from(written) {
                Ok(written) if written > 0 => done += written,
                _ => return false,
            }
        }
    }
}
