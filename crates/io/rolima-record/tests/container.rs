//! The container as others read it: every record of it, its indexes and its summary.

use crate::recorded;
use mcap::records::{Record, op};
use rolima_record::{Options, PictureFormat};
use std::collections::BTreeMap;

#[test]
fn indexes_and_summary_say_what_is_in_the_file() {
    let pictures = Some(PictureFormat::Jpeg);
    for options in
        [Options::default(), Options { compressed: false, pictures, ..Options::default() }]
    {
        let file = recorded("watched", &[], 2.3, &options);
        // Checksums are compared on the way.
        let mut counts: BTreeMap<u16, u64> = BTreeMap::new();
        let mut times = [u64::MAX, 0];
        for message in mcap::MessageStream::new(&file).expect("MCAP") {
            let message = message.expect("MCAP");
            *counts.entry(message.channel.id).or_default() += 1;
            times = [times[0].min(message.log_time), times[1].max(message.log_time)];
        }
        let summary = mcap::Summary::read(&file).expect("MCAP").expect("a summary");
        let told = summary.stats.as_ref().expect("statistics");
        assert_eq!(told.channel_message_counts, counts);
        assert_eq!(told.message_count, counts.values().sum::<u64>());
        assert_eq!([told.message_start_time, told.message_end_time], times);
        assert_eq!(told.chunk_count as usize, summary.chunk_indexes.len());
        assert_eq!(told.schema_count as usize, summary.schemas.len());
        assert_eq!(told.channel_count as usize, summary.channels.len());
        assert_eq!(told.metadata_count as usize, summary.metadata_indexes.len());
        assert!(summary.chunk_indexes.len() >= 3, "a second each");
        let mut indexed = 0;
        for chunk in &summary.chunk_indexes {
            let of_channels = summary.read_message_indexes(&file, chunk).expect("MCAP");
            let mut of_channels = of_channels.into_iter().collect::<Vec<_>>();
            of_channels.sort_by_key(|(channel, _)| channel.id);
            for (channel, entries) in of_channels {
                for entry in entries {
                    let message = summary.seek_message(&file, chunk, &entry).expect("MCAP");
                    assert_eq!(
                        (message.channel.id, message.log_time),
                        (channel.id, entry.log_time)
                    );
                    indexed += 1;
                }
            }
        }
        assert_eq!(indexed, told.message_count);
    }
}

#[test]
fn the_whole_file_has_the_checksum_that_it_says() {
    let file = recorded("soccer", &[], 0.5, &Options::default());
    let mut at = mcap::MAGIC.len();
    loop {
        let length = u64::from_le_bytes(file[at + 1..at + 9].try_into().expect("8 bytes")) as usize;
        if file[at] == op::DATA_END {
            let body = &file[at + 9..at + 9 + length];
            let Ok(Record::DataEnd(end)) = mcap::parse_record(op::DATA_END, body) else { panic!() };
            assert_eq!(end.data_section_crc, crc32fast::hash(&file[..at]));
            break;
        }
        at += 9 + length;
    }
}
