//! `[ground]`: kinds, files, layers, friction, fineness, and what is wrong with them.

use crate::common;

use common::{check, text};
use rolima_model::GroundSpec;
use rolima_scene::{Scene, Source, load};
use rolima_spatial::Edge;

fn read(scene: &str, sets: &[&str]) -> Scene {
    check(&text(scene), sets).unwrap_or_else(|error| panic!("{error}"))
}

fn ground(scene: &str) -> GroundSpec {
    read(scene, &[]).spec.ground.expect("ground")
}

fn wrong(scene: &str) -> String {
    load(&text(scene), &[]).map(|_| ()).expect_err("a mistake").to_string()
}

#[test]
fn ground_alone_is_a_plane_with_the_defaults() {
    let g = ground("[ground]");
    assert_eq!(g, GroundSpec { name: "flat".to_owned(), ..g.clone() });
    assert_eq!((g.fine_step_s, g.control_period_s, g.slices), (1e-3, 1e-2, 37));
    assert_eq!((g.contact_every, g.tyre_every), (1, 1));
    assert_eq!(g.terrain.spec().heights.nx, 2);
    assert_eq!(g.terrain.spec().edge, Edge::Extended);
    assert!(g.terrain.contains(50.0, -50.0) && !g.terrain.contains(50.1, 0.0));
    assert!(load(&text(""), &[]).unwrap().spec.ground.is_none());
}

#[test]
fn a_function_of_x_and_y_makes_hills_that_can_be_written() {
    let scene = "[ground]\nkind = \"expression\"\nz = \"0.1 * x + 2 * (y > 1)\"\nsize = [10, 8]\n\
        center = [5, 0]\nnodes = [11, 9]\nedge = \"ends\"";
    let g = ground(scene);
    let t = &g.terrain;
    assert!((t.height(3.0, -1.0) - 0.3).abs() < 1e-12 && (t.height(3.0, 3.0) - 2.3).abs() < 1e-12);
    assert_eq!((t.spec().min.x, t.spec().max.x), (0.0, 10.0));
    assert_eq!(t.spec().edge, Edge::Ends);
}

#[test]
fn hills_come_from_their_seed_and_have_a_clearing() {
    let hills = |seed: u32| {
        format!(
            "[ground]\nkind = \"hills\"\nseed = {seed}\nsize = [60, 40]\nclearing = 5\namplitude = 2"
        )
    };
    let (a, b) = (ground(&hills(1)), ground(&hills(2)));
    assert_eq!(a.terrain.height(2.0, 1.0), 0.0);
    assert_ne!(a.terrain.height(20.0, 11.0), b.terrain.height(20.0, 11.0));
    assert_eq!(a, ground(&hills(1)));
    assert_ne!(a, b);
    assert_eq!((a.terrain.spec().heights.nx, a.terrain.spec().heights.ny), (301, 201));
}

#[test]
fn files_stand_beside_the_scene() {
    let folder = rolima_testing::Folder::new("ground");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("matrix.txt", "1 2 3\n4 5 6\n");
    write("regular.msh", "2 3 0 10 0 20\n1 2 3\n4 5 6\n");
    write("north.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\n1 2\n-9999 4\n");
    write("bad.txt", "1 2\n3 x\n");
    let load_with = |keys: &str| {
        write("scene.toml", &format!("[ground]\nkind = \"file\"\n{keys}\n"));
        load(&Source::File(folder.join("scene.toml")), &[])
    };
    let terrain = |keys: &str| {
        let scene = load_with(keys).unwrap_or_else(|error| panic!("{error}"));
        scene.spec.ground.unwrap().terrain
    };
    let matrix = terrain("file = \"matrix.txt\"\nsize = [4, 2]\ncenter = [10, 0]");
    assert_eq!((matrix.height(8.0, 1.0), matrix.height(12.0, -1.0)), (1.0, 6.0));
    let mesh = terrain("file = \"regular.msh\"");
    assert_eq!((mesh.height(0.0, 20.0), mesh.height(10.0, 0.0)), (3.0, 4.0));
    let esri = terrain("file = \"north.asc\"\nfill = 7");
    assert_eq!((esri.height(1.0, 3.0), esri.height(1.0, 1.0)), (1.0, 7.0));
    let message = |keys: &str| load_with(keys).map(|_| ()).unwrap_err().to_string();
    let bad = message("file = \"bad.txt\"\nsize = [1, 1]");
    assert!(bad.ends_with("bad.txt:2:3: expected a height in m, got something else"), "{bad}");
    let unsized_matrix = message("file = \"matrix.txt\"");
    assert!(unsized_matrix.contains("ground.size: expected 2 finite numbers"), "{unsized_matrix}");
    let sized_mesh = message("file = \"regular.msh\"\nsize = [1, 1]");
    assert!(sized_mesh.contains("ground.size: expected no such key with this"), "{sized_mesh}");
    let missing = message("file = \"nowhere.png\"\nsize = [1, 1]\nheights = [0, 1]");
    assert!(missing.contains("ground.file: expected a file beside"), "{missing}");
    let text_as_picture =
        message("file = \"matrix.txt\"\nformat = \"picture\"\nsize = [1, 1]\nheights = [0, 1]");
    assert!(text_as_picture.contains("expected a PNG, JPEG or BMP picture"), "{text_as_picture}");
}

