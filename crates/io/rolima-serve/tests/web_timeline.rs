//! Other instants of a run, as viewers go to them.

use crate::common;

use common::live::{Viewer, connect};
use common::model;
use common::running::Running;
use rolima_run::live::{Keep, Setup};
use rolima_wire::pb::{self, client_message, server_message::Kind, time_travel};

fn start() -> Running {
    let setup = Setup::new("soccer", model("soccer"));
    Running::of(Setup { keep: Keep::MINUTE, ..setup })
}

fn watch(viewer: &mut Viewer) {
    viewer.say(client_message::Kind::WatchTimeline(pb::WatchTimeline { on: true }));
}

fn travel(viewer: &mut Viewer, kind: time_travel::Kind) {
    let kind = Some(kind);
    viewer.say(client_message::Kind::TimeTravel(pb::TimeTravel { kind }));
}

/// The next timeline that is wanted.
fn timeline(viewer: &mut Viewer, wanted: impl Fn(&pb::Timeline) -> bool) -> pb::Timeline {
    viewer.until(|kind| match kind {
        Kind::Timeline(told) if wanted(&told) => Some(told),
        _ => None,
    })
}

fn is_past(told: &pb::Timeline) -> bool {
    told.mode() == pb::timeline::Mode::Past
}

fn refusal(viewer: &mut Viewer) -> pb::refusal::Code {
    viewer.until(|kind| match kind {
        Kind::Notice(notice) => Some(notice.refusal.expect("a code").code()),
        _ => None,
    })
}

#[test]
fn a_viewer_goes_back_scrubs_and_returns_to_a_run_that_stood() {
    let run = start();
    let mut viewer = connect(run.address());
    watch(&mut viewer);
    let live = timeline(&mut viewer, |told| told.end_s > 0.6);
    assert_eq!((live.mode(), live.kept_s, live.begin_s), (pb::timeline::Mode::Live, 60.0, 0.0));
    travel(&mut viewer, time_travel::Kind::SeekS(0.25));
    let past = timeline(&mut viewer, |told| is_past(told) && told.seeking_s.is_none());
    assert_eq!((past.step, past.playing, past.may_take_over), (250, false, true));
    let frame = viewer.frame();
    assert!((frame.run_time_s - 0.25).abs() < 1e-9, "{}", frame.run_time_s);
    // Nobody changes it; what is held can be given back.
    viewer.claim(0);
    assert_eq!(refusal(&mut viewer), pb::refusal::Code::InPast);
    viewer.control(pb::control::Kind::Reset(true));
    assert_eq!(refusal(&mut viewer), pb::refusal::Code::InPast);
    travel(&mut viewer, time_travel::Kind::Step(-1));
    let back = timeline(&mut viewer, |told| told.step == 249 && told.seeking_s.is_none());
    assert!(is_past(&back));
    travel(&mut viewer, time_travel::Kind::Play(-0.5));
    timeline(&mut viewer, |told| told.playing && told.speed == -0.5);
    let begin = timeline(&mut viewer, |told| !told.playing);
    assert_eq!(begin.step, 0, "it stops where it begins");
    travel(&mut viewer, time_travel::Kind::ToLive(true));
    let live_again = timeline(&mut viewer, |told| told.mode() == pb::timeline::Mode::Live);
    assert!(live_again.end_s >= past.end_s);
    // It goes on, and can be driven again.
    timeline(&mut viewer, |told| told.end_s > live_again.end_s + 0.1);
    viewer.claim(0);
    viewer.drivers(|drivers| drivers.len() == 1);
}

#[test]
fn an_instant_that_is_taken_over_is_the_run_and_the_other_future_is_a_ghost() {
    let run = start();
    let mut viewer = connect(run.address());
    watch(&mut viewer);
    timeline(&mut viewer, |told| told.end_s > 0.8);
    let over = || time_travel::Kind::TakeOver(pb::TakeOver::default());
    travel(&mut viewer, over());
    assert_eq!(refusal(&mut viewer), pb::refusal::Code::TakeOverLive);
    travel(&mut viewer, time_travel::Kind::SeekS(0.3));
    let past = timeline(&mut viewer, |told| is_past(told) && told.seeking_s.is_none());
    travel(&mut viewer, over());
    let live = timeline(&mut viewer, |told| told.mode() == pb::timeline::Mode::Live);
    let origin = live.origin.expect("it was taken over");
    assert_eq!((origin.file.as_str(), origin.step), ("", 300));
    assert!((origin.at_s - past.end_s).abs() < 1e-9, "{origin:?}");
    let ghosts = viewer.until(|kind| match kind {
        Kind::Ghosts(told) if !told.ghosts.is_empty() => Some(told.ghosts),
        _ => None,
    });
    let [ghost] = &ghosts[..] else { panic!("{} ghosts", ghosts.len()) };
    assert_eq!(ghost.kind(), pb::ghost::Kind::Future);
    assert!((ghost.begin_s - past.end_s).abs() < 1e-9, "{}", ghost.begin_s);
    assert!(ghost.channels.contains(&"robot.blue-1.x".to_owned()));
    let asked = pb::AskSeries {
        request: 7,
        channels: vec!["robot.blue-1.x".to_owned(), "ball.ball.y".to_owned()],
        begin_s: ghost.begin_s,
        end_s: ghost.end_s,
        points: 500,
        source: ghost.number,
    };
    viewer.say(client_message::Kind::AskSeries(asked.clone()));
    let series = viewer.until(|kind| match kind {
        Kind::Series(told) => Some(told),
        _ => None,
    });
    assert_eq!((series.request, series.last, series.refusal), (7, true, None));
    assert_eq!((series.values[0].unit.as_str(), series.values.len()), ("m", 2));
    assert!((series.times_s[0] - ghost.begin_s).abs() < 0.01, "{:?}", series.times_s);
    assert_eq!(series.times_s.len(), series.values[1].low.len());
    let unknown = pb::AskSeries { channels: vec!["nothing".to_owned()], ..asked };
    viewer.say(client_message::Kind::AskSeries(unknown));
    let refused = viewer.until(|kind| match kind {
        Kind::Series(told) => told.refusal,
        _ => None,
    });
    assert_eq!(refused.code(), pb::refusal::Code::NoSeriesChannel);
}

