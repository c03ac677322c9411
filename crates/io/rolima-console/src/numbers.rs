//! Numbers on the command line: what is expected of each, and who takes which.

use clap::Command;
use clap::builder::ValueParser;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Takes whole numbers of a range.
pub fn whole<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            format!("expected a whole number from {} to {}", range.start(), range.end())
        })
    }
}

/// Takes whole numbers that nothing but their size limits.
pub fn count<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a whole number from 0 up".to_owned())
}

/// Takes a port.
pub fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "expected a port from 0 to 65535".to_owned())
}

/// Takes two numbers with a comma between them, m.
pub fn point(text: &str) -> Result<[f64; 2], String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let found = text.split_once(',').and_then(|(x, y)| Some([number(x)?, number(y)?]));
    found.ok_or_else(|| "expected x and y in metres, such as 10,-2.5".to_owned())
}

/// Takes a distance from 0 up, m.
pub fn metres(text: &str) -> Result<f64, String> {
    from_zero(text).ok_or_else(|| "expected a number of metres from 0 up".to_owned())
}

/// Takes a time from 0 up, s.
pub fn seconds(text: &str) -> Result<f64, String> {
    from_zero(text).ok_or_else(|| "expected a number of seconds from 0 up".to_owned())
}

/// Takes a number of steps, from 1 up.
pub fn steps(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| {
        "expected a whole number of steps from 1 up (steps, not seconds: with steps of 1 ms, 500 is half a \
         second)"
            .to_owned()
    })
}

/// Takes a time from 0 up, s.
pub fn duration(text: &str) -> Result<Duration, String> {
    Duration::try_from_secs_f64(seconds(text)?)
        .map_err(|_| "expected a number of seconds from 0 to 1e19".to_owned())
}

fn from_zero(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| *number >= 0.0 && number.is_finite())
}

/// Lets every option that takes a value take what begins with a minus, in all subcommands.
///
/// By default clap takes `-5` for an option of its own and gives a hint that does not help. Here
/// such a value reaches the option's own check, which says what it expected. Options for texts and
/// files take negative numbers only, so that one whose value was forgotten does not swallow the
/// next option.
pub fn take_minus(command: Command) -> Command {
    let command = command.mut_args(|argument| {
        if argument.is_positional() || !argument.get_action().takes_values() {
            argument
        } else if is_text(argument.get_value_parser()) {
            argument.allow_negative_numbers(true)
        } else {
            argument.allow_hyphen_values(true)
        }
    });
    command.mut_subcommands(take_minus)
}

fn is_text(parser: &ValueParser) -> bool {
    use std::any::TypeId;
    [TypeId::of::<String>(), TypeId::of::<PathBuf>()].iter().any(|text| parser.type_id() == *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_their_range_are_refused_with_it() {
        let threads = whole(1..=8_u32);
        assert_eq!((threads("1"), threads("8")), (Ok(1), Ok(8)));
        for bad in ["0", "9", "-5", "1.5", "", "1e99", "four"] {
            assert_eq!(
                threads(bad),
                Err("expected a whole number from 1 to 8".to_owned()),
                "{bad}"
            );
        }
        assert_eq!(count::<u64>("18446744073709551615"), Ok(u64::MAX));
        assert!(count::<u64>("18446744073709551616").is_err() && count::<u64>("-5").is_err());
        assert!(port("65536").is_err() && port("-1").is_err());
        for bad in ["-2", "nan", "inf", "-inf", "1e400", ""] {
            assert!(
                seconds(bad).is_err() && metres(bad).is_err() && duration(bad).is_err(),
                "{bad}"
            );
        }
        assert!(duration("1e300").is_err());
    }
}
