//! Keys: what a number, word or flag of a specification is called where people write it, its unit,
//! which values it may have, what stands for it where it is left out, and what it means.
//!
//! A key is declared once. Reading, checks of the whole, messages, lists of keys and the tables of
//! the documentation use the declaration.

use crate::{ModelError, finite, not_negative, positive, shown, within};
use rolima_math::Vec2;

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
pub enum KeyKind {
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
    /// What the specification has without it.
    Own(fn() -> Given),
    /// What follows from other keys, or nothing at all; the source says what.
    Computed,
}

/// A value of a specification, as specifications have it.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(u64),
    /// True or false.
    Flag(bool),
    /// One of some words.
    Word(&'static str),
    /// So many numbers, or a point.
    Numbers(Vec<f64>),
}

/// Where a specification has a value.
pub enum Slot<'a> {
    /// A number.
    Number(&'a mut f64),
    /// A whole number.
    Whole(&'a mut dyn Whole),
    /// True or false.
    Flag(&'a mut bool),
    /// One of some words.
    Word(&'a mut dyn Word),
    /// So many numbers, or a point.
    Numbers(Vec<&'a mut f64>),
}

impl Slot<'_> {
    /// The value.
    pub fn given(&self) -> Given {
        match self {
            Self::Number(x) => Given::Number(**x),
            Self::Whole(n) => Given::Whole(n.get()),
            Self::Flag(flag) => Given::Flag(**flag),
            Self::Word(word) => Given::Word(word.word()),
            Self::Numbers(list) => Given::Numbers(list.iter().map(|x| **x).collect()),
        }
    }
}

/// A whole number of any size.
pub trait Whole {
    /// It.
    fn get(&self) -> u64;
    /// Makes it another one; the largest that it can be, where that is larger.
    fn set(&mut self, n: u64);
}

/// One of some words; [`named!`](crate::named) implements it for enums.
pub trait Word {
    /// Which.
    fn word(&self) -> &'static str;
    /// Makes it another one of [`Word::words`], and nothing of what is none.
    fn set(&mut self, word: &str);
    /// All of them.
    fn words() -> Vec<&'static str>
    where
        Self: Sized;
}

/// What a key can stand for.
pub trait Held {
    /// Where it is.
    fn slot(&mut self) -> Slot<'_>;
}

impl Held for f64 {
    fn slot(&mut self) -> Slot<'_> {
        Slot::Number(self)
    }
}

impl Held for bool {
    fn slot(&mut self) -> Slot<'_> {
        Slot::Flag(self)
    }
}

impl<const N: usize> Held for [f64; N] {
    fn slot(&mut self) -> Slot<'_> {
        Slot::Numbers(self.iter_mut().collect())
    }
}

impl Held for Vec2 {
    fn slot(&mut self) -> Slot<'_> {
        Slot::Numbers(vec![&mut self.x, &mut self.y])
    }
}

macro_rules! whole {
    ($($type:ty)+) => {$(
        impl Whole for $type {
            fn get(&self) -> u64 {
                *self as u64
            }

            fn set(&mut self, n: u64) {
                *self = Self::try_from(n).unwrap_or(Self::MAX);
            }
        }

        impl Held for $type {
            fn slot(&mut self) -> Slot<'_> {
                Slot::Whole(self)
            }
        }
    )+};
}

whole!(u32 u64 usize);

/// Gives the variants of an enum the words by which people choose them.
///
/// ```
/// use rolima_check::{Word, named};
/// #[derive(Debug, PartialEq)]
/// enum Gait {
///     Walk,
///     Run,
/// }
/// named!(Gait { "walk" = Walk, "run" = Run });
/// let mut gait = Gait::Walk;
/// gait.set("run");
/// assert_eq!((gait.word(), Gait::words()), ("run", vec!["walk", "run"]));
/// ```
#[macro_export]
macro_rules! named {
    ($type:ident { $($word:literal = $variant:ident),+ $(,)? }) => {
        impl $crate::Word for $type {
            fn word(&self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            fn set(&mut self, word: &str) {
                match word {
                    $($word => *self = Self::$variant,)+
                    _ => {}
                }
            }

            fn words() -> Vec<&'static str> {
                vec![$($word),+]
            }
        }

        impl $crate::Held for $type {
            fn slot(&mut self) -> $crate::Slot<'_> {
                $crate::Slot::Word(self)
            }
        }
    };
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
    pub kind: KeyKind,
    /// What stands for it where it is left out.
    pub absent: Absent,
    /// Where that comes from.
    pub source: &'static str,
    /// What it is, in one line.
    pub meaning: &'static str,
}

