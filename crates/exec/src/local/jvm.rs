//! One JVM under test: its process, its pipes, its private folder.
//!
//! Whatever happens, dropping a [`Jvm`] ends its whole process group and
//! removes its folder. The JVM in turn ends itself when the order pipe is
//! closed, so that it does not survive a host that was killed.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use residue_wire::{Event, FrameDecoder};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal};
use tempfile::TempDir;

use super::output::Stream;
use crate::{ExecError, Interrupt};

/// The order pipe, made by the host in the JVM's folder.
pub(super) const ORDERS_FIFO: &str = "orders";
/// The event pipe.
pub(super) const EVENTS_FIFO: &str = "events";

/// As much as a pipe holds by default; one read for each stream in each turn,
/// so that a flood on one cannot keep us from the others.
const CHUNK: usize = 64 << 10;
/// A JVM with quick tests says something every few microseconds. To be woken
/// each time costs both sides more than the words do, so what comes within
/// this time is read together.
const REST: Duration = Duration::from_millis(1);
/// A pipe holds no more than this much when its writer is gone.
const MOST_LEFT_IN_PIPE: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Jvm {
    child: Child,
    pid: Pid,
    pidfd: OwnedFd,
    events: Option<OwnedFd>,
    decoder: FrameDecoder,
    orders: OwnedFd,
    unsent: Vec<u8>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    folder: TempDir,
    reaped: bool,
    buffer: Box<[u8]>,
    /// Not to be read before.
    rest_until: Option<Instant>,
}

/// Takes what the JVM says.
pub(super) trait Listener {
    fn event(&mut self, event: Event) -> Result<(), ExecError>;
    fn output(&mut self, stream: Stream, bytes: &[u8]);
}

/// Why waiting ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Woken {
    /// The listener was told something, perhaps.
    Progress,
    /// The deadline has passed.
    Deadline,
    /// The JVM ended, and the listener was told everything it had written.
    Gone(ExitStatus),
}

