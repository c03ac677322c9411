//! Recordings of the run: begun and ended by viewers, had and sent by HTTP, and shown as ghosts.

use super::handler::{Client, RequestHandler};
use super::outbox::Outbox;
use super::refusal::RequestRefusal;
use super::server::Shared;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use pb::server_message::Kind;
use rolima_record::{BranchOrigin, Options, RecordError, RecordingsFolder};
use rolima_run::live::history::{History, HistoryError, pose_channels};
use rolima_run::live::log::Header;
use rolima_run::live::{RecordNews, RecordSummary, Recorder, Request as LoopRequest, ShownMode};
use rolima_wire::{GhostsAsked, Role, now, pb, scene};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often it is looked whether something has changed.
const EVERY: Duration = Duration::from_millis(200);
/// Longest recording that is taken, bytes.
const MOST_BYTES: u64 = 1 << 30;
/// Bytes that are read or written at a time.
const PIECE_BYTES: usize = 256 << 10;
/// Most ghosts of files.
const MOST_GHOSTS: usize = 8;
/// Numbers of ghosts begin here; those of other futures are below.
const FIRST_GHOST: u32 = 1 << 16;

/// Whether the run is recorded.
#[derive(Clone, Debug, Default, PartialEq)]
struct RecordNow {
    is_on: bool,
    file: String,
    in_folder: bool,
    begin_s: f64,
    bytes: u64,
    lost: u64,
}

/// The recording of a run as viewers know it.
#[derive(Default)]
pub(super) struct RunRecording {
    now: Arc<Mutex<RecordNow>>,
}

impl RunRecording {
    fn now(&self) -> MutexGuard<'_, RecordNow> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A recording that is shown over the run.
struct GhostKnown {
    number: u32,
    message: pb::Ghost,
    history: Arc<dyn History>,
    shift_s: f64,
}

/// The recordings that are shown over the run.
#[derive(Default)]
pub(super) struct GhostList {
    known: Mutex<Vec<GhostKnown>>,
    changes: AtomicU64,
    /// What other futures of the run are as messages, by their numbers.
    futures: Mutex<Vec<(u32, pb::Ghost)>>,
}

impl GhostList {
    fn known(&self) -> MutexGuard<'_, Vec<GhostKnown>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A ghost, and by how much its run time is shifted, s.
    pub(super) fn history(&self, number: u32) -> Option<(Arc<dyn History>, f64)> {
        let known = self.known();
        let ghost = known.iter().find(|ghost| ghost.number == number)?;
        Some((Arc::clone(&ghost.history), ghost.shift_s))
    }
}

/// What one viewer was told of recordings and ghosts.
#[derive(Default)]
pub(crate) struct SentRecordings {
    record: Option<pb::RecordState>,
    ghosts: Option<(u64, Vec<u32>)>,
    looked: Option<Instant>,
}

impl SentRecordings {
    /// Messages, where something has changed.
    pub(crate) fn messages(&mut self, handler: &RequestHandler, role: Role) -> Vec<Bytes> {
        let mut messages = vec![];
        // The size of a file is asked of the system.
        if self.looked.is_some_and(|looked| looked.elapsed() < EVERY) {
            return messages;
        }
        self.looked = Some(Instant::now());
        let record = handler.record_state(role);
        if self.record.as_ref() != Some(&record) {
            self.record = Some(record.clone());
            messages.push(now::server_message(Kind::RecordState(record)).into());
        }
        let futures = handler.timeline().map(|timeline| timeline.futures).unwrap_or_default();
        let version = (
            handler.ghosts.changes.load(Relaxed),
            futures.iter().map(|future| future.number).collect::<Vec<_>>(),
        );
        if self.ghosts.as_ref() != Some(&version) {
            // Nothing is no news to somebody new.
            let is_news = self.ghosts.is_some() || version != (0, vec![]);
            self.ghosts = Some(version);
            if is_news {
                let ghosts = handler.ghosts_message(&futures);
                messages.push(now::server_message(Kind::Ghosts(ghosts)).into());
            }
        }
        messages
    }
}

/// A history as a ghost.
fn ghost_message(
    number: u32,
    name: &str,
    kind: pb::ghost::Kind,
    history: &Arc<dyn History>,
    (span_s, shift_s): ([f64; 2], f64),
) -> Result<pb::Ghost, HistoryError> {
    let known = history.first_scene()?;
    let model = &known.model;
    let channels = pose_channels(model);
    Ok(pb::Ghost {
        number,
        name: name.to_owned(),
        kind: kind.into(),
        begin_s: span_s[0] + shift_s,
        end_s: span_s[1] + shift_s,
        shift_s,
        bodies: scene::message(model, 0, name).bodies,
        channels,
        timed: true,
    })
}

impl RequestHandler {
    fn record_state(&self, role: Role) -> pb::RecordState {
        let now = self.recording.now().clone();
        let folder = self.backend.recordings.as_ref();
        let bytes = match folder.filter(|_| now.is_on && now.in_folder) {
            // To some tenths of a megabyte: each change is a message.
            Some(folder) => folder.bytes_of(&now.file).unwrap_or(now.bytes) >> 17 << 17,
            None => now.bytes,
        };
        pb::RecordState {
            on: now.is_on,
            file: now.file,
            bytes,
            lost: now.lost,
            begin_s: now.begin_s,
            may_record: folder.is_some() && role == Role::Control && self.may_control(),
            in_folder: now.in_folder,
        }
    }

