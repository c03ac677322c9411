//! What of a scene goes together, tried: the table in docs/scenes.md is made by this test.
//! `ROLIMA_MINT=1` writes it anew.

use crate::common;

use common::{check, text};
use rolima_core::World;
use std::path::Path;
use std::sync::Arc;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/scenes.md");
const MARKS: [&str; 2] = ["<!-- combinations -->\n", "<!-- end of combinations -->\n"];

/// Kinds of robots: how they are called in the table, and their keys.
const ROBOTS: [(&str, &str); 6] = [
    ("`drive` alone (`minirobot-2001`)", "preset = \"minirobot-2001\"\n"),
    (
        "`drive` with `chassis`, `wheels`, castors (`minirobot`, `disc`, `fork`, `robot-one`, `pioneer-p3dx`)",
        "preset = \"minirobot\"\n",
    ),
    ("vehicle (`skid-steer`, `rover`, `vivi`, `crawler`)", "preset = \"rover\"\n"),
    ("vehicle with steered wheels (`car`)", "preset = \"car\"\n"),
    ("cart: a vehicle without motors", CART),
    ("cart on a `hitch`", "hitch = { to = \"rover\", at = [-0.7, 0, 0.2], own = [0.6, 0, 0.2] }\n"),
];

const CART: &str = "chassis = { mass = 20 }\n\
    wheels = { radius = 0.15, suspension = { stiffness = 8e3, damping = 300 } }\n\
    wheel = [{ position = [0.2, 0.25, 0] }, { position = [0.2, -0.25, 0] }, \
    { position = [-0.2, 0.25, 0] }, { position = [-0.2, -0.25, 0] }]\n";

/// Grounds and contact models.
const PLACES: [(&str, &str); 5] = [
    ("no `[ground]`", ""),
    ("no `[ground]`, equivalent spheres", "[contact]\nresponse = \"equivalent-sphere\"\n"),
    ("`[ground]`, flat", "[ground]\n"),
    (
        "`[ground]`, hills",
        "[ground]\nkind = \"hills\"\nsize = [40, 40]\namplitude = 0.3\nwavelength = 12.0\nclearing = 2.0\n",
    ),
    ("`[ground]`, equivalent spheres", "[ground]\n[contact]\nresponse = \"equivalent-sphere\"\n"),
];

const BALL: &str = "[[ball]]\nposition = [2.5, 0.1]\nvelocity = [-1, 0]\n";
const OBJECT: &str = "[[object]]\nname = \"box\"\npose = [2.5, 1.5, 10]\nmass = 1\n\
    shape = [{ kind = \"box\", size = [0.3, 0.2] }]\n[[wall]]\nkind = \"segment\"\n\
    from = [4, -2]\nto = [4, 2]\n";

/// All kinds of sensors, as the reader lists them.
fn sensors() -> Vec<String> {
    let wrong = "[[robot]]\npreset = \"minirobot\"\nsensor = [{ kind = \"?\" }]";
    let error = check(&text(wrong), &[]).map(|_| ()).expect_err("no such kind").to_string();
    let list = error.split_once("expected one of ").expect("a list").1;
    let list = list.split_once(", got").expect("a list").0;
    list.split(", ").map(|name| name.trim_matches('"').to_owned()).collect()
}

/// Runs a scene for a tenth of a second: which engine did, or the key that is refused.
fn outcome(scene: &str) -> String {
    let compiled = check(&text(scene), &[]).and_then(|scene| scene.compile());
    let model = match compiled {
        Ok(model) => Arc::new(model),
        Err(error) => {
            let error = error.to_string();
            let key = error.split(": ").nth(1).unwrap_or_default();
            return format!("refused: `{}`", key.replace("robot.1.", "robot.0."));
        }
    };
    let engine = if model.spatial().is_some() { "spatial" } else { "planar" };
    let mut world = World::new(model);
    world.steps(100);
    for (body, known) in world.frame().bodies.iter().zip(world.model().bodies()) {
        let pose = body.pose;
        let sane = pose.is_finite() && (pose.position - known.home.position).length() < 1.0;
        assert!(sane && !world.is_quarantined(known.id), "{scene}: {pose:?}");
    }
    engine.to_owned()
}

/// What a kind of robot does in a place: one outcome with all of loose bodies and sensors, or where
/// they differ, each.
fn cell(robot: &str, place: &str, sensors: &[String]) -> String {
    let hitched = robot.starts_with("hitch");
    let front = "[[robot]]\npreset = \"rover\"\nname = \"rover\"\n";
    let with = |loose: &str, sensor: Option<&str>| {
        let behind = format!("[[robot]]\nname = \"cart\"\npose = [-1.3, 0, 0]\n{CART}{robot}");
        let mut scene = match hitched {
            true => format!("{place}{front}{behind}"),
            false => format!("{place}[[robot]]\nname = \"robot\"\n{robot}"),
        };
        if let Some(kind) = sensor {
            scene += &format!("sensor = [{{ kind = \"{kind}\" }}]\n");
        }
        outcome(&(scene + loose))
    };
    let plain = with("", None);
    let mut differing = vec![];
    for (name, loose) in [
        ("balls", BALL.to_owned()),
        ("objects", OBJECT.to_owned()),
        ("both", format!("{BALL}{OBJECT}")),
    ] {
        let got = with(&loose, None);
        if got != plain {
            differing.push(format!("with {name}: {got}"));
        }
    }
    for kind in sensors {
        let got = with(BALL, Some(kind));
        if got != plain {
            differing.push(format!("with `{kind}`: {got}"));
        }
    }
    [vec![plain], differing].concat().join("; ")
}

fn table() -> String {
    let sensors = sensors();
    let mut lines = vec![];
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let heads = PLACES.iter().map(|(name, _)| (*name).to_owned());
    lines.push(row(std::iter::once("robot".to_owned()).chain(heads).collect()));
    lines.push(format!("|{}", "---|".repeat(PLACES.len() + 1)));
    for (name, robot) in ROBOTS {
        let cells = PLACES.iter().map(|(_, place)| cell(robot, place, &sensors));
        lines.push(row(std::iter::once(name.to_owned()).chain(cells).collect()));
    }
    let kinds: Vec<String> = sensors.iter().map(|kind| format!("`{kind}`")).collect();
    lines.push(format!("\nSensors that were tried: {}.", kinds.join(", ")));
    lines.join("\n") + "\n"
}

#[test]
fn the_table_of_what_goes_together_is_what_goes_together() {
    let document = std::fs::read_to_string(DOCUMENT).expect("docs/scenes.md");
    let begin = document.find(MARKS[0]).expect("the table's first mark") + MARKS[0].len();
    let end = begin + document[begin..].find(MARKS[1]).expect("the table's last mark");
    let table = table();
    if std::env::var_os("ROLIMA_MINT").is_some() {
        let written = format!("{}{table}{}", &document[..begin], &document[end..]);
        std::fs::write(Path::new(DOCUMENT), written).expect("docs/scenes.md can be written");
        return;
    }
    assert_eq!(
        &document[begin..end],
        table,
        "docs/scenes.md is not what the scenes say: write it anew with ROLIMA_MINT=1"
    );
}
