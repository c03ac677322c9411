//! The names of channels as text, which a reader in C needs no library for: a line each, with name, unit,
//! least and largest value, and meaning, tabs between them.

use rolima_core::Schema;
use rolima_wire::pb;

/// The channels of a scene, copied out of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChannelsCopy {
    /// Which scene.
    pub generation: u32,
    /// The channels, in the order of their values.
    pub channels: Vec<pb::Channel>,
    /// How many the scene has more, which are not in the block.
    pub left_out: u64,
}

/// All channels of a schema.
pub(super) fn text(schema: &Schema) -> String {
    let mut text = String::new();
    for channel in schema.channels() {
        let [low, high] = channel.range;
        for field in [channel.name.as_str(), channel.unit] {
            // What would divide lines and fields.
            text.extend(field.chars().map(|c| if c.is_control() { ' ' } else { c }));
            text.push('\t');
        }
        text.push_str(&format!("{low}\t{high}\t{}\n", channel.meaning));
    }
    text
}

/// Reads the channels back; lines that are none are left out.
pub(super) fn parse(text: &str) -> Vec<pb::Channel> {
    let line = |line: &str| {
        let mut fields = line.splitn(5, '\t');
        let (name, unit) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        let [low, high] = [fields.next()?.parse().ok()?, fields.next()?.parse().ok()?];
        Some(pb::Channel { name, unit, low, high, meaning: fields.next()?.to_owned() })
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for scene in ["soccer", "hills", "things"] {
            let model = rolima_scene::builtin_model(scene, &[]).expect("built in");
            let schema = Schema::new(&model);
            let back = parse(&text(&schema));
            assert_eq!(back.len(), schema.channels().len());
            for (back, channel) in back.iter().zip(schema.channels()) {
                assert_eq!((&back.name, back.unit.as_str()), (&channel.name, channel.unit));
                assert_eq!(
                    ([back.low, back.high], back.meaning.as_str()),
                    (channel.range, channel.meaning)
                );
            }
        }
        assert_eq!(parse("\n\tx\nname\tm\tnone\t1\tmeaning\n"), []);
    }
}
