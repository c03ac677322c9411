//! The tokens of a server, one a role.

use rolima_wire::Role;

/// Shortest and longest token, characters. A random one has 32, which are 128 bits; 16 letters and
/// digits that somebody chose well have some 80.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=128;

/// What lets people in, one token a role.
#[derive(Clone, PartialEq, Eq)]
pub struct Tokens {
    /// In the order of [`Role::ALL`].
    tokens: [String; 3],
}

/// Does not tell them.
impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tokens { .. }")
    }
}

impl Tokens {
    /// Tokens that somebody gives, in the order of [`Role::ALL`]; an error says what is wrong.
    pub fn new(tokens: [String; 3]) -> Result<Self, String> {
        for (role, token) in Role::ALL.into_iter().zip(&tokens) {
            let is_plain = token.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if !is_plain || !LENGTHS.contains(&token.len()) {
                let (least, most) = (LENGTHS.start(), LENGTHS.end());
                return Err(format!(
                    "{}: expected {least} to {most} letters and digits, got {} characters{}",
                    role.name(),
                    token.chars().count(),
                    if is_plain { "" } else { ", others among them" }
                ));
            }
        }
        let [watch, drive, control] = &tokens;
        if watch == drive || drive == control || watch == control {
            return Err("expected three different tokens, got one twice".to_owned());
        }
        Ok(Self { tokens })
    }

    /// 128 random bits each.
    pub fn random() -> Result<Self, getrandom::Error> {
        Ok(Self { tokens: [random_token()?, random_token()?, random_token()?] })
    }

    /// The token of a role.
    pub fn of(&self, role: Role) -> &str {
        let [watch, drive, control] = &self.tokens;
        match role {
            Role::Watch => watch,
            Role::Drive => drive,
            Role::Control => control,
        }
    }

    /// Whose token this is. Takes a time that does not tell which one it resembles.
    pub(crate) fn role_of(&self, given: &str) -> Option<Role> {
        Role::ALL.into_iter().fold(None, |found, role| match equal(given, self.of(role)) {
            true => Some(role),
            false => found,
        })
    }
}

/// 128 random bits.
fn random_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares in a time that does not tell where they differ.
fn equal(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (x, y)| all | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_tokens_differ_and_are_what_may_be_given() {
        let tokens = Tokens::random().expect("tokens");
        let given = Role::ALL.map(|role| tokens.of(role).to_owned());
        assert!(given.iter().all(|token| token.len() == 32));
        assert_eq!(Tokens::new(given), Ok(tokens));
    }

    #[test]
    fn short_odd_and_equal_tokens_are_refused() {
        let [watch, drive, control] = ["w", "d", "c"].map(|letter| letter.repeat(20));
        let refused = |tokens: [&str; 3]| Tokens::new(tokens.map(str::to_owned)).unwrap_err();
        assert_eq!(
            refused([&watch, "short", &control]),
            "drive: expected 16 to 128 letters and digits, got 5 characters"
        );
        let odd = "with spaces in it, and a comma";
        assert!(refused([odd, &drive, &control]).starts_with("watch: expected"));
        assert!(refused([&watch, &drive, &drive]).contains("one twice"));
        assert!(!format!("{:?}", Tokens::random()).contains("0"));
    }
}
