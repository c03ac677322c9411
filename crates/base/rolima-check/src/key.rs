//! Keys: what a number, word or flag of a specification is called where people write it, its unit,
//! which values it may have, what stands for it where it is left out, and what it means.
//!
//! A key is declared once. Reading, checks of the whole, messages, lists of keys and the tables of
//! the documentation use the declaration.

use crate::{ModelError, finite, not_negative, positive, shown, within};

/// Source of a default that is a choice of this project.
pub const OURS: &str = "ours";

/// Which numbers are right, in the unit of the key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Finite ones.
    Any,
    /// Above zero, and below 1e12.
    Positive,
    /// From zero, and below 1e12.
    NotNegative,
    /// From the first to the second.
    Within(f64, f64),
}

impl Range {
    /// The number, or an error for `key`.
    pub fn check(self, key: &str, x: f64) -> Result<f64, ModelError> {
        match self {
            Self::Any => finite(key, x),
            Self::Positive => positive(key, x),
            Self::NotNegative => not_negative(key, x),
            Self::Within(low, high) => within(key, x, low, high),
        }
    }

    /// What to expect instead of a bad number, or of what is no number.
    pub fn expected(self, got: Option<f64>) -> String {
        self.check("", got.unwrap_or(f64::NAN)).map_or_else(|error| error.expected, shown)
    }

    /// In the tables of the documentation; empty where every number will do.
    pub fn text(self) -> String {
        match self {
            Self::Any => String::new(),
            Self::Positive => "> 0".to_owned(),
            Self::NotNegative => "≥ 0".to_owned(),
            Self::Within(low, high) => format!("{} to {}", in_short(low), in_short(high)),
        }
    }
}

/// A bound, with an exponent where it would be long.
fn in_short(x: f64) -> String {
    if x == 0.0 || (1e-3..1e5).contains(&x.abs()) { shown(x) } else { format!("{x:e}") }
}

