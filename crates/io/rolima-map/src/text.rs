//! Text maps: one element a line.

use crate::element::{
    DEFAULT_BALL_DIAMETER, DEFAULT_CUBE_SIZE, Element, FARTHEST, MAX_ELEMENTS, Map,
};
use crate::error::{MAX_ERRORS, MapError, TextError};
use crate::glance;
use rolima_math::Vec2;

/// Largest text map, bytes.
pub const MAX_TEXT_BYTES: usize = 4 << 20;

/// Longest text of a field in an error message, in characters.
const LONGEST_GOT: usize = 40;

const ROBOT: &str = "R x y [theta]";
const WALL: &str = "W x1 y1 x2 y2, or W x y";
const LINE: &str = "L x1 y1 x2 y2";
const BALL: &str = "B x y [size]";
const CUBE: &str = "C x y [size [height]]";
const MESH: &str = "O x y file.obj [rotation [scale, or three scales]]";

/// Reads a text map. `file` is its name for messages. All mistakes are told, not the first only,
/// unless most lines are none of a map: then it is told what the text is instead.
pub fn parse(file: &str, text: &str) -> Result<Map, MapError> {
    glance::text(file, text.len())?;
    let mut errors = Errors { file, kept: vec![], count: 0, strange: 0 };
    let mut lines = 0;
    let mut map = Map::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text); // some editors begin with a mark
    for (number, line) in text.lines().enumerate() {
        let fields = Fields::split(line, number as u32 + 1);
        lines += usize::from(!fields.words.is_empty());
        let Some(element) = fields.element(&mut errors) else { continue };
        if map.elements.len() == MAX_ELEMENTS {
            let expected = format!("at most {MAX_ELEMENTS} elements");
            errors.add(fields.line, 1, expected, "more".to_owned());
            break;
        }
        map.elements.push(element);
    }
    // What is no map at all is told in one sentence.
    if lines >= 2 && errors.strange * 2 > lines {
        return Err(MapError::unknown(file, text.as_bytes()));
    }
    errors.finish(map)
}

/// The mistakes found so far.
struct Errors<'a> {
    file: &'a str,
    kept: Vec<TextError>,
    count: usize,
    /// Lines that begin as no element does.
    strange: usize,
}

impl Errors<'_> {
    fn add(&mut self, line: u32, column: u32, expected: String, got: String) {
        self.count += 1;
        if self.kept.len() < MAX_ERRORS {
            let file = self.file.to_owned();
            self.kept.push(TextError { file, line, column, expected, got });
        }
    }

    fn finish(self, map: Map) -> Result<Map, MapError> {
        match self.count {
            0 => Ok(map),
            count => Err(MapError::Text { errors: self.kept, count }),
        }
    }
}

/// The fields of a line.
struct Fields<'a> {
    line: u32,
    /// Each field with its column, from 1; the letter first.
    words: Vec<(u32, &'a str)>,
    /// The column after the last field.
    end: u32,
}

/// Which numbers are right.
#[derive(Clone, Copy)]
enum Range {
    Place,
    Angle,
    Size,
}

impl<'a> Fields<'a> {
    fn split(line: &'a str, number: u32) -> Self {
        let content = line.split('#').next().unwrap_or_default();
        let is_separator = |c: char| c == ',' || c.is_whitespace();
        let mut words = vec![];
        let mut start = None;
        let mut column = 0;
        let mut end = 1;
        for (at, c) in content.char_indices() {
            column += 1;
            match (is_separator(c), start) {
                (false, None) => start = Some((column, at)),
                (true, Some((first, from))) => {
                    words.push((first, &content[from..at]));
                    start = None;
                    end = column;
                }
                _ => {}
            }
        }
        if let Some((first, from)) = start {
            words.push((first, &content[from..]));
            end = column + 1;
        }
        Self { line: number, words, end }
    }

