//! Bytes as messages of the camera link, both ways, as frames and as datagrams: an error or a picture, never a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rolima_link::{
    Assembler, ClientMessage, FramePatch, PictureDecoder, PictureEncoder, ServerMessage,
};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(message) = ClientMessage::read(bytes) {
        let mut again = vec![];
        message.write(&mut again);
        assert_eq!(ClientMessage::read(&again), Ok(message));
    }
    // Messages with their lengths before them, to a client that has a background.
    let mut decoder = PictureDecoder::default();
    let background = [90; 3 * 16 * 12];
    let encoder = PictureEncoder::new(0, [16, 12], &background).expect("a size");
    take(&mut decoder, encoder.key_message());
    let mut rest = bytes;
    while let Some((length, more)) = rest.split_first_chunk::<2>() {
        let length = usize::from(u16::from_le_bytes(*length)).min(more.len());
        take(&mut decoder, &more[..length]);
        rest = &more[length..];
    }
    let [width, height] = decoder.size().map(|side| side as usize);
    assert_eq!(decoder.rgb().len(), 3 * width * height);
    // Datagrams of some length.
    let mut assembler = Assembler::default();
    for datagram in bytes.chunks(usize::from(bytes.first().copied().unwrap_or(1)).max(1)) {
        if let Some(message) = assembler.take(datagram) {
            let message = message.to_vec();
            take(&mut decoder, &message);
        }
    }
});

fn take(decoder: &mut PictureDecoder, message: &[u8]) {
    match ServerMessage::read(message) {
        Ok(ServerMessage::Key { key, width, height, crc, data }) => {
            let _ = decoder.key(key, [width, height], crc, data);
        }
        Ok(ServerMessage::Frame { head, crc, patches, data }) => {
            let _: &[FramePatch] = &patches;
            let _ = decoder.frame(&head, crc, &patches, data);
        }
        _ => {}
    }
}
