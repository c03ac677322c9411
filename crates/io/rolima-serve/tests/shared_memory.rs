//! The state block: read from this process and from others while a world runs.

use crate::common;

use common::{Folder, Shown, model};
use rolima_core::{Event, Happened, Instant, RobotId, Schema, SenseState, World};
use rolima_run::live::{MOST_CHANNELS, Publication, PublishedContact, RunStatus, Sink};
use rolima_serve::shm::{BlockPlace, PublicationCopy, StateReader, StateWriter};
use rolima_wire::Now;
use rolima_wire::pb;
use rolima_wire::prost::Message;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Reads of each of the two processes.
fn reads_each() -> u64 {
    rolima_testing::samples(500_000, 5_000_000)
}

fn writer(folder: &Folder, scene: &str) -> StateWriter {
    let path = folder.file("test.state");
    StateWriter::create(BlockPlace::File(path), scene, &model(scene)).expect("a block")
}

#[test]
fn a_reader_sees_what_was_published() {
    let folder = Folder::new("published");
    let mut writer = writer(&folder, "soccer");
    let mut reader = StateReader::open(writer.path().expect("a file")).expect("a block");
    let mut inside = writer.reader();
    let mut copy = PublicationCopy::default();
    assert!(!reader.read(&mut copy).expect("readable"), "nothing yet");

    let scene = reader.scene().expect("readable").expect("a scene");
    let message = pb::Scene::decode(scene.bytes.as_slice()).expect("a scene");
    assert_eq!((scene.generation, message.name.as_str()), (1, "soccer"));
    assert_eq!(message, rolima_wire::scene::message(&model("soccer"), 1, "soccer"));

    let mut world = World::new(model("soccer"));
    for _ in 0..700 {
        world.step();
    }
    let frame = world.frame();
    let status = RunStatus {
        paused: true,
        lock_step: true,
        speed: 2.5,
        real_time_factor: 0.75,
        seed: 42,
        missed_ticks: 3,
        missed_frames: 4,
        behind_s: 0.125,
        controllers: 5,
        awaited: 2,
        shown: rolima_run::live::ShownMode::Past,
        run_time_s: 7.25,
        ..RunStatus::default()
    };
    let contacts = [PublishedContact { point: rolima_math::Vec2::new(0.1, -0.2), impulse: 0.3 }];
    writer.publication(&Publication {
        timeline: &rolima_run::live::ShownTimeline::default(),
        generation: 9,
        frame: &frame,
        senses: &SenseState::default(),
        goals: &[],
        channels: &[],
        profile: None,
        contacts: &contacts,
        events: &world.take_events(),
        events_dropped: 11,
        status: &status,
    });
    for reader in [&mut reader, &mut inside] {
        assert!(reader.read(&mut copy).expect("readable"));
        assert_eq!(copy.status, status);
        assert_eq!(copy.events_dropped, 11);
        assert_eq!(copy.now.contacts.len(), 1);
        assert_eq!(copy.now.contacts[0].impulse, 0.3);
        copy.now.contacts.clear();
        assert_eq!(copy.now, Now::of(9, &frame), "bit for bit");
        let (mut events, mut next) = (vec![], 0);
        assert_eq!(reader.events(&mut next, copy.events_end, &mut events), 0);
        assert_eq!((events.len() as u64, next), (copy.events_end, copy.events_end));
        assert!(!events.is_empty());
    }
}

#[test]
fn events_beyond_the_ring_are_told_as_lost() {
    let mut writer =
        StateWriter::create(BlockPlace::Anonymous, "soccer", &model("soccer")).unwrap();
    let mut reader = writer.reader();
    let frame = World::new(model("soccer")).frame();
    let event = Event { step: 3, what: Happened::Slip { robot: RobotId(2) } };
    let status = RunStatus::default();
    for count in [1500, 10, 3000] {
        writer.publication(&Publication {
            timeline: &rolima_run::live::ShownTimeline::default(),
            generation: 1,
            frame: &frame,
            senses: &SenseState::default(),
            goals: &[],
            channels: &[],
            profile: None,
            contacts: &[],
            events: &vec![event; count],
            events_dropped: 0,
            status: &status,
        });
    }
    let mut copy = PublicationCopy::default();
    assert!(reader.read(&mut copy).unwrap());
    assert_eq!(copy.events_end, 4510);
    let (mut events, mut next) = (vec![], 0);
    let lost = reader.events(&mut next, copy.events_end, &mut events);
    assert_eq!(lost + events.len() as u64, copy.events_end);
    assert!(lost > 0 && events.len() > 1000);
    assert!(events.windows(2).all(|pair| pair[1].serial == pair[0].serial + 1));
}

