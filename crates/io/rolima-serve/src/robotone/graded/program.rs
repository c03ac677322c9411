//! The program that is graded, with all that it starts.

use rolima_wire::robotone::Dialect;
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};

/// Starts a program, as one would type it; it finds the server by its environment.
pub(super) fn start(line: &str, ports: impl Fn(Dialect) -> u16) -> io::Result<Child> {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = Command::new(shell);
    command.arg(flag).arg(line);
    command.env("ROBOTONE_PORT", ports(Dialect::Thesis).to_string());
    command.env("ROBOTONE_RELEASE_PORT", ports(Dialect::Release).to_string());
    // What it prints is not the verdict.
    command.stdin(Stdio::null()).stdout(io::stderr());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// Ends the program, and all that it has started, and says how it ended.
pub(super) fn end(program: &mut Child) -> io::Result<ExitStatus> {
    // Its number is its own until it has been waited for: the group is that of this program, also
    // where the program itself has ended and only its children are left.
    #[cfg(unix)]
    {
        let group = rustix::process::Pid::from_child(program);
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    if matches!(program.try_wait(), Ok(None)) {
        let _ = program.kill();
    }
    program.wait()
}

/// Whether the program has ended; it is not waited for yet.
#[cfg(unix)]
pub(super) fn has_ended(program: &mut Child) -> io::Result<bool> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(Pid::from_child(program)), options)?.is_some())
}

/// Whether the program has ended.
#[cfg(not(unix))]
pub(super) fn has_ended(program: &mut Child) -> io::Result<bool> {
    Ok(program.try_wait()?.is_some())
}
