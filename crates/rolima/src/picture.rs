//! `rolima picture`: what a camera of a robot or of the world sees, as files.

use crate::cli::SceneArguments;
use crate::scene;
use anyhow::Result;
use clap::Args;
use rolima_console::failure::{Usage, say};
use rolima_console::numbers::{count, seconds};
use rolima_core::World;
use rolima_core::model::{Model, Mount};
use rolima_film::Still;
use rolima_render::camera_of;
use rolima_run::steps_for;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct PictureArguments {
    #[command(flatten)]
    scene: SceneArguments,

    /// Name of the robot [default: the first with a camera, else the world]
    #[arg(long, value_name = "NAME")]
    robot: Option<String>,

    /// Name of the camera, of a robot or of the world [default: the first]
    #[arg(long, value_name = "NAME")]
    camera: Option<String>,

    /// Simulated time before the picture; the newest one of that time is taken
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = seconds)]
    after: f64,

    /// Key of all random numbers [default: that of the scene]
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    seed: Option<u64>,

    /// Write the picture here
    #[arg(long, value_name = "FILE.png")]
    out: PathBuf,

    /// Write depth here: 16 bits a pixel, millimetres along the optical axis, 65535 from there on
    #[arg(long, value_name = "FILE.png")]
    depth: Option<PathBuf>,

    /// Write what stands at each pixel here: 16 bits a pixel, 0 sky, 1 ground, 2 painted line,
    /// 3 mesh, 4 wall, from 16 on bodies in the order of memory
    #[arg(long, value_name = "FILE.png")]
    objects: Option<PathBuf>,
}

/// Takes a picture and writes it.
pub(crate) fn picture(arguments: &PictureArguments) -> Result<()> {
    let model = scene::open(&arguments.scene)?.model;
    let device = find(&model, arguments)?;
    let seed = arguments.seed.unwrap_or(model.spec.sim.seed);
    let mut world = World::with_seed(model.clone(), seed);
    world.steps(steps_for(arguments.after, model.step_s));

    let no_camera = || Usage("this sensor is no camera".to_owned());
    let still = Still::take(&world, device)?.ok_or_else(no_camera)?;
    still.write_rgb(&arguments.out)?;
    arguments.depth.iter().try_for_each(|path| still.write_depth(path))?;
    arguments.objects.iter().try_for_each(|path| still.write_objects(path))?;
    let name = model.mount_name(model.devices[device].mount);
    let [width, height] = still.size;
    let at_s = still.step as f64 * model.step_s;
    say(&format!(
        "{name}, {}: {width} x {height} pixels, taken at {at_s:.3} s",
        arguments.out.display()
    ))?;
    Ok(())
}

/// The camera that is asked for, by its number among all sensors.
fn find(model: &Model, arguments: &PictureArguments) -> Result<usize> {
    let cameras: Vec<usize> =
        (0..model.devices.len()).filter(|&d| camera_of(model, d).is_some()).collect();
    let mount_of = |d: usize| model.devices[d].mount;
    let fits = |d: &&usize| {
        let robot = mount_of(**d).robot().map(|_| model.mount_name(mount_of(**d)));
        arguments.robot.as_deref().is_none_or(|name| Some(name) == robot)
            && arguments.camera.as_deref().is_none_or(|name| name == model.devices[**d].name)
    };
    let found = cameras.iter().find(fits);
    found.copied().ok_or_else(|| {
        let known: Vec<String> = cameras
            .iter()
            .map(|&d| {
                let name = &model.devices[d].name;
                match mount_of(d) {
                    Mount::Robot(_) => format!("{name} of {}", model.mount_name(mount_of(d))),
                    Mount::World => format!("{name} of the world"),
                }
            })
            .collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Usage(format!("no such camera; the cameras of this scene: {known}")).into()
    })
}