#[test]
fn layers_lie_over_one_another_in_their_order() {
    let scene = "[ground]\nsize = [20, 20]\nnodes = [201, 201]\n\
        [[ground.layer]]\nkind = \"ramp\"\nfrom = [0, 0]\nto = [4, 0]\nwidth = 2\nheights = [0, 1]\n\
        [[ground.layer]]\nkind = \"block\"\nmin = [4, -1]\nmax = [6, 1]\nheight = 1\njoin = \"max\"\n\
        [[ground.layer]]\nkind = \"waves\"\nfrom = [-8, 5]\nto = [-4, 5]\nwidth = 2\nheight = 0.1\nwavelength = 1.0\n\
        [[ground.layer]]\nkind = \"expression\"\nz = \"-0.3\"\nmin = [-6, -6]\nmax = [-4, -4]\n\
        [[ground.layer]]\nkind = \"hills\"\namplitude = 0.2\nmin = [6, 6]\nmax = [9, 9]";
    let t = ground(scene).terrain;
    for (x, y, z) in
        [(2.0, 0.5, 0.5), (5.0, 0.0, 1.0), (-5.0, -5.0, -0.3), (-3.0, 3.0, 0.0), (-7.5, 5.0, 0.1)]
    {
        assert!((t.height(x, y) - z).abs() < 1e-9, "({x}, {y}): {}", t.height(x, y));
    }
    assert_ne!(t.height(7.3, 7.7), 0.0);
}

#[test]
fn friction_is_a_factor_and_patches_that_can_be_painted() {
    let scene = "[ground]\nfriction = 0.8\nsize = [20, 20]\n[[ground.patch]]\nmin = [2, 2]\nmax = [4, 5]\n\
        friction = 0.1\ncolour = \"#aaccee\"";
    let read = read(scene, &[]);
    let t = &read.spec.ground.as_ref().unwrap().terrain;
    assert_eq!((t.friction(3.0, 3.0), t.friction(0.0, 0.0)), (0.1, 0.8));
    assert_eq!(read.spec.markings[0].width, Some(3.0));
    assert_eq!(ground("[ground]").terrain.spec().friction, None);
}

#[test]
fn a_layer_covers_at_least_one_node_of_the_ground() {
    // Nodes are at -10, 0 and 10 m.
    let scene = |layer: &str| {
        format!("[ground]\nsize = [20, 20]\nnodes = [3, 3]\n[[ground.layer]]\n{layer}\n")
    };
    let block = |min: [f64; 2], max: [f64; 2]| {
        scene(&format!("kind = \"block\"\nmin = {min:?}\nmax = {max:?}\nheight = 0.5\nside = 0.1"))
    };
    assert_eq!(ground(&block([-1.0, -1.0], [1.0, 1.0])).terrain.height(0.0, 0.0), 0.5);
    for (min, max) in [([2.0, 2.0], [8.0, 8.0]), ([12.0, 0.0], [14.0, 1.0])] {
        let error = wrong(&block(min, max));
        assert!(error.starts_with("x.toml:4: ground.layer.0"), "{error}");
        assert!(error.contains("expected a layer over at least one node of the ground"), "{error}");
    }
}

