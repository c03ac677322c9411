//! Who may come in from outside: tokens, certificates, and addresses of programs.

use crate::common;

use common::files::{at, certificate_in, written};
use common::running::{HERE, Running};
use common::{code_and_stderr, rolima};
use rolima_testing::Folder;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// A program that goes on, and what it has said up to a line.
struct Saying {
    child: Child,
    said: Vec<String>,
}

impl Saying {
    fn until(arguments: &[&str], last: &str) -> Self {
        let mut child = rolima(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let mut saying = Self { child, said: vec![] };
        while !saying.said.last().is_some_and(|line| line.contains(last)) {
            let line = lines.next().unwrap_or_else(|| panic!("it ended: {:?}", saying.said));
            saying.said.push(line.expect("text"));
        }
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        saying
    }

    /// The line that begins so, behind that.
    fn line(&self, start: &str) -> Option<&str> {
        self.said.iter().find_map(|line| line.strip_prefix(start))
    }

    /// The address in a line, and what stands behind it.
    fn address(&self, start: &str) -> (&str, &str) {
        let line = self.line(start).unwrap_or_else(|| panic!("no {start}: {:?}", self.said));
        line.split_once(' ').unwrap_or((line, ""))
    }
}

impl Drop for Saying {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn three_addresses_are_printed_with_what_each_may_do_and_kept_in_a_file() {
    let folder = Folder::new("doors-three");
    let tokens = at(&folder, "class.tokens");
    let run = ["run", "soccer", "--headless", "--listen", HERE, "--tokens", &tokens];
    let named = ["--drive-robots", "blue-1,yellow-2", "--no-robotone"];
    let first = Saying::until(&[&run[..], &named].concat(), "control: ");
    let (control, may) = first.address("control: ");
    assert_eq!(may, "does everything: resets, loads, pushes, pauses");
    assert_eq!(first.address("soccer: "), (control, "(Ctrl-C ends it)"));
    let (watch, may) = first.address("watch: ");
    assert_eq!(may, "sees everything");
    let (drive, may) = first.address("drive: ");
    assert_eq!(may, "drives and sends blue-1, yellow-2, too");
    let token = |url: &str| url.split("?token=").nth(1).expect("a token").to_owned();
    let kept = [watch, drive, control].map(token);
    assert!(kept[0] != kept[1] && kept[1] != kept[2] && kept[0] != kept[2]);
    // Another machine's page may do what its address may.
    for (url, roles) in [(watch, 1), (drive, 2), (control, 3)] {
        let own = at(&folder, &format!("{roles}.tokens"));
        let view = ["view", url, "--no-browser", "--listen", HERE, "--tokens", &own];
        let last = ["watch: ", "drive: ", "control: "][roles - 1];
        let view = Saying::until(&view, last);
        let printed = ["watch: ", "drive: ", "control: "].map(|start| view.line(start).is_some());
        assert_eq!(printed.iter().filter(|there| **there).count(), roles, "{:?}", view.said);
    }
    drop(first);
    let second = Saying::until(&run, "control: ");
    assert_eq!(second.address("drive: ").1, "drives robots and sends them, too");
    let again = ["watch: ", "drive: ", "control: "].map(|start| token(second.address(start).0));
    assert_eq!(again, kept, "the file keeps them");
}

#[test]
fn what_makes_no_sense_about_tokens_and_robots_is_refused() {
    let folder = Folder::new("doors-refused");
    let short = written(&folder, "short.tokens", "watch a\ndrive b\ncontrol c\n");
    let run = |more: &[&str]| code_and_stderr(&[&["run", "soccer", "--headless"], more].concat());
    let new = at(&folder, "new.tokens");
    let refused: [(&[&str], &str); 7] = [
        (
            &["--listen", HERE, "--tokens", &short],
            "short.tokens: watch: expected 16 to 128 letters and digits",
        ),
        (&["--tokens", "/", "--listen", HERE], "--tokens /: "),
        (&["--tokens", &short, "--open", "--listen", HERE], "cannot be used with"),
        (&["--listen", HERE, "--drive-robots", "blue-1"], "--drive-robots is for addresses with"),
        (
            &["--listen", HERE, "--tokens", &new, "--drive-robots", "green-1"],
            "--drive-robots: expected robots of the scene (blue-1, blue-2, blue-3, yellow-1",
        ),
        (&["--listen", HERE, "--robotone-robots", "green-1"], "--robotone-robots: expected robots"),
        (&["--listen", HERE, "--robotone-robots", "yellow-1=lab"], "expected an address such as"),
    ];
    for (more, why) in refused {
        let (code, said) = run(more);
        assert!(code == Some(2) && said.contains(why), "{more:?}: {code:?} {said}");
    }
}

#[test]
fn pages_are_served_encrypted_and_passed_on_to_those_who_trust_them() {
    let folder = Folder::new("doors-tls");
    let [certificate, key] = certificate_in(&folder);
    let run = ["run", "soccer", "--headless", "--no-robotone", "--listen", HERE];
    let tls = ["--tls-cert", &certificate, "--tls-key", &key];
    let run = Saying::until(&[&run[..], &tls].concat(), "soccer: ");
    let (url, _) = run.address("soccer: ");
    assert!(url.starts_with("https://127.0.0.1:"), "{url}");
    let view = |more: &[&str]| {
        code_and_stderr(&[&["view", url, "--no-browser", "--listen", HERE], more].concat())
    };
    let (code, said) = view(&[]);
    assert!(
        code == Some(2) && said.contains("--tls-ca FILE has to name its certificate"),
        "{said}"
    );
    let (code, said) = view(&["--tls-ca", &key]);
    assert!(code == Some(2) && said.contains("own.key: expected certificates in PEM"), "{said}");
    let viewed =
        Running::start(&["view", url, "--no-browser", "--listen", HERE, "--tls-ca", &certificate]);
    let mut viewer = viewed.connect();
    viewer.frame(|frame| frame.key);
}

#[test]
fn a_classroom_keeps_its_tokens_and_encrypts_its_pages() {
    let folder = Folder::new("doors-classroom");
    let [certificate, key] = certificate_in(&folder);
    let tokens = at(&folder, "tokens");
    let classroom = ["classroom", "maze", "--students", "2", "--port", "0", "--programs-port", "0"];
    let kept = ["--tokens", &tokens, "--tls-cert", &certificate, "--tls-key", &key];
    let tokens = || {
        let run = Saying::until(&[&classroom[..], &kept].concat(), "all of them: ");
        let words = run.said.iter().flat_map(|line| line.split([' ', ',']));
        let pages = words.filter_map(|word| word.strip_prefix("https://127.0.0.1:"));
        let token = |page: &str| page.split_once("?token=").map(|(_, token)| token.to_owned());
        pages.map(|page| token(page).expect("a token")).collect::<Vec<String>>()
    };
    let first = tokens();
    let [a, b, all] = &first[..] else { panic!("{first:?}") };
    assert!(a != b && a != all && b != all, "each page has its own: {first:?}");
    assert_eq!(tokens(), first, "the next lesson");
}

#[test]
fn files_for_tls_that_cannot_be_used_are_refused_with_file_expected_and_got() {
    let folder = Folder::new("doors-tls-files");
    let [certificate, key] = certificate_in(&folder);
    let other = Folder::new("doors-tls-other");
    let [_, other_key] = certificate_in(&other);
    let missing = at(&folder, "missing.pem");
    let garbage = written(&folder, "garbage.pem", "no pem");
    for (cert, key, why) in [
        (&missing, &key, "missing.pem: expected certificates in PEM"),
        (&garbage, &key, "garbage.pem: expected certificates in PEM"),
        (&certificate, &missing, "missing.pem: expected a private key in PEM"),
        (&certificate, &garbage, "garbage.pem: expected a private key in PEM"),
        (&certificate, &other_key, "own.key: expected the key of the certificate, got that of"),
    ] {
        let run = ["run", "soccer", "--headless", "--listen", HERE];
        let (code, said) =
            code_and_stderr(&[&run[..], &["--tls-cert", cert, "--tls-key", key]].concat());
        assert!(code == Some(2) && said.contains(why), "{code:?} {said}");
    }
    let (code, said) = code_and_stderr(&["run", "soccer", "--tls-cert", &certificate]);
    assert!(code == Some(2) && said.contains("--tls-key"), "{said}");
}

#[test]
fn programs_of_other_machines_need_a_list_of_addresses() {
    let run = ["run", "soccer", "--headless", "--robotone-listen", "0.0.0.0:0"];
    let (code, said) = code_and_stderr(&run);
    assert!(code == Some(2) && said.contains("needs --robotone-allow"), "{code:?} {said}");
    let (code, said) = code_and_stderr(&[&run[..], &["--robotone-allow", "10.0.0.0/40"]].concat());
    assert!(code == Some(2) && said.contains("at most 32 bits, got 40"), "{code:?} {said}");
    let class = ["classroom", "maze", "--students", "1", "--address", "0.0.0.0", "--port", "0"];
    let (code, said) = code_and_stderr(&[&class[..], &["--programs-port", "0"]].concat());
    assert!(code == Some(2) && said.contains("needs --robotone-allow"), "{code:?} {said}");
}

#[test]
fn only_released_robots_answer_programs_of_a_run() {
    use rolima_robotone::{Dialect, Options, RobotOne};
    let run = ["run", "soccer", "--headless", "--robotone-listen", HERE];
    let run = Saying::until(&[&run[..], &["--robotone-robots", "yellow-1"]].concat(), "programs: ");
    let line = run.line("programs: ").expect("a line");
    let address = line.split(" (thesis)").next().expect("an address");
    let options = Options { dialect: Dialect::Thesis, ..Options::default() };
    let mut program = RobotOne::connect_with(address, options).expect("a connection");
    // The fourth robot, after three blue ones.
    assert_eq!(program.get("World.Robot").expect("a robot"), 3.0);
    program.set("World.Robot", 0.0).expect_err("blue-1 is not released");
    let why = program.get_data("World.LastError").expect("a reason");
    let why = String::from_utf8_lossy(&why).into_owned();
    assert!(why.contains("robot 0 (blue-1) is not released to programs; robot 3 is"), "{why}");
}