    /// A run that was recorded from its beginning on, by this file.
    pub(super) fn is_recorded(&self, file: &str) {
        let mut now = self.recording.now();
        (now.is_on, now.file) = (true, file.to_owned());
    }

    fn folder(&self) -> Result<&Arc<RecordingsFolder>, RequestRefusal> {
        self.backend.recordings.as_ref().ok_or(RequestRefusal::NoRecordings)
    }

    /// Begins or ends a recording of the run.
    pub(super) fn record(
        self: &Arc<Self>,
        on: bool,
        client: &Client,
    ) -> Result<(), RequestRefusal> {
        let outbox = client.outbox.clone();
        if !on {
            if !self.recording.now().is_on {
                return Err(RequestRefusal::NotRecorded);
            }
            return self.end_record(outbox);
        }
        let folder = Arc::clone(self.folder()?);
        let timeline = self.timeline().ok_or(RequestRefusal::NoRecordings)?;
        if timeline.mode == ShownMode::Replay {
            return Err(self.in_replay(&timeline));
        }
        if self.recording.now().is_on {
            return Err(RequestRefusal::RecordedAlready(self.recording.now().file.clone()));
        }
        let Some(known) = timeline.live_scene else { return Err(RequestRefusal::NoScene) };
        let Some(source) = known.source.clone() else {
            return Err(RequestRefusal::RecordFailed {
                name: known.name.clone(),
                why: "the files of the scene are not known".to_owned(),
            });
        };
        let seed = self.tick().map_or(0, |tick| tick.status.seed);
        let header = Header::new(&known.name, source, &known.model, seed);
        let origin = timeline.origin.filter(|origin| !origin.file.is_empty());
        let origin = origin.map(|origin| BranchOrigin {
            file: origin.file.to_string(),
            time_s: origin.from.time_s,
            step: origin.from.step,
            state_hash: origin.state_hash,
        });
        let options = Options { origin, ..Options::default() };
        let (handler, begin_s) = (Arc::clone(self), timeline.at.time_s);
        // Opening a file takes as long as a disk likes.
        tokio::task::spawn_blocking(move || {
            let begun = handler.begin_record(&folder, &header, &options, begin_s);
            if let Err(why) = begun {
                outbox.refuse(pb::notice::Level::Error, &why);
            }
        });
        Ok(())
    }

    fn begin_record(
        &self,
        folder: &RecordingsFolder,
        header: &Header,
        options: &Options,
        begin_s: f64,
    ) -> Result<(), RequestRefusal> {
        let now = Arc::clone(&self.recording.now);
        let hints = self.backend.view_hints.clone();
        let alarm = {
            let now = Arc::clone(&now);
            Arc::new(move |news: RecordNews| {
                let mut now = now.lock().unwrap_or_else(PoisonError::into_inner);
                match &news {
                    RecordNews::Broken(_) => now.is_on = false,
                    RecordNews::Lost { .. } => now.lost = now.lost.max(1),
                }
                drop(now);
                hints.warn(news.into());
            })
        };
        let failed = |why: RecordError| RequestRefusal::RecordFailed {
            name: header.scene.clone(),
            why: why.to_string(),
        };
        let (file, recorder) = folder.create(header, options, alarm).map_err(failed)?;
        let begun = RecordNow {
            is_on: true,
            file: file.clone(),
            in_folder: true,
            begin_s,
            ..RecordNow::default()
        };
        *now.lock().unwrap_or_else(PoisonError::into_inner) = begun;
        let told = Arc::clone(&now);
        let answer = Box::new(move |result: Result<(), Box<dyn Recorder>>| {
            if result.is_err() {
                told.lock().unwrap_or_else(PoisonError::into_inner).is_on = false;
            }
        });
        let sent = self.send(LoopRequest::Record(Box::new(recorder), answer));
        if sent.is_err() {
            now.lock().unwrap_or_else(PoisonError::into_inner).is_on = false;
            folder.discard(&file);
        }
        sent
    }

