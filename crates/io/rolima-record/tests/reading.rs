//! What is written reads back.

use crate::{opened, recorded, scene};
use rolima_core::Schema;
use rolima_record::{Options, PictureFormat, Recording, verify};
use rolima_run::live::Session;
use std::sync::Arc;

#[test]
fn samples_are_the_states_of_the_run() {
    for (name, double) in [("soccer", false), ("soccer", true), ("hills", true), ("watched", false)]
    {
        let options = Options { double, ..Options::default() };
        let recording = opened(&recorded(name, &[], 0.4, &options));
        let known = &recording.scenes()[0];
        assert_eq!(
            (recording.scenes().len(), known.name.as_str(), known.double),
            (1, name, double)
        );
        let model = Arc::new(scene(name, &[]).compile().unwrap());
        let schema = Schema::new(&model);
        assert_eq!(known.channels.len(), schema.channels().len());
        for (one, own) in known.channels.iter().zip(schema.channels()) {
            assert_eq!((one.name.as_str(), one.unit.as_str()), (own.name.as_str(), own.unit));
            assert_eq!(one.range, own.range, "{}", one.name);
        }
        let mut session = Session::new(model.clone(), known.seed);
        let all: Vec<usize> = (0..known.channels.len()).collect();
        let mut samples = recording.samples(0, &all, [0.0, 9.0]).unwrap();
        let (mut values, mut count) = (vec![], 0);
        while let Some(sample) = samples.next().unwrap() {
            session.steps(sample.step - session.steps_done());
            session.read_channels(&schema, &mut values);
            for (i, &value) in values.iter().enumerate() {
                let kept = if double { value } else { f64::from(value as f32) };
                let got = sample.values[i];
                let same = got.to_bits() == kept.to_bits() || got.is_nan() && kept.is_nan();
                assert!(
                    same,
                    "{name}, {}: {got} at {}, not {kept}",
                    known.channels[i].name, sample.step
                );
            }
            assert!((sample.time_s - session.simulated_s()).abs() < 1e-9);
            count += 1;
        }
        let per_second = 60.0_f64.min(1.0 / model.step_s);
        assert_eq!(count, (0.4 * per_second).round() as u64 + 1, "{name}");
    }
}

#[test]
fn some_channels_of_some_time_are_those_that_were_asked_for() {
    let recording = opened(&recorded("soccer", &[], 2.5, &Options::default()));
    let known = &recording.scenes()[0];
    let chosen = known.find("robot.blue-1.x,ball.*.y,time");
    let (time, y) = (known.channel("time").unwrap(), known.channel("ball.ball.y").unwrap());
    assert!(chosen.contains(&time) && chosen.contains(&y) && chosen.len() == 3);
    let mut samples = recording.samples(0, &[y, time, y], [1.1, 2.1]).unwrap();
    let mut times = vec![];
    while let Some(sample) = samples.next().unwrap() {
        assert_eq!(sample.values[0].to_bits(), sample.values[2].to_bits(), "asked for twice");
        assert!((sample.values[1] - sample.time_s).abs() < 1e-6);
        times.push(sample.time_s);
    }
    assert_eq!(times.len(), 61, "both ends are in it: {times:?}");
    assert!(times[0] == 1.1 && times[60] == 2.1 && times.is_sorted());
    assert!(recording.samples(1, &[], [0.0, 1.0]).is_err());
    assert!(recording.samples(0, &[100_000], [0.0, 1.0]).is_err());
}

#[test]
fn equal_runs_give_equal_bytes_and_others_do_not() {
    let options = Options { pictures: Some(PictureFormat::Jpeg), ..Options::default() };
    for name in ["soccer", "watched", "hills"] {
        let file = recorded(name, &[], 1.2, &options);
        assert!(file == recorded(name, &[], 1.2, &options), "{name}");
        assert!(file != recorded(name, &["sim.seed=77"], 1.2, &options), "{name}");
    }
}

#[test]
fn a_recording_is_verified_and_what_differs_is_named() {
    let file = recorded("soccer", &[], 2.3, &Options::default());
    let verified = verify(&opened(&file)).unwrap();
    assert_eq!((&verified.differs, &verified.hash_differs), (&None, &None));
    assert!(verified.is_whole && verified.unknown.is_empty());
    assert_eq!((verified.steps, verified.hashes), (2300, 3));
    assert_eq!(verified.samples, 139);
    assert!(verified.numbers > 139 * 400);
}

/// A recording of which a message of a topic has another bit.
fn changed(file: &[u8], topic: &str, sequence: u32, change: impl Fn(&mut [u8])) -> Vec<u8> {
    let options = mcap::WriteOptions::new().profile("rolima").chunk_size(None);
    let mut writer = options.create(std::io::Cursor::new(vec![])).expect("MCAP");
    for record in mcap::read::LinearReader::new(file).expect("MCAP") {
        if let mcap::records::Record::Metadata(metadata) = record.expect("MCAP") {
            writer.write_metadata(&metadata).expect("MCAP");
        }
    }
    for message in mcap::MessageStream::new(file).expect("MCAP") {
        let mut message = message.expect("MCAP");
        if message.channel.topic == topic && message.sequence == sequence {
            change(message.data.to_mut());
        }
        writer.write(&message).expect("MCAP");
    }
    writer.finish().expect("MCAP");
    writer.into_inner().into_inner()
}