#[test]
fn a_larger_scene_takes_over_and_readers_follow() {
    let folder = Folder::new("larger");
    let mut writer = writer(&folder, "soccer");
    let path = writer.path().expect("a file").to_owned();
    let mut outside = StateReader::open(&path).expect("a block");
    let mut inside = writer.reader();
    let mut shown = Shown::new("soccer");
    shown.step_and_show(&mut writer);
    let mut copy = PublicationCopy::default();
    assert!(outside.read(&mut copy).expect("readable"));

    shown.load("crowd", &mut writer);
    shown.step_and_show(&mut writer);
    assert!(writer.take_problem().is_none());
    for reader in [&mut outside, &mut inside, &mut StateReader::open(&path).expect("a block")] {
        assert!(reader.read(&mut copy).expect("readable"));
        assert_eq!(copy.now.generation, 2);
        assert_eq!(copy.now, Now::of(2, &shown.world.frame()));
        assert!(copy.now.bodies.len() > 500);
        let scene = reader.scene().expect("readable").expect("a scene");
        assert_eq!(scene.generation, 2);
        let message = pb::Scene::decode(scene.bytes.as_slice()).expect("a scene");
        assert_eq!(message.bodies.len(), copy.now.bodies.len());
    }
    // A smaller one stays where it is.
    shown.load("soccer", &mut writer);
    shown.step_and_show(&mut writer);
    assert!(outside.read(&mut copy).expect("readable"));
    assert_eq!((copy.now.generation, copy.now.bodies.len()), (3, 7));
    assert!(!outside.is_over());
    drop(writer);
    assert!(outside.is_over() && inside.is_over());
    assert!(!path.exists(), "a clean end leaves no file");
    assert!(outside.read(&mut copy).expect("the last moment stays readable"));
}

#[test]
fn the_block_has_the_values_of_all_channels_and_their_names() {
    let folder = Folder::new("channels");
    let mut writer = writer(&folder, "soccer");
    let mut reader = StateReader::open(writer.path().expect("a file")).expect("a block");
    let mut shown = Shown::new("soccer");
    for (scene, generation) in [("soccer", 1), ("hills", 2), ("crowd", 3)] {
        if generation > 1 {
            shown.load(scene, &mut writer);
        }
        (0..30).for_each(|_| shown.step_and_show(&mut writer));
        let schema = Schema::new(&model(scene));
        let (mut copy, mut all) = (PublicationCopy::default(), vec![]);
        assert!(reader.read(&mut copy).expect("readable"));
        let names = reader.channels().expect("readable").expect("channels");
        let (world, frame) = (&shown.world, &shown.world.frame());
        schema.read(Instant { world, frame, goals: &[] }, &mut all);
        // A crowd has more than are published, which is told.
        let kept = all.len().min(MOST_CHANNELS);
        assert_eq!((names.generation, names.left_out), (generation, (all.len() - kept) as u64));
        assert_eq!((names.channels.len(), copy.channels.len()), (kept, kept), "{scene}");
        let known = schema.channels().iter().map(|channel| channel.name.as_str());
        assert!(names.channels.iter().map(|channel| channel.name.as_str()).eq(known.take(kept)));
        for ((name, told), value) in names.channels.iter().zip(&copy.channels).zip(&all) {
            assert_eq!(told.to_bits(), value.to_bits(), "{scene}: {}", name.name);
        }
    }
}

