//! What a viewer is told of the instant that is shown, and of those that can be.

use super::handler::{Client, RequestHandler};
use super::outbox::{Out, Outbox};
use super::refusal::RequestRefusal;
use crate::shm::prepare_scene;
use crate::timeline::{SharedTimeline, is_same};
use axum::body::Bytes;
use pb::server_message::Kind;
use rolima_run::live::history::{
    Fidelity, History, HistoryMarks, SeriesChannel, SeriesPoint, SeriesWanted,
};
use rolima_run::live::{
    Loaded, MapSource, Request, ShownMode, ShownTimeline, Travel, TravelRefusal,
};
use rolima_wire::{SeriesAsked, TimeTravelAsked, now, pb};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Time between two messages while nothing changes but where the run is.
const EVERY: Duration = Duration::from_millis(100);
/// Series that are made side by side: each takes a thread.
const MAKERS: usize = 2;
/// Values of one piece of a series.
const PIECE_VALUES: usize = 8192;

/// What is made of the past for viewers, on threads of its own.
pub(super) struct PastMaker {
    makers: Arc<Semaphore>,
    /// The marks that were made last, and of what.
    marks: Arc<Mutex<Option<(u32, Bytes)>>>,
}

impl Default for PastMaker {
    fn default() -> Self {
        Self { makers: Arc::new(Semaphore::new(MAKERS)), marks: Arc::default() }
    }
}

/// What one viewer was told of the timeline.
pub(crate) struct SentTimeline {
    shared_timeline: Option<SharedTimeline>,
    wanted: Arc<AtomicBool>,
    /// What was told last, its version, and when.
    last: Option<(ShownTimeline, u64, Instant)>,
    /// The course whose marks were asked for.
    marked: Option<u32>,
}

impl SentTimeline {
    pub(crate) fn new(shared_timeline: Option<SharedTimeline>, wanted: Arc<AtomicBool>) -> Self {
        Self { shared_timeline, wanted, last: None, marked: None }
    }

    /// The message that goes before a tick, where something has changed.
    pub(crate) fn message(&mut self) -> Option<Bytes> {
        let shared_timeline = self.shared_timeline.as_ref()?;
        if !self.wanted.load(Relaxed) {
            (self.last, self.marked) = (None, None);
            return None;
        }
        let version = shared_timeline.version();
        if let Some((_, known, _)) = &self.last
            && *known == version
        {
            return None;
        }
        let timeline = shared_timeline.now();
        if let Some((before, _, at)) = &self.last
            && is_same(before, &timeline)
            && at.elapsed() < EVERY
        {
            return None;
        }
        let message = now::server_message(Kind::Timeline(message_of(&timeline))).into();
        self.last = Some((timeline, version, Instant::now()));
        Some(message)
    }

    /// The course whose marks the viewer is to be told, where they are others than before.
    pub(crate) fn marks_wanted(&mut self) -> Option<(u32, Arc<dyn History>)> {
        let (timeline, ..) = self.last.as_ref()?;
        if timeline.mode == ShownMode::Live || self.marked == Some(timeline.course) {
            return None;
        }
        self.marked = Some(timeline.course);
        Some((timeline.course, timeline.history.clone()?))
    }
}

