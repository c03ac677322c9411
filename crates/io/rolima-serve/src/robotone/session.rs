//! One connection: bytes to requests, replies to bytes.

use super::habits::{Habits, NOT_RECOGNISED, RECOGNISED};
use super::limited_log::LimitedLog;
use super::options::Priming;
use super::queue::HeldRobot;
use super::robots::{Driver, RequestError, Rgb, RobotAction, Robots, Ticket};
use super::server::{Shared, VANISHED, stopped};
use super::stream::{Read, gone, next_bytes, send_all};
use super::world_sensors::Camera;
use crate::vanished::{MOST_UNREAD_BYTES, give_up_after};
use crate::waiting::ConnectionPlace;
use futures_util::FutureExt;
use rolima_wire::robotone::{
    Asked, Decoder, Dialect, GetValue, RobotOneRefusal, encode_data, encode_number,
};
use socket2::SockRef;
use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::Instant;

/// What is read at a time, bytes.
const READ_BYTES: usize = 16 * 1024;
/// As much is kept of why a request was refused, bytes: some lines of a map's errors.
const MOST_ERROR_BYTES: usize = 2048;
/// How long the rest of a request may take before that is told, once: a program of the thesis's
/// dialect at the release's port waits for ever.
const HALF_REQUEST: Duration = Duration::from_secs(2);
const HALF_REQUEST_TOLD: &str = "has sent half a request, and nothing more for 2 s: is it a program \
                                 of the other dialect, which has a port of its own?";
/// How long data may take that come with a set of a name that takes none, from its head on, in the
/// release's dialect, which does not say whether there are any. A program that sends none gets its
/// answer that much later; data that come later still are taken for requests.
const DOUBTFUL: Duration = Duration::from_millis(50);
/// Why connections end that are not at fault.
const FAULT: &str = "a fault of the server; the connection is closed";
const MADE_WAY: &str = "had no robot and was idle longest: it makes way for another program";
/// What widens the window of the released library, bytes, and the time that it takes. Several times, as the
/// window grows with what is read: it should take two pictures, as half of it may leave in one piece.
const PRIMER_BYTES: usize = 1 << 20;
const PRIMER_TIME: Duration = Duration::from_millis(20);
const PRIMERS: usize = 4;

/// What a program has commanded; holds until it says otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Latched {
    pub(super) velocity: [f64; 2],
    pub(super) wheels: [f64; 2],
    pub(super) low_level: bool,
    pub(super) manual: bool,
    /// Which actuator a value is for.
    pub(super) actuator: u32,
}

/// Who a program is.
pub(super) struct Caller {
    /// Its number.
    pub(super) client: u32,
    pub(super) from: SocketAddr,
    pub(super) dialect: Dialect,
    /// Its place among all that are connected.
    pub(super) place: Arc<ConnectionPlace>,
}

/// One program's connection.
pub(super) struct ProgramSession {
    stream: Option<TcpStream>,
    pub(super) dialect: Dialect,
    pub(super) client: u32,
    /// Where it comes from.
    pub(super) address: IpAddr,
    /// While it has no robot, it makes way for others where there are too many.
    place: Arc<ConnectionPlace>,
    pub(super) shared: Arc<Shared>,
    pub(super) limited_log: LimitedLog,
    /// Whether it was told that a speed is above the robot's limit.
    pub(super) told_limit: bool,
    /// Why the last request was refused that was.
    pub(super) last_error: String,
    /// The robot that is meant from now on.
    pub(super) selected: u32,
    /// The robot that this program has.
    pub(super) seat: Option<HeldRobot>,
    pub(super) latched: Latched,
    /// Acts that the world does not show yet.
    on_their_way: VecDeque<Ticket>,
    /// When the last wait was over, s of simulated time.
    pub(super) waited_until_s: f64,
    /// The last picture that it got, and of which robot.
    pub(super) pictured: Option<(Camera, u64)>,
    habits: Habits,
    /// Whether it has asked for a picture, so that no zeros come any more.
    primed: bool,
    /// Whether zeros have widened its window, so that a long reply leaves in one piece.
    is_wide: bool,
    /// Whether it was sent so much that its silence may be that of a program in a debugger.
    may_be_silent: bool,
    pub(super) reply: Vec<u8>,
    /// What follows the reply, in the same piece.
    pub(super) body: Option<Rgb>,
}

