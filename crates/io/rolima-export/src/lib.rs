//! Tables of quantities over time: a head with names and units, then a row an instant.
//!
//! Tables are written row by row, in memory that does not grow with them.
//!
//! ```
//! use rolima_export::{Column, Csv, TableSink};
//!
//! let columns = [Column::double("time", "s"), Column::single("robot.one.x", "m")];
//! let mut bytes = vec![];
//! let mut table = Csv::new(&mut bytes, &columns)?;
//! table.row(&[0.5, f64::from(0.1_f32)])?;
//! table.end()?;
//! assert_eq!(String::from_utf8_lossy(&bytes), "time [s],robot.one.x [m]\n0.5,0.1\n");
//! # Ok::<(), rolima_export::TableError>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`mod@column`] | what columns are |
//! | [`csv`] | tables as text |
//! | `parquet` | tables as Parquet (feature `parquet`) |
//! | [`export`] | the tables of a recording |

pub mod column;
pub mod csv;
pub mod export;
#[cfg(feature = "parquet")]
pub mod parquet;

#[cfg(feature = "parquet")]
pub use self::parquet::Parquet;
pub use column::{Column, TableError, TableSink};
pub use csv::Csv;
pub use export::{Events, Export, Rows, write_events};
