//! What decides outside of a world's step: agents see, and want something done before the next step.

use rolima_core::{BodyId, Command, RobotId, World};
use rolima_math::Vec2;

/// What an agent may see: the world as it is between two steps. Whoever is to see by a camera passes
/// what it tells of bodies through [`crate::vision`].
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The world.
    pub world: &'a World,
}

impl View<'_> {
    /// Steps of the world since it began.
    pub fn step(&self) -> u64 {
        self.world.state().step
    }
}

/// Somebody who decides, between two steps of a world.
///
/// It is a part of the simulation: the same acts at the same steps give the same bits. So it looks at
/// no clock, and all that it remembers is cloned by `fork` and written by `save`.
pub trait Agent {
    /// What it tells of itself.
    type Report;

    /// The step before which it acts next; `u64::MAX` while it has nothing to do.
    fn due(&self) -> u64;

    /// Looks, and says what is to be done before the next step. Called once [`Agent::due`] has come.
    fn act(&mut self, see: &View<'_>, commands: &mut Commands);

    /// What it tells of itself now, in place of what was told before, whose memory it keeps.
    fn report(&self, reports: &mut Vec<Self::Report>);
}

/// Something that is to be done to the world.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Command(RobotId, Command),
    Push(BodyId, Vec2, Vec2),
}

/// What agents want done before the next step, in the order in which they said so.
#[derive(Debug, Default)]
pub struct Commands {
    orders: Vec<Order>,
}

impl Commands {
    /// Commands a robot.
    pub fn command(&mut self, robot: RobotId, command: impl Into<Command>) {
        self.orders.push(Order::Command(robot, command.into()));
    }

    /// Pushes a body at a point of the world, m, with an impulse, N s.
    pub fn push(&mut self, body: BodyId, point: Vec2, impulse: Vec2) {
        self.orders.push(Order::Push(body, point, impulse));
    }

    /// Does it all, and is empty again. What the world refuses is the agent's own affair.
    pub fn carry_out(&mut self, world: &mut World) {
        for order in self.orders.drain(..) {
            match order {
                Order::Command(robot, command) => {
                    let _ = world.command(robot, command);
                }
                Order::Push(body, point, impulse) => {
                    world.push(body, point, impulse);
                }
            }
        }
    }
}
