//! Goals by team.

use std::fmt::Display;

pub use rolima_run::score::by_team;

/// `blue 3 : 2 yellow`; nothing where nobody can score.
pub fn text(teams: &[(impl Display, u64)]) -> Option<String> {
    match teams {
        [] => None,
        [(home, goals), (guest, against)] => Some(format!("{home} {goals} : {against} {guest}")),
        all => {
            let each = all.iter().map(|(team, goals)| format!("{team} {goals}"));
            Some(each.collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_teams_face_one_another_and_more_stand_in_a_row() {
        assert_eq!(text(&[("blue", 3), ("yellow", 2)]).unwrap(), "blue 3 : 2 yellow");
        assert_eq!(text(&[("a", 1), ("b", 0), ("c", 2)]).unwrap(), "a 1, b 0, c 2");
        assert_eq!(text(&[("", 0); 0]), None);
    }
}
