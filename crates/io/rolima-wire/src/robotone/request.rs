//! Requests: a decoder for servers.

use super::data::{Budget, Data};
use super::encode::{GET, SET, SET_DATA};
use super::names::{GetValue, NameRow, SetValue, find};
use super::refusal::{FramingLost, RobotOneRefusal};
use super::{Dialect, MOST_DATA_BYTES, MOST_NAME_BYTES};

/// Bytes of a number in data.
const FLOAT_BYTES: usize = 4;
/// As much of an unknown name is told.
const MOST_SHOWN_BYTES: usize = 64;

/// What a client asks; the name allows it, and numbers are finite.
#[derive(Debug, PartialEq)]
pub enum Asked {
    /// A quantity or one of its numbers.
    Get(&'static NameRow),
    /// Sets a number.
    Set(&'static NameRow, f32),
    /// Sets data.
    SetData(&'static NameRow, Data),
    /// A quantity of the one that stands for `*` in the row's name.
    GetOf(&'static NameRow, String),
    /// Sets a number of it.
    SetOf(&'static NameRow, String, f32),
}

impl Asked {
    /// What the protocol says of the name.
    pub fn row(&self) -> &'static NameRow {
        match self {
            Self::Get(row)
            | Self::Set(row, _)
            | Self::SetData(row, _)
            | Self::GetOf(row, _)
            | Self::SetOf(row, ..) => row,
        }
    }

    /// What is given back; none for sets.
    pub fn given(&self) -> Option<GetValue> {
        match self {
            Self::Get(row) | Self::GetOf(row, _) => Some(row.given),
            Self::Set(..) | Self::SetData(..) | Self::SetOf(..) => None,
        }
    }
}

/// Where in a request the decoder is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DecoderStage {
    /// Op and length of the name.
    Head,
    /// In a name with so many bytes left.
    Name { left: usize },
    /// Value, or size of data.
    Tail,
    /// In data with so many bytes left.
    Data { left: usize },
    /// In what may be data of a name that takes none: at most so many bytes are left of them.
    Doubtful { left: usize },
}

/// Makes requests of bytes as they come, in pieces of any size.
///
/// Keeps no more than one request, and has never reserved more memory than was sent.
#[derive(Debug)]
pub struct Decoder {
    dialect: Dialect,
    place: DecoderStage,
    /// Head or tail, as far as it is there.
    few: [u8; 5],
    few_len: usize,
    op: u8,
    /// Whether the last get had other than zeros where its value would be.
    has_garbage: bool,
    name: Vec<u8>,
    row: Option<&'static NameRow>,
    /// What stands for `*` in the row's name; empty if it has none.
    subject: String,
    data: Data,
    /// Doubtful data that were passed over, bytes.
    passed_over: usize,
    budget: Option<Budget>,
    refusal: Option<RobotOneRefusal>,
    lost: Option<FramingLost>,
}

impl Decoder {
    /// For a new connection.
    pub fn new(dialect: Dialect) -> Self {
        Self::with(dialect, None)
    }

    /// For a new connection, whose data share a budget with those of others.
    pub fn within(dialect: Dialect, budget: &Budget) -> Self {
        Self::with(dialect, Some(budget.clone()))
    }

    fn with(dialect: Dialect, budget: Option<Budget>) -> Self {
        Self {
            dialect,
            place: DecoderStage::Head,
            few: [0; 5],
            few_len: 0,
            op: 0,
            has_garbage: false,
            name: vec![],
            row: None,
            subject: String::new(),
            data: Data::default(),
            passed_over: 0,
            budget,
            refusal: None,
            lost: None,
        }
    }

    /// Whether a request has begun and is not whole.
    pub fn is_within_request(&self) -> bool {
        self.place != DecoderStage::Head || self.few_len > 0
    }

    /// Whether the last request was a get of the release's dialect with other than zeros where a set
    /// has its value. They mean nothing; the released library leaves there what was in memory.
    pub fn has_garbage(&self) -> bool {
        self.has_garbage
    }

    /// Whether only time can tell if the request is whole: in the release's dialect a set of a name
    /// that takes no data may or may not have some, as its value may be their size. Bytes that come
    /// belong to it, until there are as many as it can have or [`close`](Self::close) is called.
    pub fn is_doubtful(&self) -> bool {
        matches!(self.place, DecoderStage::Doubtful { .. })
    }

    /// Ends a request that [may be whole](Self::is_doubtful): nothing more has come of it.
    pub fn close(&mut self) -> Option<Result<Asked, RobotOneRefusal>> {
        self.is_doubtful().then(|| Err(self.passed_over()))
    }

    /// Takes bytes until a request is whole, leaving the rest, or until they are used up.
    pub fn feed(
        &mut self,
        bytes: &mut &[u8],
    ) -> Result<Option<Result<Asked, RobotOneRefusal>>, FramingLost> {
        if let Some(lost) = &self.lost {
            return Err(lost.clone());
        }
        loop {
            let step = match self.place {
                DecoderStage::Head => self.head(bytes),
                DecoderStage::Name { left } => self.in_name(left, bytes),
                DecoderStage::Tail => self.tail(bytes),
                DecoderStage::Data { left } => self.in_data(left, bytes),
                DecoderStage::Doubtful { left } => Ok(self.in_doubtful(left, bytes)),
            };
            match step {
                Ok(Step::More) => return Ok(None),
                Ok(Step::On(place)) => self.place = place,
                Ok(Step::Whole(asked)) => {
                    self.place = DecoderStage::Head;
                    self.name.clear();
                    return Ok(Some(match self.refusal.take() {
                        Some(refusal) => Err(refusal),
                        None => asked,
                    }));
                }
                Err(lost) => {
                    self.lost = Some(lost.clone());
                    return Err(lost);
                }
            }
        }
    }

    fn head(&mut self, bytes: &mut &[u8]) -> Result<Step, FramingLost> {
        let Some([op, a, b, c, d]) = self.take(bytes) else { return Ok(Step::More) };
        self.op = op;
        let most_op = match self.dialect {
            Dialect::Release => SET,
            Dialect::Thesis => SET_DATA,
        };
        if op > most_op {
            match self.dialect {
                // A value follows, whatever the op.
                Dialect::Release => self.refuse(RobotOneRefusal::UnknownOp(op)),
                Dialect::Thesis => return Err(FramingLost::UnknownOp(op)),
            }
        }
        let length = i32::from_le_bytes([a, b, c, d]);
        let left = usize::try_from(length).map_err(|_| FramingLost::NameLength(length))?;
        if left > MOST_NAME_BYTES {
            self.refuse(RobotOneRefusal::NameTooLong(left));
        }
        Ok(Step::On(DecoderStage::Name { left }))
    }

    fn in_name(&mut self, left: usize, bytes: &mut &[u8]) -> Result<Step, FramingLost> {
        let too_long = matches!(self.refusal, Some(RobotOneRefusal::NameTooLong(_)));
        let piece = split(bytes, left);
        if !too_long {
            self.name.reserve_exact(piece.len());
            self.name.extend_from_slice(piece);
        }
        let left = left - piece.len();
        if left > 0 {
            self.place = DecoderStage::Name { left };
            return Ok(Step::More);
        }
        let found = if too_long { None } else { find(self.dialect, &self.name) };
        self.row = found.map(|(row, _)| row);
        self.subject = found.map_or_else(String::new, |(_, subject)| subject.to_owned());
        if self.row.is_none() {
            self.refuse(RobotOneRefusal::UnknownName(shown(&self.name)));
        }
        if self.dialect == Dialect::Thesis && self.op == GET {
            return Ok(Step::Whole(self.get()));
        }
        Ok(Step::On(DecoderStage::Tail))
    }

    fn tail(&mut self, bytes: &mut &[u8]) -> Result<Step, FramingLost> {
        let Some(tail) = self.take::<4>(bytes) else { return Ok(Step::More) };
        let value = f32::from_le_bytes(tail);
        self.has_garbage = (self.dialect, self.op) == (Dialect::Release, GET) && tail != [0; 4];
        let taken = self.row.map_or(SetValue::Nothing, |row| row.taken(self.dialect));
        let size = match (self.dialect, self.op) {
            (Dialect::Thesis, SET_DATA) => {
                let size = i32::from_le_bytes(tail);
                Some(usize::try_from(size).map_err(|_| FramingLost::DataSize(size.into()))?)
            }
            (Dialect::Release, SET) if taken == SetValue::Bytes => Some(size_of_value(value)?),
            (Dialect::Release, GET) => return Ok(Step::Whole(self.get())),
            _ => None,
        };
        match size {
            None => match self.doubtful_size(value, taken) {
                Some(left) => {
                    self.passed_over = 0;
                    Ok(Step::On(DecoderStage::Doubtful { left }))
                }
                None => Ok(Step::Whole(self.set(value, taken))),
            },
            Some(left) => {
                self.data = Data::within(self.budget.as_ref());
                self.check_data(left, taken);
                Ok(Step::On(DecoderStage::Data { left }))
            }
        }
    }

    fn in_data(&mut self, left: usize, bytes: &mut &[u8]) -> Result<Step, FramingLost> {
        let piece = split(bytes, left);
        if self.refusal.is_none() && !self.data.push(piece) {
            // What has come already makes room for others.
            let got = std::mem::take(&mut self.data).as_ref().len() + left;
            let most = self.budget.as_ref().map_or(0, Budget::most);
            let name = self.row.map_or("", |row| row.name);
            self.refuse(RobotOneRefusal::NoRoom { name, most, got });
        }
        let left = left - piece.len();
        if left > 0 {
            self.place = DecoderStage::Data { left };
            return Ok(Step::More);
        }
        let data = std::mem::take(&mut self.data);
        let unknown = || RobotOneRefusal::UnknownName(String::new());
        Ok(Step::Whole(self.row.map(|row| Asked::SetData(row, data)).ok_or_else(unknown)))
    }

    /// How many bytes of data may follow this value of a set that takes none; none if it is a number.
    ///
    /// Names of one number have no data. Of others, and of names that are not known, the value may be
    /// a number, or how many bytes or numbers follow.
    fn doubtful_size(&self, value: f32, taken: SetValue) -> Option<usize> {
        let is_number = self.row.is_some_and(|row| row.given == GetValue::Number);
        if (self.dialect, self.op, taken) != (Dialect::Release, SET, SetValue::Nothing) || is_number
        {
            return None;
        }
        let size = size_of_value(value).ok().filter(|size| *size > 0)?;
        Some(size.saturating_mul(FLOAT_BYTES))
    }

    fn in_doubtful(&mut self, left: usize, bytes: &mut &[u8]) -> Step {
        let piece = split(bytes, left).len();
        self.passed_over += piece;
        self.place = DecoderStage::Doubtful { left: left - piece };
        if piece < left { Step::More } else { Step::Whole(Err(self.passed_over())) }
    }

    /// Ends a request with doubtful data: why it has no effect.
    fn passed_over(&mut self) -> RobotOneRefusal {
        self.place = DecoderStage::Head;
        self.name.clear();
        let refusal = self.refusal.take();
        match (refusal, self.row) {
            (Some(RobotOneRefusal::UnknownName(name)), _) if self.passed_over > 0 => {
                RobotOneRefusal::UnknownData { name, bytes: self.passed_over }
            }
            (Some(refusal), _) => refusal,
            (None, Some(row)) => RobotOneRefusal::NotTaken(row.name),
            (None, None) => RobotOneRefusal::UnknownName(String::new()),
        }
    }

    fn get(&self) -> Result<Asked, RobotOneRefusal> {
        let row = self.row.ok_or_else(|| RobotOneRefusal::UnknownName(String::new()))?;
        if row.given == GetValue::Nothing {
            return Err(RobotOneRefusal::NotGiven(row.name));
        }
        Ok(match self.subject.is_empty() {
            true => Asked::Get(row),
            false => Asked::GetOf(row, self.subject.clone()),
        })
    }

    fn set(&self, value: f32, taken: SetValue) -> Result<Asked, RobotOneRefusal> {
        let row = self.row.ok_or_else(|| RobotOneRefusal::UnknownName(String::new()))?;
        match taken {
            SetValue::Nothing => Err(RobotOneRefusal::NotTaken(row.name)),
            SetValue::Bytes => {
                Err(RobotOneRefusal::WrongOp { name: row.name, expected: "data", got: "a number" })
            }
            SetValue::Number if value.is_finite() => Ok(match self.subject.is_empty() {
                true => Asked::Set(row, value),
                false => Asked::SetOf(row, self.subject.clone(), value),
            }),
            SetValue::Number => Err(RobotOneRefusal::NotFinite { name: row.name, got: value }),
        }
    }

    fn check_data(&mut self, size: usize, taken: SetValue) {
        let Some(row) = self.row else { return };
        match taken {
            SetValue::Nothing => self.refuse(RobotOneRefusal::NotTaken(row.name)),
            SetValue::Number => {
                let (expected, got) = ("a number", "data");
                self.refuse(RobotOneRefusal::WrongOp { name: row.name, expected, got });
            }
            SetValue::Bytes if size > MOST_DATA_BYTES => {
                self.refuse(RobotOneRefusal::DataTooLong { name: row.name, got: size });
            }
            SetValue::Bytes => {}
        }
    }

    /// The first reason counts.
    fn refuse(&mut self, refusal: RobotOneRefusal) {
        self.refusal.get_or_insert(refusal);
    }

    /// The next few bytes, as soon as all are there.
    fn take<const N: usize>(&mut self, bytes: &mut &[u8]) -> Option<[u8; N]> {
        let piece = split(bytes, N - self.few_len);
        self.few[self.few_len..self.few_len + piece.len()].copy_from_slice(piece);
        self.few_len += piece.len();
        if self.few_len < N {
            return None;
        }
        self.few_len = 0;
        self.few.first_chunk().copied()
    }
}

enum Step {
    /// All bytes are used up.
    More,
    /// Goes on there.
    On(DecoderStage),
    /// A request is whole.
    Whole(Result<Asked, RobotOneRefusal>),
}

/// At most so many of the bytes, taken off their front.
pub(super) fn split<'a>(bytes: &mut &'a [u8], most: usize) -> &'a [u8] {
    let (piece, rest) = bytes.split_at(most.min(bytes.len()));
    *bytes = rest;
    piece
}

/// The beginning of a name that means nothing, for people to read.
fn shown(name: &[u8]) -> String {
    let beginning = &name[..name.len().min(MOST_SHOWN_BYTES)];
    let more = if beginning.len() < name.len() { "..." } else { "" };
    format!("{}{more}", String::from_utf8_lossy(beginning).escape_debug())
}

/// The size of data that is told as a number.
fn size_of_value(value: f32) -> Result<usize, FramingLost> {
    let value = f64::from(value);
    let is_size = (0.0..=f64::from(i32::MAX)).contains(&value) && value.fract() == 0.0;
    if is_size { Ok(value as usize) } else { Err(FramingLost::DataSize(value)) }
}