/// A key that must be there.
pub const fn key(
    name: &'static str,
    unit: &'static str,
    kind: KeyKind,
    meaning: &'static str,
) -> Key {
    Key { name, unit, kind, absent: Absent::Required, source: OURS, meaning }
}

/// A number that must be there.
pub const fn number(
    name: &'static str,
    unit: &'static str,
    range: Range,
    meaning: &'static str,
) -> Key {
    key(name, unit, KeyKind::Number(range), meaning)
}

/// A whole number, from the first to the second, that must be there.
pub const fn count(name: &'static str, (low, high): (u64, u64), meaning: &'static str) -> Key {
    key(name, "1", KeyKind::Count(low, high), meaning)
}

/// True or false, and what it is where it is left out.
pub const fn flag(name: &'static str, default: bool, meaning: &'static str) -> Key {
    key(name, "-", KeyKind::Flag, meaning).or(Absent::Flag(default), OURS)
}

/// A text that must be there.
pub const fn text(name: &'static str, meaning: &'static str) -> Key {
    key(name, "-", KeyKind::Text, meaning)
}

/// One of some words, which must be there.
pub const fn word(
    name: &'static str,
    words: fn() -> Vec<&'static str>,
    meaning: &'static str,
) -> Key {
    key(name, "-", KeyKind::Word(words), meaning)
}

/// A colour that may be left out; `otherwise` says what is seen then.
pub const fn colour(name: &'static str, otherwise: &'static str, meaning: &'static str) -> Key {
    key(name, "-", KeyKind::Colour, meaning).computed(otherwise)
}

/// `[x, y]`, which must be there.
pub const fn point(name: &'static str, unit: &'static str, meaning: &'static str) -> Key {
    key(name, unit, KeyKind::Point, meaning)
}

/// `[x, y, heading in degrees]`, at the origin where it is left out.
pub const fn pose(meaning: &'static str) -> Key {
    key("pose", "m, m, deg", KeyKind::Pose, meaning).or(Absent::List(&[0.0; 3]), OURS)
}

/// A table with keys of its own; `otherwise` says what is where it is left out.
pub const fn table(name: &'static str, otherwise: &'static str, meaning: &'static str) -> Key {
    key(name, "-", KeyKind::Table, meaning).computed(otherwise)
}

/// A list of tables with keys of their own, none where it is left out.
pub const fn tables(name: &'static str, meaning: &'static str) -> Key {
    key(name, "-", KeyKind::Tables, meaning).computed("none")
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

    /// The whole number that stands for it where it is left out; 0 where there is none.
    pub const fn whole(&self) -> u32 {
        if let Absent::Whole(n) = self.absent { n as u32 } else { 0 }
    }

    /// Whether it is written in degrees, and in radians in specifications.
    pub fn is_angle(&self) -> bool {
        matches!(self.kind, KeyKind::Number(_) | KeyKind::Point) && self.unit.starts_with("deg")
    }

    /// A number of a specification as people write it.
    pub fn written(&self, x: f64) -> f64 {
        if self.is_angle() { degrees(x) } else { x }
    }

    /// A number that somebody wrote as specifications have it.
    pub fn read(&self, x: f64) -> f64 {
        if self.is_angle() { x.to_radians() } else { x }
    }

    /// Checks a whole number of a specification.
    pub fn check_count(&self, table: &str, n: u64) -> Result<(), ModelError> {
        match self.kind {
            KeyKind::Count(low, high) if !(low..=high).contains(&n) => {
                let expected = format!("a whole number from {low} to {high}");
                Err(ModelError::new(format!("{table}.{}", self.name), expected, n))
            }
            _ => Ok(()),
        }
    }

    /// Checks a number of a specification; what is wrong is told in the unit of the key.
    pub fn check(&self, table: &str, x: f64) -> Result<(), ModelError> {
        let KeyKind::Number(range) = self.kind else { return Ok(()) };
        // What was written may have lost its last digit on the way through radians.
        let written = self.written(x);
        range.check(&format!("{table}.{}", self.name), written).map(|_| ())
    }

    /// Which values it may have, for the tables of the documentation.
    pub fn range_text(&self) -> String {
        match self.kind {
            KeyKind::Number(range) => range.text(),
            KeyKind::Count(low, u64::MAX) => format!("whole, ≥ {low}"),
            KeyKind::Count(low, high) => format!("whole, {low} to {high}"),
            KeyKind::Flag => "true, false".to_owned(),
            KeyKind::Text => "text".to_owned(),
            KeyKind::Word(words) => {
                let words: Vec<String> =
                    words().into_iter().map(|word| format!("{word:?}")).collect();
                words.join(", ")
            }
            KeyKind::Colour => "\"#rrggbb\"".to_owned(),
            KeyKind::Numbers(count) => format!("{count} numbers"),
            KeyKind::Point => "[x, y]".to_owned(),
            KeyKind::Points => "[[x, y], ...]".to_owned(),
            KeyKind::Pose => "[x, y, heading]".to_owned(),
            KeyKind::Table => "table".to_owned(),
            KeyKind::Tables => "tables".to_owned(),
            KeyKind::Other(what) => what.to_owned(),
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
            Absent::List(list) => in_brackets(list),
            Absent::Own(own) => match own() {
                Given::Number(x) => shown(self.written(x)),
                Given::Whole(n) => n.to_string(),
                Given::Flag(flag) => flag.to_string(),
                Given::Word(word) => format!("{word:?}"),
                Given::Numbers(list) => {
                    in_brackets(&list.iter().map(|x| self.written(*x)).collect::<Vec<_>>())
                }
            },
            Absent::Computed => self.source.to_owned(),
        }
    }
}

