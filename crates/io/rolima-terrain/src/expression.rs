//! Functions of x and y, written in a scene: compiled once, evaluated at every node.
//!
//! Numbers, `x`, `y`, `pi`; `+ - * / ^`, parentheses; comparisons `< <= > >=` (1 or 0); and the
//! functions of [`FUNCTIONS`]. `^` binds tightest and to the right, then signs, then `* /`.

use crate::Area;
use crate::error::TerrainError;
use crate::text::{check_size, spec};
use rolima_math as math;
use rolima_spatial::{Grid, TerrainSpec};

/// Longest expression, bytes, and deepest nesting.
const MOST_BYTES: usize = 10_000;
const MOST_DEPTH: usize = 64;

/// A function of some numbers, which lie in a slice.
type Function = fn(&[f64]) -> f64;

/// Names of functions, how many numbers each takes, and what it is.
const FUNCTIONS: &[(&str, usize, Function)] = &[
    ("sin", 1, |a| math::sin(a[0])),
    ("cos", 1, |a| math::cos(a[0])),
    ("tan", 1, |a| math::tan(a[0])),
    ("asin", 1, |a| math::asin(a[0])),
    ("acos", 1, |a| math::acos(a[0])),
    ("atan", 1, |a| math::atan(a[0])),
    ("atan2", 2, |a| math::atan2(a[0], a[1])),
    ("exp", 1, |a| math::exp(a[0])),
    ("ln", 1, |a| math::ln(a[0])),
    ("sqrt", 1, |a| a[0].sqrt()),
    ("abs", 1, |a| a[0].abs()),
    ("sign", 1, |a| {
        if a[0] > 0.0 {
            1.0
        } else if a[0] < 0.0 {
            -1.0
        } else {
            0.0
        }
    }),
    ("floor", 1, |a| a[0].floor()),
    ("mod", 2, |a| a[0] - a[1] * (a[0] / a[1]).floor()),
    ("min", 2, |a| a[0].min(a[1])),
    ("max", 2, |a| a[0].max(a[1])),
    ("pow", 2, |a| math::powf(a[0], a[1])),
    ("hypot", 2, |a| (a[0] * a[0] + a[1] * a[1]).sqrt()),
    ("clamp", 3, |a| a[0].max(a[1]).min(a[2])),
    ("smooth", 3, |a| {
        let t = ((a[0] - a[1]) / (a[2] - a[1])).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }),
    ("if", 3, |a| if a[0] != 0.0 { a[1] } else { a[2] }),
];

#[derive(Clone, Copy, Debug)]
enum Step {
    Number(f64),
    X,
    Y,
    Minus,
    Two(fn(f64, f64) -> f64),
    Call(Function, usize),
}

/// A compiled function of x and y.
#[derive(Clone, Debug)]
pub struct Expression {
    steps: Vec<Step>,
    file: String,
}

impl Expression {
    /// Compiles a text; `file` (or the key that it stands at) is for errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, TerrainError> {
        if text.len() > MOST_BYTES {
            let expected = format!("at most {MOST_BYTES} bytes");
            return Err(TerrainError::text(file, (1, 1), expected, text.len()));
        }
        let mut parser =
            Parser { file, rest: text.char_indices().peekable(), text, steps: vec![], depth: 0 };
        parser.comparison()?;
        match parser.peek() {
            None => Ok(Self { steps: parser.steps, file: file.to_owned() }),
            Some(_) => Err(parser.expected("an operator or the end")),
        }
    }

    /// The value at a point; it may be infinite or not a number.
    pub fn at(&self, x: f64, y: f64) -> f64 {
        self.evaluate(x, y, &mut Vec::new())
    }

    pub(crate) fn evaluate(&self, x: f64, y: f64, stack: &mut Vec<f64>) -> f64 {
        stack.clear();
        for step in &self.steps {
            let value = match *step {
                Step::Number(number) => number,
                Step::X => x,
                Step::Y => y,
                Step::Minus => -stack.pop().unwrap_or(f64::NAN),
                Step::Two(operation) => {
                    let b = stack.pop().unwrap_or(f64::NAN);
                    operation(stack.pop().unwrap_or(f64::NAN), b)
                }
                Step::Call(function, count) => {
                    let from = stack.len().saturating_sub(count);
                    let value = function(&stack[from..]);
                    stack.truncate(from);
                    value
                }
            };
            stack.push(value);
        }
        stack.pop().unwrap_or(f64::NAN)
    }

    /// A terrain of `nx` x `ny` nodes over an area. Refused where a height is not finite.
    pub fn terrain(&self, area: Area, nx: usize, ny: usize) -> Result<TerrainSpec, TerrainError> {
        check_size(&self.file, nx, ny)?;
        let mut stack = vec![];
        let mut values = Vec::with_capacity(nx * ny);
        let at = |low: f64, high: f64, i: usize, n: usize| {
            low + (high - low) * i as f64 / (n - 1) as f64
        };
        for j in 0..ny {
            for i in 0..nx {
                let (x, y) = (at(area.min.x, area.max.x, i, nx), at(area.min.y, area.max.y, j, ny));
                let z = self.evaluate(x, y, &mut stack);
                if !z.is_finite() {
                    let got = format!("{z} at x = {x}, y = {y}");
                    return Err(TerrainError::file(&self.file, "finite heights", got));
                }
                values.push(z);
            }
        }
        Ok(spec(area, Grid { nx, ny, values }))
    }
}