#[test]
fn a_file_in_use_is_not_taken_and_one_left_behind_is() {
    let folder = Folder::new("taken");
    let first = writer(&folder, "soccer");
    let path = first.path().expect("a file").to_owned();
    let again = StateWriter::create(BlockPlace::File(path.clone()), "soccer", &model("soccer"));
    let error = again.err().expect("refused").to_string();
    assert!(error.contains("it exists"), "{error}");
    drop(first);
    // What a killed process leaves: a file that nobody has locked.
    std::fs::write(&path, [0; 4096]).expect("written");
    let second = writer(&folder, "soccer");
    assert!(StateReader::open(&path).is_ok());
    drop(second);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn what_is_no_block_is_refused() {
    let folder = Folder::new("no-block");
    let path = folder.file("x.state");
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        StateReader::open(&path).err().expect("refused").to_string()
    };
    assert!(refused(&[]).contains("empty"));
    assert!(refused(&[7; 1000]).contains("no state block"));
    let good = folder.file("good.state");
    let writer =
        StateWriter::create(BlockPlace::File(good.clone()), "s", &model("soccer")).unwrap();
    let bytes = std::fs::read(&good).expect("read");
    drop(writer);
    assert!(refused(&bytes[..bytes.len() / 2]).contains("cut"));
    let mut other = bytes.clone();
    other[8] = 99;
    assert!(refused(&other).contains("layout 99"));
    let mut damaged = bytes.clone();
    damaged[48..56].fill(0xff);
    assert!(refused(&damaged).contains("damaged"));
    assert!(StateReader::open(folder.file("nowhere")).is_err());
}

#[test]
fn the_check_notices_a_word_of_another_moment() {
    let folder = Folder::new("check");
    let mut writer = writer(&folder, "soccer");
    let mut shown = Shown::new("soccer");
    (0..50).for_each(|_| shown.step_and_show(&mut writer));
    let path = writer.path().expect("a file").to_owned();
    let bytes = std::fs::read(&path).expect("read");
    (0..8).for_each(|_| shown.step_and_show(&mut writer));
    let later = std::fs::read(&path).expect("read");
    drop(writer);
    // A block with the slots of the one and, in turn, a single word of the other.
    let mixed = folder.file("mixed.state");
    let slots_at = u64::from_le_bytes(bytes[15 * 8..16 * 8].try_into().unwrap()) as usize * 8;
    let mut reader = {
        std::fs::write(&mixed, &bytes).expect("written");
        StateReader::open(&mixed).expect("a block")
    };
    assert_eq!(reader.read_and_check().expect("readable"), Some((50, true)));
    let mut noticed = 0;
    let mut unnoticed = 0;
    let stride = u64::from_le_bytes(bytes[12 * 8..13 * 8].try_into().unwrap()) as usize * 8;
    let newest_slot = slots_at + stride; // the fiftieth of eight slots in turn
    for at in (newest_slot + 8..newest_slot + stride).step_by(8) {
        if bytes[at..at + 8] == later[at..at + 8] {
            continue;
        }
        let mut torn = bytes.clone();
        torn[at..at + 8].copy_from_slice(&later[at..at + 8]);
        std::fs::write(&mixed, &torn).expect("written");
        let mut reader = StateReader::open(&mixed).expect("a block");
        match reader.read_and_check().expect("readable") {
            Some((_, false)) => noticed += 1,
            _ => unnoticed += 1,
        }
    }
    assert_eq!(unnoticed, 0);
    assert!(noticed > 30, "{noticed}");
}

fn c_reader(folder: &Folder) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.file("reader");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let output = Command::new(&compiler)
        .args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-D_POSIX_C_SOURCE=200809L", "-I"])
        .arg(root.join("include"))
        .arg(root.join("tests/reader.c"))
        .arg("-o")
        .arg(&program)
        .arg("-lm")
        .output()
        .unwrap_or_else(|error| {
            panic!("this test needs a C compiler ({compiler}: {error}): `cargo xtask test` installs gcc")
        });
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Numbers of a line such as `reads 5 torn 0`.
fn number(line: &str, key: &str) -> u64 {
    let mut words = line.split_whitespace();
    words.find(|word| *word == key).unwrap_or_else(|| panic!("{key} in {line:?}"));
    words.next().and_then(|value| value.parse().ok()).expect("a number")
}

