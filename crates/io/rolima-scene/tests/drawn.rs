//! Chassis and wheels that were drawn: OBJ and MTL files, what follows from them, what is refused.

use crate::common;

use common::{check, text};
use rolima_scene::{Scene, Source};
use rolima_spatial::{VehicleSpec, presets};
use rolima_testing::Folder;

/// Scenes beside some files.
struct Files(Folder);

impl Files {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Folder::new(name);
        for (file, text) in files {
            std::fs::write(folder.file(file), text).expect("a file");
        }
        Self(folder)
    }

    fn check(&self, chassis: &str, wheels: &str) -> Result<Scene, String> {
        let scene = format!(
            "[[robot]]\n[robot.chassis]\n{chassis}\n[robot.wheels]\nmotor = {{ gear = 20 }}\n\
             radius = 0.1\nwidth = 0.06\n{wheels}\n[[robot.wheel]]\nposition = [0, 0.3, -0.05]\n\
             [[robot.wheel]]\nposition = [0, -0.3, -0.05]\n"
        );
        let path = self.0.file("scene.toml");
        std::fs::write(&path, scene).expect("a scene");
        let folder = format!("{}/", self.0.path().display());
        check(&Source::File(path), &[]).map_err(|error| error.to_string().replace(&folder, ""))
    }

    fn wrong(&self, chassis: &str, wheels: &str) -> String {
        self.check(chassis, wheels).map(|_| ()).expect_err("a mistake")
    }
}
fn vehicle(scene: &Scene) -> &VehicleSpec {
    scene.spec.robots[0].vehicle.as_deref().expect("a vehicle")
}

/// A wedge, in mm: 800 long, 400 wide, 200 high, its front edge low.
const WEDGE: &str = "mtllib colours.mtl\nv -400 -200 -100\nv 400 -200 -100\nv 400 200 -100\n\
    v -400 200 -100\nv -400 -200 100\nv -400 200 100\nusemtl shell\nf 4 3 2 1\nf 1 5 6 4\nusemtl team\n\
    f 2 3 6 5\nusemtl dark-red\nf 1 2 5\nf 3 4 6\n";
const COLOURS: &str = "newmtl shell\nKd 0.5 0.25 1\n";

/// A wheel of eight sides about y.
fn wheel(radius: f64, half: f64) -> String {
    let mut text = String::from("usemtl black\n");
    for y in [-half, half] {
        for i in 0..8 {
            let angle = f64::from(i) * std::f64::consts::FRAC_PI_4;
            let (sin, cos) = rolima_math::sin_cos(angle);
            text += &format!("v {} {y} {}\n", radius * cos, radius * sin);
        }
    }
    for i in 1..=8 {
        let j = i % 8 + 1;
        text += &format!("f {i} {} {} {j}\n", i + 8, j + 8);
    }
    text
}

#[test]
fn a_drawn_chassis_says_how_large_it_is_and_what_of_it_touches() {
    let folder = Files::new("drawn-wedge", &[("wedge.obj", WEDGE), ("colours.mtl", COLOURS)]);
    let mesh = "mesh = { file = \"wedge.obj\", scale = 0.001, offset = [0.1, 0, 0] }";
    let scene = folder.check(mesh, "").unwrap();
    let v = vehicle(&scene);
    let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs() + (a[1] - b[1]).abs() < 1e-9;
    assert!(near(v.chassis.length, [0.5, 0.3]), "{:?}", v.chassis.length);
    assert!(near(v.chassis.width, [0.2, 0.2]) && near(v.chassis.height, [0.1, 0.1]));
    let obj = &v.shapes.chassis.as_ref().expect("a shape").obj;
    assert!(obj.contains("usemtl 0x8040ff\n") && obj.contains("usemtl team\n"), "{obj}");
    assert!(obj.starts_with("v -0.3 -0.2 -0.1\n"), "{obj}");
    // Six corners and the middles of the bottom: nothing touches above the low front.
    assert_eq!(v.shapes.hull.len(), 11);
    assert!(v.shapes.hull.iter().all(|p| p.x < 0.4 || p.z < 0.0), "{:?}", v.shapes.hull);
    // The same numbers beside it are welcome, others are told.
    let same = format!("{mesh}\nlength = [0.5, 0.3]\nwidth = [0.201, 0.2]");
    assert_eq!(vehicle(&folder.check(&same, "").unwrap()).chassis.width, [0.201, 0.2]);
    assert_eq!(
        folder.wrong(&format!("{mesh}\nlength = [0.5, 0.5]"), ""),
        "scene.toml:4: robot.0.chassis.length: expected [0.5000, 0.3000] (m), as its mesh has it, \
         or nothing, got [0.5, 0.5]"
    );
    // Turned about the vertical, it is wide instead of long.
    let turned = "mesh = { file = \"wedge.obj\", scale = 0.001, rotation = [0, 0, 90] }";
    assert!(near(vehicle(&folder.check(turned, "").unwrap()).chassis.width, [0.4, 0.4]));
    let none = folder.check("mesh = \"none\"", "").unwrap();
    assert_eq!(vehicle(&none).shapes, rolima_spatial::Shapes::default());
}

