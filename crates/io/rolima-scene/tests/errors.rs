//! What is wrong is told with file, line and key, what was expected and what was there.

use crate::common;

use common::{check, text};
use rolima_scene::SceneError;

/// A scene (in the file `x.toml`), a `--set` argument or none, and the exact message.
const BAD: &[(&str, &str, &str)] = &[
    // Keys.
    (
        "titel = \"x\"",
        "",
        "x.toml:1: titel: expected one of title, variables, sim, contact, vision, look, ground, material, floor, part, tree, wall, \
         robot, ball, object, zone, marking, swarm, map, sensor, got the unknown key \"titel\" (did you mean \"title\"?)",
    ),
    (
        "[sim]\nstep = 0.001",
        "",
        "x.toml:2: sim.step: expected one of step_s, integrator, seed, gravity, got the unknown \
         key \"step\" (did you mean \"step_s\"?)",
    ),
    (
        "[[robot]]\npreset = \"minirobot\"\ndriver = { kind = \"chaser\", period_s = 1 }",
        "",
        "x.toml:3: robot.0.driver.period_s: expected one of kind, max_volts, patience_s, got the unknown key \
         \"period_s\"",
    ),
    (
        "[[wall]]\nkind = \"segment\"\nto = [1, 0]",
        "",
        "x.toml:1: wall.0.from: expected 2 finite numbers [x, y] (m), got nothing: the key is missing",
    ),
    (
        "[[object]]\nshape = [{ kind = \"circle\", radius = 1 }]",
        "",
        "x.toml:1: object.0.mass: expected a positive number (kg), got nothing: the key is missing",
    ),
    (
        "\n[[robot]]\nname = \"a\"",
        "",
        "x.toml:2: robot.0.shape: expected at least one shape or part of an outline, got nothing: \
         the key is missing",
    ),
    // Types and numbers.
    (
        "[[robot]]\npreset = \"minirobot\"\n\n[robot.drive]\nmass = \"heavy\"",
        "",
        "x.toml:5: robot.0.drive.mass: expected a positive number (kg), got \"heavy\"",
    ),
    (
        "[[robot]]\npreset = \"minirobot\"\ndrive.mass = -1",
        "",
        "x.toml:3: robot.0.drive.mass: expected a positive number (kg), got -1",
    ),
    (
        "[sim]\nstep_s = inf",
        "",
        "x.toml:2: sim.step_s: expected a number from 1e-7 to 0.1 (s), got inf",
    ),
    (
        "[[ball]]\nmass = 1e300",
        "",
        "x.toml:2: ball.0.mass: expected a number above 0 and below 1e12 (kg), got 1e300",
    ),
    (
        "[[wall]]\nkind = \"segment\"\nfrom = [0, 0]\nto = [1, 0]\nheight = 1e300",
        "",
        "x.toml:5: wall.0.height: expected a number from 0 to below 1e12 (m), got 1e300",
    ),
    (
        "[[marking]]\nkind = \"line\"\nfrom = [0, 0]\nto = [0, nan]",
        "",
        "x.toml:4: marking.0.to: expected 2 finite numbers [x, y] (m), got [0, nan]",
    ),
    (
        "[sim]\nseed = -1",
        "",
        "x.toml:2: sim.seed: expected a whole number from 0 to 18446744073709551615, got -1",
    ),
    (
        "[contact]\niterations = 2.5",
        "",
        "x.toml:2: contact.iterations: expected a whole number from 1 to 10000, got 2.5",
    ),
    (
        "[[zone]]\nmin = [0, 0]\nmax = [1, 1]\nkick_off = \"yes\"",
        "",
        "x.toml:4: zone.0.kick_off: expected true or false, got \"yes\"",
    ),
    ("title = 1979-05-27", "", "x.toml:1: title: expected a text, got 1979-05-27"),
    ("sim = 3", "", "x.toml:1: sim: expected a table, got 3"),
    (
        "[wall]\nkind = \"segment\"",
        "",
        "x.toml:1: wall: expected a list of tables, written [[wall]], got a table",
    ),
    (
        "[[robot]]\npreset = \"minirobot\"\npose = [0, 0]",
        "",
        "x.toml:3: robot.0.pose: expected 3 finite numbers [x, y, heading] (m, m, degrees), got [0, 0]",
    ),
    (
        "[[wall]]\nkind = \"polygon\"\nvertices = [[0, 0], [1, 0], \"here\"]",
        "",
        "x.toml:3: wall.0.vertices: expected a list of points [[x, y], ...] (m), got [[0, 0], [1, 0], \
         \"here\"]",
    ),
    (
        "[[robot]]\npreset = \"minirobot\"\ndrive.traction = \"some\"",
        "",
        "x.toml:3: robot.0.drive.traction: expected a table, or \"none\" for wheels that never slip, \
         got \"some\"",
    ),
    // Words.
    (
        "[sim]\nintegrator = \"exakt\"",
        "",
        "x.toml:2: sim.integrator: expected one of \"euler\", \"rk4\", \"exact\", got \"exakt\" (did \
         you mean \"exact\"?)",
    ),
    (
        "[[wall]]\nkind = \"circle\"",
        "",
        "x.toml:2: wall.0.kind: expected one of \"segment\", \"arc\", \"polygon\", \"rectangle\", got \
         \"circle\"",
    ),
    (
        "[[wall]]\nfrom = [0, 0]",
        "",
        "x.toml:1: wall.0.kind: expected one of \"segment\", \"arc\", \"polygon\", \"rectangle\", got \
         nothing: the key is missing",
    ),
    // What only the model can tell, with the line that caused it.
    (
        "[sim]\nstep_s = 1.0",
        "",
        "x.toml:2: sim.step_s: expected a number from 1e-7 to 0.1 (s), got 1.0",
    ),
    (
        "[[wall]]\nkind = \"polygon\"\nvertices = [[0, 0], [1, 0]]",
        "",
        "x.toml:3: wall.0.vertices: expected 3 to 8 corners, got 2",
    ),
    (
        "[[wall]]\nkind = \"rectangle\"\nmin = [0, 0]\nmax = [1, 1]\n\n[[wall]]\nkind = \"segment\"\n\
         from = [1, 0]\nto = [1, 0]",
        "",
        "x.toml:6: wall.1: expected two different points, got a length of 0 m",
    ),
    (
        "[[wall]]\nkind = \"arc\"\ncenter = [0, 0]\nradius = 1\nfrom_deg = 90\nto_deg = 0",
        "",
        "x.toml:6: wall.0.to_deg: expected an angle after from_deg by at most a full turn, got a \
         span of -90 deg",
    ),
    (
        "[[robot]]\npreset = \"minirobot\"\nomega_deg_s = -1e9",
        "",
        "x.toml:3: robot.0.omega_deg_s: expected a number from -500000 to 500000 (deg/s), got \
         -1000000000.0",
    ),
    (
        "[[ball]]\nvelocity = [3e4, -4e4]",
        "",
        "x.toml:2: ball.0.velocity: expected a speed of at most 10000 m/s, got 50000 m/s",
    ),
    (
        "[[ball]]\nposition = [1e200, 0]",
        "",
        "x.toml:2: ball.0.position: expected a position within 1000 km, got [1e200, 0]",
    ),
    (
        "[[robot]]\nname = \"a\"\npreset = \"minirobot\"\n[[robot]]\nname = \"a\"\npreset = \"minirobot\"",
        "",
        "x.toml:5: robot.1.name: expected a name of its own, got \"a\"",
    ),
    (
        "[[robot]]\npreset = \"minirobot\"\n[robot.drive.traction]\nmu_kinetic = 0.9",
        "",
        "x.toml:4: robot.0.drive.traction.mu_kinetic: expected at most mu_static = 0.8, got 0.9",
    ),
    (
        "[[robot]]\npreset = \"fork\"\n[[robot.part]]\ninclude = \"parts/bar.toml\"\n[[robot]]\n\
         preset = \"minirobot\"\n[[robot.shape]]\nkind = \"polygon\"\n\
         vertices = [[0, 0], [0, 1], [1, 0]]",
        "",
        "x.toml:9: robot.1.shape.0.vertices: expected corners of a convex polygon, \
         counter-clockwise, without repeats, got a turn to the right or none after corner 0",
    ),
    (
        "[[swarm]]\npreset = \"minirobot\"\ncount = 3\ndriver = { kind = \"random\", period_s = 1e9 }",
        "",
        "x.toml:4: swarm.0.driver.period_s: expected a number from 0.000001 to 1000000 (s), got 1000000000.0",
    ),
    (
        "[[robot]]\nname = \"a-2\"\npreset = \"minirobot\"\n[[swarm]]\nname = \"a\"\n\
         preset = \"minirobot\"\ncount = 3",
        "",
        "x.toml:5: swarm.0.name: expected a name of its own, got \"a-2\"",
    ),
    // Geometry that files alone can get wrong.
    (
        "[[wall]]\nkind = \"rectangle\"\nmin = [0, 0]\nmax = [0, 1]",
        "",
        "x.toml:4: wall.0.max: expected a corner right of and above min, got [0, 1]",
    ),
    (
        "[[part]]\ninclude = \"fields/mirosot.toml\"\npose = [0, 0, 45]",
        "",
        "x.toml:3: part.0.pose: expected a heading that is a multiple of 90 degrees, as the part has \
         zones, got 45.0 in all",
    ),
    (
        "[[swarm]]\npreset = \"minirobot\"\ncount = 9\nfill = 0.9",
        "",
        "x.toml:4: swarm.0.fill: expected at most 0.500, so that no two of these robots touch, got 0.9",
    ),
    (
        "[[swarm]]\npreset = \"minirobot\"\ncount = 9\nlayout = \"clump\"\npitch = 0.05",
        "",
        "x.toml:5: swarm.0.pitch: expected at least 0.075 m, so that no two of these robots touch, \
         got 0.05",
    ),
    (
        "[[swarm]]\npreset = \"minirobot\"\ncount = 300000",
        "",
        "x.toml:3: swarm.0.count: expected a whole number from 1 to 200000, got 300000",
    ),
    // Includes, presets and variables.
    (
        "[[part]]\ninclude = \"fields/mirosot.tom\"",
        "",
        "x.toml:2: part.0.include: expected a file beside the including one, or a built-in one, got \
         \"fields/mirosot.tom\" (did you mean \"fields/mirosot.toml\"?)",
    ),
    (
        "[[part]]\npose = [0, 0, 0]",
        "",
        "x.toml:1: part.0.include: expected a text, got nothing: the key is missing",
    ),
    (
        "[[robot]]\npreset = \"minirobto\"",
        "",
        "x.toml:2: robot.0.preset: expected one of \"car\", \"crawler\", \"disc\", \"fork\", \"minirobot-2001\", \
         \"minirobot\", \"pioneer-bare\", \"pioneer-p3dx\", \"robot-one\", \"rover\", \"skid-steer\", \"vivi\", got \"minirobto\" (did you mean \
         \"minirobot\"?)",
    ),
    (
        "[[robot]]\npreset = \"minirobot\"\ninclude = \"robots/disc.toml\"",
        "",
        "x.toml:3: robot.0.include: expected either preset or include, not both, got \
         \"robots/disc.toml\"",
    ),
    (
        "[[part]]\ninclude = \"fields/mirosot.toml\"\nvariables = { kickoff = false }",
        "",
        "x.toml:3: part.0.variables.kickoff: expected a variable of the file: \"kick_off\", \
         \"left_team\", \"right_team\", got \"kickoff\" (did you mean \"kick_off\"?)",
    ),
    (
        "[variables]\nvolts = [1, 2]",
        "",
        "x.toml:2: variables.volts: expected a number, a text, true or false, got [1, 2]",
    ),
    (
        "[variables]\nspeed = 1\n[[ball]]\nvelocity = [\"$sped\", 0]",
        "",
        "x.toml:4: $sped: expected a variable of the file: \"speed\", got \"sped\" (did you mean \
         \"speed\"?)",
    ),
    // Syntax.
    ("title = \"a\"\ntitle = \"b\"", "", "x.toml:2:1: duplicate key"),
    ("é = \"a\n", "", "x.toml:1:1: invalid unquoted key, expected letters, numbers, `-`, `_`"),
    ("[[robot]\n", "", "x.toml:1:9: unclosed array table, expected `]`"),
    // --set.
    ("", "nothing", "--set nothing: expected KEY=VALUE, got \"nothing\""),
    ("", "=3", "--set =3: expected a key such as \"sim.step_s\" before the =, got \"\""),
    (
        "",
        "drivr=random",
        "--set drivr=random: drivr: expected a dotted key such as \"sim.step_s\" (the scene has no \
         variables), got \"drivr\"",
    ),
    (
        "[variables]\ndriver = \"chaser\"",
        "drivr=random",
        "--set drivr=random: drivr: expected a variable (\"driver\") or a dotted key such as \
         \"sim.step_s\", got \"drivr\" (did you mean \"driver\"?)",
    ),
    (
        "",
        "sim.step=0.1",
        "--set sim.step=0.1: sim.step: expected one of step_s, integrator, seed, gravity, got the \
         unknown key \"step\" (did you mean \"step_s\"?)",
    ),
    (
        "",
        "sim.step_s=fast",
        "--set sim.step_s=fast: sim.step_s: expected a number from 1e-7 to 0.1 (s), got \"fast\"",
    ),
    (
        "",
        "sim.step_s=7",
        "--set sim.step_s=7: sim.step_s: expected a number from 1e-7 to 0.1 (s), got 7",
    ),
    (
        "",
        "robot.0.pose=[0,0,0]",
        "--set robot.0.pose=[0,0,0]: robot: expected an entry of the scene file's list [[robot]], got \
         nothing: the file has no such list",
    ),
    (
        "[[robot]]\nname = \"a\"\npreset = \"minirobot\"",
        "robot.b.pose=[0,0,0]",
        "--set robot.b.pose=[0,0,0]: robot.b: expected a name (\"a\"), a number from 0 to 0 or *, got \
         \"b\"",
    ),
    (
        "[[robot]]\nname = \"a\"\npreset = \"minirobot\"",
        "robot.a.pose=[0,0",
        "--set robot.a.pose=[0,0: robot.0.pose: expected 3 finite numbers [x, y, heading] (m, m, \
         degrees), got \"[0,0\"",
    ),
    (
        "title = \"x\"",
        "title.x=1",
        "--set title.x=1: title.x: expected \"title\" to be a table or a list, got \"x\"",
    ),
    (
        "[variables]\nvolts = 3\n[[robot]]\npreset = \"minirobot\"\n\
         driver = { kind = \"constant\", left = \"$volts\", right = 0 }",
        "volts=many",
        "--set volts=many: robot.0.driver.left: expected a number from -1000 to 1000 (V), got \"many\"",
    ),
];

