//! Requests: encoders for clients.

use super::Dialect;

pub(super) const GET: u8 = 0;
pub(super) const SET: u8 = 1;
/// In the thesis's dialect only.
pub(super) const SET_DATA: u8 = 2;

/// Asks for something.
pub fn encode_get(dialect: Dialect, name: &str, out: &mut Vec<u8>) {
    head(GET, name, out);
    if dialect == Dialect::Release {
        out.extend(0.0f32.to_le_bytes());
    }
}

/// Sets a number.
pub fn encode_set(_dialect: Dialect, name: &str, value: f32, out: &mut Vec<u8>) {
    head(SET, name, out);
    out.extend(value.to_le_bytes());
}

/// Sets bytes. More than [`MOST_DATA_BYTES`](super::MOST_DATA_BYTES) are refused on the other side.
pub fn encode_set_data(dialect: Dialect, name: &str, data: &[u8], out: &mut Vec<u8>) {
    match dialect {
        // Every size up to the limit is a number of its own.
        Dialect::Release => encode_set(dialect, name, data.len() as f32, out),
        Dialect::Thesis => {
            head(SET_DATA, name, out);
            out.extend(i32::try_from(data.len()).unwrap_or(i32::MAX).to_le_bytes());
        }
    }
    out.extend(data);
}

/// Sets numbers. The release tells how many there are, the thesis how many bytes they have.
pub fn encode_set_floats(dialect: Dialect, name: &str, floats: &[f32], out: &mut Vec<u8>) {
    match dialect {
        Dialect::Release => {
            encode_set(dialect, name, floats.len() as f32, out);
            out.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
        }
        Dialect::Thesis => {
            let bytes: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
            encode_set_data(dialect, name, &bytes, out);
        }
    }
}

fn head(op: u8, name: &str, out: &mut Vec<u8>) {
    out.push(op);
    out.extend(i32::try_from(name.len()).unwrap_or(i32::MAX).to_le_bytes());
    out.extend(name.as_bytes());
}