fn in_brackets(list: &[f64]) -> String {
    let list: Vec<String> = list.iter().map(|x| shown(*x)).collect();
    format!("[{}]", list.join(", "))
}

/// Degrees for people: without the last digits that come from going to and fro.
pub fn degrees(radians: f64) -> f64 {
    (radians.to_degrees() * 1e9).round() / 1e9
}

/// One number, word, flag or point of a specification `S` with its key.
pub struct Number<S> {
    /// The key; where it is left out, the specification keeps what it has.
    pub key: Key,
    /// Where the specification has it.
    pub slot: fn(&mut S) -> Slot<'_>,
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

/// A number, word, flag or point of a specification: where it has it, its key, and the source of its default.
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
                $crate::Absent::Own(|| {
                    $crate::Held::slot(&mut <$spec>::default().$place $([$index])* $(.$inner)*).given()
                }),
                $source,
            ),
            slot: |spec: &mut $spec| $crate::Held::slot(&mut spec.$place $([$index])* $(.$inner)*),
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
    list.iter().try_for_each(|number| match (number.slot)(&mut spec) {
        Slot::Number(x) => number.key.check(table, *x),
        Slot::Whole(n) => number.key.check_count(table, n.get()),
        Slot::Flag(_) | Slot::Word(_) | Slot::Numbers(_) => Ok(()),
    })
}

/// Declares a specification with the keys of its numbers: a line of documentation, the field, its
/// default and, for numbers that people write, unit, range and source of the default. The line is
/// what the key means. A number in degrees has its name for people after its unit. What is no such number
/// has what it is in place of unit and range: `count(low, high)`, `flag()`, `word()` of an enum with
/// [`named!`](crate::named), `point(unit)`, or `list(unit, how many)`.
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
///         /// swings before it is stopped
///         swings: u32 = 3, count(1, 100), "ours";
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
                    $(, $unit:literal $(as $file:literal)?, $range:expr, $source:expr)?
                    $(, $sort:ident ($($of:expr),*), $from:expr)?;
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
                )?
                $(
                    $crate::number_of!(
                        $name: $field,
                        $crate::keys!(@$sort $type, stringify!($field), $doc.trim_ascii() $(, $of)*),
                        $from
                    ),
                )?)+
            ];
        }
    };
    (@count $type:ty, $name:expr, $what:expr, $low:expr, $high:expr) => {
        $crate::count($name, ($low, $high), $what)
    };
    (@flag $type:ty, $name:expr, $what:expr) => { $crate::key($name, "-", $crate::KeyKind::Flag, $what) };
    (@word $type:ty, $name:expr, $what:expr) => {
        $crate::word($name, <$type as $crate::Word>::words, $what)
    };
    (@point $type:ty, $name:expr, $what:expr, $unit:expr) => { $crate::point($name, $unit, $what) };
    (@list $type:ty, $name:expr, $what:expr, $unit:expr, $count:expr) => {
        $crate::key($name, $unit, $crate::KeyKind::Numbers($count), $what)
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $file:literal) => { $file };
}
