//! Goals by team.

use rolima_core::Model;

/// Goals by team, in the order in which the scene names the teams; teams that only a zone names
/// come last. Without a ball there is nothing to score with, so there are no teams.
pub fn by_team<'a>(model: &'a Model, zone_scores: &[u64]) -> Vec<(&'a str, u64)> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_scene::{Source, load};

    fn builtin(name: &str) -> Model {
        let source = Source::resolve(&format!("built-in:{name}")).expect("a scene");
        load(&source, &[]).and_then(|scene| scene.compile()).expect("a good scene")
    }

    #[test]
    fn goals_count_for_the_team_of_the_zone() {
        let model = builtin("soccer");
        // The first zone is the left goal, which blue defends.
        let teams = by_team(&model, &[2, 3]);
        assert_eq!(teams, [("blue", 3), ("yellow", 2)]);
    }

    #[test]
    fn a_scene_without_zones_or_without_a_ball_has_no_score() {
        let model = builtin("open-loop");
        assert_eq!(by_team(&model, &[]), []);
        let model = builtin("figure-13");
        assert_eq!(by_team(&model, &[0, 0]), []);
    }
}
