//! Ctrl-C and termination signals.

use std::io;
use std::process;
use std::thread;

use residue_exec::Interrupt;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::exit_code::ExitCode;

/// The first signal asks everything to stop in good order; the second does not
/// wait for that. JVMs end with their host in either case, and the store is
/// sound at every moment.
pub fn on_signals() -> io::Result<Interrupt> {
    let interrupt = Interrupt::new()?;
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let raised = interrupt.clone();
    thread::spawn(move || {
        for _ in signals.forever() {
            if raised.is_raised() {
                process::exit(ExitCode::Interrupted as i32);
            }
            raised.raise();
        }
    });
    Ok(interrupt)
}
