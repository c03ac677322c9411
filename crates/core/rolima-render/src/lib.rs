//! Camera pictures on the CPU: no GPU, no driver, no display, no threads, and the same bits on every
//! machine and build.
//!
//! A [`Stage`] holds what stands and moves before the cameras; a [`Renderer`] draws what a
//! [`Camera`] sees of it: colours, depth, and which object is at each pixel.
//!
//! ```
//! use rolima_render::*;
//!
//! let mut builder = StageBuilder::new();
//! let grass = builder.pattern(Pattern::Grass)?;
//! builder.ground(Paint::textured(grass, 4.0), 1);
//! builder.wall([5.0, -3.0], [5.0, 3.0], 0.2, 2.0, Paint::plain([200, 190, 170]), 2);
//! let red = Paint::plain([220, 30, 30]).glossy(0.5);
//! let ball = builder.body(StageShape::Ball { radius: 0.5, paint: red }, StagePose::IDENTITY, 3);
//! let mut stage = builder.build();
//! stage.set_pose(ball, StagePose::upright(3.0, 0.0, 0.5, 0.0));
//!
//! let pose = StagePose::upright(0.0, 0.0, 0.5, 0.0);
//! let camera = Camera { lens: Lens::ROBOT_ONE, pose, quality: Quality::default() };
//! let mut rgb = vec![0; 3 * camera.lens.pixels()];
//! let mut objects = vec![0; camera.lens.pixels()];
//! let pictures = Pictures { rgb: Some(&mut rgb), objects: Some(&mut objects), depth: None };
//! Renderer::new().draw(&stage, &camera, pictures)?;
//! assert_eq!(objects[120 * 320 + 160], 3, "the ball is in the middle");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`pose`](StagePose), [`camera`](Camera) | places, lenses, and the numbers of a picture |
//! | [`paint`](Paint), [`texture`](Texture), [`pattern`](Pattern) | how things look |
//! | [`solid`](Solid), `obj`, `mtl` | what things are made of; meshes from files, and their colours |
//! | [`stage`](Stage), `grid` | what stands where, and what may be seen of it |
//! | [`renderer`](Renderer), `visible` | one picture, from culling to bytes |
//! | `land` | rough ground, and paint on it |
//! | `polygon`, `raster` | which pixels a face covers, and the nearest face of each pixel |
//! | `shade`, `output` | colours, and bytes |
//! | [`camera_renderer`](CameraRenderer), `dress`, `vehicle` | the cameras of a world, and how its things look |
//! | [`kept`](KeptPicture), [`rects`](PictureRect) | pictures of cameras that stand still: only what changes is drawn again |
//! | `imaging` | what lens, light, shutter and noise make of a picture |
//! | [`scenes`] | stages for benchmarks, golden tests and pictures in documents |

mod camera;
mod camera_renderer;
mod dress;
mod error;
mod grid;
mod imaging;
mod kept;
mod land;
mod mtl;
mod obj;
mod output;
mod paint;
mod pattern;
mod polygon;
mod pose;
mod raster;
mod rects;
mod renderer;
pub mod scenes;
mod shade;
mod solid;
mod stage;
mod texture;
mod vehicle;
mod visible;

pub use camera::{Camera, Lens, MOST_PIXELS, Quality};
pub use camera_renderer::{
    CameraRenderer, CameraShot, FIRST_BODY, GROUND, MARKING, MESH, WALL, camera, camera_in_space,
    camera_of,
};
pub use error::{DrawError, StageError};
pub use imaging::Grain;
pub use kept::KeptPicture;
pub use land::LandPaint;
pub use mtl::{
    DrawnPart, FARTHEST_PART_CORNER, MOST_PART_TRIANGLES, Materials, fuzz_entry, mtl_files,
    read_mtl, read_part,
};
pub use paint::{Colour, Daylight, Paint, TextureId};
pub use pattern::Pattern;
pub use pose::{Point3, StagePose};
pub use rects::PictureRect;
pub use renderer::{Pictures, Renderer};
pub use solid::Solid;
pub use stage::{FlatGround, SKY, Stage, StageBody, StageBuilder, StageShape};
pub use texture::{TEXTURE_SIDE, Texture};