struct Parser<'a> {
    file: &'a str,
    rest: core::iter::Peekable<core::str::CharIndices<'a>>,
    text: &'a str,
    steps: Vec<Step>,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        while self.rest.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        self.rest.peek().map(|&(_, c)| c)
    }

    fn at(&mut self) -> usize {
        self.rest.peek().map_or(self.text.len(), |&(i, _)| i)
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.rest.next();
        }
        found
    }

    fn expected(&mut self, what: &str) -> TerrainError {
        let at = self.at();
        self.wrong(at, what)
    }

    fn wrong(&self, at: usize, what: &str) -> TerrainError {
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
        let word = self.text[at..].split_whitespace().next().unwrap_or("");
        TerrainError::text(self.file, (line, column), what, word)
    }

    fn deeper(&mut self) -> Result<(), TerrainError> {
        self.depth += 1;
        if self.depth > MOST_DEPTH { Err(self.expected("less nesting")) } else { Ok(()) }
    }

    fn comparison(&mut self) -> Result<(), TerrainError> {
        self.deeper()?;
        self.sum()?;
        while let Some(sign @ ('<' | '>')) = self.peek() {
            self.rest.next();
            let or_equal = self.rest.next_if(|&(_, c)| c == '=').is_some();
            self.sum()?;
            self.steps.push(Step::Two(match (sign, or_equal) {
                ('<', false) => |a, b| f64::from(u8::from(a < b)),
                ('<', true) => |a, b| f64::from(u8::from(a <= b)),
                (_, false) => |a, b| f64::from(u8::from(a > b)),
                (_, true) => |a, b| f64::from(u8::from(a >= b)),
            }));
        }
        self.depth -= 1;
        Ok(())
    }

    fn sum(&mut self) -> Result<(), TerrainError> {
        self.product()?;
        while let Some(sign @ ('+' | '-')) = self.peek() {
            self.rest.next();
            self.product()?;
            self.steps.push(Step::Two(if sign == '+' { |a, b| a + b } else { |a, b| a - b }));
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), TerrainError> {
        self.signed()?;
        while let Some(sign @ ('*' | '/')) = self.peek() {
            self.rest.next();
            self.signed()?;
            self.steps.push(Step::Two(if sign == '*' { |a, b| a * b } else { |a, b| a / b }));
        }
        Ok(())
    }

    fn signed(&mut self) -> Result<(), TerrainError> {
        let mut minus = false;
        while let Some(sign @ ('+' | '-')) = self.peek() {
            self.rest.next();
            minus ^= sign == '-';
        }
        self.power()?;
        if minus {
            self.steps.push(Step::Minus);
        }
        Ok(())
    }

    fn power(&mut self) -> Result<(), TerrainError> {
        self.deeper()?;
        self.value()?;
        if self.take('^') {
            // To the right, with a sign of its own: 2^-3^2.
            self.signed()?;
            self.steps.push(Step::Two(|a, b| if b == 2.0 { a * a } else { math::powf(a, b) }));
        }
        self.depth -= 1;
        Ok(())
    }

    fn value(&mut self) -> Result<(), TerrainError> {
        match self.peek() {
            Some('(') => {
                self.rest.next();
                self.comparison()?;
                self.close()
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.name(),
            _ => Err(self.expected("a number, x, y, a function or a parenthesis")),
        }
    }

    fn close(&mut self) -> Result<(), TerrainError> {
        if self.take(')') { Ok(()) } else { Err(self.expected("a closing parenthesis")) }
    }

    fn number(&mut self) -> Result<(), TerrainError> {
        let begin = self.at();
        let mut last = ' ';
        while let Some((_, c)) = self.rest.next_if(|&(_, c)| {
            c.is_ascii_digit()
                || matches!(c, '.' | 'e' | 'E')
                || (matches!(c, '+' | '-') && matches!(last, 'e' | 'E'))
        }) {
            last = c;
        }
        let end = self.at();
        match self.text[begin..end].parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.steps.push(Step::Number(number));
                Ok(())
            }
            _ => Err(self.wrong(begin, "a number")),
        }
    }

    fn name(&mut self) -> Result<(), TerrainError> {
        let begin = self.at();
        while self.rest.next_if(|&(_, c)| c.is_ascii_alphanumeric() || c == '_').is_some() {}
        let end = self.at();
        let name = &self.text[begin..end];
        match name {
            "x" => self.steps.push(Step::X),
            "y" => self.steps.push(Step::Y),
            "pi" => self.steps.push(Step::Number(core::f64::consts::PI)),
            _ => {
                let Some(&(_, count, function)) = FUNCTIONS.iter().find(|f| f.0 == name) else {
                    let known: Vec<&str> = FUNCTIONS.iter().map(|f| f.0).collect();
                    return Err(
                        self.wrong(begin, &format!("x, y, pi or one of {}", known.join(", ")))
                    );
                };
                if !self.take('(') {
                    return Err(self.expected(&format!("a parenthesis after {name}")));
                }
                for i in 0..count {
                    if i > 0 && !self.take(',') {
                        return Err(
                            self.expected(&format!("a comma: {name} takes {count} numbers"))
                        );
                    }
                    self.comparison()?;
                }
                self.close()?;
                self.steps.push(Step::Call(function, count));
            }
        }
        Ok(())
    }
}