/// Until when more of a request is waited for.
#[derive(Default)]
struct Patience {
    /// Since when the request is doubtful.
    doubtful: Option<Instant>,
    /// Whether it was told that the rest of a request does not come.
    is_told: bool,
}

impl Patience {
    /// None: as long as it takes.
    fn until(&mut self, decoder: &Decoder) -> Option<Instant> {
        if decoder.is_doubtful() {
            return Some(*self.doubtful.get_or_insert_with(Instant::now) + DOUBTFUL);
        }
        self.doubtful = None;
        (decoder.is_within_request() && !self.is_told).then(|| Instant::now() + HALF_REQUEST)
    }
}

impl ProgramSession {
    pub(super) fn new(stream: TcpStream, caller: Caller, shared: Arc<Shared>) -> Self {
        let Caller { client, from, dialect, place } = caller;
        let who = format!("program {client} ({from}, {dialect})");
        Self {
            stream: Some(stream),
            dialect,
            client,
            address: from.ip().to_canonical(),
            place,
            limited_log: LimitedLog::new(Arc::clone(&shared.log), who, shared.limits.lines),
            told_limit: false,
            last_error: String::new(),
            selected: 0,
            seat: None,
            latched: Latched::default(),
            on_their_way: VecDeque::new(),
            waited_until_s: 0.0,
            pictured: None,
            habits: Habits::default(),
            primed: dialect != Dialect::Release,
            is_wide: false,
            may_be_silent: false,
            reply: vec![],
            body: None,
            shared,
        }
    }

    /// Answers until the program goes, is lost or the server ends; then gives its robot back.
    pub(super) async fn run(mut self) {
        let stop = self.shared.stop.clone();
        let place = Arc::clone(&self.place);
        // A fault of ours costs this program its connection, not its robot to everybody.
        let served = AssertUnwindSafe(self.serve()).catch_unwind();
        let why = tokio::select! {
            served = served => served.err().map(|_| FAULT),
            () = stopped(stop) => None,
            () = place.evicted() => Some(MADE_WAY),
        };
        if let Some(why) = why {
            self.limited_log.tell(&why);
        }
        self.stream = None;
        self.give_back().await;
    }

    /// Waits until what is published is up to date.
    async fn begin(&mut self) {
        let robots = Arc::clone(&self.shared.robots);
        loop {
            match robots.connected(self.shared.stats.clients.load(Relaxed)) {
                Ok(ticket) => break self.until_shown(ticket).await,
                Err(RequestError::Busy) => tokio::time::sleep(Duration::from_millis(1)).await,
                Err(RequestError::Refused(_)) => break,
            }
        }
        let world = robots.world();
        self.waited_until_s = world.time_s;
        // Programs that know of one robot alone have the first that they may drive.
        self.selected = (0..world.robots).find(|robot| self.may_drive(*robot)).unwrap_or(0);
    }

    async fn serve(&mut self) {
        self.begin().await;
        let mut decoder = Decoder::within(self.dialect, &self.shared.arriving);
        let mut buffer = vec![0; READ_BYTES];
        let mut patience = Patience::default();
        loop {
            let until = patience.until(&decoder);
            let Some(mut stream) = self.stream.take() else { return };
            let read = tokio::select! {
                biased;
                () = self.taken_back() => Read::TakenBack,
                read = next_bytes(&mut stream, &mut buffer, until) => read,
            };
            self.stream = Some(stream);
            let count = match read {
                Read::Bytes(count) => count,
                Read::TakenBack => {
                    self.limited_log
                        .tell(&"its robot is not for programs any more; it is given back");
                    self.give_back().await;
                    continue;
                }
                Read::Late if self.waited(&mut decoder, &mut patience).await => continue,
                Read::Late => return,
                Read::End => break,
            };
            if std::mem::take(&mut self.may_be_silent)
                && let Some(stream) = &self.stream
            {
                give_up_after(&SockRef::from(stream), Some(VANISHED));
            }
            let mut left = &buffer[..count];
            loop {
                let request = match decoder.feed(&mut left) {
                    Ok(None) => break,
                    Ok(Some(request)) => {
                        // What comes next has its own time.
                        patience.doubtful = None;
                        request
                    }
                    Err(lost) => {
                        self.refuse(&format!("{lost}; the connection is closed"), None);
                        let _ = self.send().await;
                        return;
                    }
                };
                self.habits.see(&request, decoder.has_garbage());
                if !self.answer_or_go(request).await {
                    return;
                }
            }
        }
        if let Some(request) = decoder.close() {
            self.answer_or_go(request).await;
        } else if decoder.is_within_request() {
            self.limited_log.tell(&"ended in the middle of a request");
        }
    }

