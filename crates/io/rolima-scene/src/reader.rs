//! Typed reading of a table: known keys, types, ranges, defaults; each value goes to the ledger.

use crate::error::suggestion;
use crate::ledger::Origin;
use crate::log::Log;
use crate::placement::Placement;
use crate::tree::{Node, Table, Value, number_text};
use rolima_math::Vec2;
use rolima_model::{ModelError, check};
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Source of a default that is a choice of this project.
pub(crate) const OURS: &str = "ours";
/// Source of a default taken from the minirobot paper's list of parameters.
pub(crate) const PAPER: &str = "2001 paper";

/// A key that a table may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) meaning: &'static str,
}

/// Makes a [`Key`].
pub(crate) const fn key(name: &'static str, unit: &'static str, meaning: &'static str) -> Key {
    Key { name, unit, meaning }
}

/// What stands for a key that the user left out, and its source.
pub(crate) type Default<T> = Option<(T, &'static str)>;

/// Which numbers are right.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Range {
    Any,
    Positive,
    NotNegative,
    /// From the first to the second.
    Within(f64, f64),
}

impl Range {
    fn check(self, x: f64) -> Result<f64, ModelError> {
        match self {
            Self::Any => check::finite("", x),
            Self::Positive => check::positive("", x),
            Self::NotNegative => check::not_negative("", x),
            Self::Within(least, most) => check::within("", x, least, most),
        }
    }

    /// What to expect instead of a bad number, or of what is no number.
    fn expected(self, got: Option<f64>) -> String {
        self.check(got.unwrap_or(f64::NAN)).map_or_else(|error| error.expected, check::shown)
    }
}

/// One number of a struct `S` with its key: tables of numbers are lists of these.
pub(crate) struct Number<S> {
    pub(crate) key: Key,
    pub(crate) range: Range,
    /// Source of the default; the default itself is what the struct holds before reading.
    pub(crate) source: &'static str,
    pub(crate) slot: fn(&mut S) -> &mut f64,
}

/// A table that is being read.
pub(crate) struct Fields<'a> {
    pub(crate) table: &'a Table,
    pub(crate) path: String,
    pub(crate) origin: &'a Origin,
    known: Vec<Key>,
}

/// The path of `name` below `path`.
pub(crate) fn join(path: &str, name: impl std::fmt::Display) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
}

/// `"a", "b", "c"`.
pub(crate) fn quoted<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("{word:?}")).collect();
    words.join(", ")
}

impl<'a> Fields<'a> {
    /// Begins to read a table; refuses keys that are not `known`.
    pub(crate) fn open(
        log: &mut Log,
        node: &'a Node,
        path: String,
        known: impl IntoIterator<Item = &'static Key>,
    ) -> Option<Self> {
        let Some(table) = node.table() else {
            log.wrong(&node.origin, path, "a table", node.value.got());
            return None;
        };
        let known: Vec<Key> = known.into_iter().copied().collect();
        let fields = Self { table, path, origin: &node.origin, known };
        fields.refuse_unknown(log);
        Some(fields)
    }

    /// Begins to read a table whose key `kind` says which keys it has.
    pub(crate) fn open_kind<T: Copy>(
        log: &mut Log,
        node: &'a Node,
        path: String,
        kinds: &[(&'static str, T, &'static [Key])],
        default: Default<&'static str>,
    ) -> Option<(Self, T)> {
        Self::open_kind_and(log, node, path, kinds, default, &[])
    }

    /// The same for a table that has some keys whatever its kind.
    pub(crate) fn open_kind_and<T: Copy>(
        log: &mut Log,
        node: &'a Node,
        path: String,
        kinds: &[(&'static str, T, &'static [Key])],
        default: Default<&'static str>,
        common: &[Key],
    ) -> Option<(Self, T)> {
        const KIND: &[Key] = &[key("kind", "-", "which kind it is")];
        let Some(table) = node.table() else {
            log.wrong(&node.origin, path, "a table", node.value.got());
            return None;
        };
        let mut fields = Self { table, path, origin: &node.origin, known: KIND.to_vec() };
        let words: Vec<_> =
            kinds.iter().map(|(word, value, known)| (*word, (*value, *known))).collect();
        let (value, known) = fields.word(log, "kind", &words, default)?;
        fields.known.extend(known.iter().chain(common));
        fields.refuse_unknown(log);
        Some((fields, value))
    }

    fn refuse_unknown(&self, log: &mut Log) {
        for (name, node) in self.table {
            if !self.known.iter().any(|key| key.name == name) {
                let names = || self.known.iter().map(|key| key.name);
                let expected = format!("one of {}", names().collect::<Vec<_>>().join(", "));
                let got = format!("the unknown key {name:?}{}", suggestion(name, names()));
                log.wrong(&node.origin, self.key_path(name), expected, got);
            }
        }
    }

    /// The dotted path of a key of this table.
    pub(crate) fn key_path(&self, name: &str) -> String {
        join(&self.path, name)
    }