#[test]
fn what_happened_is_marked_and_a_run_without_a_past_says_so() {
    let run = start();
    let mut viewer = connect(run.address());
    watch(&mut viewer);
    timeline(&mut viewer, |told| told.end_s > 0.2);
    viewer.control(pb::control::Kind::Reset(true));
    let now = timeline(&mut viewer, |_| true);
    timeline(&mut viewer, |told| told.end_s > now.end_s + 0.3);
    travel(&mut viewer, time_travel::Kind::Stop(true));
    travel(&mut viewer, time_travel::Kind::SeekS(0.0));
    let marks = viewer.until(|kind| match kind {
        Kind::Marks(told) => Some(told.marks),
        _ => None,
    });
    assert_eq!(marks.iter().filter(|mark| mark.kind == "reset").count(), 1, "{marks:?}");
    let plain = Running::start("soccer");
    let mut viewer = connect(plain.address());
    watch(&mut viewer);
    viewer.frame();
    travel(&mut viewer, time_travel::Kind::SeekS(0.0));
    assert_eq!(refusal(&mut viewer), pb::refusal::Code::NoPast);
    viewer.say(client_message::Kind::Record(pb::Record {
        kind: Some(pb::record::Kind::Start(true)),
    }));
    assert_eq!(refusal(&mut viewer), pb::refusal::Code::NoRecordings);
}

#[test]
fn a_viewer_records_the_run_has_the_file_and_shows_it_as_a_ghost() {
    let folder = rolima_testing::Folder::new("page-recordings");
    let setup = Setup { keep: Keep::MINUTE, ..Setup::new("soccer", model("soccer")) };
    let setup = Setup { source: Some(common::bundle("soccer")), ..setup };
    let run = Running::recording_into(setup, folder.path());
    let mut viewer = connect(run.address());
    watch(&mut viewer);
    timeline(&mut viewer, |told| told.end_s > 0.2);
    let record = |viewer: &mut Viewer, kind| {
        viewer.say(client_message::Kind::Record(pb::Record { kind: Some(kind) }));
    };
    let state = |viewer: &mut Viewer, wanted: bool| {
        viewer.until(|kind| match kind {
            Kind::RecordState(told) if told.on == wanted && !told.file.is_empty() => Some(told),
            _ => None,
        })
    };
    record(&mut viewer, pb::record::Kind::Start(true));
    let begun = state(&mut viewer, true);
    assert_eq!((begun.file.as_str(), begun.may_record), ("soccer-1.mcap", true));
    record(&mut viewer, pb::record::Kind::Start(true));
    assert_eq!(refusal(&mut viewer), pb::refusal::Code::RecordedAlready);
    let now = timeline(&mut viewer, |_| true);
    timeline(&mut viewer, |told| told.end_s > now.end_s + 0.4);
    record(&mut viewer, pb::record::Kind::Stop(true));
    let ended = state(&mut viewer, false);
    assert!(ended.bytes > 0 && ended.in_folder, "{ended:?}");
    // It is whole, and what was.
    let recording =
        rolima_record::Recording::open(&folder.file("soccer-1.mcap")).expect("it reads");
    let verified = rolima_record::verify(&recording).expect("it reads");
    assert_eq!((verified.differs, verified.hash_differs, verified.is_whole), (None, None, true));
    let host = run.address().to_string();
    let list = common::live::get(run.address(), "/recordings", &host);
    assert!(list.contains(r#""name":"soccer-1.mcap""#), "{list}");
    let file = common::live::get(run.address(), "/recordings/..%2Fsecret.mcap", &host);
    assert!(file.starts_with("HTTP/1.1 404"), "{file}");
    let add = |viewer: &mut Viewer, name: &str| {
        let kind = Some(pb::change_ghosts::Kind::Add(name.to_owned()));
        viewer.say(client_message::Kind::ChangeGhosts(pb::ChangeGhosts { kind, shift_s: 0.0 }));
    };
    add(&mut viewer, "nothing.mcap");
    assert_eq!(refusal(&mut viewer), pb::refusal::Code::BadGhost);
    add(&mut viewer, "soccer-1.mcap");
    let ghosts = viewer.until(|kind| match kind {
        Kind::Ghosts(told) if !told.ghosts.is_empty() => Some(told.ghosts),
        _ => None,
    });
    assert_eq!((ghosts[0].name.as_str(), ghosts[0].bodies.len()), ("soccer-1.mcap", 7));
}