fn message_of(timeline: &ShownTimeline) -> pb::Timeline {
    use pb::timeline::Mode;
    let mode = match timeline.mode {
        ShownMode::Live => Mode::Live,
        ShownMode::Past => Mode::Past,
        ShownMode::Replay => Mode::Replay,
    };
    let (fidelity, reason) = match &timeline.fidelity {
        Fidelity::Exact => (pb::timeline::Fidelity::Exact, String::new()),
        Fidelity::Differs(why) => (pb::timeline::Fidelity::Differs, why.to_string()),
        Fidelity::Recorded(why) => (pb::timeline::Fidelity::Recorded, why.to_string()),
    };
    let [begin, end] = timeline.span;
    let file = timeline.history.as_ref().map(|history| history.file().to_owned());
    let origin = timeline.origin.as_ref();
    let branch_of = origin.map(|origin| origin.file.to_string());
    pb::Timeline {
        mode: mode.into(),
        begin_s: begin.time_s,
        end_s: end.time_s.max(timeline.at.time_s),
        at_s: timeline.at.time_s,
        step: timeline.at.step,
        speed: timeline.speed,
        playing: timeline.playing,
        seeking_s: timeline.seeking_s,
        file: file.filter(|file| !file.is_empty()).or(branch_of).unwrap_or_default(),
        may_take_over: timeline.may_take_over,
        fidelity: fidelity.into(),
        fidelity_reason: timeline.error.as_ref().map_or(reason, ToString::to_string),
        origin: origin.map(|origin| pb::Origin {
            file: origin.file.to_string(),
            time_s: origin.from.time_s,
            step: origin.from.step,
            at_s: origin.at_s,
        }),
        course: timeline.course,
        kept_s: timeline.kept_s,
    }
}

fn marks_message(course: u32, marks: HistoryMarks) -> Bytes {
    let mark = |mark: rolima_run::live::history::HistoryMark| pb::Mark {
        time_s: mark.time_s,
        kind: mark.kind,
        text: mark.text,
        bodies: mark.bodies,
        value: mark.value,
        zone: mark.zone.map_or(0, |zone| zone + 1),
    };
    let left_out = marks.left_out.into_iter();
    let message = pb::Marks {
        course,
        marks: marks.marks.into_iter().map(mark).collect(),
        left_out: left_out.map(|(kind, count)| pb::MarkCount { kind, count }).collect(),
    };
    now::server_message(Kind::Marks(message)).into()
}

impl RequestHandler {
    /// What is shown now, if that is known.
    pub(super) fn timeline(&self) -> Option<ShownTimeline> {
        self.backend.timeline.as_ref().map(SharedTimeline::now)
    }

    /// Whether an earlier instant of a run that stands is shown.
    pub(super) fn is_past(&self) -> bool {
        self.timeline().is_some_and(|timeline| timeline.mode == ShownMode::Past)
    }

    /// Tells a viewer what happened, once that is known.
    pub(crate) fn tell_marks(&self, outbox: Outbox, course: u32, history: Arc<dyn History>) {
        let (marks, makers) = (Arc::clone(&self.past.marks), Arc::clone(&self.past.makers));
        tokio::spawn(async move {
            let Ok(_permit) = makers.acquire_owned().await else { return };
            let known = marks.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some((_, bytes)) = known.filter(|(of, _)| *of == course) {
                return outbox.push(Out::Message(bytes));
            }
            let made = tokio::task::spawn_blocking(move || history.marks()).await;
            match made {
                Ok(Ok(made)) => {
                    let bytes = marks_message(course, made);
                    *marks.lock().unwrap_or_else(PoisonError::into_inner) =
                        Some((course, bytes.clone()));
                    outbox.push(Out::Message(bytes));
                }
                Ok(Err(why)) => outbox.notice(pb::notice::Level::Warning, why.to_string()),
                Err(_) => {}
            }
        });
    }