impl Jvm {
    /// Starts a command that ends in our arguments. `folder` must hold the two
    /// fifos.
    pub(super) fn spawn(mut command: Command, folder: TempDir) -> Result<Self, ExecError> {
        let open = |name: &str, flags: OFlags| {
            let path = folder.path().join(name);
            rustix::fs::open(&path, flags | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())
                .map_err(|errno| ExecError::Scratch { path, source: errno.into() })
        };
        let events = open(EVENTS_FIFO, OFlags::RDONLY)?;
        // Also open for reading, because otherwise opening would have to wait
        // for the JVM. We are still the only writer: our end is its end.
        let orders = open(ORDERS_FIFO, OFlags::RDWR)?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0);
        let mut child = command.spawn().map_err(|source| cannot_start(&command, source))?;
        match Self::watch(&mut child) {
            Ok((pid, pidfd, stdout, stderr)) => Ok(Self {
                child,
                pid,
                pidfd,
                events: Some(events),
                decoder: FrameDecoder::new(),
                orders,
                unsent: Vec::new(),
                stdout,
                stderr,
                folder,
                reaped: false,
                buffer: vec![0; CHUNK].into(),
                rest_until: None,
            }),
            Err(source) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(ExecError::System { activity: "watch a JVM", source })
            }
        }
    }

    #[allow(clippy::type_complexity)] // the parts of one struct, taken apart once
    fn watch(child: &mut Child) -> io::Result<(Pid, OwnedFd, Option<OwnedFd>, Option<OwnedFd>)> {
        let pid = Pid::from_child(child);
        let pidfd = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
        forbid_core_file(pid);
        let stdout = child.stdout.take().map(OwnedFd::from);
        let stderr = child.stderr.take().map(OwnedFd::from);
        for pipe in stdout.iter().chain(&stderr) {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok((pid, pidfd, stdout, stderr))
    }

    /// The private folder.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Sends bytes as far as the pipe takes them; the rest goes out while
    /// [`Self::attend`] waits.
    pub(super) fn send(&mut self, bytes: Vec<u8>) -> Result<(), ExecError> {
        if self.unsent.is_empty() {
            self.unsent = bytes;
        } else {
            self.unsent.extend_from_slice(&bytes);
        }
        if self.unsent.len() > CHUNK {
            // A larger pipe lets a JVM that nobody attends to get ready.
            let _ = rustix::pipe::fcntl_setpipe_size(&self.orders, self.unsent.len());
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), ExecError> {
        while !self.unsent.is_empty() {
            match rustix::io::write(&self.orders, &self.unsent) {
                Ok(written) => drop(self.unsent.drain(..written)),
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => {}
                Err(errno) => return Err(system("send an order to a JVM", errno)),
            }
        }
        Ok(())
    }

    /// Waits until the JVM says something, ends, or the deadline passes, and
    /// tells the listener.
    pub(super) fn attend(
        &mut self,
        deadline: Option<Instant>,
        interrupts: &[&Interrupt],
        listener: &mut impl Listener,
    ) -> Result<Woken, ExecError> {
        if interrupts.iter().any(|interrupt| interrupt.is_raised()) {
            return Err(ExecError::Interrupted);
        }
        let mut ready = Ready::default();
        if let Some(end) = self.rest_until.take() {
            let end = deadline.map_or(end, |deadline| end.min(deadline));
            ready = self.wait(Some(end), interrupts, false)?;
        }
        if !ready.any() {
            ready = self.wait(deadline, interrupts, true)?;
        }
        if ready.gone {
            return self.bury(listener).map(Woken::Gone);
        }
        if ready.orders {
            self.flush()?;
        }
        let mut count = 0;
        if ready.events {
            count += self.read_events(listener)?;
        }
        if ready.stdout {
            count += self.read_output(Stream::Stdout, listener)?;
        }
        if ready.stderr {
            count += self.read_output(Stream::Stderr, listener)?;
        }
        // A full pipe stops the JVM.
        if count > 0 && count < CHUNK / 2 {
            self.rest_until = Some(Instant::now() + REST);
        }
        Ok(if ready.any() { Woken::Progress } else { Woken::Deadline })
    }

    /// Waits for the end of the JVM or an interrupt, and for words in a pipe if
    /// those are wanted too.
    fn wait(
        &self,
        deadline: Option<Instant>,
        interrupts: &[&Interrupt],
        words_too: bool,
    ) -> Result<Ready, ExecError> {
        let mut sources = vec![Source::Gone];
        let mut fds = vec![PollFd::new(&self.pidfd, PollFlags::IN)];
        let mut add = |source, fd, flags| {
            sources.push(source);
            fds.push(PollFd::from_borrowed_fd(fd, flags));
        };
        let pipes = [
            (Source::Events, &self.events),
            (Source::Stdout, &self.stdout),
            (Source::Stderr, &self.stderr),
        ];
        for (source, pipe) in pipes {
            if let Some(fd) = pipe
                && words_too
            {
                add(source, fd.as_fd(), PollFlags::IN);
            }
        }
        if !self.unsent.is_empty() {
            add(Source::Orders, self.orders.as_fd(), PollFlags::OUT);
        }
        for interrupt in interrupts {
            add(Source::Interrupt, interrupt.as_fd(), PollFlags::IN);
        }
        let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        match poll(&mut fds, left.map(timespec).as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(Ready { interrupted: true, ..Ready::default() }),
            Err(errno) => return Err(system("wait for a JVM", errno)),
        }
        let mut ready = Ready::default();
        for (source, fd) in sources.into_iter().zip(&fds) {
            if !fd.revents().is_empty() {
                ready.set(source);
            }
        }
        Ok(ready)
    }

    /// Reads what is there. `None` at the end of the pipe, 0 if there is
    /// nothing now.
    fn read(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<Option<usize>, ExecError> {
        match rustix::io::read(fd, buffer) {
            Ok(0) => Ok(None),
            Ok(count) => Ok(Some(count)),
            Err(Errno::AGAIN | Errno::INTR) => Ok(Some(0)),
            Err(errno) => Err(system("read from a JVM", errno)),
        }
    }

    fn read_events(&mut self, listener: &mut impl Listener) -> Result<usize, ExecError> {
        let Some(fd) = &self.events else { return Ok(0) };
        let count = match Self::read(fd.as_fd(), &mut self.buffer)? {
            Some(count) => count,
            None => {
                self.events = None;
                0
            }
        };
        self.decoder.push(&self.buffer[..count]);
        while let Some(event) = self.decoder.next_event()? {
            listener.event(event)?;
        }
        Ok(count)
    }

    fn read_output(
        &mut self,
        stream: Stream,
        listener: &mut impl Listener,
    ) -> Result<usize, ExecError> {
        let pipe = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        let Some(fd) = pipe else { return Ok(0) };
        match Self::read(fd.as_fd(), &mut self.buffer)? {
            Some(0) => Ok(0),
            Some(count) => {
                listener.output(stream, &self.buffer[..count]);
                Ok(count)
            }
            None => {
                *pipe = None;
                Ok(0)
            }
        }
    }

    /// Hands over what the standard streams hold right now.
    pub(super) fn drain_output(&mut self, listener: &mut impl Listener) -> Result<(), ExecError> {
        for stream in [Stream::Stdout, Stream::Stderr] {
            let mut total = 0;
            while total < MOST_LEFT_IN_PIPE {
                match self.read_output(stream, listener)? {
                    0 => break,
                    count => total += count,
                }
            }
        }
        Ok(())
    }

    /// The JVM is a zombie: ends what it started, which may still hold our
    /// pipes, reads what is left and takes the status. Until then its number
    /// cannot become another process.
    fn bury(&mut self, listener: &mut impl Listener) -> Result<ExitStatus, ExecError> {
        self.kill_group();
        while self.read_events(listener)? > 0 {}
        self.drain_output(listener)?;
        self.reap()
    }

    /// Kills the JVM and everything in its process group.
    pub(super) fn kill(&mut self, listener: &mut impl Listener) -> Result<ExitStatus, ExecError> {
        self.kill_group();
        self.drain_output(listener)?;
        self.reap()
    }

    /// The same, where nobody cares any more what it says.
    pub(super) fn end(&mut self) {
        self.kill_group();
        let _ = self.reap();
    }

    /// Asks for a thread dump on standard output.
    pub(super) fn ask_for_thread_dump(&self) {
        // If it has ended meanwhile there is nothing to dump.
        let _ = rustix::process::kill_process(self.pid, Signal::QUIT);
    }

    fn kill_group(&self) {
        if !self.reaped {
            // A group that is gone already is what we want.
            let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
        }
    }

    fn reap(&mut self) -> Result<ExitStatus, ExecError> {
        let status = self
            .child
            .wait()
            .map_err(|source| ExecError::System { activity: "wait for a JVM", source })?;
        self.reaped = true;
        Ok(status)
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        if !self.reaped {
            self.end();
        }
    }
}

/// A VM that crashes must not leave a core file in the project. The VM's own
/// option for that would also make a crash look like an ordinary exit.
fn forbid_core_file(pid: Pid) {
    let maximum = rustix::process::getrlimit(Resource::Core).maximum;
    let _ =
        rustix::process::prlimit(Some(pid), Resource::Core, Rlimit { current: Some(0), maximum });
}

/// Makes the two fifos in a new JVM's folder.
pub(super) fn make_fifos(folder: &Path) -> Result<(), ExecError> {
    for name in [ORDERS_FIFO, EVENTS_FIFO] {
        let path = folder.join(name);
        rustix::fs::mkfifoat(CWD, &path, Mode::RUSR | Mode::WUSR)
            .map_err(|errno| ExecError::Scratch { path, source: errno.into() })?;
    }
    Ok(())
}

#[derive(Debug, Clone, Copy)]
enum Source {
    Gone,
    Events,
    Stdout,
    Stderr,
    Orders,
    Interrupt,
}

#[derive(Debug, Default)]
struct Ready {
    gone: bool,
    events: bool,
    stdout: bool,
    stderr: bool,
    orders: bool,
    interrupted: bool,
}

impl Ready {
    fn set(&mut self, source: Source) {
        *match source {
            Source::Gone => &mut self.gone,
            Source::Events => &mut self.events,
            Source::Stdout => &mut self.stdout,
            Source::Stderr => &mut self.stderr,
            Source::Orders => &mut self.orders,
            Source::Interrupt => &mut self.interrupted,
        } = true;
    }

    fn any(&self) -> bool {
        self.gone || self.events || self.stdout || self.stderr || self.orders || self.interrupted
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec::try_from(duration).unwrap_or(Timespec { tv_sec: i64::MAX, tv_nsec: 0 })
}

fn system(activity: &'static str, errno: Errno) -> ExecError {
    ExecError::System { activity, source: errno.into() }
}

/// `spawn` fails alike for a bad executable and a bad working directory.
fn cannot_start(command: &Command, source: io::Error) -> ExecError {
    if let Some(dir) = command.get_current_dir()
        && let Err(source) = std::fs::read_dir(dir)
    {
        return ExecError::WorkingDir { dir: dir.into(), source };
    }
    ExecError::CannotStart { java: command.get_program().into(), source }
}