/// What a key may hold.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number.
    Number(Range),
    /// A whole number, from the first to the second.
    Count(u64, u64),
    /// True or false.
    Flag,
    /// A text.
    Text,
    /// One of some words.
    Word(fn() -> Vec<&'static str>),
    /// A colour `"#rrggbb"`.
    Colour,
    /// So many numbers.
    Numbers(usize),
    /// `[x, y]`.
    Point,
    /// `[[x, y], ...]`.
    Points,
    /// `[x, y, heading in degrees]`.
    Pose,
    /// A table, or what stands for one: its keys are declared under its own path.
    Table,
    /// A list of such tables.
    Tables,
    /// Something else, in words.
    Other(&'static str),
}

/// What stands for a key that is left out.
#[derive(Clone, Copy, Debug)]
pub enum Absent {
    /// Nothing: the key must be there.
    Required,
    /// This number.
    Value(f64),
    /// This whole number.
    Whole(u64),
    /// This.
    Flag(bool),
    /// This text or word.
    Text(&'static str),
    /// These numbers.
    List(&'static [f64]),
    /// What the specification has without it, as specifications have it.
    Own(fn() -> f64),
    /// What follows from other keys, or nothing at all; the source says what.
    Computed,
}

/// A key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name where people write it.
    pub name: &'static str,
    /// Unit there: `1` for a pure number and `-` for what is not a number. What is in degrees there is
    /// in radians in specifications.
    pub unit: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// What stands for it where it is left out.
    pub absent: Absent,
    /// Where that comes from.
    pub source: &'static str,
    /// What it is, in one line.
    pub meaning: &'static str,
}

/// A key that must be there.
pub const fn key(name: &'static str, unit: &'static str, kind: Kind, meaning: &'static str) -> Key {
    Key { name, unit, kind, absent: Absent::Required, source: OURS, meaning }
}

/// A number that must be there.
pub const fn number(
    name: &'static str,
    unit: &'static str,
    range: Range,
    meaning: &'static str,
) -> Key {
    key(name, unit, Kind::Number(range), meaning)
}

/// A whole number, from the first to the second, that must be there.
pub const fn count(name: &'static str, (low, high): (u64, u64), meaning: &'static str) -> Key {
    key(name, "1", Kind::Count(low, high), meaning)
}

/// True or false, and what it is where it is left out.
pub const fn flag(name: &'static str, default: bool, meaning: &'static str) -> Key {
    key(name, "-", Kind::Flag, meaning).or(Absent::Flag(default), OURS)
}

/// A text that must be there.
pub const fn text(name: &'static str, meaning: &'static str) -> Key {
    key(name, "-", Kind::Text, meaning)
}

/// One of some words, which must be there.
pub const fn word(
    name: &'static str,
    words: fn() -> Vec<&'static str>,
    meaning: &'static str,
) -> Key {
    key(name, "-", Kind::Word(words), meaning)
}

/// A colour that may be left out; `otherwise` says what is seen then.
pub const fn colour(name: &'static str, otherwise: &'static str, meaning: &'static str) -> Key {
    key(name, "-", Kind::Colour, meaning).computed(otherwise)
}

/// `[x, y]`, which must be there.
pub const fn point(name: &'static str, unit: &'static str, meaning: &'static str) -> Key {
    key(name, unit, Kind::Point, meaning)
}

/// `[x, y, heading in degrees]`, at the origin where it is left out.
pub const fn pose(meaning: &'static str) -> Key {
    key("pose", "m, m, deg", Kind::Pose, meaning).or(Absent::List(&[0.0; 3]), OURS)
}

/// A table with keys of its own; `otherwise` says what is where it is left out.
pub const fn table(name: &'static str, otherwise: &'static str, meaning: &'static str) -> Key {
    key(name, "-", Kind::Table, meaning).computed(otherwise)
}

/// A list of tables with keys of their own, none where it is left out.
pub const fn tables(name: &'static str, meaning: &'static str) -> Key {
    key(name, "-", Kind::Tables, meaning).computed("none")
}

/// The words of a list of words and what they stand for.
pub fn words<T>(list: &[(&'static str, T)]) -> Vec<&'static str> {
    list.iter().map(|(word, _)| *word).collect()
}

impl Key {
    /// The key with what stands for it where it is left out, and where that comes from.
    #[must_use]
    pub const fn or(self, absent: Absent, source: &'static str) -> Self {
        Self { absent, source, ..self }
    }

    /// The key that may be left out: something else, or nothing, is there then.
    #[must_use]
    pub const fn computed(self, source: &'static str) -> Self {
        self.or(Absent::Computed, source)
    }

    /// The number that stands for it where it is left out; 0 where there is none.
    pub const fn value(&self) -> f64 {
        if let Absent::Value(x) = self.absent { x } else { 0.0 }
    }

    /// Whether it is written in degrees, and in radians in specifications.
    pub fn is_angle(&self) -> bool {
        matches!(self.kind, Kind::Number(_)) && self.unit.starts_with("deg")
    }

    /// A number of a specification as people write it.
    pub fn written(&self, x: f64) -> f64 {
        if self.is_angle() { degrees(x) } else { x }
    }

    /// A number that somebody wrote as specifications have it.
    pub fn read(&self, x: f64) -> f64 {
        if self.is_angle() { x.to_radians() } else { x }
    }

    /// Checks a number of a specification; what is wrong is told in the unit of the key.
    pub fn check(&self, table: &str, x: f64) -> Result<(), ModelError> {
        let Kind::Number(range) = self.kind else { return Ok(()) };
        // What was written may have lost its last digit on the way through radians.
        let written = self.written(x);
        range.check(&format!("{table}.{}", self.name), written).map(|_| ())
    }

    /// Which values it may have, for the tables of the documentation.
    pub fn range_text(&self) -> String {
        match self.kind {
            Kind::Number(range) => range.text(),
            Kind::Count(low, u64::MAX) => format!("whole, ≥ {low}"),
            Kind::Count(low, high) => format!("whole, {low} to {high}"),
            Kind::Flag => "true, false".to_owned(),
            Kind::Text => "text".to_owned(),
            Kind::Word(words) => {
                let words: Vec<String> =
                    words().into_iter().map(|word| format!("{word:?}")).collect();
                words.join(", ")
            }
            Kind::Colour => "\"#rrggbb\"".to_owned(),
            Kind::Numbers(count) => format!("{count} numbers"),
            Kind::Point => "[x, y]".to_owned(),
            Kind::Points => "[[x, y], ...]".to_owned(),
            Kind::Pose => "[x, y, heading]".to_owned(),
            Kind::Table => "table".to_owned(),
            Kind::Tables => "tables".to_owned(),
            Kind::Other(what) => what.to_owned(),
        }
    }

    /// What stands for it where it is left out, as people would write it or in words.
    pub fn absent_text(&self) -> String {
        match self.absent {
            Absent::Required => "required".to_owned(),
            Absent::Value(x) => shown(x),
            Absent::Whole(i) => i.to_string(),
            Absent::Flag(flag) => flag.to_string(),
            Absent::Text(text) => format!("{text:?}"),
            Absent::List(list) => {
                let list: Vec<String> = list.iter().map(|x| shown(*x)).collect();
                format!("[{}]", list.join(", "))
            }
            Absent::Own(own) => shown(self.written(own())),
            Absent::Computed => self.source.to_owned(),
        }
    }
}

/// Degrees for people: without the last digits that come from going to and fro.
pub fn degrees(radians: f64) -> f64 {
    (radians.to_degrees() * 1e9).round() / 1e9
}

/// One number of a specification `S` with its key.
pub struct Number<S> {
    /// The key; where it is left out, the specification keeps what it has.
    pub key: Key,
    /// Where the specification has it.
    pub slot: fn(&mut S) -> &mut f64,
}

/// The keys of some numbers.
pub const fn keys_of<S, const N: usize>(list: &[Number<S>]) -> [Key; N] {
    let mut keys = [number("", "1", Range::Any, ""); N];
    let mut i = 0;
    while i < N {
        keys[i] = list[i].key;
        i += 1;
    }
    keys
}

/// The keys of a constant list of numbers, as a constant.
#[macro_export]
macro_rules! keys_of {
    ($list:expr) => {{
        const KEYS: &[$crate::Key] = &$crate::keys_of::<_, { $list.len() }>($list);
        KEYS
    }};
}

/// A number of a specification: where it has it, its key, and the source of its default.
///
/// ```
/// use rolima_check::{Number, Range, number, number_of};
/// #[derive(Default)]
/// struct Gps {
///     sigma: [f64; 2],
/// }
/// const X: Number<Gps> =
///     number_of!(Gps: sigma[0], number("sigma_x", "m", Range::NotNegative, "along x"), "ours");
/// assert_eq!(X.key.absent_text(), "0");
/// ```
#[macro_export]
macro_rules! number_of {
    ($spec:ty: $place:ident $([$index:literal])* $(.$inner:ident)*, $key:expr, $source:expr) => {
        $crate::Number {
            key: $key.or(
                $crate::Absent::Own(|| <$spec>::default().$place $([$index])* $(.$inner)*),
                $source,
            ),
            slot: |spec: &mut $spec| &mut spec.$place $([$index])* $(.$inner)*,
        }
    };
}

/// Checks all numbers of a specification that is called `table`.
pub fn check_numbers<S: Clone>(
    table: &str,
    spec: &S,
    list: &[Number<S>],
) -> Result<(), ModelError> {
    let mut spec = spec.clone();
    list.iter().try_for_each(|number| number.key.check(table, *(number.slot)(&mut spec)))
}

/// Declares a specification with the keys of its numbers: a line of documentation, the field, its
/// default and, for numbers that people write, unit, range and source of the default. The line is
/// what the key means. A number in degrees has its name for people after its unit.
///
/// ```
/// use rolima_check::Range::Positive;
/// rolima_check::keys! {
///     /// A pendulum.
///     #[derive(Clone, Debug)]
///     pub struct Pendulum {
///         /// length of the thread
///         length: f64 = 1.0, "m", Positive, "ours";
///         /// first angle
///         angle: f64 = 0.1, "deg" as "angle_deg", Positive, "ours";
///         /// What it is called.
///         name: String = String::new();
///     }
/// }
/// let keys = Pendulum::KEYS;
/// assert_eq!((keys[0].key.name, keys[1].key.name), ("length", "angle_deg"));
/// let bad = Pendulum { length: -1.0, ..Pendulum::default() };
/// let error = rolima_check::check_numbers("pendulum", &bad, keys).unwrap_err();
/// assert_eq!(error.to_string(), "pendulum.length: expected a positive number, got -1");
/// ```
#[macro_export]
macro_rules! keys {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $(
                #[doc = $doc:literal] $(#[doc = $more:literal])*
                $field:ident : $type:ty = $default:expr
                    $(, $unit:literal $(as $file:literal)?, $range:expr, $source:expr)?;
            )+
        }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $(
                #[doc = $doc] $(#[doc = $more])*
                $(#[doc = concat!("\n\nUnit: ", $unit, ".")])?
                pub $field: $type,
            )+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),+ }
            }
        }

        impl $name {
            /// Its numbers with their keys.
            pub const KEYS: &'static [$crate::Number<Self>] = &[
                $($(
                    $crate::number_of!(
                        $name: $field,
                        $crate::number(
                            $crate::keys!(@name $field $($file)?),
                            $unit,
                            $range,
                            $doc.trim_ascii(),
                        ),
                        $source
                    ),
                )?)+
            ];
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $file:literal) => { $file };
}
