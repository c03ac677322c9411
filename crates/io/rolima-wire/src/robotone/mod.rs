//! Codec of Robot One, a small TCP protocol to program robots: bytes in, requests out; no sockets.
//!
//! There are two [`Dialect`]s. All numbers are little-endian.
//!
//! | | [`Release`](Dialect::Release), port 5046 | [`Thesis`](Dialect::Thesis), port 5047 |
//! |---|---|---|
//! | request | op u8 · length i32 · name · value f32, in a get too | op u8 · length i32 · name; op 1: value f32; op 2: size i32, data |
//! | set of data | op 1, value is the size (bytes, or how many numbers: the name tells), then the data | op 2 |
//! | reply, a number | 2 · status · value f32 | 3 · status · value f32 |
//! | reply, data | 3 · status · value f32 · size i32 · data | 4 · status · value f32 · size i32 · data |
//! | what went wrong | status 1, value 0 | status 0, value 0 |
//!
//! ```
//! use rolima_wire::robotone::{Asked, Decoder, Dialect, RobotOneQuantity, encode_get};
//! let mut bytes = vec![];
//! encode_get(Dialect::Thesis, "Pose.X", &mut bytes);
//! let mut decoder = Decoder::new(Dialect::Thesis);
//! let mut left = &bytes[..];
//! let request = decoder.feed(&mut left)?.expect("a whole request");
//! assert!(matches!(request, Ok(Asked::Get(row)) if row.quantity == RobotOneQuantity::Pose));
//! # Ok::<(), rolima_wire::robotone::FramingLost>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `names` | the names, what they take and what they give |
//! | `data` | data of requests, and what all connections may hold of them |
//! | `request` | requests: decoder for servers |
//! | `refusal` | why a request has no effect, or a connection is lost |
//! | `encode` | requests: encoders for clients |
//! | `reply` | replies: encoders for servers, decoder for clients |
//! | `fuzz` | the entry of a fuzz target |

mod data;
mod encode;
mod fuzz;
mod names;
mod refusal;
mod reply;
mod request;

pub use data::{Budget, Data, Share};
pub use encode::{encode_get, encode_set, encode_set_data, encode_set_floats};
pub use fuzz::fuzz_entry;
pub use names::{GetValue, NAMES, NameRow, RobotOneQuantity, SetValue, find};
pub use refusal::{FramingLost, RobotOneRefusal};
pub use reply::{BadReply, Reply, ReplyDecoder, encode_data, encode_data_head, encode_number};
pub use request::{Asked, Decoder};

/// Port of the [`Release`](Dialect::Release) dialect.
pub const RELEASE_PORT: u16 = 5046;
/// Port of the [`Thesis`](Dialect::Thesis) dialect.
pub const THESIS_PORT: u16 = 5047;
/// Longest name, bytes.
pub const MOST_NAME_BYTES: usize = 4 << 10;
/// Most data in a request or a reply, bytes.
pub const MOST_DATA_BYTES: usize = 16 << 20;
/// Time of a cycle, which `Time.Wait` waits for, s.
pub const CYCLE_S: f64 = 1.0 / 60.0;

/// How requests and replies are framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// As the released programs speak.
    Release,
    /// As the thesis describes it; the status tells whether something was done.
    Thesis,
}

impl Dialect {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Release, Self::Thesis];

    /// The port that it is spoken at unless one is told otherwise.
    pub fn port(self) -> u16 {
        match self {
            Self::Release => RELEASE_PORT,
            Self::Thesis => THESIS_PORT,
        }
    }
}

impl std::fmt::Display for Dialect {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Release => "release",
            Self::Thesis => "thesis",
        })
    }
}