#[test]
fn every_bad_scene_gives_its_message() {
    let mut wrong = String::new();
    for (scene, set, expected) in BAD {
        let sets: &[&str] = if set.is_empty() { &[] } else { &[set] };
        let message = match check(&text(scene), sets) {
            Ok(_) => "no error".to_owned(),
            Err(error) => error.to_string(),
        };
        if message != *expected {
            wrong += &format!("{scene}\n  expected: {expected}\n  got:      {message}\n\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(BAD.len() >= 25);
}

#[test]
fn all_errors_of_a_file_are_told_at_once() {
    let scene = "[sim]\nstep_s = 0\nseed = \"x\"\n[[wall]]\nkind = \"segment\"\nto = [1, 0]\n[[ball]]\nmas = 1";
    let error = check(&text(scene), &["contact.iterations=0"]).unwrap_err();
    let places: Vec<String> = error
        .each()
        .iter()
        .map(|error| match error {
            SceneError::Value { origin, key, .. } => format!("{origin} {key}"),
            other => other.to_string(),
        })
        .collect();
    assert_eq!(
        places,
        [
            "x.toml:2 sim.step_s",
            "x.toml:3 sim.seed",
            "--set contact.iterations=0 contact.iterations",
            "x.toml:4 wall.0.from",
            "x.toml:8 ball.0.mas",
        ]
    );
    assert_eq!(error.to_string().lines().count(), 5);
}
