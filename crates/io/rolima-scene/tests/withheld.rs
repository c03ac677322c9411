//! Files that a scene names need not be what they are taken for: they may be anything that this user can
//! read, and errors, which viewers may get, show nothing of them.

use crate::common;

use common::check;
use rolima_scene::Source;
use rolima_testing::Folder;

const SECRET: &str = "hunter4711";

/// Texts that are nothing a reader takes, each wrong in another place.
const TEXTS: [&str; 16] = [
    "hunter4711\n",
    "root:x:0:0:hunter4711:/root\n",
    "key hunter4711",
    "hunter4711 = \n",
    "a = hunter4711\n",
    "a = \"hunter4711\n",
    "a = 1\na = \"hunter4711\"\n",
    "[hunter4711\n",
    "1 2\n3 hunter4711\n",
    "v hunter4711 0 0\n",
    "v 0 0 0\nf hunter4711 1 2\n",
    "mtllib hunter4711.mtl\n",
    "newmtl a\nKd hunter4711 0 0\n",
    "ncols hunter4711\nnrows 2\n",
    "MeshVersionFormatted hunter4711\n",
    "W 0 0 hunter4711 1\nR 0 0\nO 1 1 hunter4711",
];

/// What names a file, and what the file is called there.
const NAMES: [(&str, &str); 9] = [
    ("[[part]]\ninclude = \"secret.toml\"\n", "secret.toml"),
    ("[[map]]\nfile = \"secret.txt\"\n", "secret.txt"),
    ("[[map]]\nfile = \"map.txt\"\n", "secret.obj"),
    ("[ground]\nkind = \"file\"\nfile = \"secret.txt\"\nsize = [4, 2]\n", "secret.txt"),
    ("[ground]\nkind = \"file\"\nfile = \"secret.msh\"\n", "secret.msh"),
    ("[ground]\nkind = \"file\"\nfile = \"secret.asc\"\n", "secret.asc"),
    (
        "[ground]\nkind = \"file\"\nfile = \"secret.png\"\nsize = [4, 2]\nheights = [0, 1]\n",
        "secret.png",
    ),
    ("[ground]\nsize = [4, 2]\nfriction_map = \"secret.txt\"\n", "secret.txt"),
    (
        "[[robot]]\nmodel = \"vehicle\"\n[robot.chassis]\nmesh = \"good.obj\"\n[robot.wheels]\nradius = 0.1\n\
         width = 0.06\nmotor = { gear = 20 }\n[[robot.wheel]]\nposition = [0, 0.3, -0.05]\n",
        "secret.mtl",
    ),
];

#[test]
fn nothing_of_a_file_is_shown_that_is_not_what_it_is_taken_for() {
    let folder = Folder::new("withheld");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.file(name), text).expect("a file");
    };
    write("map.txt", "R 0 0\nO 1 1 secret.obj\n");
    write("good.obj", "mtllib secret.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let mut refused = [0; NAMES.len()];
    for ((scene, file), refused) in NAMES.iter().zip(&mut refused) {
        write("scene.toml", scene);
        for text in TEXTS {
            write(file, text);
            if let Err(error) = check(&Source::File(folder.file("scene.toml")), &[]) {
                let said = error.to_string();
                assert!(!said.contains(SECRET), "{scene} of {text:?}: {said}");
                *refused += u32::from(said.contains(file));
            }
        }
    }
    // Each reader has looked at the file and found something to say; one of them alone takes few texts.
    assert!(refused.iter().all(|count| *count >= 1), "{refused:?}");
}

#[test]
fn what_viewers_are_told_of_a_scene_of_the_host_names_the_place_and_not_what_stands_there() {
    let scene = "[sim]\nstep_s = \"hunter4711\"\nsted_s = 1\n[[robot]]\npreset = \"hunter4711\"\n";
    let error = check(&common::text(scene), &[]).expect_err("it is bad");
    let (here, there) = (error.to_string(), error.withheld().to_string());
    assert!(here.contains(SECRET), "{here}");
    assert!(!there.contains(SECRET), "{there}");
    for told in ["x.toml:2: sim.step_s: expected", "x.toml:5: robot.0.preset: expected"] {
        assert!(there.contains(told), "{there}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_beside_a_map_leads_to_no_file_elsewhere() {
    let folder = Folder::new("links");
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::fs::create_dir_all(folder.file("maps/below")).expect("a folder");
    for name in ["outside.obj", "maps/below/inside.obj"] {
        std::fs::write(folder.file(name), mesh).expect("a mesh");
    }
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(folder.file(to), folder.file(name)).expect("a link");
    };
    link("outside.obj", "maps/out.obj");
    link("", "maps/up");
    link("maps/below/inside.obj", "maps/in.obj");
    link("maps", "elsewhere");
    let scene = |map: &str, mesh: &str| {
        let text = format!("[[map]]\nfile = \"{map}/m.txt\"\n");
        std::fs::write(folder.file("s.toml"), text).expect("a scene");
        std::fs::write(folder.file("maps/m.txt"), format!("O 1 1 {mesh}\n")).expect("a map");
        check(&Source::File(folder.file("s.toml")), &[]).map_err(|error| error.to_string())
    };
    for (map, mesh) in [("maps", "out.obj"), ("maps", "up/outside.obj"), ("elsewhere", "out.obj")] {
        let said = scene(map, mesh).map(drop).expect_err("it leads elsewhere");
        assert!(said.contains("expected meshes in files beside the map"), "{mesh}: {said}");
        let given = rolima_map::parse("m", &format!("O 1 1 {mesh}\n")).expect("a map");
        let given = rolima_scene::load_map_in(&given, Some(&folder.file(map)), &[]);
        assert!(given.is_err(), "{mesh}");
    }
    for (map, mesh) in [("maps", "in.obj"), ("elsewhere", "in.obj"), ("maps", "below/inside.obj")] {
        assert_eq!(scene(map, mesh).map(|scene| scene.spec.meshes.len()), Ok(1), "{mesh}");
    }
}
