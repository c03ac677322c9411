//! A live run with camera links, and what its cameras must have seen.

use rolima_client::{CameraClient, CameraEvent, CameraOptions, Transport};
use rolima_core::{Model, World};
use rolima_link::server::{CameraLinkOptions, CameraLinks, FrameMaker, LinkLimits, LinkStats};
use rolima_render::{CameraRenderer, CameraShot, Grain, Pictures};
use rolima_run::Speed;
use rolima_run::live::{Live, Mailbox, Request, Setup};
use rolima_scene::{Source, load};
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Until when a test waits for what must come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// What the scene says of its camera's edges.
const SMOOTH: &str = "smooth = true          # a pixel is as wide as a line\n";

/// Four robots that chase a ball under two small cameras, the first with these keys.
pub(crate) fn model(keys: &str) -> Arc<Model> {
    let text = include_str!("../../../../../scenes/watched.toml");
    let (old, small) =
        ("width = 640\nheight = 480\n", "width = 160\nheight = 120\nrate_hz = 33.333\n");
    assert!(text.contains(old) && text.contains(SMOOTH));
    let text = text.replace(SMOOTH, "");
    let second = format!(
        "\n[[sensor]]\nkind = \"camera\"\nname = \"other\"\nposition = [0, 0, 2.2]\nheading_deg = 90\n\
         tilt_deg = 90\n{small}opening_deg = [50, 40]\n"
    );
    let text = text.replace(old, &format!("{small}{keys}")) + &second;
    let source = Source::Text { name: "test".to_owned(), text };
    load(&source, &[]).expect("a good scene").compile().expect("a good scene").into()
}

/// A live run with its links, ended when this is dropped.
pub(crate) struct Running {
    pub(crate) links: Option<CameraLinks>,
    pub(crate) mailbox: Mailbox,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Runs in real time, or in lock step with so many cameras.
    pub(crate) fn start(
        model: &Arc<Model>,
        options: &CameraLinkOptions,
        lock_step: Option<u32>,
    ) -> Self {
        let speed = if lock_step.is_some() { Speed::Max } else { Speed::REAL_TIME };
        let mut live = Live::new(Setup { speed, lock_step, ..Setup::new("test", model.clone()) });
        let mailbox = live.mailbox();
        let loop_mailbox = lock_step.map(|_| live.mailbox());
        let (links, sink) = CameraLinks::open(model, options, loop_mailbox).expect("free ports");
        live.add_sink(Box::new(sink));
        let thread = std::thread::spawn(move || drop(live.run()));
        Self { links: Some(links), mailbox, thread: Some(thread) }
    }

    /// Where a camera's link is.
    pub(crate) fn address(&self, camera: usize) -> SocketAddr {
        let mut all = self.links.as_ref().expect("open").announced();
        all.nth(camera).expect("a camera").address
    }

    pub(crate) fn stats(&self, camera: usize) -> LinkStats {
        self.links.as_ref().expect("open").stats()[camera]
    }

    /// Waits until the link has counted what a test wants to see.
    pub(crate) fn wait_for(&self, camera: usize, wanted: impl Fn(&LinkStats) -> bool) -> LinkStats {
        let until = std::time::Instant::now() + PATIENCE;
        loop {
            let stats = self.stats(camera);
            if wanted(&stats) {
                return stats;
            }
            assert!(std::time::Instant::now() < until, "{stats:?}");
            std::thread::yield_now();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.mailbox.send(Request::Stop);
        self.links = None;
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the loop does not panic");
        }
    }
}

/// Any free ports of this machine.
pub(crate) fn options() -> CameraLinkOptions {
    CameraLinkOptions {
        listen: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
        ..CameraLinkOptions::default()
    }
}

/// The same with other limits.
pub(crate) fn limited(limits: LinkLimits) -> CameraLinkOptions {
    CameraLinkOptions { limits, ..options() }
}

pub(crate) fn connect(address: SocketAddr, transport: Transport) -> CameraClient {
    let options = CameraOptions { transport, patience: PATIENCE, ..CameraOptions::default() };
    CameraClient::connect(address, &options).expect("a link")
}

/// Waits for the next frame; answers turns.
pub(crate) fn next_frame(client: &mut CameraClient) {
    loop {
        match client.next(PATIENCE).expect("a link") {
            Some(CameraEvent::Frame) => return,
            Some(CameraEvent::Turn(turn)) => client.done(turn).expect("a link"),
            Some(CameraEvent::Camera) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// What a camera sees: the same world, simulated beside the run.
pub(crate) struct Expected {
    world: World,
    eyes: CameraRenderer,
    device: usize,
}

impl Expected {
    pub(crate) fn new(model: &Arc<Model>, camera: &str) -> Self {
        let device = FrameMaker::device(model, camera).expect("a camera");
        let eyes = CameraRenderer::new(model).expect("a stage");
        Self { world: World::new(model.clone()), eyes, device }
    }

    /// The picture that was taken at a step, which must not lie before the last one, drawn in whole.
    pub(crate) fn at(&mut self, step: u64) -> Vec<u8> {
        self.world.steps(step - self.world.state().step);
        let exposure = self.world.exposure(self.device).expect("a camera");
        assert_eq!(exposure.step, step);
        let model = self.world.model();
        let noise = self.world.state().senses.camera_noise(self.device).expect("a camera");
        let grain = Some(Grain { sigma: noise.sigma, stream: noise.stream, number: noise.taken });
        let shot = CameraShot {
            poses: &exposure.poses,
            motions: &exposure.motions,
            time_s: step as f64 * model.step_s,
            grain,
            ..CameraShot::default()
        };
        self.eyes.place(shot.poses, &[]);
        let mut rgb = vec![0; 3 * 160 * 120];
        let pictures = Pictures { rgb: Some(&mut rgb), depth: None, objects: None };
        self.eyes.draw(model, self.device, &shot, pictures).expect("a picture");
        rgb
    }
}
