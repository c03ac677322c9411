//! Films of simulations, without a display: what a camera sees, picture after picture, into a file.
//!
//! ```text
//!  world ──► Film: camera ─► renderer ─► overlays ──rgb──► Encode: GIF, APNG, MP4, or ffmpeg ──► file
//!            one thread                            [`shoot`]        another one
//! ```
//!
//! The pictures follow from the worlds alone, bit for bit, and so do the bytes of GIF and APNG files.
//!
//! ```
//! use rolima_core::{World, model::{Model, SceneSpec}};
//! use rolima_film::{Film, FilmError, Overlays, Reel, FilmView, shoot};
//!
//! let model = Model::compile(&SceneSpec::default()).expect("an empty scene");
//! let folder = rolima_testing::Folder::new("film-doc");
//! let reel = Reel { size: [64, 48], fps: 10, pictures: 3 };
//! let file = reel.open(&folder.file("nothing.gif"), false)?;
//! let view = FilmView::find("top", &model)?;
//! let mut film = Film::new(&model, view, reel.size, Overlays::NONE)?;
//! let mut world = World::new(model.into());
//! let taken = shoot::<FilmError>(&reel, file, |_, rgb| {
//!     film.draw(&world, 0.0, None, rgb)?;
//!     world.steps(100);
//!     Ok(true)
//! })?;
//! assert_eq!(taken, 3);
//! # Ok::<(), FilmError>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`encode`] | pictures to files |
//! | [`mod@film`] | pictures of a world, with overlays |
//! | [`view`] | where cameras are |
//! | [`overlay`] | time, score and traces in pictures |
//! | [`still`] | one picture of a camera, with depth and what stands where |
//! | [`mod@shoot`] | drawing and encoding side by side |

pub mod encode;
mod error;
pub mod film;
pub mod overlay;
pub mod shoot;
pub mod still;
pub mod view;

pub use encode::{Encode, Format, Reel};
pub use error::FilmError;
pub use film::Film;
pub use overlay::Overlays;
pub use shoot::shoot;
pub use still::Still;
pub use view::FilmView;