    /// The value of a key, if it is there.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Node> {
        self.table.get(name)
    }

    /// The value of a key, or an empty table where it is left out.
    pub(crate) fn child(&self, name: &str) -> Cow<'a, Node> {
        let empty = || Node { value: Value::Table(Table::new()), origin: self.origin.clone() };
        self.get(name).map_or_else(|| Cow::Owned(empty()), Cow::Borrowed)
    }

    /// Where a key stands, or the table if the key is not there.
    pub(crate) fn origin_of(&self, name: &str) -> &'a Origin {
        self.get(name).map_or(self.origin, |node| &node.origin)
    }

    fn key(&self, name: &str) -> Key {
        let found = self.known.iter().find(|key| key.name == name).copied();
        debug_assert!(found.is_some(), "{name} is read but not declared");
        found.unwrap_or(key("", "-", ""))
    }

    /// Reads one value; `None` after an error, or where an optional key without default is absent.
    fn value<T>(
        &self,
        log: &mut Log,
        name: &str,
        default: Default<T>,
        expected: impl Fn() -> String,
        convert: impl Fn(&Node) -> Option<T>,
        shown: impl Fn(&T) -> String,
    ) -> Option<T> {
        let (key, path) = (self.key(name), self.key_path(name));
        let Some(node) = self.get(name) else {
            match default {
                Some((value, source)) => {
                    log.record(path, shown(&value), &key, Origin::Default(source));
                    return Some(value);
                }
                None => log.wrong(self.origin, path, expected(), "nothing: the key is missing"),
            }
            return None;
        };
        let value = convert(node);
        if value.is_some() {
            log.record(path, node.value.shown(), &key, node.origin.clone());
        } else {
            log.wrong(&node.origin, path, expected(), node.value.got());
        }
        value
    }

    /// Reads a number; 0 after an error.
    pub(crate) fn number(
        &self,
        log: &mut Log,
        name: &str,
        range: Range,
        default: Default<f64>,
    ) -> f64 {
        let got = self.get(name).and_then(|node| node.value.number());
        let expected = || with_unit(&range.expected(got), self.key(name).unit);
        let convert = |node: &Node| range.check(node.value.number()?).ok();
        self.value(log, name, default, expected, convert, |x| number_text(*x)).unwrap_or_default()
    }

    /// Reads a number that may be left out; the ledger then says what stands for it.
    pub(crate) fn optional(
        &self,
        log: &mut Log,
        name: &str,
        range: Range,
        otherwise: &'static str,
    ) -> Option<f64> {
        if self.get(name).is_some() {
            return Some(self.number(log, name, range, None));
        }
        let origin = Origin::Default(otherwise);
        log.record(self.key_path(name), "computed".to_owned(), &self.key(name), origin);
        None
    }

    /// Reads `omega_deg_s`, in rad/s; zero if it is left out.
    pub(crate) fn turning(&self, log: &mut Log) -> f64 {
        self.number(log, "omega_deg_s", Range::Any, Some((0.0, OURS))).to_radians()
    }

    /// Reads a list of numbers into a struct, whose present values are the defaults.
    pub(crate) fn numbers<S>(&self, log: &mut Log, target: &mut S, list: &[Number<S>]) {
        for number in list {
            let slot = (number.slot)(target);
            *slot = self.number(log, number.key.name, number.range, Some((*slot, number.source)));
        }
    }

    /// The same for a table that only says what differs: keys that are left out are not told of.
    pub(crate) fn numbers_given<S>(&self, log: &mut Log, target: &mut S, list: &[Number<S>]) {
        for number in list.iter().filter(|number| self.get(number.key.name).is_some()) {
            *(number.slot)(target) = self.number(log, number.key.name, number.range, None);
        }
    }

    /// Reads a list of exactly `N` numbers; `None` after an error.
    pub(crate) fn array<const N: usize>(
        &self,
        log: &mut Log,
        name: &str,
        default: Default<[f64; N]>,
    ) -> Option<[f64; N]> {
        let expected = || with_unit(&format!("{N} finite numbers"), self.key(name).unit);
        let convert = |node: &Node| node.value.numbers::<N>();
        self.value(log, name, default, expected, convert, |numbers| format!("{numbers:?}"))
    }

    /// Reads a whole number; the range's start after an error.
    pub(crate) fn count(
        &self,
        log: &mut Log,
        name: &str,
        range: RangeInclusive<u64>,
        default: Default<u64>,
    ) -> u64 {
        let expected = || format!("a whole number from {} to {}", range.start(), range.end());
        let convert = |node: &Node| node.value.whole().filter(|i| range.contains(i));
        let found = self.value(log, name, default, expected, convert, u64::to_string);
        found.unwrap_or(*range.start())
    }

    /// Reads `true` or `false`.
    pub(crate) fn flag(&self, log: &mut Log, name: &str, default: bool) -> bool {
        let convert = |node: &Node| match node.value {
            Value::Bool(flag) => Some(flag),
            _ => None,
        };
        let expected = || "true or false".to_owned();
        let found =
            self.value(log, name, Some((default, OURS)), expected, convert, bool::to_string);
        found.unwrap_or(default)
    }

    /// Reads a text; empty after an error.
    pub(crate) fn text(&self, log: &mut Log, name: &str, default: Default<String>) -> String {
        let convert = |node: &Node| node.text().map(str::to_owned);
        let expected = || "a text".to_owned();
        let shown = |text: &String| format!("{text:?}");
        self.value(log, name, default, expected, convert, shown).unwrap_or_default()
    }

    /// Reads a colour `"#rrggbb"` that may be left out, as 0xRRGGBB.
    pub(crate) fn colour(&self, log: &mut Log, name: &str) -> Option<u32> {
        self.get(name)?;
        let convert = |node: &Node| {
            let digits = node.text()?.strip_prefix('#').filter(|digits| digits.len() == 6)?;
            u32::from_str_radix(digits, 16).ok()
        };
        let expected = || "a colour such as \"#2f6bff\"".to_owned();
        self.value(log, name, None, expected, convert, |colour| format!("#{colour:06x}"))
    }

    /// Reads one of some words; `None` after an error.
    pub(crate) fn word<T: Copy>(
        &self,
        log: &mut Log,
        name: &str,
        words: &[(&'static str, T)],
        default: Default<&'static str>,
    ) -> Option<T> {
        let names = || words.iter().map(|(word, _)| *word);
        let find = |wanted: &str| words.iter().find(|(word, _)| *word == wanted);
        let expected = || format!("one of {}", quoted(names()));
        if let Some((node, wrong)) = self.get(name).and_then(|node| Some((node, node.text()?)))
            && find(wrong).is_none()
        {
            let got = format!("{}{}", node.value.got(), suggestion(wrong, names()));
            log.wrong(&node.origin, self.key_path(name), expected(), got);
            return None;
        }
        let default = default.and_then(|(word, source)| Some((find(word)?, source)));
        let convert = |node: &Node| find(node.text()?);
        let shown = |entry: &&(&str, T)| format!("{:?}", entry.0);
        self.value(log, name, default, expected, convert, shown).map(|entry| entry.1)
    }

    /// Reads a point or a vector; zero after an error.
    pub(crate) fn point(&self, log: &mut Log, name: &str, default: Default<Vec2>) -> Vec2 {
        let expected = || with_unit("2 finite numbers [x, y]", self.key(name).unit);
        let convert = |node: &Node| node.value.numbers().map(|[x, y]| Vec2::new(x, y));
        let shown = |v: &Vec2| format!("[{:?}, {:?}]", v.x, v.y);
        self.value(log, name, default, expected, convert, shown).unwrap_or_default()
    }

    /// Reads a list of points; empty after an error.
    pub(crate) fn points(&self, log: &mut Log, name: &str) -> Vec<Vec2> {
        let convert = |node: &Node| {
            let Value::Array(items) = &node.value else { return None };
            let point = |item: &Node| item.value.numbers().map(|[x, y]| Vec2::new(x, y));
            items.iter().map(point).collect::<Option<Vec<_>>>()
        };
        let expected = || with_unit("a list of points [[x, y], ...]", self.key(name).unit);
        self.value(log, name, None, expected, convert, |_| String::new()).unwrap_or_default()
    }

    /// Reads `pose = [x, y, heading in degrees]`; at the origin if it is left out.
    pub(crate) fn pose(&self, log: &mut Log) -> Placement {
        let convert = |node: &Node| {
            let [x, y, degrees] = node.value.numbers()?;
            Some(Placement { position: Vec2::new(x, y), degrees })
        };
        let expected = || "3 finite numbers [x, y, heading] (m, m, degrees)".to_owned();
        let default = Some((Placement::IDENTITY, OURS));
        let shown = |_: &Placement| "[0.0, 0.0, 0.0]".to_owned();
        let found = self.value(log, "pose", default, expected, convert, shown);
        found.unwrap_or(Placement::IDENTITY)
    }

    /// The tables of a list such as `[[wall]]`, each with its path.
    pub(crate) fn list(&self, log: &mut Log, name: &str) -> Vec<(&'a Node, String)> {
        let path = self.key_path(name);
        match self.get(name).map(|node| (node, &node.value)) {
            None => vec![],
            Some((_, Value::Array(items))) => {
                items.iter().enumerate().map(|(i, item)| (item, join(&path, i))).collect()
            }
            Some((node, value)) => {
                let header = path.split('.').filter(|part| part.parse::<usize>().is_err());
                let header = header.collect::<Vec<_>>().join(".");
                let expected = format!("a list of tables, written [[{header}]]");
                log.wrong(&node.origin, path, expected, value.got());
                vec![]
            }
        }
    }
}

fn with_unit(expected: &str, unit: &str) -> String {
    if unit == "1" || unit == "-" { expected.to_owned() } else { format!("{expected} ({unit})") }
}