    fn end_record(&self, outbox: Outbox) -> Result<(), RequestRefusal> {
        let now = Arc::clone(&self.recording.now);
        self.send(LoopRequest::StopRecord(Box::new(move |ended| {
            let mut now = now.lock().unwrap_or_else(PoisonError::into_inner);
            now.is_on = false;
            match ended {
                Some(Ok(RecordSummary { bytes, lost, .. })) => {
                    (now.bytes, now.lost) = (bytes, lost)
                }
                Some(Err(why)) => outbox.notice(pb::notice::Level::Error, why.to_string()),
                None => outbox.refuse(pb::notice::Level::Warning, &RequestRefusal::NotRecorded),
            }
        })))
    }

    /// Adds or removes a ghost.
    pub(super) fn change_ghosts(
        self: &Arc<Self>,
        asked: GhostsAsked,
        client: &Client,
    ) -> Result<(), RequestRefusal> {
        let (file, shift_s) = match asked {
            GhostsAsked::Add { file, shift_s } => (file, shift_s),
            GhostsAsked::Remove(number) => {
                let mut known = self.ghosts.known();
                let before = known.len();
                known.retain(|ghost| ghost.number != number);
                if known.len() == before {
                    return Err(RequestRefusal::NoGhost(number));
                }
                self.ghosts.changes.fetch_add(1, Relaxed);
                return Ok(());
            }
        };
        let folder = Arc::clone(self.folder()?);
        if self.ghosts.known().len() >= MOST_GHOSTS {
            return Err(RequestRefusal::TooManyGhosts(MOST_GHOSTS));
        }
        let (handler, outbox) = (Arc::clone(self), client.outbox.clone());
        tokio::task::spawn_blocking(move || {
            let opened = folder.open(&file).map_err(|why| why.to_string());
            let added = opened.and_then(|history| handler.add_ghost(&file, history, shift_s));
            if let Err(why) = added {
                let why = RequestRefusal::BadGhost { name: file, why };
                outbox.refuse(pb::notice::Level::Warning, &why);
            }
        });
        Ok(())
    }

    /// Shows a recording over the run.
    pub(super) fn add_ghost(
        &self,
        name: &str,
        history: Arc<dyn History>,
        shift_s: f64,
    ) -> Result<(), String> {
        let span_s = history.span().map(|at| at.time_s);
        let mut known = self.ghosts.known();
        if known.len() >= MOST_GHOSTS {
            return Err(RequestRefusal::TooManyGhosts(MOST_GHOSTS).to_string());
        }
        let number = known.last().map_or(FIRST_GHOST, |last| last.number + 1);
        let kind = pb::ghost::Kind::Recording;
        let message = ghost_message(number, name, kind, &history, (span_s, shift_s))
            .map_err(|why| why.to_string())?;
        known.push(GhostKnown { number, message, history, shift_s });
        drop(known);
        self.ghosts.changes.fetch_add(1, Relaxed);
        Ok(())
    }

    /// All ghosts; those of other futures first.
    fn ghosts_message(&self, futures: &[rolima_run::live::Future]) -> pb::Ghosts {
        let mut known = self.ghosts.futures.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(number, _)| futures.iter().any(|future| future.number == *number));
        for future in futures {
            if known.iter().any(|(number, _)| *number == future.number) {
                continue;
            }
            let name = match future.history.file() {
                "" => format!("future {}", future.number),
                file => file.to_owned(),
            };
            let (kind, at) = (pb::ghost::Kind::Future, (future.span_s, future.shift_s));
            let made = ghost_message(future.number, &name, kind, &future.history, at);
            known.extend(made.ok().map(|message| (future.number, message)));
        }
        let own = self.ghosts.known();
        let futures = known.iter().map(|(_, message)| message.clone());
        let ghosts = futures.chain(own.iter().map(|ghost| ghost.message.clone())).collect();
        pb::Ghosts { ghosts }
    }
}

fn refuse(code: StatusCode, why: impl Into<String>) -> Response {
    (code, why.into()).into_response()
}

fn folder_of(shared: &Shared) -> Result<Arc<RecordingsFolder>, Box<Response>> {
    let folder = shared.handler.backend.recordings.clone();
    let none = "There is no folder for recordings.\n";
    folder.ok_or_else(|| Box::new(refuse(StatusCode::NOT_FOUND, none)))
}

