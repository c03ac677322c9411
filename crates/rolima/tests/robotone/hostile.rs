//! Programs that misbehave, against the real program: it goes on, and ends as it should.

use super::{Running, address_of, connect, start};
use rolima_robotone::Dialect;
use std::io::Write;
use std::net::TcpStream;

/// A drawing of many strokes, one byte a pixel: as large as a map may be, and slow to read.
fn large_picture(side: usize) -> Vec<u8> {
    let mut bmp = b"BM".to_vec();
    let head = 54 + 8;
    bmp.extend(((head + side * side) as u32).to_le_bytes());
    bmp.extend([0; 4]);
    bmp.extend((head as u32).to_le_bytes());
    bmp.extend(40u32.to_le_bytes());
    bmp.extend([side as i32; 2].into_iter().flat_map(i32::to_le_bytes));
    bmp.extend([1, 0, 8, 0, 0, 0, 0, 0]);
    bmp.extend([0; 12]);
    bmp.extend(2u32.to_le_bytes());
    bmp.extend([0; 4]);
    // White and black.
    bmp.extend([255, 255, 255, 0, 0, 0, 0, 0]);
    let ink = |at: usize| u8::from(at % 100 < 4);
    bmp.extend((0..side * side).map(|i| ink(i / side) | ink(i % side)));
    bmp
}

/// The request that loads a maze, in the thesis's dialect.
fn load(maze: &[u8]) -> Vec<u8> {
    let size = u32::try_from(maze.len()).expect("a size");
    [&b"\x02\x0f\x00\x00\x00World.Maze.Load"[..], &size.to_le_bytes(), maze].concat()
}

fn run() -> (Running, String) {
    let run = ["run", "maze", "--headless", "--json", "--robotone-listen", "127.0.0.1:0"];
    let (running, said) = start(&run, "programs: ");
    (running, address_of(said.last().expect("a line"), "thesis"))
}

/// Most memory that a program ever had, MiB.
#[cfg(target_os = "linux")]
fn peak(running: &Running) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", running.0.id()));
    let status = status.expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).expect("KiB") / 1024
}

#[test]
#[cfg(target_os = "linux")]
fn large_maps_of_programs_that_vanish_do_not_pile_up() {
    const VANISHING: usize = 40;
    let (running, address) = run();
    let picture = large_picture(4000);
    let mut honest = connect(&address, Dialect::Thesis);
    honest.load_maze(&picture).expect("the largest that may be");
    let once = peak(&running);
    let request = load(&picture);
    for _ in 0..VANISHING {
        let mut stream = TcpStream::connect(&address).expect("it listens");
        stream.write_all(&request).expect("it reads");
        drop(stream);
        // Time goes on, and others are served.
        for _ in 0..5 {
            honest.wait().expect("a cycle");
        }
    }
    honest.load_maze(b"W 4 -5 4 5\nR 1 0\n").expect("a maze");
    assert_eq!(honest.pose().expect("a pose")[0], 1.0);
    let (sent, held) = ((VANISHING * request.len()) as u64 >> 20, peak(&running) - once);
    // Three are read side by side, so two more than the first alone.
    assert!(held < 2 * once, "{held} MiB more than the {once} MiB of one, of {sent} MiB sent");
}

#[test]
fn a_run_that_is_stopped_while_it_reads_a_map_tells_how_it_went() {
    let (running, address) = run();
    let mut honest = connect(&address, Dialect::Thesis);
    honest.wait().expect("a cycle");
    let mut streams = vec![];
    for _ in 0..4 {
        let mut stream = TcpStream::connect(&address).expect("it listens");
        stream.write_all(&load(&large_picture(4000))).expect("it reads");
        streams.push(stream);
    }
    let (status, summary) = running.stop();
    assert!(status.success(), "{status}");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("a summary");
    assert!(summary["simulated_s"].as_f64().is_some_and(|time| time > 0.0), "{summary}");
}
