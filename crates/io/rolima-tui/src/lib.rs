//! `rolima run` in a terminal: a live view of the field.
//!
//! The simulation runs on threads of its own; the view looks at it some thirty times a second and
//! can neither delay nor stop it, but by an order (see `link`). Drawing is a function of a picture.

mod channels;
mod colour;
mod events;
mod field;
mod keys;
mod link;
mod projection;
mod relief;
mod screen;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, anyhow};
use channels::Listing;
use keys::{KeyAction, Steering};
use link::{Picture, RunPace, Slot, ViewRequest, Window};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event};
use rolima_core::{Model, Schema};
use rolima_run::live::{
    HeldSeat, Holder, Live, MOST_CHANNELS, Mailbox, Purpose, RunOutcome, Seats, SharedSeats,
};
use rolima_serve::robotone::ViewHints;
use screen::Screen;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time between two looks at the simulation.
const LOOK: Duration = Duration::from_millis(33);

/// Runs a live world while the terminal shows it, until its end or until somebody quits.
pub fn run(
    mut live: Live,
    model: &Model,
    (seats, view_hints): (&SharedSeats, &ViewHints),
    start: impl FnOnce(Live) -> RunOutcome + Send,
    stop: &AtomicBool,
) -> Result<RunOutcome> {
    let slot = Arc::new(Slot::default());
    live.add_sink(Box::new(Window::new(slot.clone())));
    let mailbox = live.mailbox();
    let mut terminal = Terminal::open()?;
    std::thread::scope(|scope| {
        let simulation = scope.spawn(|| start(live));
        let is_over = || stop.load(Ordering::Relaxed) || simulation.is_finished();
        let shown = show(&mut terminal.0, model, (&slot, &mailbox, seats, view_hints), is_over);
        stop.store(true, Ordering::Relaxed);
        let outcome = simulation.join();
        drop(terminal);
        shown?;
        outcome.map_err(|_| anyhow!("the simulation broke off"))
    })
}

/// Leaves full-screen mode, where it is on: for those who end the program in another way.
pub fn restore() {
    ratatui::restore();
}

/// The terminal in full-screen mode; as it was when this is dropped, or on a panic.
struct Terminal(DefaultTerminal);

