//! Recordings: what is written reads back, goes on bit for bit, and whatever a file is, it is told.

mod container;
mod damage;
mod history;
mod live;
mod reading;

use rolima_record::{Options, Recording, record};
use rolima_scene::{Scene, Source, load};

/// A built-in scene.
fn scene(name: &str, sets: &[&str]) -> Scene {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    load(&Source::resolve(name).expect("a scene"), &sets).expect("a good one")
}

/// The bytes of a recording of a scene for some seconds.
fn recorded(name: &str, sets: &[&str], seconds: f64, options: &Options) -> Vec<u8> {
    let mut file = vec![];
    let summary = record(name, &scene(name, sets), seconds, options, &mut file).expect("recorded");
    assert_eq!((summary.lost, summary.actions_lost), (0, 0), "it waits for the recorder");
    assert_eq!(summary.bytes, file.len() as u64);
    file
}

fn opened(bytes: &[u8]) -> Recording {
    Recording::from_bytes("test.mcap", bytes.into()).expect("a recording")
}
