//! Tables whose key `kind` says which keys they have.

use crate::log::Log;
use crate::reader::{Default, Fields, Key, word};
use crate::tree::Node;

/// The keys of tables whose key `kind` says which of them they have.
pub(crate) struct Kinds<T: 'static> {
    /// The kind of a table that does not say it, and the source of that.
    pub(crate) absent: Default<&'static str>,
    /// Keys that all of them have.
    pub(crate) common: &'static [&'static [Key]],
    /// Each kind with its own keys.
    pub(crate) list: &'static [(&'static str, T, &'static [&'static [Key]])],
}

impl<T> Kinds<T> {
    /// The kind of a table that does not say it, for the key that holds the table.
    pub(crate) const fn absent_word(&self) -> &'static str {
        match self.absent {
            Some((word, _)) => word,
            None => panic!("every such table says its kind"),
        }
    }
}

impl<T: Copy + PartialEq> Kinds<T> {
    /// The word of a kind.
    pub(crate) fn word_of(&self, kind: T) -> &'static str {
        self.list.iter().find(|(_, known, _)| *known == kind).map_or("", |(word, ..)| word)
    }
}

/// Which kind of table it is; its words are the kinds.
pub(crate) const KIND: Key = word("kind", Vec::new, "which kind it is");

impl<'a> Fields<'a> {
    /// Begins to read a table whose key `kind` says which keys it has.
    pub(crate) fn open_kind<T: Copy>(
        log: &mut Log,
        node: &'a Node,
        path: String,
        kinds: &Kinds<T>,
    ) -> Option<(Self, T)> {
        Self::open_kind_or(log, node, path, kinds, kinds.absent)
    }

    /// The same where the kind of a table that does not say it depends on others.
    pub(crate) fn open_kind_or<T: Copy>(
        log: &mut Log,
        node: &'a Node,
        path: String,
        kinds: &Kinds<T>,
        default: Default<&'static str>,
    ) -> Option<(Self, T)> {
        let Some(table) = node.table() else {
            log.wrong(&node.origin, path, "a table", node.value.got());
            return None;
        };
        let mut fields = Self { table, path, origin: &node.origin, known: vec![KIND] };
        let words: Vec<_> =
            kinds.list.iter().map(|(word, value, known)| (*word, (*value, *known))).collect();
        let (value, known) = fields.word_or(log, KIND.name, &words, default)?;
        for keys in known.iter().chain(kinds.common) {
            fields.known.extend_from_slice(keys);
        }
        fields.refuse_unknown(log);
        Some((fields, value))
    }
}