impl Terminal {
    fn open() -> Result<Self> {
        let terminal = ratatui::try_init().context("the terminal cannot show a view")?;
        Ok(Self(terminal))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// What the user has chosen.
#[derive(Default)]
struct User {
    selected: usize,
    help: bool,
    listing: Listing,
    steering: Steering,
    /// Why the keys do not drive, and until when that is view_hints, s.
    refused: Option<(String, f64)>,
    quit: bool,
}

/// How long a refusal is view_hints, s.
const TOLD_S: f64 = 3.0;

fn show(
    terminal: &mut DefaultTerminal,
    model: &Model,
    (slot, mailbox, shared, view_hints): (&Slot, &Mailbox, &SharedSeats, &ViewHints),
    is_over: impl Fn() -> bool,
) -> Result<()> {
    let start = Instant::now();
    let mut picture = Picture::default();
    let mut user = User::default();
    let schema = Schema::first(model, MOST_CHANNELS);
    while !user.quit && !is_over() {
        slot.take(&mut picture);
        let User { selected, help, listing, .. } = user;
        let refused = user.refusal(start.elapsed().as_secs_f64()).map(str::to_owned);
        let held = shared.lock().check(selected as u32, Holder::Terminal).err();
        let warning = view_hints.warning().map(ToString::to_string);
        let screen = Screen {
            model,
            schema: &schema,
            picture: &picture,
            selected,
            listing,
            help,
            held: held.as_ref(),
            refused: refused.as_deref(),
            warning: warning.as_deref(),
        };
        terminal
            .draw(|frame| frame.render_widget(screen, frame.area()))
            .context("the terminal cannot be written to")?;
        let next_look = Instant::now() + LOOK;
        let left = || next_look.saturating_duration_since(Instant::now());
        while event::poll(left()).context("the keyboard cannot be read")? {
            if let Event::Key(key) = event::read().context("the keyboard cannot be read")?
                && let Some(action) = keys::action(key)
            {
                let now_s = start.elapsed().as_secs_f64();
                let order = user.act(action, (model, &schema), &mut shared.lock(), now_s);
                order.into_iter().for_each(|order| send(mailbox, order, &mut picture.pace));
            }
        }
        let mut seats = shared.lock();
        for order in user.drive(model, &mut seats, start.elapsed().as_secs_f64()) {
            send(mailbox, order, &mut picture.pace);
        }
    }
    Ok(())
}

/// Asks the simulation for something. One that has just ended is asked in vain, which is no error.
fn send(mailbox: &Mailbox, order: ViewRequest, pace: &mut RunPace) {
    let _ = mailbox.send(order.request(pace));
}

impl User {
    /// Why the keys do not drive, while that is view_hints.
    fn refusal(&self, now_s: f64) -> Option<&str> {
        let (why, until_s) = self.refused.as_ref()?;
        (now_s < *until_s).then_some(why)
    }

    /// Tells for a while that somebody else has a robot.
    fn refuse(&mut self, held: &HeldSeat, model: &Model, now_s: f64) {
        let name = model.robots.get(held.robot as usize).map_or("it", |robot| &robot.name);
        self.refused = Some((held.in_words(name), now_s + TOLD_S));
    }

    /// Takes note of an action; returns what the simulation shall do.
    fn act(
        &mut self,
        action: KeyAction,
        (model, schema): (&Model, &Schema),
        seats: &mut Seats,
        now_s: f64,
    ) -> Option<ViewRequest> {
        let robots = model.robots.len().max(1);
        match action {
            KeyAction::Quit => self.quit = true,
            KeyAction::ToggleHelp => self.help = !self.help,
            KeyAction::NextRobot => self.choose((self.selected + 1) % robots),
            KeyAction::PreviousRobot => self.choose((self.selected + robots - 1) % robots),
            KeyAction::TurnList => self.listing.turn(),
            KeyAction::Page { down } => {
                let channels = self.listing.chosen(schema, model, self.selected).len();
                self.listing.page(down, channels);
            }
            KeyAction::Drive(direction) => {
                match seats.check(self.selected as u32, Holder::Terminal) {
                    Err(held) => self.refuse(&held, model, now_s),
                    Ok(_) => {
                        self.refused = None;
                        self.steering.press(direction, now_s);
                    }
                }
            }
            KeyAction::Order(order) => {
                if order == ViewRequest::Reset {
                    self.steering.forget();
                    seats.leave(Holder::Terminal);
                }
                return Some(order);
            }
        }
        None
    }

    /// Chooses a robot, whose channels are listed from the first on.
    fn choose(&mut self, robot: usize) {
        self.selected = robot;
        self.listing.begin_anew();
    }

    /// What keys that are held ask for. A robot that somebody else has is neither driven nor let go: it
    /// is not ours.
    fn drive(&mut self, model: &Model, seats: &mut Seats, now_s: f64) -> Vec<ViewRequest> {
        if let Some(robot) = self.steering.driven()
            && let Err(held) = seats.check(robot, Holder::Terminal)
        {
            self.steering.forget();
            self.refuse(&held, model, now_s);
        }
        let robot = self.selected as u32;
        let Some(known) = model.robots.get(self.selected) else { return vec![] };
        if seats.check(robot, Holder::Terminal).is_err() {
            self.steering.let_go();
        }
        let mut orders = self.steering.orders(robot, keys::Means::of(model, known), now_s);
        orders.retain(|order| match *order {
            ViewRequest::Drive(robot, _) => {
                let now = Instant::now();
                seats.take(robot, Holder::Terminal, Purpose::Commands, now).is_ok()
            }
            ViewRequest::Release(robot) => seats.give_back(robot, Holder::Terminal),
            _ => true,
        });
        orders
    }
}
