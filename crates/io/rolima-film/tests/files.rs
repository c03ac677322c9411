//! Films as files, read back.

use rolima_film::{Encode, FilmError, Reel, shoot};
use rolima_testing::Folder;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

const SIZE: [u32; 2] = [48, 32];

/// A square that goes its way over a shaded ground.
fn picture(number: u64) -> Vec<u8> {
    let [width, height] = SIZE.map(u64::from);
    let pixel = |x: u64, y: u64| {
        let is_square = (number + 4..number + 12).contains(&x) && (8..16).contains(&y);
        if is_square { [250, 40, 20] } else { [4 * x as u8, 6 * y as u8, 96] }
    };
    (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect()
}

fn reel(fps: u32, pictures: u64) -> Reel {
    Reel { size: SIZE, fps, pictures }
}

/// Takes as many pictures as there are, or fewer.
fn take(reel: &Reel, path: &Path, most: u64) -> Result<u64, FilmError> {
    let file = reel.open(path, false)?;
    shoot(reel, file, |number, rgb| {
        rgb.copy_from_slice(&picture(number));
        Ok(number < most)
    })
}

/// The pictures of a GIF as they are shown, and how long each lasts, 1/100 s.
fn read_gif(path: &Path) -> Vec<(Vec<u8>, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options
        .read_info(BufReader::new(File::open(path).expect("it is well")))
        .expect("it is well");
    assert_eq!([decoder.width(), decoder.height()].map(u32::from), SIZE);
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut canvas = vec![0_u8; 3 * (SIZE[0] * SIZE[1]) as usize];
    let mut all = vec![];
    while let Some(frame) = decoder.read_next_frame().expect("it is well") {
        for (i, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, p)| p[3] > 0) {
            let x = usize::from(frame.left) + i % usize::from(frame.width);
            let y = usize::from(frame.top) + i / usize::from(frame.width);
            let at = 3 * (y * SIZE[0] as usize + x);
            canvas[at..at + 3].copy_from_slice(&pixel[..3]);
        }
        all.push((canvas.clone(), frame.delay));
    }
    all
}

/// The pictures of an APNG as they are shown.
fn read_apng(path: &Path) -> (u32, Vec<Vec<u8>>) {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).expect("it is well")))
        .read_info()
        .expect("it is well");
    let info = reader.info();
    assert_eq!([info.width, info.height], SIZE);
    let animation = info.animation_control.expect("an animation");
    assert_eq!(animation.num_plays, 0);
    let mut canvas = vec![0_u8; 3 * (SIZE[0] * SIZE[1]) as usize];
    let mut all = vec![];
    for _ in 0..animation.num_frames {
        let mut bytes = vec![0; reader.output_buffer_size().expect("it is well")];
        reader.next_frame(&mut bytes).expect("it is well");
        let frame = *reader.info().frame_control().expect("a frame");
        assert_eq!((frame.delay_num, frame.delay_den), (1, 25));
        for (i, pixel) in
            bytes.chunks_exact(3).take((frame.width * frame.height) as usize).enumerate()
        {
            let x = frame.x_offset as usize + i % frame.width as usize;
            let y = frame.y_offset as usize + i / frame.width as usize;
            let at = 3 * (y * SIZE[0] as usize + x);
            canvas[at..at + 3].copy_from_slice(pixel);
        }
        all.push(canvas.clone());
    }
    (animation.num_frames, all)
}

#[test]
fn an_apng_has_every_picture_to_the_bit() {
    let folder = Folder::new("film-apng");
    for (name, most, count) in [("whole.apng", 20, 20), ("short.png", 7, 7)] {
        let file = folder.file(name);
        assert_eq!(take(&reel(25, 20), &file, most).expect("it is well"), count);
        let (said, pictures) = read_apng(&file);
        assert_eq!(u64::from(said), count, "{name}: its head says how many there are");
        for (number, read) in pictures.iter().enumerate() {
            assert!(*read == picture(number as u64), "{name}: picture {number}");
        }
    }
}

#[test]
fn a_gif_shows_every_picture_in_near_colours_for_as_long_as_it_lasts() {
    let folder = Folder::new("film-gif");
    let file = folder.file("a.gif");
    assert_eq!(take(&reel(30, 30), &file, 30).expect("it is well"), 30);
    let pictures = read_gif(&file);
    assert_eq!(pictures.len(), 30);
    // A second, though 1/30 s is no whole number of hundredths.
    assert_eq!(pictures.iter().map(|(_, delay)| u32::from(*delay)).sum::<u32>(), 100);
    assert!(pictures.iter().all(|(_, delay)| (3..=4).contains(delay)));
    for (number, (shown, _)) in pictures.iter().enumerate() {
        let expected = picture(number as u64);
        let off = shown.iter().zip(&expected).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(off <= Some(16), "picture {number} is off by {off:?}");
    }
    // What stands still is what it was in the first picture.
    let last = |y: usize| 3 * (y * SIZE[0] as usize)..3 * ((y + 1) * SIZE[0] as usize);
    assert_eq!(pictures[29].0[last(30)], pictures[0].0[last(30)]);
}

