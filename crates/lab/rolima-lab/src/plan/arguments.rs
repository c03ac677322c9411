//! What `rolima plan` is asked, and what of it cannot be.

use clap::{Args, ValueEnum};
use rolima_console::failure::Usage;
use rolima_console::numbers::whole;
use rolima_math::Pose2;
use rolima_nav::NavError;
use rolima_nav::path::{FURTHEST, Method};
use std::path::PathBuf;
use std::str::FromStr;

/// What `rolima plan` takes.
#[derive(Debug, Args)]
pub struct PlanArguments {
    /// Start: x and y in metres, heading in degrees
    #[arg(long, value_name = "X,Y,DEG")]
    pub(super) from: Given,

    /// Goal: x and y in metres, heading in degrees
    #[arg(long, value_name = "X,Y,DEG")]
    pub(super) to: Given,

    /// How to get there
    #[arg(long, value_enum, default_value_t = PathChoice::Cubic)]
    method: PathChoice,

    /// Least radius, m, only for bounded, dubins and reeds-shepp [default: 0.1]
    #[arg(long, value_name = "METRES")]
    radius: Option<Radius>,

    /// How many poses to print, both ends included
    #[arg(long, value_name = "N", default_value_t = 33, value_parser = whole(2..=100_000_u32))]
    pub(super) samples: u32,

    /// Draw it here
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Least radius where none is given, m.
const RADIUS_M: f64 = 0.1;
/// Headings are at most this, degrees: of larger ones little more than rounding is left in a turn.
const MOST_DEGREES: f64 = 1e6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PathChoice {
    /// Third degree, without extrema where that can be, least curvature
    Cubic,
    /// Third degree, least curvature
    Gentle,
    /// Third degree as the thesis prints it
    Printed,
    /// Second degree
    Quadratic,
    /// Turn, drive, turn
    Turn,
    /// Third degree with a least radius
    Bounded,
    /// Arcs and lines, forwards
    Dubins,
    /// Arcs and lines, both ways
    ReedsShepp,
}

impl PlanArguments {
    /// The method, with its radius if it has one.
    pub(super) fn method(&self) -> Result<Method, Usage> {
        let radius = self.radius.as_ref().map_or(RADIUS_M, |given| given.metres);
        let method = match self.method {
            PathChoice::Bounded => return Ok(Method::Bounded(radius)),
            PathChoice::Dubins => return Ok(Method::Dubins(radius)),
            PathChoice::ReedsShepp => return Ok(Method::ReedsShepp(radius)),
            PathChoice::Cubic => Method::Cubic,
            PathChoice::Gentle => Method::Gentle,
            PathChoice::Printed => Method::Printed,
            PathChoice::Quadratic => Method::Quadratic,
            PathChoice::Turn => Method::Turn,
        };
        match &self.radius {
            None => Ok(method),
            Some(Radius { text, .. }) => Err(Usage(format!(
                "--radius: expected --method bounded, dubins or reeds-shepp with it, got {text} \
                 with --method {}",
                method.name()
            ))),
        }
    }

    /// Why there is no such plan: the option, what it should have been, what it is, and the name.
    pub(super) fn refused(&self, error: NavError) -> Usage {
        let (from, to, name) = (&self.from.text, &self.to.text, error.name());
        Usage(match error {
            NavError::CoincidentPoses if self.method == PathChoice::Turn => {
                format!("--to: expected another pose than {from}, got {to} ({name})")
            }
            NavError::CoincidentPoses => {
                format!("--to: expected another position than that of {from}, got {to} ({name})")
            }
            NavError::RadiusOutOfScale | NavError::BadLimit => {
                let default = RADIUS_M.to_string();
                let radius = self.radius.as_ref().map_or(&default, |given| &given.text);
                format!("--radius: {error}, got {radius} from {from} to {to} ({name})")
            }
            _ => format!("--from and --to: {error}, got {from} and {to} ({name})"),
        })
    }
}

/// A pose, and how it was written.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) pose: Pose2,
    text: String,
}

impl FromStr for Given {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<Option<f64>> =
            text.split(',').map(|part| part.trim().parse().ok()).collect();
        let [Some(x), Some(y), Some(degrees)] = parts[..] else {
            let expected = "expected x and y in metres and a heading in degrees";
            return Err(format!("{expected}, such as 0.5,-0.2,90"));
        };
        // What is not a number compares false.
        let is_near = x.abs() < FURTHEST && y.abs() < FURTHEST;
        if is_near && degrees.abs() <= MOST_DEGREES {
            let pose = Pose2::new(x, y, f64::to_radians(degrees));
            return Ok(Self { pose, text: text.to_owned() });
        }
        let name = NavError::NotFinite.name();
        let bounds = format!("{FURTHEST:e} m and {MOST_DEGREES:e} degrees");
        Err(format!("expected finite numbers within {bounds}, such as 0.5,-0.2,90 ({name})"))
    }
}

/// A radius, and how it was written.
#[derive(Clone, Debug)]
struct Radius {
    metres: f64,
    text: String,
}

impl FromStr for Radius {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim().parse::<f64>() {
            Ok(metres) if metres > 0.0 && metres.is_finite() => {
                Ok(Self { metres, text: text.to_owned() })
            }
            _ => {
                let name = NavError::BadLimit.name();
                Err(format!("expected metres above zero, such as 0.1 ({name})"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_are_read_and_nonsense_is_told() {
        let read: Given = "0.5, -0.2,90".parse().unwrap();
        let pose = read.pose;
        assert!((pose.theta().to_degrees() - 90.0).abs() < 1e-9 && pose.position.y == -0.2);
        for text in ["", "1,2", "1,2,3,4", "a,b,c", "1,,2", "nan,0,0", "0,inf,0", "0,0,1e300"] {
            let told = text.parse::<Given>().unwrap_err();
            assert!(
                told.starts_with("expected ") && told.contains("0.5,-0.2,90"),
                "{text}: {told}"
            );
        }
    }

    #[test]
    fn a_radius_is_above_zero_and_finite() {
        let radius = |text: &str| text.parse::<Radius>().map(|given| given.metres);
        assert_eq!(radius(" 0.5"), Ok(0.5));
        for text in ["", "-1", "0", "-0", "nan", "inf", "-inf", "1e400", "1,5", "1 m"] {
            assert!(radius(text).is_err_and(|told| told.contains("above zero")), "{text}");
        }
    }
}
