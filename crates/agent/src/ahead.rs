//! Classes that every start of a JVM loads are rewritten before their turn, by
//! a thread of the agent's own, while the JVM is busy with others.
//!
//! The JVM does not wait for that thread: what is not ready when the JVM loads
//! it is rewritten as any other class. What is ready is used only if the JVM has
//! read the same bytes. If it once has not, somebody changes classes of the JDK,
//! and nothing that was made ahead can be relied on any more.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use crate::agent::{Agent, guarded};
use crate::early_classes;
use crate::knowledge::lock;
use crate::loading::Foreseen;
use crate::runtime_image::RuntimeImage;

/// Classes that are left to the JVM's own thread once it has caught up: if the
/// next one were tried, it would be overtaken again.
const LEAD: usize = 4;

/// What was made of these bytes.
#[derive(Debug)]
struct Made {
    from: Vec<u8>,
    foreseen: Foreseen,
}

/// Between the thread that rewrites ahead and those that load classes.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    state: Mutex<State>,
}

/// Empty before the start and when it is over.
#[derive(Debug, Default)]
struct State {
    classes: Vec<&'static str>,
    /// Where each class is in the list, until the JVM has loaded it.
    places: FxHashMap<&'static [u8], usize>,
    /// Where the thread goes on.
    next: usize,
    /// By place.
    made: FxHashMap<usize, Made>,
}

impl Ahead {
    /// Begins with a list of classes in the order in which they are loaded.
    fn begin(&self, classes: Vec<&'static str>) {
        let places = classes.iter().enumerate().map(|(at, name)| (name.as_bytes(), at)).collect();
        *lock(&self.state) = State { classes, places, ..State::default() };
    }

    /// Forgets everything: what comes from now on is rewritten when it is loaded.
    pub(crate) fn end(&self) {
        let over = std::mem::take(&mut *lock(&self.state));
        // Without the lock, for it takes a while.
        drop(over);
    }

    /// The next class that nobody has loaded yet.
    fn next(&self) -> Option<&'static str> {
        let state = &mut *lock(&self.state);
        loop {
            let &name = state.classes.get(state.next)?;
            state.next += 1;
            if state.places.contains_key(name.as_bytes()) {
                return Some(name);
            }
        }
    }

    /// Leaves a class for the JVM, unless it was faster.
    fn offer(&self, name: &str, from: Vec<u8>, foreseen: Foreseen) {
        let state = &mut *lock(&self.state);
        if let Some(&place) = state.places.get(name.as_bytes()) {
            state.made.insert(place, Made { from, foreseen });
        }
    }

    /// The JVM loads a class. What was made of it, if it was made of these bytes.
    pub(crate) fn take(&self, name: &[u8], bytes: &[u8]) -> Option<Foreseen> {
        let state = &mut *lock(&self.state);
        let place = state.places.remove(name)?;
        let Some(Made { from, foreseen }) = state.made.remove(&place) else {
            if state.next == place + 1 {
                state.next += LEAD;
            }
            return None;
        };
        if from != bytes {
            *state = State::default();
            return None;
        }
        Some(foreseen)
    }
}

/// Starts the thread, if there is anything to gain and the JDK is as expected.
pub(crate) fn start(agent: &'static Agent) {
    // On a single core it would only be in the way.
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return;
    }
    let Some(home) = agent.jvmti.system_property(c"java.home") else { return };
    let Some(image) = RuntimeImage::open(Path::new(OsStr::from_bytes(&home))) else { return };
    agent.ahead.begin(early_classes::of_jdk(agent.jvmti.jdk_version()));
    let thread = std::thread::Builder::new().name("residue-ahead".into());
    let started = without_signals(|| thread.spawn(move || work(&image)));
    if started.is_err() {
        agent.ahead.end();
    }
}

fn work(image: &RuntimeImage) {
    // SAFETY: the thread is none of the JVM's, and the body does not use JNI.
    unsafe {
        guarded(std::ptr::null_mut(), (), |agent, _| {
            while let Some(name) = agent.ahead.next() {
                let Some(bytes) = image.class_of_java_base(name) else { continue };
                if let Some(foreseen) = agent.rewrite_ahead(name, &bytes) {
                    agent.ahead.offer(name, bytes, foreseen);
                }
            }
        });
    }
}

/// A thread that is started meanwhile gets no signals: they are the JVM's.
fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    let mut before = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    let mut all = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: both sets are locals, and each is filled in before it is read: `before` by the first
    // call that changes the mask, which cannot fail with these arguments.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
    }
    let started = start();
    // SAFETY: as above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    started
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [&str; 9] = ["A", "B", "C", "D", "E", "F", "G", "H", "I"];

    fn ahead() -> Ahead {
        let ahead = Ahead::default();
        ahead.begin(CLASSES.to_vec());
        ahead
    }

    /// What the thread does, with rewriting that only adds a byte.
    fn make_next(ahead: &Ahead) -> Option<&'static str> {
        let name = ahead.next()?;
        offer(ahead, name);
        Some(name)
    }

    fn offer(ahead: &Ahead, name: &str) {
        let rewritten = [name.as_bytes(), b"'"].concat();
        let foreseen = Foreseen { bytes: Some(rewritten), ..Foreseen::default() };
        ahead.offer(name, name.as_bytes().to_vec(), foreseen);
    }

    fn take(ahead: &Ahead, name: &str) -> Option<Vec<u8>> {
        ahead.take(name.as_bytes(), name.as_bytes())?.bytes
    }

    #[test]
    fn what_is_ready_is_used_once() {
        let ahead = ahead();
        assert_eq!(make_next(&ahead), Some("A"));
        assert_eq!(make_next(&ahead), Some("B"));
        assert_eq!(take(&ahead, "B").as_deref(), Some(b"B'".as_slice()));
        assert_eq!(take(&ahead, "B"), None);
        assert_eq!(take(&ahead, "A").as_deref(), Some(b"A'".as_slice()));
        assert_eq!(take(&ahead, "Unlisted"), None);
    }

    #[test]
    fn other_bytes_are_the_end_of_it() {
        let ahead = ahead();
        make_next(&ahead);
        make_next(&ahead);
        assert!(ahead.take(b"A", b"patched").is_none());
        assert_eq!(take(&ahead, "B"), None, "B may have been made with A in mind");
        assert_eq!(ahead.next(), None);
        offer(&ahead, "C");
        assert_eq!(take(&ahead, "C"), None);
    }

    #[test]
    fn classes_that_are_loaded_are_skipped() {
        let ahead = ahead();
        assert_eq!(take(&ahead, "B"), None);
        assert_eq!(take(&ahead, "C"), None);
        assert_eq!(make_next(&ahead), Some("A"));
        assert_eq!(make_next(&ahead), Some("D"));
    }

    #[test]
    fn who_is_overtaken_goes_on_further_ahead() {
        let ahead = ahead();
        assert_eq!(ahead.next(), Some("A"));
        assert_eq!(take(&ahead, "A"), None);
        offer(&ahead, "A");
        assert_eq!(take(&ahead, "A"), None, "it came too late");
        assert_eq!(make_next(&ahead), Some(CLASSES[1 + LEAD]));
    }

    #[test]
    fn after_the_end_nothing_is_kept() {
        let ahead = ahead();
        make_next(&ahead);
        ahead.end();
        assert_eq!(take(&ahead, "A"), None);
        assert_eq!(ahead.next(), None);
    }
}