#[test]
fn equal_pictures_give_equal_bytes() {
    let folder = Folder::new("film-equal");
    for ending in ["gif", "apng"] {
        let [one, other] = ["a", "b"].map(|name| {
            let file = folder.file(&format!("{name}.{ending}"));
            take(&reel(25, 12), &file, 12).expect("it is well");
            std::fs::read(file).expect("it is well")
        });
        assert!(one == other && one.len() > 500, "{ending}");
    }
}

#[test]
fn what_is_not_finished_leaves_no_file() {
    let folder = Folder::new("film-failed");
    for ending in ["gif", "apng"] {
        let file = folder.file(&format!("a.{ending}"));
        let reel = reel(25, 10);
        let failed = shoot::<FilmError>(
            &reel,
            reel.open(&file, false).expect("it is well"),
            |number, rgb| {
                rgb.copy_from_slice(&picture(number));
                if number < 5 {
                    Ok(true)
                } else {
                    Err(FilmError::Format { file: "stop".to_owned() })
                }
            },
        );
        assert!(failed.unwrap_err().to_string().starts_with("stop"), "{ending}");
        assert!(!file.exists(), "{ending}: half a film");
        assert_eq!(take(&reel, &file, 0).expect("it is well"), 0);
        assert!(!file.exists(), "{ending}: a film of no pictures");
        take(&reel, &file, 3).expect("it is well");
        let error = reel.open(&file, false).err().expect("there is one").to_string();
        assert!(error.contains("--force") && file.exists(), "{error}");
        let again = reel.open(&file, true).expect("it is well");
        drop(again);
    }
}

/// An encoder that takes two pictures.
struct Full(std::sync::Arc<std::sync::atomic::AtomicU32>, u32);

impl Encode for Full {
    fn write(&mut self, _: &[u8]) -> Result<(), FilmError> {
        self.1 += 1;
        let why = std::io::Error::other("disk full");
        if self.1 < 3 { Ok(()) } else { Err(FilmError::File { file: "a".to_owned(), why }) }
    }

    fn finish(self: Box<Self>) -> Result<(), FilmError> {
        panic!("it failed before");
    }

    fn call_off(self: Box<Self>) {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }
}

#[test]
fn an_encoder_that_fails_ends_the_film_and_says_why() {
    let called_off = std::sync::Arc::default();
    let reel = reel(25, 1_000_000);
    let mut drawn = 0;
    let failed =
        shoot::<FilmError>(&reel, Box::new(Full(std::sync::Arc::clone(&called_off), 0)), |_, _| {
            drawn += 1;
            Ok(true)
        });
    assert_eq!(failed.unwrap_err().to_string(), "a cannot be written: disk full");
    assert_eq!(called_off.load(std::sync::atomic::Ordering::Relaxed), 1);
    assert!(drawn < 20, "{drawn} pictures were drawn for nobody");
}

#[test]
fn what_no_format_has_is_refused_with_what_it_has() {
    let folder = Folder::new("film-refused");
    let refused = |name: &str, reel: Reel| {
        let error = reel.open(&folder.file(name), false).err().expect("refused");
        assert!(error.is_usage(), "{error}");
        assert!(!folder.file(name).exists());
        error.to_string()
    };
    let said = refused("a.webm", reel(25, 1));
    assert!(said.contains("a.webm: expected a name that ends in .mp4, .gif or .apng"), "{said}");
    assert!(said.contains("--ffmpeg"), "{said}");
    assert!(refused("a", reel(25, 1)).contains("expected a name"));
    assert!(refused("a.gif", reel(51, 1)).contains("at most 50 pictures a second, got 51"));
    let wide = Reel { size: [70_000, 2], fps: 1, pictures: 1 };
    assert!(refused("a.gif", wide).contains("got 70000 x 2"));
    assert!(refused("a.apng", reel(70_000, 1)).contains("got 70000"));
    let said = refused("a.mp4", Reel { size: [641, 480], fps: 25, pictures: 1 });
    let is_told =
        if cfg!(feature = "mp4") { "an even width and height" } else { "apt install g++" };
    assert!(said.contains(is_told), "{said}");
}

#[cfg(unix)]
#[test]
fn ffmpeg_that_is_not_there_or_gives_up_is_told() {
    let folder = Folder::new("film-ffmpeg");
    let file = folder.file("a.unknown-ending");
    let reel = reel(25, 4);
    // Whether or not ffmpeg is there, this cannot be made.
    let made = reel.open_ffmpeg(&file, false).and_then(|file| {
        shoot(&reel, file, |number, rgb| {
            rgb.copy_from_slice(&picture(number));
            Ok(true)
        })
    });
    let said = made.expect_err("no such format").to_string();
    assert!(said.contains("ffmpeg gave up: ") || said.contains("apt install ffmpeg"), "{said}");
    assert!(!file.exists());
}