#[test]
fn the_first_channel_that_differs_is_named_with_its_step_and_by_how_much() {
    let file = recorded("soccer", &[], 2.3, &Options::default());
    // The first field is x; its mantissa's middle byte.
    let other = changed(&file, "/robot/blue-1", 60, |data| data[2] ^= 1);
    let verified = verify(&opened(&other)).unwrap();
    let differs = verified.differs.unwrap();
    assert_eq!((differs.step, differs.same_until), (1000, 983));
    assert_eq!((differs.channel.as_str(), differs.unit.as_str()), ("robot.blue-1.x", "m"));
    assert!(differs.by() > 1e-7 && differs.by() < 0.1, "{}", differs.by());
    assert_eq!(verified.hash_differs, None);
    // Of one that is only written anew nothing differs.
    assert_eq!(verify(&opened(&changed(&file, "", 0, |_| ()))).unwrap().differs, None);
    // Hashes of the whole state find what no channel shows.
    let hash = |data: &mut [u8]| {
        if let Some(at) = data.windows(10).position(|word| word == b"state_hash") {
            data[at + 14] = if data[at + 14] == b'0' { b'1' } else { b'0' };
        }
    };
    let verified = verify(&opened(&changed(&file, "/rolima/log", 0, hash))).unwrap();
    assert_eq!(verified.differs, None);
    assert_eq!(verified.hash_differs.map(|at| (at.step, at.same_until)), Some((1000, 0)));
}

#[test]
fn a_run_goes_on_from_any_instant_with_the_same_bits() {
    let recording = opened(&recorded("soccer", &[], 3.5, &Options::default()));
    let mut straight = recording.play_from(0.0).unwrap();
    for at_s in [0.0, 0.3, 0.999, 1.0, 1.001, 2.7, 3.5] {
        assert!(straight.advance_to(at_s).unwrap(), "{at_s}");
        let sought = recording.play_from(at_s).unwrap();
        assert_eq!(sought.session().steps_done(), straight.session().steps_done());
        assert_eq!(sought.session().state_hash(), straight.session().state_hash(), "{at_s}");
        assert!((sought.time_s() - at_s).abs() < 1e-9);
    }
    assert!(!straight.advance_to(3.6).unwrap(), "the recording ends before");
    assert_eq!(straight.difference(), None);
    let saved = recording.saved_before(2.9).unwrap().unwrap();
    assert_eq!((saved.step, saved.scene), (2000, 0));
}

#[test]
fn events_pictures_and_the_log_are_in_it() {
    let options = Options { pictures: Some(PictureFormat::Png), ..Options::default() };
    let recording = opened(&recorded("watched", &[], 1.0, &options));
    let pictures: Vec<_> = recording.pictures([0.0, 1.0]).map(Result::unwrap).collect();
    assert!(!pictures.is_empty());
    for picture in &pictures {
        assert!(picture.sensor.contains("sensor."), "{}", picture.sensor);
        assert!(picture.format == "png" && picture.data.starts_with(b"\x89PNG"));
    }
    let recording = opened(&recorded("soccer", &[], 6.0, &Options::default()));
    let events: Vec<_> = recording.events([0.0, 6.0]).map(Result::unwrap).collect();
    let impacts = events.iter().filter(|event| event.kind == "impact").count() as f64;
    let channel = recording.scenes()[0].channel("event.impact").unwrap();
    let mut samples = recording.samples(0, &[channel], [5.99, 6.0]).unwrap();
    let mut last = 0.0;
    while let Some(sample) = samples.next().unwrap() {
        last = sample.values[0];
    }
    assert!(impacts > 0.0 && impacts == last, "{impacts} told, {last} counted");
    assert!(events.iter().all(|event| (event.step as f64 * 1e-3 - event.time_s).abs() < 1e-6));
    let log = recording.log().unwrap();
    assert_eq!(log.header().scene, "soccer");
    let (_, replayed) = rolima_run::live::log::replay(log).unwrap();
    assert_eq!((replayed.is_same(), replayed.steps), (Some(true), 6000));
}

#[test]
fn a_file_of_others_or_of_a_later_format_is_told() {
    let refused = |bytes: &[u8]| {
        Recording::from_bytes("x.mcap", bytes.into()).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        refused(b"{\"rolima_log\":2}"),
        "x.mcap, byte 0: expected a recording (an MCAP file), got \"{\\\"rolima\""
    );
    assert_eq!(
        refused(b""),
        "x.mcap, byte 0: expected a recording (an MCAP file), got an empty file"
    );
    let written = |profile: &str, format: &str| {
        let options = mcap::WriteOptions::new().profile(profile).library("somebody");
        let mut writer = options.create(std::io::Cursor::new(vec![])).unwrap();
        let metadata =
            [("format", format), ("rolima", "9.9.9")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        let metadata = metadata.into_iter().collect();
        writer
            .write_metadata(&mcap::records::Metadata { name: "rolima".to_owned(), metadata })
            .unwrap();
        writer.finish().unwrap();
        writer.into_inner().into_inner()
    };
    assert_eq!(
        refused(&written("ros2", "1")),
        "x.mcap: expected a recording by rolima, got an MCAP file by \"somebody\""
    );
    assert_eq!(
        refused(&written("rolima", "2")),
        "x.mcap: expected a recording of format 1, got format \"2\", written by rolima 9.9.9"
    );
}