    /// Goes to another instant, or says why not.
    pub(super) fn travel(
        self: &Arc<Self>,
        asked: TimeTravelAsked,
        client: &Client,
    ) -> Result<(), RequestRefusal> {
        let timeline = self.timeline().ok_or(TravelRefusal::NothingKept)?;
        let is_live = timeline.mode == ShownMode::Live;
        let goes_back = !matches!(asked, TimeTravelAsked::Stop | TimeTravelAsked::ToLive);
        if is_live && goes_back {
            let tick = self.tick().ok_or(RequestRefusal::NoScene)?;
            if tick.status.lock_step {
                return Err(TravelRefusal::LockStep.into());
            }
            if timeline.kept_s <= 0.0 {
                return Err(TravelRefusal::NothingKept.into());
            }
        }
        let travel = match asked {
            TimeTravelAsked::Seek(at_s) => Travel::Seek(at_s),
            TimeTravelAsked::Step(steps) => Travel::Step(steps.into()),
            TimeTravelAsked::Play(speed) => Travel::Play(speed),
            TimeTravelAsked::Stop => Travel::Stop,
            TimeTravelAsked::ToLive
                if timeline.mode == ShownMode::Replay && timeline.kept_s <= 0.0 =>
            {
                return Err(self.in_replay(&timeline));
            }
            TimeTravelAsked::ToLive => Travel::ToLive,
            TimeTravelAsked::TakeOver { seed, settings } => {
                return self.take_over(&timeline, seed, settings, client);
            }
        };
        self.send(Request::Travel(travel))
    }

    /// That what is shown is a replay.
    pub(super) fn in_replay(&self, timeline: &ShownTimeline) -> RequestRefusal {
        // What is kept in memory of a replayed log has no file of its own.
        let file = timeline.history.as_ref().map(|history| history.file().to_owned());
        let file = file.filter(|file| !file.is_empty());
        let log = file.or_else(|| self.backend.replay_of.clone()).unwrap_or_default();
        RequestRefusal::Replay { log }
    }

    fn take_over(
        self: &Arc<Self>,
        timeline: &ShownTimeline,
        seed: Option<u64>,
        settings: Vec<String>,
        client: &Client,
    ) -> Result<(), RequestRefusal> {
        if timeline.mode == ShownMode::Live {
            return Err(TravelRefusal::IsLive.into());
        }
        if timeline.fidelity != Fidelity::Exact {
            return Err(TravelRefusal::Inexact.into());
        }
        let outbox = client.outbox.clone();
        let tell = {
            let outbox = outbox.clone();
            Box::new(move |result: Result<(), TravelRefusal>| {
                if let Err(why) = result {
                    outbox.refuse(pb::notice::Level::Warning, &why.into());
                }
            })
        };
        if settings.is_empty() {
            return self.send(Request::Travel(Travel::TakeOver { seed, loaded: None, tell }));
        }
        let scene = timeline.scene.clone().ok_or(TravelRefusal::NotThere)?;
        let Some(load) = self.loads.begin(client.number) else {
            return Err(RequestRefusal::Loading);
        };
        let handler = Arc::clone(self);
        self.loads.read(move || {
            let level = pb::notice::Level::Warning;
            let sent =
                with_settings(&scene.name, scene.source.as_deref(), scene.map.clone(), settings)
                    .map_err(RequestRefusal::from)
                    .and_then(|loaded| {
                        let loaded = Some(loaded);
                        handler.send(Request::Travel(Travel::TakeOver { seed, loaded, tell }))
                    });
            if let Err(why) = sent {
                outbox.refuse(level, &why);
            }
            drop(load);
        });
        Ok(())
    }

    /// Tells a viewer the values of channels over a stretch of time.
    pub(super) fn series(&self, asked: SeriesAsked, client: &Client) {
        let (outbox, request) = (client.outbox.clone(), asked.request);
        let refuse = move |outbox: &Outbox, why: RequestRefusal| {
            let refusal = Some(why.message());
            let series = pb::Series { request, refusal, last: true, ..pb::Series::default() };
            outbox.push(Out::Message(now::server_message(Kind::Series(series)).into()));
        };
        let Some((history, shift_s)) = self.source(asked.source) else {
            return refuse(&outbox, RequestRefusal::NoSeriesSource(asked.source));
        };
        if client.makes_series.swap(true, Relaxed) {
            return refuse(&outbox, RequestRefusal::SeriesBusy);
        }
        let makes = Arc::clone(&client.makes_series);
        let makers = Arc::clone(&self.past.makers);
        tokio::spawn(async move {
            let Ok(_permit) = makers.acquire_owned().await else { return };
            let told = outbox.clone();
            let made =
                tokio::task::spawn_blocking(move || make_series(history, shift_s, &asked, &told));
            if let Ok(Err(why)) = made.await {
                refuse(&outbox, why);
            }
            makes.store(false, Relaxed);
        });
    }

