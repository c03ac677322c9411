//! Clients of a run's links, for programs that are a team's control computer: whole frames of an overhead camera, bit
//! for bit as the camera made them.
//!
//! ```no_run
//! use rolima_client::{CameraClient, CameraEvent, CameraOptions};
//! use std::time::Duration;
//!
//! let mut camera = CameraClient::connect("127.0.0.1:8650", &CameraOptions::default())?;
//! loop {
//!     match camera.next(Duration::from_secs(1))? {
//!         Some(CameraEvent::Frame) => {
//!             let [width, height] = camera.size();
//!             println!("{}: {width} x {height}, {} bytes", camera.head().number, camera.rgb().len());
//!         }
//!         Some(CameraEvent::End) => break,
//!         _ => {}
//!     }
//! }
//! # Ok::<(), rolima_client::ClientError>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `camera` | a camera's client, whatever it comes by |
//! | `transport` | messages by TCP and by UDP |
//! | [`c`] | the same for programs in C |

pub mod c;
mod camera;
mod transport;

pub use camera::{CameraClient, CameraEvent, CameraOptions, CameraStats, ClientError, Transport};
pub use rolima_link::{CameraInfo, FrameHead, Turn};
