//! Reading the values of channels out of their messages.

use crate::layout::Place;

/// Which fields of a message are wanted, and where their values go.
#[derive(Clone, Default)]
pub(crate) struct Wanted {
    fields: Vec<(u32, Goal)>,
}

#[derive(Clone)]
enum Goal {
    Value(usize),
    /// Elements of a list by their places in it.
    List(Vec<(usize, usize)>),
    Message(Wanted),
}

impl Wanted {
    /// Also the channel at this place (of the message's topic), whose value goes there.
    pub(crate) fn add(&mut self, place: &Place, slot: usize) {
        let mut at = self;
        let Some((&last, groups)) = place.path.split_last() else { return };
        for &number in groups {
            let found = at
                .fields
                .iter()
                .position(|(known, goal)| *known == number && matches!(goal, Goal::Message(_)));
            let i = found.unwrap_or_else(|| {
                at.fields.push((number, Goal::Message(Self::default())));
                at.fields.len() - 1
            });
            let (_, Goal::Message(inner)) = &mut at.fields[i] else { return };
            at = inner;
        }
        match place.index {
            None => at.fields.push((last, Goal::Value(slot))),
            Some(index) => {
                let found = at.fields.iter_mut().find_map(|(known, goal)| match goal {
                    Goal::List(list) if *known == last => Some(list),
                    _ => None,
                });
                match found {
                    Some(list) => list.push((index, slot)),
                    None => at.fields.push((last, Goal::List(vec![(index, slot)]))),
                }
            }
        }
    }

    /// Whether nothing is wanted.
    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Zero, which messages leave out, for all that is wanted.
    pub(crate) fn clear(&self, values: &mut [f64]) {
        for (_, goal) in &self.fields {
            match goal {
                Goal::Value(slot) => values[*slot] = 0.0,
                Goal::List(list) => list.iter().for_each(|&(_, slot)| values[slot] = 0.0),
                Goal::Message(inner) => inner.clear(values),
            }
        }
    }

    /// Takes the values out of a message; `None` where it makes no sense.
    pub(crate) fn read(&self, mut bytes: &[u8], double: bool, values: &mut [f64]) -> Option<()> {
        while !bytes.is_empty() {
            let tag = take_varint(&mut bytes)?;
            let number = u32::try_from(tag >> 3).ok()?;
            let goals = self.fields.iter().filter(|(known, _)| *known == number);
            let value = match tag & 7 {
                0 => {
                    take_varint(&mut bytes)?;
                    continue;
                }
                1 => f64::from_le_bytes(take(&mut bytes, 8)?.try_into().ok()?),
                5 => f64::from(f32::from_le_bytes(take(&mut bytes, 4)?.try_into().ok()?)),
                2 => {
                    let length = usize::try_from(take_varint(&mut bytes)?).ok()?;
                    let content = take(&mut bytes, length)?;
                    for (_, goal) in goals {
                        match goal {
                            Goal::Message(inner) => inner.read(content, double, values)?,
                            Goal::List(list) => read_list(list, content, double, values)?,
                            Goal::Value(_) => return None,
                        }
                    }
                    continue;
                }
                _ => return None,
            };
            for (_, goal) in goals {
                match goal {
                    Goal::Value(slot) => values[*slot] = value,
                    Goal::List(_) | Goal::Message(_) => return None,
                }
            }
        }
        Some(())
    }
}

fn read_list(
    list: &[(usize, usize)],
    content: &[u8],
    double: bool,
    values: &mut [f64],
) -> Option<()> {
    let width = if double { 8 } else { 4 };
    for &(index, slot) in list {
        let begin = index.checked_mul(width)?;
        let bytes = content.get(begin..begin.checked_add(width)?)?;
        values[slot] = match double {
            true => f64::from_le_bytes(bytes.try_into().ok()?),
            false => f64::from(f32::from_le_bytes(bytes.try_into().ok()?)),
        };
    }
    Some(())
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 127).checked_shl(shift)?;
        if byte < 128 {
            return Some(value);
        }
    }
    None
}