/// What recordings there are.
pub(super) async fn list(State(shared): State<Arc<Shared>>) -> Response {
    let folder = match folder_of(&shared) {
        Ok(folder) => folder,
        Err(refused) => return *refused,
    };
    match tokio::task::spawn_blocking(move || folder.list()).await {
        Ok(Ok(found)) => {
            let entry = |entry: rolima_record::FolderEntry| serde_json::json!({"name": entry.name, "bytes": entry.bytes, "kind": "recording"});
            let found = serde_json::Value::from(found.into_iter().map(entry).collect::<Vec<_>>());
            let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
            (kind, found.to_string()).into_response()
        }
        _ => refuse(StatusCode::INTERNAL_SERVER_ERROR, "The folder cannot be read.\n"),
    }
}

/// A recording.
pub(super) async fn get(State(shared): State<Arc<Shared>>, Path(name): Path<String>) -> Response {
    let folder = match folder_of(&shared) {
        Ok(folder) => folder,
        Err(refused) => return *refused,
    };
    let opened = tokio::task::spawn_blocking({
        let name = name.clone();
        move || {
            let path = folder.path_of(&name).ok()?;
            let file = rolima_scene::open_regular(&path).ok()?;
            let length = file.metadata().ok()?.len();
            Some((file, length))
        }
    });
    let Ok(Some((file, length))) = opened.await else {
        return refuse(StatusCode::NOT_FOUND, "There is no such recording.\n");
    };
    // No more than there was when it was asked for: it may still be growing.
    let pieces = stream::unfold((Some(file), length), |(file, left)| async move {
        let mut file = file?;
        if left == 0 {
            return None;
        }
        let read = tokio::task::spawn_blocking(move || {
            let mut piece = vec![0; PIECE_BYTES.min(usize::try_from(left).unwrap_or(PIECE_BYTES))];
            let count = file.read(&mut piece);
            count.map(|count| {
                piece.truncate(count);
                (piece, file)
            })
        });
        match read.await {
            Ok(Ok((piece, file))) if !piece.is_empty() => {
                let left = left - piece.len() as u64;
                Some((Ok::<_, std::io::Error>(Bytes::from(piece)), (Some(file), left)))
            }
            Ok(Err(error)) => Some((Err(error), (None, 0))),
            _ => None,
        }
    });
    let mut response = Body::from_stream(pieces).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_LENGTH, length.into());
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    response
}

/// Takes a recording.
pub(super) async fn put(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let folder = match folder_of(&shared) {
        Ok(folder) => folder,
        Err(refused) => return *refused,
    };
    let is_large = |bytes: u64| bytes > MOST_BYTES;
    let told = request.headers().get(header::CONTENT_LENGTH);
    let told = told.and_then(|length| length.to_str().ok()?.parse().ok());
    if told.is_some_and(is_large) {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "A recording may have 1 GiB at most.\n");
    }
    let file = match folder.receive(&name) {
        Ok(file) => file,
        Err(RecordError::File { source, .. }) if source.kind() == ErrorKind::AlreadyExists => {
            return refuse(StatusCode::CONFLICT, "There is a recording of this name already.\n");
        }
        Err(why) => return refuse(StatusCode::BAD_REQUEST, format!("{why}\n")),
    };
    let received = receive(file, request.into_body()).await;
    let kept = match received {
        Ok(()) => {
            let (folder, name) = (Arc::clone(&folder), name.clone());
            tokio::task::spawn_blocking(move || folder.keep(&name)).await
        }
        Err(refused) => {
            folder.discard(&name);
            return *refused;
        }
    };
    match kept {
        Ok(Ok(())) => StatusCode::CREATED.into_response(),
        Ok(Err(why)) => refuse(StatusCode::BAD_REQUEST, format!("{why}\n")),
        Err(_) => refuse(StatusCode::INTERNAL_SERVER_ERROR, "It could not be read.\n"),
    }
}

/// Writes what comes into a file, piece by piece.
async fn receive(mut file: File, body: Body) -> Result<(), Box<Response>> {
    let mut pieces = body.into_data_stream();
    let mut bytes = 0;
    while let Some(piece) = pieces.next().await {
        let cut_off = |_| Box::new(refuse(StatusCode::BAD_REQUEST, "The recording broke off.\n"));
        let piece: Bytes = piece.map_err(cut_off)?;
        bytes += piece.len() as u64;
        if bytes > MOST_BYTES {
            let why = "A recording may have 1 GiB at most.\n";
            return Err(Box::new(refuse(StatusCode::PAYLOAD_TOO_LARGE, why)));
        }
        let written = tokio::task::spawn_blocking(move || {
            file.write_all(&piece)?;
            Ok::<_, std::io::Error>(file)
        });
        match written.await {
            Ok(Ok(again)) => file = again,
            _ => {
                let why = "It cannot be written.\n";
                return Err(Box::new(refuse(StatusCode::INSUFFICIENT_STORAGE, why)));
            }
        }
    }
    Ok(())
}
