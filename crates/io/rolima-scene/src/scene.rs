//! A whole scene: its tables, and the parts that it includes at poses.

use crate::files::{Chain, Files, Wanted};
use crate::ground::Footing;
use crate::ledger::Origin;
use crate::locate::Places;
use crate::log::Log;
use crate::placement::Placement;
use crate::reader::{Absent, Fields, Key, OURS, pose, table, tables, text};
use crate::set::{self, MapRobotSets};
use crate::tree::{Node, Value};
use crate::variables;
use rolima_map::Map;
use rolima_model::SceneSpec;
use rolima_spatial::MeshShape;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// Reads one entry of a list.
type ReadEntry = fn(&mut Assembler, &Node, String, &Site<'_>);

/// Lists of tables that a scene file and an included part may have. Materials come first, as others name
/// them. Parts come last, so that the
/// numbers of the scene file's own robots are theirs in the whole scene too.
const READERS: &[(&str, ReadEntry)] = &[
    ("material", Assembler::material),
    ("floor", Assembler::floor),
    ("wall", Assembler::wall),
    ("tree", Assembler::trees),
    ("zone", Assembler::zone),
    ("marking", Assembler::marking),
    ("ball", Assembler::ball),
    ("object", Assembler::object),
    ("robot", Assembler::robot),
    ("swarm", Assembler::swarm),
    ("sensor", Assembler::world_sensor),
    ("map", Assembler::map),
    ("part", Assembler::part),
];

/// Whether a key of a scene is a list of tables.
pub(crate) fn is_list(name: &str) -> bool {
    READERS.iter().any(|(list, _)| *list == name)
}

/// Keys of a scene file.
pub(crate) const SCENE: &[Key] = &[
    text("title", "what the scene is, in one line").or(Absent::Text(""), OURS),
    table("variables", "none", "names for values that \"$name\" stands for"),
    table("sim", "defaults", "time step, integrator, seed, gravity"),
    table("contact", "defaults", "how bodies collide"),
    table("vision", "true poses", "by what robots see that go to goals or are sent to them"),
    table("look", "defaults", "what cameras see of ground, walls and air"),
    table("ground", "a plane", "rough ground; without it, a plane"),
    tables("material", "what surfaces look like"),
    tables("floor", "pieces of the ground that are made of another material"),
    tables("part", "other files, each placed at a pose"),
    tables("tree", "trees"),
    tables("wall", "what does not move"),
    tables("robot", "differential-drive robots and vehicles"),
    tables("ball", "rolling balls"),
    tables("object", "loose things"),
    tables("zone", "regions that notice a ball"),
    tables("marking", "lines painted on the ground; only for views and cameras"),
    tables("swarm", "many robots of one kind"),
    tables("map", "mazes from text maps and pictures"),
    tables("sensor", "what stands in the world to sense with"),
];

/// What a part is, as far as an included file says it.
pub(crate) const TITLE: &[Key] =
    &[text("title", "what the part is, in one line").or(Absent::Text(""), OURS)];

/// Keys of a table that includes a file at a pose.
pub(crate) const PART: &[Key] = &[
    text("include", "file that is placed here"),
    pose("where the part stands"),
    table("variables", "none", "values for the included file's variables"),
];

/// What such a table has besides in a scene.
pub(crate) const PART_NAME: &[Key] =
    &[text("name", "what the names in the part begin with, followed by a dot").computed("none")];

/// Where things that are being read belong.
pub(crate) struct Site<'a> {
    pub(crate) placement: Placement,
    /// What names begin with.
    pub(crate) prefix: String,
    /// Where and by which key it was last turned by other than a quarter.
    pub(crate) turned_by: Option<(&'a Origin, String)>,
    /// The files that led here.
    pub(crate) chain: Chain<'a>,
}

/// Builds the specification while reading.
pub(crate) struct Assembler {
    pub(crate) files: Files,
    pub(crate) log: Log,
    pub(crate) spec: SceneSpec,
    pub(crate) places: Places,
    /// The maps, each with where it stands.
    pub(crate) maps: Vec<(Rc<Map>, Placement)>,
    /// What `--set`s say of the maps' robots.
    pub(crate) robot_sets: MapRobotSets,
    /// What the robots need of the ground.
    pub(crate) footing: Footing,
    /// Shapes of vehicles that were drawn, each once.
    pub(crate) drawn_shapes: Vec<Arc<MeshShape>>,
}

impl Assembler {
    /// Reads a whole scene file, whose variables are already put in.
    pub(crate) fn scene(&mut self, tree: &Node, file: &str) {
        let Some(fields) = Fields::open(&mut self.log, tree, String::new(), &[SCENE]) else {
            return;
        };
        self.spec.title = fields.text(&mut self.log, "title");
        self.physics(&fields);
        self.look(&fields);
        self.ground(&fields);
        let site = Site {
            placement: Placement::IDENTITY,
            prefix: String::new(),
            turned_by: None,
            chain: Chain::root(file),
        };
        self.contents(&fields, &site);
        self.robot_sets.unused().for_each(|error| self.log.error(error));
        self.finish_ground();
    }

    /// Reads the lists of a scene or of a part.
    fn contents(&mut self, fields: &Fields<'_>, site: &Site<'_>) {
        for (name, read) in READERS {
            for (node, path) in fields.list(&mut self.log, name) {
                read(self, node, path, site);
            }
        }
    }

    fn part(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let (node, sets) = split_sets_inside(node);
        let known = &[PART, PART_NAME];
        let Some(fields) = Fields::open(&mut self.log, &node, path, known) else { return };
        let name = match fields.get("name") {
            Some(_) => fields.text(&mut self.log, "name") + ".",
            None => String::new(),
        };
        let Some((file, mut tree, placement)) = self.included(&fields, &site.chain) else { return };
        self.set_inside(&mut tree, &sets, &fields.path);
        let turned = (fields.origin_of("pose"), fields.key_path("pose"));
        let turned = (!placement.is_quarter_turn()).then_some(turned);
        let is_known = |key: &&Key| is_list(key.name) || key.name == "title";
        let known: Vec<Key> = SCENE.iter().filter(is_known).copied().collect();
        let Some(inner) = Fields::open(&mut self.log, &tree, fields.path, &[&known]) else {
            return;
        };
        let site = Site {
            placement: site.placement.compose(placement),
            prefix: format!("{}{name}", site.prefix),
            turned_by: turned.or_else(|| site.turned_by.clone()),
            chain: site.chain.with(&file),
        };
        self.contents(&inner, &site);
    }

    /// Puts what `--set`s say of the inside of a part into the tree of its file.
    pub(crate) fn set_inside(&mut self, tree: &mut Node, sets: &[(String, Node)], path: &str) {
        for (name, node) in sets {
            if let Err(error) = set::put_all(tree, &mut vec![name], path, node) {
                self.log.error(error);
            }
        }
    }

    /// Reads `include`, `pose` and `variables`: the file's name, its tree, and where it goes.
    pub(crate) fn included(
        &mut self,
        fields: &Fields<'_>,
        chain: &Chain<'_>,
    ) -> Option<(Arc<str>, Node, Placement)> {
        let placement = fields.pose(&mut self.log);
        let name = fields.text(&mut self.log, "include");
        let wanted = Wanted {
            name: &name,
            is_preset: false,
            origin: &fields.get("include").filter(|node| node.text().is_some())?.origin,
            key: &fields.key_path("include"),
        };
        let (file, tree) = self.load(&wanted, fields.get("variables"), &fields.path, chain)?;
        Some((file, tree, placement))
    }

    /// Loads an included file and puts its variables in.
    pub(crate) fn load(
        &mut self,
        wanted: &Wanted<'_>,
        variables: Option<&Node>,
        path: &str,
        chain: &Chain<'_>,
    ) -> Option<(Arc<str>, Node)> {
        let loaded = self.files.include(&mut self.log, wanted, chain)?;
        let mut tree = (*loaded.tree).clone();
        let good = variables::substitute(&mut self.log, &mut tree, variables, path);
        good.then_some((loaded.name, tree))
    }

    /// Reads a name: by default the kind of thing, numbered from the second on.
    pub(crate) fn name(
        &mut self,
        fields: &Fields<'_>,
        site: &Site<'_>,
        kind: &str,
        count: usize,
    ) -> String {
        let name = fields.text_or(&mut self.log, "name", Some(numbered(kind, count)));
        format!("{}{name}", site.prefix)
    }

    /// Remembers which table of which file `spec_key` (such as `robot.3`) was read from.
    pub(crate) fn place(&mut self, spec_key: String, path: &str, origin: &Origin) {
        self.places.add(spec_key, path, origin);
    }
}

/// What thing number `count` of its kind is called: numbered from the second on.
pub(crate) fn numbered(kind: &str, count: usize) -> String {
    if count == 0 { kind.to_owned() } else { format!("{kind}-{}", count + 1) }
}

/// The table of a part, apart from what `--set`s put there for the inside of the included file.
pub(crate) fn split_sets_inside(node: &Node) -> (Cow<'_, Node>, Vec<(String, Node)>) {
    let is_inside = |name: &str, node: &Node| {
        matches!(node.origin, Origin::Set(_)) && (is_list(name) || name == "shape")
    };
    let Some(table) = node.table() else { return (Cow::Borrowed(node), vec![]) };
    let mut sets = vec![];
    let mut kept = table.clone();
    kept.retain(|name, node| {
        let inside = is_inside(name, node);
        if inside {
            sets.push((name.clone(), node.clone()));
        }
        !inside
    });
    if sets.is_empty() {
        return (Cow::Borrowed(node), sets);
    }
    (Cow::Owned(Node { value: Value::Table(kept), origin: node.origin.clone() }), sets)
}