#[test]
fn a_patch_lies_on_the_ground_at_least_with_a_part() {
    let scene = |min: [f64; 2], max: [f64; 2]| {
        format!(
            "[ground]\nsize = [20, 10]\ncenter = [5, 0]\n[[ground.patch]]\nmin = [0, 0]\nmax = [1, 1]\n\
             friction = 1\n[[ground.patch]]\nmin = {min:?}\nmax = {max:?}\nfriction = 0.1\n"
        )
    };
    // The ground is from [-5, -5] to [15, 5].
    for (min, max, [x, y]) in [
        ([-8.0, 0.0], [-4.0, 1.0], [-4.5, 0.5]),
        ([14.0, 4.0], [30.0, 30.0], [14.5, 4.5]),
        ([-50.0, -50.0], [50.0, 50.0], [5.0, 0.0]),
        ([3.0, 4.5], [3.5, 6.0], [3.25, 4.75]),
    ] {
        let felt = ground(&scene(min, max)).terrain.friction(x, y);
        assert_eq!(felt, 0.1, "{min:?} to {max:?}");
    }
    for (min, max) in [
        ([-8.0, 0.0], [-6.0, 1.0]),
        ([16.0, -5.0], [18.0, 5.0]),
        ([0.0, -9.0], [1.0, -8.0]),
        ([0.0, 6.0], [1.0, 7.0]),
        // A border in common is nothing to stand on.
        ([15.0, -5.0], [18.0, 5.0]),
        ([-5.0, 5.0], [15.0, 9.0]),
    ] {
        let [[a, b], [c, d]] = [min, max];
        assert_eq!(
            wrong(&scene(min, max)),
            format!(
                "x.toml:8: ground.patch.1: expected a patch that lies on the ground, from [-5, -5] to \
                 [15, 5], got one from [{a}, {b}] to [{c}, {d}]"
            )
        );
    }
    // Where the ground is not known, for a mistake in it, that alone is told.
    let error = wrong(&scene([99.0, 0.0], [100.0, 1.0]).replace("[20, 10]", "[0, 10]"));
    assert!(error.contains("ground.size") && !error.contains("patch"), "{error}");
}

#[test]
fn fine_steps_divide_the_scene_s() {
    let step = |sim: &str, ground: &str| {
        let scene = format!("[sim]\nstep_s = {sim}\n[ground]\n{ground}");
        load(&text(&scene), &[]).map(|scene| scene.spec.ground.unwrap())
    };
    assert_eq!(step("0.005", "").unwrap().fine_step_s, 1e-3);
    assert_eq!(step("0.0004", "").unwrap().fine_step_s, 4e-4);
    let fine = step("0.001", "fine_step_s = 1e-6\ncontact_every = 100\ntyre_every = 10").unwrap();
    assert_eq!((fine.fine_step_s, fine.contact_every, fine.tyre_every), (1e-6, 100, 10));
    let message = step("0.001", "fine_step_s = 0.0003").unwrap_err().to_string();
    assert!(message.contains("x.toml:4: ground.fine_step_s: expected a step of which the scene's, 0.001 s, is a multiple"), "{message}");
    for (key, expected) in [
        ("fine_step_s = 1e-9", "ground.fine_step_s: expected"),
        ("fine_step_s = 0.01", "ground.fine_step_s: expected"),
        ("slices = 36", "ground.slices: expected an odd number from 5 to 63, got 36"),
        ("control_period_s = 0.0015", "ground.control_period_s: expected a multiple of the step"),
    ] {
        let message = step("0.001", key).unwrap_err().to_string();
        assert!(message.contains(expected), "{key}: {message}");
    }
}

fn write_png(path: &std::path::Path, width: u32, height: u32, rgb: &[u8]) {
    let file = std::fs::File::create(path).expect("a file");
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(rgb).expect("pixels");
}