    /// No more of a request has come in time; false if the program is gone.
    async fn waited(&mut self, decoder: &mut Decoder, patience: &mut Patience) -> bool {
        if let Some(request) = decoder.close() {
            return self.answer_or_go(request).await;
        }
        self.limited_log.tell(&HALF_REQUEST_TOLD);
        patience.is_told = true;
        true
    }

    /// Answers one request; false if the program is gone.
    async fn answer_or_go(&mut self, request: Result<Asked, RobotOneRefusal>) -> bool {
        self.shared.stats.requests.fetch_add(1, Relaxed);
        self.place.is_served(self.seat.is_some());
        self.reply.clear();
        self.body = None;
        let wants_picture =
            request.as_ref().is_ok_and(|asked| asked.given() == Some(GetValue::Bytes));
        if wants_picture && !self.primed {
            self.primed = true;
            if self.wants_zeros() && !self.prime().await {
                return false;
            }
        }
        match request {
            Err(refusal) => self.refuse(&refusal.to_string(), None),
            Ok(asked) => {
                // Taken out, so that it can be watched while the answer is looked for.
                let Some(stream) = self.stream.take() else { return false };
                let (given, name) = (asked.given(), asked.row().name);
                let answered = tokio::select! {
                    biased;
                    answered = self.answer(asked) => answered,
                    () = gone(&stream) => return false,
                };
                self.stream = Some(stream);
                if let Err(why) = answered {
                    self.refuse(&format!("{name}: {why}"), given);
                }
            }
        }
        self.send().await
    }

    /// Tells why nothing was done, and answers that, in the form that is expected.
    fn refuse(&mut self, why: &str, given: Option<GetValue>) {
        self.limited_log.tell(&why);
        self.last_error.clear();
        self.last_error.push_str(&why[..why.floor_char_boundary(MOST_ERROR_BYTES)]);
        self.shared.stats.refused.fetch_add(1, Relaxed);
        self.reply.clear();
        match given {
            Some(GetValue::Floats | GetValue::Bytes | GetValue::Text) => {
                encode_data(self.dialect, false, 0.0, &[], &mut self.reply);
            }
            _ => encode_number(self.dialect, false, 0.0, &mut self.reply),
        }
    }

    /// Sends the reply, in one piece wherever the other side lets us; false if it is gone.
    async fn send(&mut self) -> bool {
        let Some(stream) = &self.stream else { return false };
        let body = self.body.as_deref().map_or(&[][..], AsRef::as_ref);
        if self.reply.len() + body.len() > MOST_UNREAD_BYTES && !self.may_be_silent {
            self.may_be_silent = true;
            give_up_after(&SockRef::from(stream), None);
        }
        let sending = send_all(stream, &self.reply, body, self.is_wide);
        match tokio::time::timeout(self.shared.limits.write_timeout, sending).await {
            Ok(Ok(pieces)) => {
                self.shared.stats.split.fetch_add(u64::from(pieces > 1), Relaxed);
                true
            }
            Ok(Err(_)) => false,
            Err(_) => {
                self.limited_log.tell(&"takes no replies; the connection is closed");
                false
            }
        }
    }

