//! Patterns of names.

/// Whether a name matches: `*` stands for any letters but dots, `**` for any letters.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    // Places in the pattern and the name to go on from, should the latest star have to take more.
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    let mut at = 0;
    while at < pattern.len() {
        let stars = pattern[at..].iter().take_while(|&&letter| letter == b'*').count();
        if stars > 0 {
            for i in 0..name.len() {
                let takes = stars > 1 || name[i] != b'.';
                reached[i + 1] |= reached[i] && takes;
            }
            at += stars;
            continue;
        }
        for i in (0..name.len()).rev() {
            reached[i + 1] = reached[i] && name[i] == pattern[at];
        }
        reached[0] = false;
        at += 1;
    }
    reached[name.len()]
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_take_letters_between_dots_and_two_stars_all() {
        for (pattern, name, is) in [
            ("robot.*.x", "robot.blue-1.x", true),
            ("robot.*.x", "robot.blue-1.velocity.x", false),
            ("robot.**.x", "robot.blue-1.velocity.x", true),
            ("**", "anything.at.all", true),
            ("**", "", true),
            ("*", "", true),
            ("*", "a.b", false),
            ("ball.*", "ball.", true),
            ("", "", true),
            ("", "a", false),
            ("time", "time", true),
            ("time", "times", false),
            ("r*t.**.wheel.*.spin", "robot.a.b.wheel.left.spin", true),
            ("*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
        ] {
            assert_eq!(matches(pattern, name), is, "{pattern} {name}");
        }
    }
}