    /// The element of the line; none for an empty line or after a mistake.
    fn element(&self, errors: &mut Errors<'_>) -> Option<Element> {
        let &(column, letter) = self.words.first()?;
        let form = match letter {
            "R" => ROBOT,
            "W" => WALL,
            "L" => LINE,
            "B" => BALL,
            "C" => CUBE,
            "O" => MESH,
            _ => {
                errors.strange += 1;
                let expected = "an element: R, W, L, B, C or O";
                errors.add(self.line, column, expected.to_owned(), shown(letter));
                return None;
            }
        };
        let given = self.words.len() - 1;
        let (least, most) = match letter {
            "R" | "B" => (2, 3),
            "L" => (4, 4),
            "C" => (2, 4),
            "O" => (3, 7),
            // Three would be a wall without its last coordinate.
            _ => (if given == 3 { 4 } else { 2 }, 4),
        };
        if given < least {
            let got = format!("{given} of them");
            errors.add(self.line, self.end, format!("{least} fields or more: {form}"), got);
            return None;
        }
        if given > most {
            let (column, word) = self.words[most + 1];
            errors.add(self.line, column, format!("the end of the line: {form}"), shown(word));
            return None;
        }
        // Every number is looked at even after a bad one: one reading tells all.
        let before = errors.count;
        let element = self.fill(letter, given, errors);
        (errors.count == before).then_some(element)
    }

    fn fill(&self, letter: &str, given: usize, errors: &mut Errors<'_>) -> Element {
        let mut number = |i: usize, range, default: f64| {
            if i <= given { self.number(i, range, errors) } else { default }
        };
        let position = Vec2::new(number(1, Range::Place, 0.0), number(2, Range::Place, 0.0));
        match letter {
            "R" => Element::Robot { position, heading: number(3, Range::Angle, 0.0) },
            "W" if given == 2 => Element::Cell { center: position },
            "W" | "L" => {
                let to = Vec2::new(number(3, Range::Place, 0.0), number(4, Range::Place, 0.0));
                if to == position && position.is_finite() {
                    let got = format!("{} {} twice", self.words[1].1, self.words[2].1);
                    let expected = "two different points".to_owned();
                    errors.add(self.line, self.words[3].0, expected, shown(&got));
                }
                match letter {
                    "W" => Element::Wall { from: position, to },
                    _ => Element::Line { from: position, to },
                }
            }
            "B" => {
                Element::Ball { position, diameter: number(3, Range::Size, DEFAULT_BALL_DIAMETER) }
            }
            "C" => {
                let size = number(3, Range::Size, DEFAULT_CUBE_SIZE);
                Element::Cube { position, size, height: number(4, Range::Size, size) }
            }
            _ => {
                let rotation = number(4, Range::Angle, 0.0);
                let first = number(5, Range::Size, 1.0);
                let scale = match given {
                    6 => {
                        number(6, Range::Size, first);
                        let expected = format!("no scale, one or three: {MESH}");
                        errors.add(self.line, self.end, expected, "two".to_owned());
                        [first; 3]
                    }
                    _ => [first, number(6, Range::Size, first), number(7, Range::Size, first)],
                };
                let file = self.words[3].1.to_owned();
                Element::Mesh { position, file, rotation, scale }
            }
        }
    }

    /// A number; not a number after a mistake.
    fn number(&self, i: usize, range: Range, errors: &mut Errors<'_>) -> f64 {
        let (column, word) = self.words[i];
        let good = |x: &f64| match range {
            Range::Place | Range::Angle => x.abs() <= FARTHEST,
            Range::Size => *x > 0.0 && *x <= FARTHEST,
        };
        match word.parse::<f64>().ok().filter(good) {
            Some(x) => x + 0.0, // no -0
            None => {
                let expected = match range {
                    Range::Place => "a number of metres, at most 1000000 from 0",
                    Range::Angle => "a number of radians",
                    Range::Size => "a positive number, at most 1000000",
                };
                errors.add(self.line, column, expected.to_owned(), shown(word));
                f64::NAN
            }
        }
    }
}

/// A field for a message, cut short.
fn shown(word: &str) -> String {
    match word.char_indices().nth(LONGEST_GOT) {
        Some((end, _)) => format!("{:?}...", &word[..end]),
        None => format!("{word:?}"),
    }
}
