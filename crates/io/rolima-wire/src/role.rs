//! Which role every message of a client needs: one table.

use crate::ask::{Ask, DriveAsked};
use crate::pb;

/// What a connection may do. Each role may do all that those before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Sees everything, and changes what it looks at.
    Watch,
    /// Drives robots and sends them to poses, too.
    Drive,
    /// Everything: time, scenes, maps, blows.
    Control,
}

impl Role {
    /// All of them, from the least.
    pub const ALL: [Self; 3] = [Self::Watch, Self::Drive, Self::Control];

    /// One word, as on the command line and in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Watch => "watch",
            Self::Drive => "drive",
            Self::Control => "control",
        }
    }

    /// The role of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

impl From<Role> for pb::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::Watch => Self::Watch,
            Role::Drive => Self::Drive,
            Role::Control => Self::Control,
        }
    }
}

/// Makes the list for people and the `match` for messages of one table. The `match` has no arm for
/// the rest, so that a new message does not compile without a role.
macro_rules! roles {
    ($($role:ident: $($name:literal = $ask:pat,)+)+) => {
        /// All that a client can ask, as the schema calls it, and the role that it needs.
        pub const ROLES: &[(&str, Role)] = &[$($(($name, Role::$role),)+)+];

        impl Ask {
            /// The role that this needs, and what the schema calls it.
            pub fn needs(&self) -> (Role, &'static str) {
                match self {
                    $($($ask => (Role::$role, $name),)+)+
                }
            }
        }
    };
}

roles! {
    Watch:
        "NewName" = Ask::NewName(_),
        "Pong" = Ask::Pong,
        "Watch" = Ask::Watch { .. },
        "WatchGoals" = Ask::WatchGoals(_),
        "WatchChannels" = Ask::WatchChannels(_),
        "WatchProfile" = Ask::WatchProfile(_),
        "WatchTimeline" = Ask::WatchTimeline(_),
        "AskSeries" = Ask::Series(_),
    Drive:
        "Claim" = Ask::Claim { .. } | Ask::GiveUp { .. },
        "Drive" = Ask::Drive(_),
        "DriveTeam" = Ask::DriveTeam(_),
        "Actuate" = Ask::Actuate(_),
        "SetGoal" = Ask::Goal { .. },
    Control:
        "Control.play" = Ask::Play,
        "Control.pause" = Ask::Pause,
        "Control.step" = Ask::Step(_),
        "Control.speed" = Ask::Speed(_),
        "Control.reset" = Ask::Reset,
        "Control.seed" = Ask::Seed(_),
        "Control.load" = Ask::Load(_),
        "LoadMap" = Ask::LoadMap(_),
        "Place" = Ask::Place { .. },
        "Push" = Ask::Push { .. },
        "Grab" = Ask::Grab { .. },
        "LetGo" = Ask::LetGo { .. },
        "Sigma" = Ask::Sigma { .. },
        "ForPrograms" = Ask::ForPrograms { .. },
        // A controller that does not answer holds the world for everybody.
        "Join" = Ask::Join { .. },
        "Answer" = Ask::Answer { .. },
        "TimeTravel" = Ask::TimeTravel(_),
        "Record" = Ask::Record(_),
        "ChangeGhosts" = Ask::Ghosts(_),
}

impl Ask {
    /// Whether this changes nothing but the time of the world, or what the one who asks sees of it.
    pub fn leaves_world(&self) -> bool {
        let is_of_time = matches!(self, Self::Play | Self::Pause | Self::Step(_) | Self::Speed(_));
        let is_of_course = matches!(self, Self::TimeTravel(_) | Self::Record(_) | Self::Ghosts(_));
        is_of_time || is_of_course || self.needs().0 == Role::Watch
    }

    /// Whether this only gives back what somebody has.
    pub fn gives_back(&self) -> bool {
        matches!(self, Self::GiveUp { .. } | Self::LetGo { .. } | Self::Goal { goal: None, .. })
    }

    /// The bodies that this would drive.
    pub fn driven(&self) -> Vec<u32> {
        let all = |drives: &[DriveAsked]| drives.iter().map(|drive| drive.body).collect();
        match self {
            Self::Claim { body } | Self::Goal { body, .. } => vec![*body],
            Self::Drive(drive) => vec![drive.body],
            Self::Actuate(actuate) => vec![actuate.body],
            Self::DriveTeam(drives) | Self::Answer { drives, .. } => all(drives),
            // Giving back is always allowed.
            Self::GiveUp { .. } => vec![],
            Self::Play | Self::Pause | Self::Step(_) | Self::Speed(_) => vec![],
            Self::Reset | Self::Seed(_) | Self::Load(_) | Self::LoadMap(_) => vec![],
            Self::Place { .. } | Self::Push { .. } | Self::Grab { .. } | Self::LetGo { .. } => {
                vec![]
            }
            Self::NewName(_) | Self::Pong | Self::Watch { .. } | Self::WatchGoals(_) => vec![],
            Self::Sigma { .. } | Self::Join { .. } | Self::ForPrograms { .. } => vec![],
            Self::WatchChannels(_) | Self::WatchProfile(_) => vec![],
            Self::TimeTravel(_) | Self::Series(_) | Self::Record(_) => vec![],
            Self::Ghosts(_) | Self::WatchTimeline(_) => vec![],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_of_the_schema_has_a_role() {
        let schema = include_str!("../proto/live.proto");
        let fields = |head: &str| {
            let message = schema.split_once(head).expect("a message").1;
            let body = message.split_once("oneof kind {").expect("a oneof").1;
            let body = body.split_once('}').expect("an end").0;
            let lines = body
                .lines()
                .map(str::trim)
                .filter(|line| !line.starts_with("//") && line.contains('='));
            let words = |line: &str| {
                let mut words = line.split_whitespace();
                (words.next().unwrap_or("").to_owned(), words.next().unwrap_or("").to_owned())
            };
            lines.map(words).collect::<Vec<_>>()
        };
        let messages = fields("message ClientMessage {").into_iter().map(|(kind, _)| kind);
        let controls = fields("message Control {").into_iter().map(|(_, field)| field);
        let mut wanted: Vec<String> = messages.filter(|kind| kind != "Control").collect();
        wanted.extend(controls.map(|field| format!("Control.{field}")));
        wanted.sort();
        let mut listed: Vec<_> = ROLES.iter().map(|(name, _)| (*name).to_owned()).collect();
        listed.sort();
        assert_eq!(listed, wanted);
    }

    #[test]
    fn roles_are_ordered_and_have_names() {
        assert!(Role::Watch < Role::Drive && Role::Drive < Role::Control);
        for role in Role::ALL {
            assert_eq!(Role::of_name(role.name()), Some(role));
        }
        assert_eq!(Role::of_name("teach"), None);
        assert_eq!(Ask::Reset.needs(), (Role::Control, "Control.reset"));
        assert_eq!(Ask::GiveUp { body: 1 }.needs(), (Role::Drive, "Claim"));
    }
}