    /// Whether zeros go ahead of this program's first picture; tells what it takes it for.
    fn wants_zeros(&mut self) -> bool {
        match self.shared.priming {
            Priming::Never => false,
            Priming::Always => true,
            Priming::Recognised if self.habits.is_released() => {
                self.limited_log.tell(&RECOGNISED);
                true
            }
            Priming::Recognised => {
                if self.habits.may_be_released() {
                    self.limited_log.tell(&NOT_RECOGNISED);
                    self.shared.robots.tell_of_first_picture();
                }
                false
            }
        }
    }

    /// Widens the other side's window for pictures.
    async fn prime(&mut self) -> bool {
        let reply = std::mem::replace(&mut self.reply, vec![0; PRIMER_BYTES]);
        let mut sent = true;
        for _ in 0..PRIMERS {
            sent = sent && self.send().await;
            tokio::time::sleep(PRIMER_TIME).await;
        }
        self.reply = reply;
        self.is_wide = true;
        sent
    }

    /// The robot that is meant, to look at: that takes no seat, whoever drives it.
    pub(super) fn looked_at(&self) -> Result<u32, RequestError> {
        self.exists(self.selected).map(|()| self.selected)
    }

    /// What this program commands a robot; none if it is not its own.
    pub(super) fn commanded(&self, robot: u32) -> Option<Latched> {
        self.seat.as_ref().filter(|seat| seat.robot == robot).map(|_| self.latched)
    }

    /// The robot that is meant, to command it: after taking it if need be.
    pub(super) async fn robot(&mut self) -> Result<u32, RequestError> {
        let robot = self.selected;
        if self.may_drive(robot) && self.seat.as_ref().is_some_and(|seat| seat.robot == robot) {
            return Ok(robot);
        }
        self.exists(robot)?;
        self.give_back().await;
        if self.shared.queue.is_taken(robot) {
            self.limited_log
                .tell(&format_args!("waits for robot {robot}, which another program has"));
        }
        self.seat = Some(self.shared.queue.take(robot, self.client).await?);
        self.place.is_served(true);
        self.latched = Latched::default();
        // It may have been taken back from programs meanwhile.
        self.exists(robot)?;
        Ok(robot)
    }

    /// Gives its robot back, if it has one.
    pub(super) async fn give_back(&mut self) {
        if let Some(seat) = self.seat.take() {
            self.place.is_served(false);
            self.shared.queue.give_back(seat).await;
        }
    }

    /// Lets people drive besides, or not.
    pub(super) async fn let_people_drive(&mut self, robot: u32) -> Result<(), RequestError> {
        let driver = match self.latched.manual {
            true => Driver::PeopleBesides(self.client),
            false => Driver::Program(self.client),
        };
        self.shared.queue.hand_over(robot, driver).await
    }

    /// Does something to a robot, as soon as there are not too many acts on their way.
    pub(super) async fn act(
        &mut self,
        robot: u32,
        action: RobotAction,
    ) -> Result<Ticket, RequestError> {
        let most = self.shared.limits.actions.max(1);
        loop {
            if self.on_their_way.len() >= most
                && let Some(oldest) = self.on_their_way.pop_front()
            {
                self.until_shown(oldest).await;
            }
            match self.shared.robots.act(robot, action) {
                Ok(ticket) => {
                    self.on_their_way.push_back(ticket);
                    return Ok(ticket);
                }
                Err(RequestError::Busy) if !self.shared.robots.world().ended => {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                Err(request_error) => return Err(request_error),
            }
        }
    }

    /// Does something that a later get must show.
    pub(super) async fn act_and_see(
        &mut self,
        robot: u32,
        action: RobotAction,
    ) -> Result<(), RequestError> {
        let ticket = self.act(robot, action).await?;
        self.until_shown(ticket).await;
        Ok(())
    }

    /// Waits until the world shows what was done.
    pub(super) async fn until_shown(&mut self, ticket: Ticket) {
        let robots: &Arc<dyn Robots> = &self.shared.robots;
        let is_shown = || {
            let world = robots.world();
            (world.done >= ticket || world.ended).then_some(())
        };
        if is_shown().is_none() {
            self.shared.notifier.until(is_shown).await;
        }
        self.on_their_way.retain(|other| *other > ticket);
    }
}