    /// What is meant by the source of a series, and by how much its run time is to be shifted, s.
    fn source(&self, number: u32) -> Option<(Arc<dyn History>, f64)> {
        let timeline = self.timeline()?;
        if number == 0 {
            return Some((timeline.history?, 0.0));
        }
        let future = timeline.futures.into_iter().find(|future| future.number == number);
        future
            .map(|future| (future.history, future.shift_s))
            .or_else(|| self.ghosts.history(number))
    }
}

/// A scene with other settings, ready to run.
fn with_settings(
    name: &str,
    source: Option<&rolima_run::live::log::Bundle>,
    map: Option<Arc<MapSource>>,
    settings: Vec<String>,
) -> Result<Arc<Loaded>, TravelRefusal> {
    let failed = |why: String| TravelRefusal::Settings(why);
    let source = source.ok_or_else(|| failed("the files of the scene are not known".to_owned()))?;
    let mut source = source.clone();
    source.sets.extend(settings);
    let scene = source.load().map_err(|why| failed(why.to_string()))?;
    let model = scene.compile().map_err(|why| failed(why.to_string()))?;
    let scene = crate::web::SceneLoaded {
        model: Arc::new(model),
        map,
        notes: vec![],
        source: Some(Arc::new(scene.bundle)),
    };
    Ok(Arc::new(prepare_scene(name.to_owned(), scene)))
}

/// Sends a series in pieces.
fn make_series(
    history: Arc<dyn History>,
    shift_s: f64,
    asked: &SeriesAsked,
    outbox: &Outbox,
) -> Result<(), RequestRefusal> {
    let [begin, end] = history.span();
    let [from_s, to_s] = asked.span_s.map(|time_s| time_s - shift_s);
    let span_s = [from_s.max(begin.time_s), to_s.min(end.time_s)];
    let wanted = SeriesWanted { channels: asked.channels.clone(), span_s, points: asked.points };
    let count = asked.channels.len();
    let named =
        |name: &String| pb::SeriesValues { name: name.clone(), ..pb::SeriesValues::default() };
    let empty = || pb::Series {
        request: asked.request,
        values: asked.channels.iter().map(named).collect(),
        ..pb::Series::default()
    };
    let mut piece = empty();
    let send = |mut piece: pb::Series| {
        for values in &mut piece.values {
            if values.low == values.high {
                values.high.clear();
            }
        }
        outbox.push(Out::Message(now::server_message(Kind::Series(piece)).into()));
    };
    let mut take = |point: SeriesPoint<'_>| {
        piece.times_s.push(point.time_s + shift_s);
        for (values, [low, high]) in piece.values.iter_mut().zip(point.ranges) {
            values.low.push(*low as f32);
            values.high.push(*high as f32);
        }
        if piece.times_s.len() * count >= PIECE_VALUES {
            send(std::mem::replace(&mut piece, empty()));
        }
        !outbox.is_closed()
    };
    let told = if span_s[0] <= span_s[1] {
        let failed =
            |why: rolima_run::live::history::HistoryError| RequestRefusal::Series(why.to_string());
        history.series(&wanted, &mut take).map_err(failed)?
    } else {
        vec![]
    };
    piece.last = true;
    for ((values, name), told) in piece.values.iter_mut().zip(&asked.channels).zip(&told) {
        let SeriesChannel { unit, is_known } = told;
        if !is_known {
            return Err(RequestRefusal::NoSeriesChannel(name.clone()));
        }
        values.unit = unit.clone();
    }
    send(piece);
    Ok(())
}
