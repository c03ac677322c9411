//! Goals by team.

use rolima_core::Model;

/// Goals by team, in the order in which the scene names the teams; teams that only a zone names
/// come last. Without a ball there is nothing to score with, so there are no teams.
pub(crate) fn by_team<'a>(model: &'a Model, zone_scores: &[u64]) -> Vec<(&'a str, u64)> {
    let zones = if model.spec.balls.is_empty() { &[][..] } else { &model.spec.zones };
    let named = model.robots.iter().map(|robot| robot.team.as_str());
    let mut teams: Vec<(&str, u64)> = vec![];
    for team in named.chain(zones.iter().map(|zone| zone.scores_for.as_str())) {
        let scores = zones.iter().any(|zone| zone.scores_for == team);
        if scores && !teams.iter().any(|(known, _)| *known == team) {
            teams.push((team, 0));
        }
    }
    for (zone, goals) in zones.iter().zip(zone_scores) {
        if let Some((_, sum)) = teams.iter_mut().find(|(team, _)| *team == zone.scores_for) {
            *sum += goals;
        }
    }
    teams
}

/// `blue 3 : 2 yellow`; nothing where nobody can score.
pub(crate) fn shown(teams: &[(&str, u64)]) -> Option<String> {
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
    use crate::scene::builtin;

    #[test]
    fn goals_count_for_the_team_of_the_zone() {
        let model = builtin("soccer", &[]).unwrap();
        // The first zone is the left goal, which blue defends.
        let teams = by_team(&model, &[2, 3]);
        assert_eq!(teams, [("blue", 3), ("yellow", 2)]);
        assert_eq!(shown(&teams).unwrap(), "blue 3 : 2 yellow");
    }

    #[test]
    fn a_scene_without_zones_or_without_a_ball_has_no_score() {
        let model = builtin("open-loop", &[]).unwrap();
        assert_eq!(shown(&by_team(&model, &[])), None);
        let model = builtin("figure-13", &[]).unwrap();
        assert_eq!(shown(&by_team(&model, &[0, 0])), None);
    }
}
