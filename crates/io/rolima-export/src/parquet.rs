//! Tables as Parquet: a column of 32 or 64 bits a quantity, compressed by Snappy, which all readers know.

use crate::column::{Column, Sink, TableError};
use parquet::basic::{Compression, Repetition, Type as Physical};
use parquet::data_type::{DoubleType, FloatType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io::Write;
use std::sync::Arc;

/// Bytes of numbers that are gathered before they are written as a group of rows: bounds the memory.
const GATHERED: usize = 32 << 20;
/// Rows of a group at most.
const MOST_ROWS: usize = 1 << 16;

/// A table as Parquet. It says nothing of who has written it but the name, so that equal tables have equal bytes.
pub struct Parquet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Values>,
    rows: usize,
    group: usize,
}

/// The numbers of a column that are not written yet.
enum Values {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

impl<W: Write + Send> Parquet<W> {
    /// Begins a table of some columns.
    pub fn new(out: W, columns: &[Column]) -> Result<Self, TableError> {
        let field = |column: &Column| {
            let kind = if column.is_double { Physical::DOUBLE } else { Physical::FLOAT };
            let head = column.head();
            let field = Type::primitive_type_builder(&head, kind);
            field.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
        };
        let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder("run").with_fields(fields).build()?;
        let properties = WriterProperties::builder()
            // Without a version of the library, which would differ for equal tables.
            .set_created_by("rolima".to_owned())
            .set_compression(Compression::SNAPPY)
            .build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        let values = |column: &Column| match column.is_double {
            true => Values::Double(vec![]),
            false => Values::Single(vec![]),
        };
        let row: usize = columns.iter().map(|c| if c.is_double { 8 } else { 4 }).sum();
        let group = (GATHERED / row.max(1)).clamp(1, MOST_ROWS);
        Ok(Self { writer, columns: columns.iter().map(values).collect(), rows: 0, group })
    }

    /// Writes the rows that are gathered.
    fn write(&mut self) -> Result<(), TableError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for values in &mut self.columns {
            let Some(mut column) = group.next_column()? else { break };
            match values {
                Values::Single(all) => {
                    column.typed::<FloatType>().write_batch(all, None, None)?;
                    all.clear();
                }
                Values::Double(all) => {
                    column.typed::<DoubleType>().write_batch(all, None, None)?;
                    all.clear();
                }
            }
            column.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

impl<W: Write + Send> Sink for Parquet<W> {
    fn row(&mut self, values: &[f64]) -> Result<(), TableError> {
        for (column, &value) in self.columns.iter_mut().zip(values) {
            match column {
                Values::Single(all) => all.push(value as f32),
                Values::Double(all) => all.push(value),
            }
        }
        self.rows += 1;
        if self.rows < self.group {
            return Ok(());
        }
        self.write()
    }

    fn end(&mut self) -> Result<(), TableError> {
        self.write()?;
        self.writer.finish()?;
        Ok(self.writer.inner_mut().flush()?)
    }
}

impl From<ParquetError> for TableError {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(other) => match other.downcast::<std::io::Error>() {
                Ok(why) => Self::File(*why),
                Err(other) => Self::Format(other.to_string()),
            },
            other => Self::Format(other.to_string()),
        }
    }
}