/// Not a test by itself: the Rust reader of the test below, in a process of its own.
#[test]
#[ignore = "the other process of a_million_reads_see_no_torn_state"]
fn reads_in_another_process() {
    let Some(path) = std::env::var_os("ROLIMA_TEST_STATE") else { return };
    let mut reader = StateReader::open(path).expect("a block");
    let (mut reads, mut torn, mut backwards, mut different, mut last) = (0u64, 0, 0, 0u64, 0);
    let mut copy = PublicationCopy::default();
    // Reads prove nothing while the writer sleeps.
    while reads < reads_each() || different < 10_000 {
        let Some((step, is_right)) = reader.read_and_check().expect("readable") else { continue };
        reads += 1;
        torn += u64::from(!is_right);
        backwards += u64::from(step < last);
        different += u64::from(step != last);
        last = step;
        if reads.is_multiple_of(64) {
            reader.read(&mut copy).expect("readable");
            torn += u64::from(copy.publication_number != copy.now.step);
        }
    }
    let retries = reader.retries();
    println!(
        "\nreads {reads} torn {torn} backwards {backwards} different {different} retries {retries}"
    );
}

#[test]
fn a_million_reads_see_no_torn_state() {
    let folder = Folder::new("torn");
    let mut writer = writer(&folder, "soccer");
    let path = writer.path().expect("a file").to_owned();
    let in_c = Command::new(c_reader(&folder))
        .arg(&path)
        .arg(reads_each().to_string())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the C reader");
    let in_rust = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "shared_memory::reads_in_another_process", "--ignored", "--nocapture"])
        .env("ROLIMA_TEST_STATE", &path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the Rust reader");
    let mut shown = Shown::new("soccer");
    let mut children = [in_c, in_rust];
    let is_reading = |child: &mut Child| child.try_wait().expect("a child").is_none();
    while children.iter_mut().any(is_reading) {
        for _ in 0..2000 {
            shown.step_and_show(&mut writer);
        }
    }
    let steps = shown.world.state().step;
    for child in children {
        let output = child.wait_with_output().expect("a child");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}");
        let line = text.lines().find(|line| line.starts_with("reads")).expect("figures");
        println!("{line}; {steps} steps");
        assert!(number(line, "reads") >= reads_each());
        assert_eq!(number(line, "torn"), 0, "{line}");
        assert_eq!(number(line, "backwards"), 0, "{line}");
        assert!(number(line, "different") >= 10_000, "{line}");
    }
    let mut unobserved = World::new(model("soccer"));
    for _ in 0..steps {
        unobserved.step();
    }
    assert_eq!(shown.world.state_hash(), unobserved.state_hash());
}

#[test]
fn readings_of_the_sensors_of_the_world_come_after_those_of_robots() {
    let folder = Folder::new("watched");
    let mut writer = writer(&folder, "watched");
    let mut reader = StateReader::open(writer.path().expect("a file")).expect("a block");
    let scene = reader.scene().expect("readable").expect("a scene");
    let message = pb::Scene::decode(scene.bytes.as_slice()).expect("a scene");
    assert_eq!(message.sensors.len(), 2);
    let mut world = World::new(model("watched"));
    world.steps(500);
    let frame = world.frame();
    let schema = Schema::new(world.model());
    let mut channels = vec![];
    schema.read(Instant { world: &world, frame: &frame, goals: &[] }, &mut channels);
    writer.publication(&Publication {
        timeline: &rolima_run::live::ShownTimeline::default(),
        generation: 1,
        frame: &frame,
        senses: &SenseState::default(),
        goals: &[],
        channels: &channels,
        profile: None,
        contacts: &[],
        events: &[],
        events_dropped: 0,
        status: &RunStatus::default(),
    });
    let mut copy = PublicationCopy::default();
    assert!(reader.read(&mut copy).expect("readable"));
    assert_eq!(copy.now.readings, frame.readings, "bit for bit");
    assert_eq!(copy.now.readings.len(), 1 + 61);
    let own = schema.find("sensor.**");
    let told: Vec<f64> = own.iter().map(|&i| copy.channels[i]).collect();
    assert_eq!(told, frame.readings);
}