#[test]
fn ground_is_covered_by_patterns_and_pictures_in_their_real_size() {
    let covered = |keys: &str| ground(&format!("[ground]\n{keys}")).texture.expect("a texture");
    let grass = covered("texture = \"grass\"");
    assert_eq!((grass.size, grass.picture.width, grass.picture.height), ([3.0; 2], 256, 256));
    assert_eq!(grass.picture.rgb.len(), 3 * 256 * 256);
    assert_ne!(grass, covered("texture = \"sand\"\ntexture_size = 3"));
    assert_eq!(covered("texture = \"grid\"\ntexture_size = 0.5").size, [0.5; 2]);
    assert_eq!(ground("[ground]").texture, None);

    // Three pixels across and two down, of six colours.
    let folder = rolima_testing::Folder::new("texture");
    let colours: Vec<u8> = (0..18).map(|i| 14 * i).collect();
    write_png(&folder.join("six.png"), 3, 2, &colours);
    let scene = folder.join("x.toml");
    let write = |keys: &str| std::fs::write(&scene, format!("[ground]\n{keys}")).unwrap();
    write("texture = \"six.png\"\ntexture_size = 1.5");
    let source = Source::resolve(scene.to_str().unwrap()).unwrap();
    let read = load(&source, &[]).unwrap().spec.ground.unwrap().texture.unwrap();
    assert_eq!((read.picture.width, read.picture.height, read.size), (3, 2, [1.5, 1.0]));
    assert_eq!(read.picture.rgb, colours);
    write("texture = \"six.png\"");
    let error = load(&source, &[]).unwrap_err().to_string();
    assert!(error.contains("ground.texture_size: "), "{error}");
    std::fs::write(folder.join("six.png"), "no picture").unwrap();
    write("texture = \"six.png\"\ntexture_size = 1.5");
    let error = load(&source, &[]).unwrap_err().to_string();
    assert!(error.contains("six.png") && error.contains("a PNG, JPEG or BMP picture"), "{error}");
    // Large ones are averaged down.
    write_png(&folder.join("six.png"), 2048, 8, &vec![77; 3 * 2048 * 8]);
    let read = load(&source, &[]).unwrap().spec.ground.unwrap().texture.unwrap();
    assert_eq!((read.picture.width, read.picture.height), (1024, 4));
    assert!(read.picture.rgb.iter().all(|&byte| byte == 77));
}

#[test]
fn mistakes_name_key_and_line() {
    for (scene, expected) in [
        (
            "[ground]\nkind = \"hils\"",
            "x.toml:2: ground.kind: expected one of \"flat\", \"expression\", \"hills\", \"file\", got \"hils\" (did you mean \"hills\"?)",
        ),
        ("[ground]\namplitude = 2", "x.toml:2: ground.amplitude: expected one of kind, size,"),
        (
            "[ground]\nkind = \"expression\"\nz = \"2 * (x\"",
            "x.toml:3: ground.z: expected a closing parenthesis, got the end (column 7 of the text)",
        ),
        (
            "[ground]\nkind = \"expression\"\nz = \"1 / x\"\nnodes = [3, 3]",
            "x.toml:3: ground.z: expected finite heights, got inf at x = 0",
        ),
        ("[ground]\nkind = \"expression\"\nz = 3", "ground.z: expected a text, got 3"),
        ("[ground]\nnodes = [1, 5]", "x.toml:2: ground.nodes: expected two whole numbers from 2"),
        ("[ground]\nsize = [0, 5]", "x.toml:2: ground.size: expected two lengths"),
        ("[ground]\nfriction = 11", "x.toml:2: ground.friction: expected a number from 0 to 10"),
        (
            "[ground]\nfriction_white = 1",
            "x.toml:2: ground.friction_white: expected no such key without a friction_map",
        ),
        ("[ground]\nedge = \"cliff\"", "ground.edge: expected one of \"extended\", \"ends\""),
        (
            "[ground]\nlayer = 3",
            "ground.layer: expected a list of tables, written [[ground.layer]], got 3",
        ),
        (
            "[[ground.layer]]\nkind = \"ramp\"\nfrom = [1, 1]\nto = [1, 1]\nwidth = 1\nheights = [0, 1]",
            "x.toml:4: ground.layer.0.to: expected a point away from `from`",
        ),
        (
            "[[ground.layer]]\nkind = \"block\"\nmin = [1, 1]\nmax = [0, 0]\nheight = 1",
            "x.toml:4: ground.layer.0.max: expected a corner right of and above min",
        ),
        (
            "[[ground.layer]]\nkind = \"expression\"\nz = \"1e9\"",
            "ground.heights: row 1, column 1: expected a height within 100 km",
        ),
        (
            "[ground]\ntexture = \"gras\"",
            "x.toml:2: ground.texture: expected grass, sand, earth, asphalt, concrete, grid, brick, boards, crate or a picture in PNG, JPEG or BMP, got \"gras\"",
        ),
        ("[ground]\ntexture = 7", "x.toml:2: ground.texture: expected a text, got 7"),
        (
            "[ground]\ntexture_size = 2",
            "x.toml:2: ground.texture_size: expected no such key without a texture",
        ),
        (
            "[ground]\ntexture = \"sand\"\ntexture_size = 0",
            "x.toml:3: ground.texture_size: expected a number from 0.01 to 10000",
        ),
        ("[ground]\ntexture = \"no.png\"\ntexture_size = 1", "x.toml:2: ground.texture: "),
        ("ground = 3", "ground: expected a table, got 3"),
    ] {
        let message = wrong(scene);
        assert!(message.contains(expected), "{scene}: {message}");
    }
    let many = "[[ground.patch]]\nmin = [0, 0]\nmax = [1, 1]\nfriction = 1\n".repeat(65);
    assert!(wrong(&many).contains("ground.patch: expected at most 64, got 65"), "{}", wrong(&many));
}