#[test]
fn drawn_wheels_are_as_large_as_the_wheels_and_shared() {
    let files = [("good.obj", wheel(0.1, 0.03)), ("large.obj", wheel(0.13, 0.03))];
    let wide = ("wide.obj", wheel(0.1, 0.2));
    let files: Vec<(&str, &str)> =
        files.iter().chain([&wide]).map(|(name, text)| (*name, &text[..])).collect();
    let folder = Files::new("drawn-wheels", &files);
    let scene = folder.check("", "mesh = \"good.obj\"").unwrap();
    let [Some(a), Some(b)] = &vehicle(&scene).shapes.wheels[..] else { panic!("two wheels") };
    assert!(std::sync::Arc::ptr_eq(a, b));
    assert_eq!(
        folder.wrong("", "mesh = \"large.obj\""),
        "scene.toml:8: robot.0.wheels.mesh: expected a wheel of radius 0.1 m about its y axis, got \
         0.1300 m"
    );
    let error = folder.wrong("", "mesh = \"wide.obj\"");
    assert!(error.contains("half to twice as wide as 0.06 m, got 0.4000 m"), "{error}");
}

#[test]
fn mistakes_in_files_are_told_with_file_and_line() {
    let cube = "# a cube\nmtllib missing.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let files = [
        ("bad.obj", "v 0 0 0\nv 1 0\n"),
        ("steel.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl steel\nf 1 2 3\n"),
        ("cube.obj", cube),
        ("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        ("wedge.obj", WEDGE),
        ("colours.mtl", "newmtl shell\nKd 1 2 3\n"),
    ];
    let folder = Files::new("drawn-mistakes", &files);
    std::fs::write(
        folder.0.file("odd.obj"),
        cube.replace("# a cube\nmtllib missing", "mtllib odd"),
    )
    .expect("a file");
    std::fs::write(folder.0.file("odd.mtl"), b"newmtl \xff\n").expect("a file");
    for (mesh, expected) in [
        ("\"bad.obj\"", "bad.obj:2: expected three finite coordinates, got something else"),
        ("\"steel.obj\"", "steel.obj:4: expected a material of its MTL files, a plain colour"),
        (
            "\"cube.obj\"",
            "cube.obj:2: mtllib: expected an MTL file beside the OBJ file, got something else",
        ),
        (
            "\"odd.obj\"",
            "odd.obj:1: mtllib: expected an MTL file beside the OBJ file, got something else",
        ),
        ("\"wedge.obj\"", "colours.mtl:2: expected three numbers from 0 to 1, got something else"),
        ("\"flat.obj\"", "scene.toml:2: robot.0.chassis.height: expected a positive sum, got"),
        ("\"lost.obj\"", "scene.toml:3: robot.0.chassis.mesh: expected a file beside"),
        (
            "{ file = \"bad.obj\", size = 2 }",
            "scene.toml:3: robot.0.chassis.mesh.size: expected one of",
        ),
        (
            "{ scale = 2.0 }",
            "scene.toml:3: robot.0.chassis.mesh.file: expected a text, got nothing",
        ),
        (
            "{ file = \"flat.obj\", scale = 0 }",
            "scene.toml:3: robot.0.chassis.mesh.scale: expected",
        ),
        ("7", "scene.toml:3: robot.0.chassis.mesh: expected a table"),
    ] {
        let error = folder.wrong(&format!("mesh = {mesh}"), "");
        assert!(error.contains(expected), "{mesh}: {error}");
    }
    let long = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{}", "f 1 2 3\n".repeat(20_001));
    std::fs::write(folder.0.file("long.obj"), long).expect("a file");
    let error = folder.wrong("mesh = \"long.obj\"", "");
    assert!(error.contains("long.obj:20004: expected at most 20,000 triangles in all"), "{error}");
    // A scene in memory reaches files of the program only.
    let scene = "[[robot]]\npreset = \"vivi\"\n[robot.chassis]\nmesh = \"/etc/hostname\"\n";
    let error = check(&text(scene), &[]).map(|_| ()).expect_err("a mistake").to_string();
    assert!(error.contains("robot.0.chassis.mesh: expected a file beside"), "{error}");
}

#[test]
fn the_preset_vivi_is_drawn_as_large_as_its_figures_say() {
    let scene = check(&Source::preset("vivi"), &[]).unwrap();
    let v = vehicle(&scene);
    assert_eq!(v.chassis, presets::vivi().chassis);
    assert!(v.shapes.chassis.is_some() && v.shapes.wheels.len() == 4);
    assert!(v.shapes.hull.len() > 13, "{}", v.shapes.hull.len());
    // On both sides alike.
    for p in &*v.shapes.hull {
        let other = rolima_math::Vec3::new(p.x, -p.y, p.z);
        assert!(v.shapes.hull.iter().any(|q| (*q - other).length() < 1e-9), "{p:?}");
    }
}
