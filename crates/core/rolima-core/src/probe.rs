//! The parts of a step, for those who want to know where its time goes.
//!
//! The core looks at no clock: a [`Probe`] is told which part begins, and may look at one itself. The
//! probe `()` does nothing, and a step with it is the plain step, instruction by instruction.

/// A part of a step: a stage, or a piece of work within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepPart {
    /// Stage 1: queued commands are latched, built-in drivers act.
    Commands,
    /// Stage 2: speed controllers, supply.
    Actuators,
    /// Stage 3: robots on flat ground.
    Robots,
    /// Stage 3: balls and loose objects on flat ground; what is no longer finite is taken aside.
    Loose,
    /// Stage 3: vehicles on rough ground.
    Vehicles,
    /// Stage 3: errors of the executed motion.
    MotionErrors,
    /// Stage 4: which pairs may touch soon.
    Broad,
    /// Stage 4: which pairs touch in this step, and where.
    Find,
    /// Stage 4: hits and presses are solved.
    Solve,
    /// Stage 4: what touches is moved, and pushed out of overlaps.
    Advance,
    /// Stage 4: impulses are kept, pushed bodies written back, events noted.
    WriteBack,
    /// Stage 4: vehicles and free bodies on rough ground meet one another and walls.
    Resolve,
    /// Stage 5: wheels are counted, bumpers notice what presses.
    Wheels,
    /// Stage 5: sensors that are due read.
    Readings,
    /// Stage 5: balls in zones, score, kick-off.
    Zones,
    /// Stage 6: the step is counted, observers look at the frame.
    Publish,
}

impl StepPart {
    /// All parts, in the order of a step.
    pub const ALL: [Self; 16] = [
        Self::Commands,
        Self::Actuators,
        Self::Robots,
        Self::Loose,
        Self::Vehicles,
        Self::MotionErrors,
        Self::Broad,
        Self::Find,
        Self::Solve,
        Self::Advance,
        Self::WriteBack,
        Self::Resolve,
        Self::Wheels,
        Self::Readings,
        Self::Zones,
        Self::Publish,
    ];

    /// The stage that it belongs to, by its name.
    pub fn stage(self) -> &'static str {
        match self {
            Self::Commands => "commands",
            Self::Actuators => "actuators",
            Self::Robots | Self::Loose | Self::Vehicles | Self::MotionErrors => "dynamics",
            Self::Broad | Self::Find | Self::Solve => "contacts",
            Self::Advance | Self::WriteBack | Self::Resolve => "contacts",
            Self::Wheels | Self::Readings | Self::Zones => "sensors",
            Self::Publish => "publish",
        }
    }

    /// What to call it within its stage; nothing where the stage is one part.
    pub fn name(self) -> &'static str {
        match self {
            Self::Commands | Self::Actuators | Self::Publish => "",
            Self::Robots => "robots",
            Self::Loose => "balls, objects",
            Self::Vehicles => "vehicles",
            Self::MotionErrors => "motion errors",
            Self::Broad => "broad phase",
            Self::Find => "narrow phase",
            Self::Solve => "solver",
            Self::Advance => "advance",
            Self::WriteBack => "write back",
            Self::Resolve => "spatial contacts",
            Self::Wheels => "wheels, bumpers",
            Self::Readings => "readings",
            Self::Zones => "zones",
        }
    }
}

/// Somebody who is told which part of a step is worked on.
pub trait Probe {
    /// The part before is done, and this one begins.
    fn begin(&mut self, part: StepPart);
    /// The step is done.
    fn end(&mut self);
}

/// Nobody.
impl Probe for () {
    #[inline(always)]
    fn begin(&mut self, _: StepPart) {}
    #[inline(always)]
    fn end(&mut self) {}
}