#[test]
fn ground_is_in_the_ledger_with_units_and_meanings() {
    let scene =
        read("[ground]\nkind = \"hills\"\namplitude = 2\nsize = [10, 10]", &["ground.seed=5"]);
    for (key, value, unit, origin) in [
        ("ground.amplitude", "2", "m", "x.toml:3"),
        ("ground.seed", "5", "1", "--set ground.seed=5"),
        ("ground.wavelength", "10.0", "m", "default (ours)"),
        (
            "ground.fine_step_s",
            "0.001",
            "s",
            "default (ours: 1 ms, or what divides the scene's step)",
        ),
    ] {
        let row = scene.ledger.find(key).unwrap_or_else(|| panic!("no row {key}"));
        assert_eq!(
            (row.value.as_str(), row.unit, row.origin.to_string().as_str()),
            (value, unit, origin)
        );
        assert!(!row.meaning.is_empty());
    }
}

#[test]
fn a_tree_is_a_trunk_to_run_into_and_a_crown_to_see() {
    let scene = "[[tree]]\nat = [[1, 2], [3, 4]]\ntrunk_radius = 0.2\n[[part]]\ninclude = \"parts/bar.toml\"";
    let message = wrong(scene);
    assert!(message.contains("part.0"), "{message}");
    let spec = read("[[tree]]\nat = [[1, 2], [3, 4]]\ntrunk_radius = 0.2", &[]).spec;
    assert_eq!((spec.walls.len(), spec.meshes.len()), (2, 2));
    let rolima_model::WallSpec::Polygon { vertices, height } = &spec.walls[1] else { panic!() };
    assert_eq!((vertices.len(), *height), (8, 1.6));
    assert!((vertices[0].x - 3.2).abs() < 1e-12);
    let crown = rolima_render::Solid::from_scaled_obj(
        &spec.meshes[0].obj,
        spec.meshes[0].scale,
        rolima_render::Paint::plain([0; 3]),
        |_| None,
    );
    assert!(crown.is_ok());
    assert!(wrong("[[tree]]\nat = [[1, 2]]\nheight = 1").contains("tree.0.height: expected above"));
}

#[test]
fn a_wall_that_cannot_stand_on_ground_is_told_by_its_number_and_line() {
    let scene = "[ground]\nkind = \"flat\"\nsize = [40, 40]\n[[robot]]\npreset = \"vivi\"\n\
        [[wall]]\nkind = \"segment\"\nfrom = [5, 0]\nto = [6, 0]\nheight = 0.5\n\
        [[wall]]\nkind = \"polygon\"\nvertices = [[7, 0], [7.0002, 0], [7, 0.0002]]\nheight = 0.5\n";
    let error = check(&text(scene), &[]).map(|_| ()).expect_err("a mistake").to_string();
    assert!(error.starts_with("x.toml:11: wall.1.parts.0.outline area: expected"), "{error}");
}
