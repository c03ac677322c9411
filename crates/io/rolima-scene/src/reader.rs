//! Typed reading of a table: known keys, types, ranges, defaults; each value goes to the ledger.

use crate::error::suggestion;
use crate::ledger::Origin;
use crate::log::Log;
use crate::placement::Placement;
use crate::tree::{Node, Table, Value, number_text};
use rolima_math::Vec2;
use std::borrow::Cow;

pub(crate) use crate::kinds::{KIND, Kinds};
pub(crate) use rolima_model::check::{
    Absent, Given, Held, Key, KeyKind, Number, OURS, Range, Slot, Word, colour, count, flag, key,
    keys_of, number, number_of, point, pose, table, tables, text, word, words,
};

/// What stands for a key that the user left out, and its source.
pub(crate) type Default<T> = Option<(T, &'static str)>;

/// A table that is being read.
pub(crate) struct Fields<'a> {
    pub(crate) table: &'a Table,
    pub(crate) path: String,
    pub(crate) origin: &'a Origin,
    pub(crate) known: Vec<Key>,
}

/// What stands for a key that is left out, as specifications have it, if that is one of its own values.
fn own(key: &Key) -> Option<Given> {
    Some(match key.absent {
        Absent::Value(x) => Given::Number(key.read(x)),
        Absent::Whole(n) => Given::Whole(n),
        Absent::Flag(flag) => Given::Flag(flag),
        Absent::Text(word) => Given::Word(word),
        Absent::Own(own) => own(),
        Absent::Required | Absent::List(_) | Absent::Computed => return None,
    })
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
        known: &[&[Key]],
    ) -> Option<Self> {
        let Some(table) = node.table() else {
            log.wrong(&node.origin, path, "a table", node.value.got());
            return None;
        };
        let fields = Self { table, path, origin: &node.origin, known: known.concat() };
        fields.refuse_unknown(log);
        Some(fields)
    }

    pub(crate) fn refuse_unknown(&self, log: &mut Log) {
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
        found.unwrap_or(text("", ""))
    }

    /// Reads one value; `None` after an error, or where an optional key without default is absent.
    fn value<T>(
        &self,
        log: &mut Log,
        key: &Key,
        default: Default<T>,
        expected: impl Fn() -> String,
        convert: impl Fn(&Node) -> Option<T>,
        shown: impl Fn(&T) -> String,
    ) -> Option<T> {
        let path = self.key_path(key.name);
        let Some(node) = self.get(key.name) else {
            match default {
                Some((value, source)) => {
                    log.record(path, shown(&value), key, Origin::Default(source));
                    return Some(value);
                }
                None => log.wrong(self.origin, path, expected(), "nothing: the key is missing"),
            }
            return None;
        };
        let value = convert(node);
        if value.is_some() {
            log.record(path, node.value.shown(), key, node.origin.clone());
        } else {
            log.wrong(&node.origin, path, expected(), node.value.got());
        }
        value
    }

    /// Reads a number as specifications have it; 0 after an error.
    pub(crate) fn number(&self, log: &mut Log, name: &str) -> f64 {
        self.key(name).read(self.written(log, name))
    }

    /// The same where what stands for the key depends on others.
    pub(crate) fn number_or(&self, log: &mut Log, name: &str, otherwise: f64) -> f64 {
        let key = self.key(name);
        key.read(self.written_with(log, &key, Some(key.written(otherwise))))
    }

    /// Reads a number as it is written: angles in degrees.
    pub(crate) fn written(&self, log: &mut Log, name: &str) -> f64 {
        let key = self.key(name);
        let default = match own(&key) {
            Some(Given::Number(x)) => Some(key.written(x)),
            _ => None,
        };
        self.written_with(log, &key, default)
    }

    /// The same where what stands for the key depends on others.
    pub(crate) fn written_or(&self, log: &mut Log, name: &str, otherwise: f64) -> f64 {
        self.written_with(log, &self.key(name), Some(otherwise))
    }

    fn written_with(&self, log: &mut Log, key: &Key, default: Option<f64>) -> f64 {
        let range = match key.kind {
            KeyKind::Number(range) => range,
            _ => Range::Any,
        };
        let got = self.get(key.name).and_then(|node| node.value.number());
        let expected = || with_unit(&range.expected(got), key.unit);
        let convert = |node: &Node| range.check("", node.value.number()?).ok();
        let default = default.map(|x| (x, key.source));
        self.value(log, key, default, expected, convert, |x| number_text(*x)).unwrap_or_default()
    }

    /// Reads a number that may be left out; the ledger then says what stands for it.
    pub(crate) fn optional(&self, log: &mut Log, name: &str) -> Option<f64> {
        self.optional_or(log, name, self.key(name).source)
    }

    /// The same where what stands for the key depends on others.
    pub(crate) fn optional_or(
        &self,
        log: &mut Log,
        name: &str,
        otherwise: &'static str,
    ) -> Option<f64> {
        if self.get(name).is_some() {
            return Some(self.number(log, name));
        }
        let origin = Origin::Default(otherwise);
        log.record(self.key_path(name), "computed".to_owned(), &self.key(name), origin);
        None
    }

    /// Reads a list of numbers into a struct, whose present values are the defaults.
    pub(crate) fn numbers<S>(&self, log: &mut Log, target: &mut S, list: &[Number<S>]) {
        for number in list {
            self.fill(log, number.key.name, (number.slot)(target));
        }
    }

    /// Reads what belongs into a place, whose present value is the default.
    pub(crate) fn fill(&self, log: &mut Log, name: &str, slot: Slot<'_>) {
        match slot {
            Slot::Number(x) => *x = self.number_or(log, name, *x),
            Slot::Whole(n) => n.set(self.count_or(log, name, Some(n.get()), u64::MAX)),
            Slot::Flag(flag) => *flag = self.flag_or(log, name, *flag),
            Slot::Word(word) => {
                let KeyKind::Word(words) = self.key(name).kind else { return };
                let words: Vec<_> = words().into_iter().map(|word| (word, word)).collect();
                let default = Some((word.word(), self.key(name).source));
                if let Some(found) = self.word_or(log, name, &words, default) {
                    word.set(found);
                }
            }
            Slot::Numbers(list) => {
                let key = self.key(name);
                let present = list.iter().map(|x| key.written(**x)).collect();
                let found = self.numbers_or(log, &key, present).unwrap_or_default();
                list.into_iter().zip(found).for_each(|(x, found)| *x = key.read(found));
            }
        }
    }

    /// The same for a table that only says what differs: keys that are left out are not told of.
    pub(crate) fn numbers_given<S>(&self, log: &mut Log, target: &mut S, list: &[Number<S>]) {
        for number in list.iter().filter(|number| self.get(number.key.name).is_some()) {
            self.fill(log, number.key.name, (number.slot)(target));
        }
    }

    /// Reads as many numbers as there are by default; `None` after an error.
    fn numbers_or(&self, log: &mut Log, key: &Key, otherwise: Vec<f64>) -> Option<Vec<f64>> {
        let count = otherwise.len();
        let what = match key.kind {
            KeyKind::Point => "2 finite numbers [x, y]".to_owned(),
            _ => format!("{count} finite numbers"),
        };
        let convert = |node: &Node| node.value.all_numbers().filter(|all| all.len() == count);
        let default = Some((otherwise, key.source));
        let expected = || with_unit(&what, key.unit);
        self.value(log, key, default, expected, convert, |numbers| format!("{numbers:?}"))
    }

    /// Reads a list of exactly `N` numbers; `None` after an error.
    pub(crate) fn array<const N: usize>(&self, log: &mut Log, name: &str) -> Option<[f64; N]> {
        let key = self.key(name);
        let default = match key.absent {
            Absent::List(list) => <[f64; N]>::try_from(list).ok(),
            _ => None,
        };
        self.array_with(log, &key, default.map(|numbers| (numbers, key.source)))
    }

    /// The same where what stands for the key depends on others.
    pub(crate) fn array_or<const N: usize>(
        &self,
        log: &mut Log,
        name: &str,
        otherwise: [f64; N],
    ) -> Option<[f64; N]> {
        self.array_from(log, name, otherwise, self.key(name).source)
    }

    /// The same where its source depends on others, too.
    pub(crate) fn array_from<const N: usize>(
        &self,
        log: &mut Log,
        name: &str,
        otherwise: [f64; N],
        source: &'static str,
    ) -> Option<[f64; N]> {
        self.array_with(log, &self.key(name), Some((otherwise, source)))
    }

    fn array_with<const N: usize>(
        &self,
        log: &mut Log,
        key: &Key,
        default: Default<[f64; N]>,
    ) -> Option<[f64; N]> {
        debug_assert!(matches!(key.kind, KeyKind::Numbers(count) if count == N), "{}", key.name);
        let expected = || with_unit(&format!("{N} finite numbers"), key.unit);
        let convert = |node: &Node| node.value.numbers::<N>();
        self.value(log, key, default, expected, convert, |numbers| format!("{numbers:?}"))
    }

    /// Reads a whole number; the range's start after an error.
    pub(crate) fn count(&self, log: &mut Log, name: &str) -> u64 {
        let default = match own(&self.key(name)) {
            Some(Given::Whole(n)) => Some(n),
            _ => None,
        };
        self.count_or(log, name, default, u64::MAX)
    }

    /// The same where what stands for the key, or how much there may be at most, depends on others.
    pub(crate) fn count_or(
        &self,
        log: &mut Log,
        name: &str,
        otherwise: Option<u64>,
        most: u64,
    ) -> u64 {
        let key = self.key(name);
        let range = match key.kind {
            KeyKind::Count(low, high) => low..=high.min(most),
            _ => 0..=most,
        };
        let expected = || format!("a whole number from {} to {}", range.start(), range.end());
        let convert = |node: &Node| node.value.whole().filter(|i| range.contains(i));
        let default = otherwise.map(|i| (i, key.source));
        let found = self.value(log, &key, default, expected, convert, u64::to_string);
        found.unwrap_or(*range.start())
    }

    /// Reads `true` or `false`.
    pub(crate) fn flag(&self, log: &mut Log, name: &str) -> bool {
        self.flag_or(log, name, matches!(own(&self.key(name)), Some(Given::Flag(true))))
    }

    /// The same where what stands for the key depends on others.
    pub(crate) fn flag_or(&self, log: &mut Log, name: &str, default: bool) -> bool {
        let key = self.key(name);
        let convert = |node: &Node| match node.value {
            Value::Bool(flag) => Some(flag),
            _ => None,
        };
        let expected = || "true or false".to_owned();
        let otherwise = Some((default, key.source));
        let found = self.value(log, &key, otherwise, expected, convert, bool::to_string);
        found.unwrap_or(default)
    }

    /// Reads a text; empty after an error.
    pub(crate) fn text(&self, log: &mut Log, name: &str) -> String {
        let default = match self.key(name).absent {
            Absent::Text(text) => Some(text.to_owned()),
            _ => None,
        };
        self.text_or(log, name, default)
    }

    /// The same where what stands for the key depends on others.
    pub(crate) fn text_or(&self, log: &mut Log, name: &str, otherwise: Option<String>) -> String {
        let key = self.key(name);
        let convert = |node: &Node| node.text().map(str::to_owned);
        let expected = || "a text".to_owned();
        let shown = |text: &String| format!("{text:?}");
        let default = otherwise.map(|text| (text, key.source));
        self.value(log, &key, default, expected, convert, shown).unwrap_or_default()
    }

    /// Reads a colour `"#rrggbb"` that may be left out, as 0xRRGGBB.
    pub(crate) fn colour(&self, log: &mut Log, name: &str) -> Option<u32> {
        self.get(name)?;
        let convert = |node: &Node| colour_of(node.text()?);
        let expected = || "a colour such as \"#2f6bff\"".to_owned();
        let shown = |colour: &u32| format!("#{colour:06x}");
        self.value(log, &self.key(name), None, expected, convert, shown)
    }

    /// Reads one of some words or a colour `"#rrggbb"`; `None` after an error.
    pub(crate) fn word_or_colour<T: Copy>(
        &self,
        log: &mut Log,
        name: &str,
        words: &[(&'static str, T)],
        own: impl Fn(u32) -> T,
    ) -> Option<T> {
        let find = |wanted: &str| words.iter().find(|(word, _)| *word == wanted);
        let convert = |node: &Node| {
            let text = node.text()?;
            let found = match find(text) {
                Some((_, word)) => *word,
                None => own(colour_of(text)?),
            };
            Some((text.to_owned(), found))
        };
        let names = || quoted(words.iter().map(|(word, _)| *word));
        let expected = || format!("one of {}, or a colour such as \"#2f6bff\"", names());
        let shown = |(text, _): &(String, T)| format!("{text:?}");
        self.value(log, &self.key(name), None, expected, convert, shown).map(|found| found.1)
    }

    /// Reads one of some words; `None` after an error.
    pub(crate) fn word<T: Copy>(
        &self,
        log: &mut Log,
        name: &str,
        words: &[(&'static str, T)],
    ) -> Option<T> {
        let key = self.key(name);
        let default = match own(&key) {
            Some(Given::Word(word)) => Some((word, key.source)),
            _ => None,
        };
        self.word_or(log, name, words, default)
    }

    /// The same where what stands for the key depends on others.
    pub(crate) fn word_or<T: Copy>(
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
        let key = self.key(name);
        self.value(log, &key, default, expected, convert, shown).map(|entry| entry.1)
    }

    /// Reads a point or a vector; zero after an error.
    pub(crate) fn point(&self, log: &mut Log, name: &str) -> Vec2 {
        let key = self.key(name);
        let default = match key.absent {
            Absent::List(&[x, y]) => Some((Vec2::new(x, y), key.source)),
            _ => None,
        };
        let expected = || with_unit("2 finite numbers [x, y]", key.unit);
        let convert = |node: &Node| node.value.numbers().map(|[x, y]| Vec2::new(x, y));
        let shown = |v: &Vec2| format!("[{:?}, {:?}]", v.x, v.y);
        self.value(log, &key, default, expected, convert, shown).unwrap_or_default()
    }

    /// Reads a list of points; empty after an error.
    pub(crate) fn points(&self, log: &mut Log, name: &str) -> Vec<Vec2> {
        let convert = |node: &Node| {
            let Value::Array(items) = &node.value else { return None };
            let point = |item: &Node| item.value.numbers().map(|[x, y]| Vec2::new(x, y));
            items.iter().map(point).collect::<Option<Vec<_>>>()
        };
        let key = self.key(name);
        let expected = || with_unit("a list of points [[x, y], ...]", key.unit);
        self.value(log, &key, None, expected, convert, |_| String::new()).unwrap_or_default()
    }

    /// Reads `pose = [x, y, heading in degrees]`; at the origin if it is left out.
    pub(crate) fn pose(&self, log: &mut Log) -> Placement {
        let convert = |node: &Node| {
            let [x, y, degrees] = node.value.numbers()?;
            Some(Placement { position: Vec2::new(x, y), degrees })
        };
        let expected = || "3 finite numbers [x, y, heading] (m, m, degrees)".to_owned();
        let key = self.key("pose");
        let default = Some((Placement::IDENTITY, key.source));
        let shown = |_: &Placement| "[0.0, 0.0, 0.0]".to_owned();
        let found = self.value(log, &key, default, expected, convert, shown);
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

/// 0xRRGGBB of `#rrggbb`.
fn colour_of(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    u32::from_str_radix(digits, 16).ok()
}

fn with_unit(expected: &str, unit: &str) -> String {
    if unit == "1" || unit == "-" { expected.to_owned() } else { format!("{expected} ({unit})") }
}
