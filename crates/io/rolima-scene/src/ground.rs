//! `[ground]`: rough ground, and how finely what drives on it is computed.

use crate::reader::{
    Absent, Fields, Given, Held, Key, Kinds, OURS, Range, Word, colour, join, number, tables, text,
    word,
};
use crate::relief::{AREA, At, FILE, HILLS, LayerPlan, MAX, MIN, NODES, Z};
use crate::scene::Assembler;
use crate::texture::TEXTURE_SIZE;
use crate::tree::Node;
use crate::undercarriage::OnDrive;
use rolima_math::Vec2;
use rolima_model::{Course, GroundSpec, MarkingSpec, ModelError};
use rolima_spatial::{
    CONTACT_EVERY, Edge, Grid, SLICES, SpatialModel, SpatialSpec, TYRE_EVERY, Terrain, TerrainSpec,
};
use rolima_terrain::{Area, Patch};
use std::sync::Arc;

/// Most layers and patches of a terrain: each visits every node.
const MOST_LAYERS: usize = 64;
/// Side of the ground that is flat for want of a `[ground]`, m; its edge goes on beyond.
const FLAT_SIZE: f64 = 100.0;
/// Longest step of vehicles, s.
const LONGEST_STEP: f64 = 1e-3;

#[derive(Clone, Copy)]
pub(crate) enum GroundKind {
    Flat,
    Expression,
    Hills,
    File,
}

pub(crate) const GROUNDS: Kinds<GroundKind> = Kinds {
    absent: Some(("flat", OURS)),
    common: &[GROUND],
    list: &[
        ("flat", GroundKind::Flat, &[AREA, NODES]),
        ("expression", GroundKind::Expression, &[&[Z], AREA, NODES]),
        ("hills", GroundKind::Hills, &[HILLS, AREA, NODES]),
        ("file", GroundKind::File, &[FILE]),
    ],
};

const GROUND: &[Key] = &[
    tables("layer", "shapes that are laid over it, one after another, at most 64"),
    FRICTION.or(Absent::Value(1.0), OURS),
    text("friction_map", "picture of factors on friction over the whole ground: black is 0")
        .computed("none"),
    number("friction_white", "1", FACTOR, "factor of the map's white").or(Absent::Value(1.0), OURS),
    tables("patch", "rectangles whose friction differs, kept to 0.1 m, at most 64"),
    word(
        "edge",
        Edge::words,
        "what is beyond: extended goes on as at the border, ends ends the run when a vehicle leaves",
    )
    .or(Absent::Own(|| Given::Word(Edge::default().word())), OURS),
    number(
        "fine_step_s",
        "s",
        Range::Within(1e-7, LONGEST_STEP),
        "step of vehicles; the scene's step is a multiple of it",
    )
    .computed("ours: 1 ms, or what divides the scene's step"),
    number(
        "control_period_s",
        "s",
        Range::Positive,
        "vehicles take over commands every so often; a multiple of fine_step_s",
    )
    .computed("ours: 10 ms, or near it"),
    text(
        "texture",
        "what covers it: grass, sand, earth, asphalt, concrete, grid, brick, boards, crate, or a picture in PNG, JPEG or BMP",
    )
    .computed("by height and slope"),
    TEXTURE_SIZE,
    SLICES,
    CONTACT_EVERY,
    TYRE_EVERY,
];

pub(crate) const PATCH: &[Key] =
    &[MIN, MAX, FRICTION, colour("colour", "not painted", "colour that it is painted with")];

const FACTOR: Range = Range::Within(0.0, 10.0);
const FRICTION: Key = number("friction", "1", FACTOR, "factor on the tyres' friction");

/// What robots of a scene need of the ground.
#[derive(Default)]
pub(crate) struct Footing {
    /// Robots with a drive.
    pub(crate) on_drive: Vec<OnDrive>,
    /// A vehicle, by its path.
    pub(crate) vehicle: Option<String>,
}

impl Assembler {
    /// Reads `[ground]`, if the scene has it.
    pub(crate) fn ground(&mut self, scene: &Fields<'_>) {
        let Some(node) = scene.get("ground") else { return };
        let opened = Fields::open_kind(&mut self.log, node, "ground".to_owned(), &GROUNDS);
        let Some((fields, kind)) = opened else { return };
        let before = self.log.error_count();
        let layers = self.limited(&fields, "layer");
        let base = self.base(&fields, kind, !layers.is_empty());
        let plans: Vec<LayerPlan> =
            layers.into_iter().filter_map(|(node, path)| self.layer(node, path)).collect();
        let area = base.as_ref().map(|(base, _)| Area { min: base.min, max: base.max });
        let patches = self.patches(&fields, area);
        let (factor, map) = self.friction(&fields);
        let mut edge = Edge::default();
        fields.fill(&mut self.log, "edge", edge.slot());
        let spec = self.fineness(&fields);
        let texture = self.texture(&fields);
        let Some((mut terrain, name)) = base.filter(|_| self.log.error_count() == before) else {
            return;
        };
        for plan in &plans {
            if let Err(error) = rolima_terrain::lay(&mut terrain, &plan.layer, &plan.path) {
                self.log.error(error.at(&plan.path, &plan.origin));
                return;
            }
        }
        let area = Area { min: terrain.min, max: terrain.max };
        terrain.friction = rolima_terrain::friction(area, factor, map, &patches);
        terrain.edge = edge;
        match Terrain::new(terrain) {
            Ok(terrain) => {
                let ground = GroundSpec { terrain: Arc::new(terrain), name, texture, ..spec };
                self.check_fineness(&fields, &ground);
                self.spec.ground = Some(ground);
            }
            Err(ModelError { key, expected, got }) => {
                let key = key.replacen("terrain", "ground", 1);
                self.log.wrong(fields.origin, key, expected, got);
            }
        }
    }

    /// The entries of a list, as many as there may be.
    fn limited<'a>(&mut self, fields: &Fields<'a>, name: &str) -> Vec<(&'a Node, String)> {
        let mut list = fields.list(&mut self.log, name);
        if list.len() > MOST_LAYERS {
            let expected = format!("at most {MOST_LAYERS}");
            let got = list.len().to_string();
            self.log.wrong(fields.origin_of(name), fields.key_path(name), expected, got);
            list.truncate(MOST_LAYERS);
        }
        list
    }

    /// The terrain below the layers, and its name.
    fn base(
        &mut self,
        fields: &Fields<'_>,
        kind: GroundKind,
        layered: bool,
    ) -> Option<(TerrainSpec, String)> {
        let made = |name: &str| name.to_owned();
        match kind {
            GroundKind::File => self.terrain_file(fields),
            GroundKind::Flat => {
                let (area, nodes) = self.area_and_nodes(fields, !layered)?;
                let flat =
                    TerrainSpec::from_function(area.min, area.max, nodes.0, nodes.1, |_, _| 0.0);
                Some((flat, made("flat")))
            }
            GroundKind::Expression => {
                let (area, nodes) = self.area_and_nodes(fields, false)?;
                let expression = self.expression(fields)?;
                let spec = expression.terrain(area, nodes.0, nodes.1);
                let wrong = |error: rolima_terrain::TerrainError| {
                    error.at(&fields.key_path("z"), fields.origin_of("z"))
                };
                let spec = spec.map_err(|error| self.log.error(wrong(error))).ok()?;
                Some((spec, made("expression")))
            }
            GroundKind::Hills => {
                let (area, nodes) = self.area_and_nodes(fields, false)?;
                let hills = self.hills(fields);
                let height = |x: f64, y: f64| hills.at(x, y);
                let (nx, ny) = nodes;
                Some((
                    TerrainSpec::from_function(area.min, area.max, nx, ny, height),
                    made("hills"),
                ))
            }
        }
    }

    /// Reads the patches of a ground that lies there, if that could be read.
    fn patches(&mut self, fields: &Fields<'_>, ground: Option<Area>) -> Vec<Patch> {
        let mut patches = vec![];
        for (node, path) in self.limited(fields, "patch") {
            let log = &mut self.log;
            let Some(fields) = Fields::open(log, node, path, &[PATCH]) else { continue };
            let friction = fields.number(log, "friction");
            let colour = fields.colour(log, "colour");
            let Some(area) = self.rectangle(&fields) else { continue };
            if let Some(ground) = ground.filter(|ground| !ground.overlaps(&area)) {
                let expected = format!("a patch that lies on the ground, {}", corners(&ground));
                let (origin, path) = (fields.origin, fields.path.clone());
                self.log.wrong(origin, path, expected, format!("one {}", corners(&area)));
            }
            if colour.is_some() {
                let middle = 0.5 * (area.min.y + area.max.y);
                let (from, to) = (Vec2::new(area.min.x, middle), Vec2::new(area.max.x, middle));
                let width = Some(area.max.y - area.min.y);
                let course = Course::Line { from, to };
                self.spec.markings.push(MarkingSpec { course, width, colour, material: None });
            }
            patches.push(Patch { area, friction });
        }
        patches
    }

    fn friction(&mut self, fields: &Fields<'_>) -> (f64, Option<Grid>) {
        let log = &mut self.log;
        let factor = fields.number(log, "friction");
        if fields.get("friction_map").is_none() {
            if let Some(node) = fields.get("friction_white") {
                let expected = "no such key without a friction_map";
                log.wrong(
                    &node.origin,
                    fields.key_path("friction_white"),
                    expected,
                    node.value.got(),
                );
            }
            return (factor, None);
        }
        let white = fields.number(log, "friction_white");
        let Some((name, bytes)) = self.terrain_bytes(fields, "friction_map") else {
            return (factor, None);
        };
        let map = rolima_terrain::friction_map(&name, &bytes, white);
        (factor, map.map_err(|error| self.log.error(error.into())).ok())
    }

    /// Steps, slices and how often things are looked at; the terrain is a stand-in.
    fn fineness(&mut self, fields: &Fields<'_>) -> GroundSpec {
        let defaults = flat(self.spec.sim.step_s);
        let log = &mut self.log;
        let fine_step_s = fields.number_or(log, "fine_step_s", defaults.fine_step_s);
        let period = control_period(fine_step_s);
        let control_period_s = fields.number_or(log, "control_period_s", period);
        let mut count = |name| u32::try_from(fields.count(log, name)).unwrap_or(u32::MAX);
        GroundSpec {
            fine_step_s,
            control_period_s,
            slices: count("slices"),
            contact_every: count("contact_every"),
            tyre_every: count("tyre_every"),
            ..defaults
        }
    }

    /// What only the whole tells: steps that do not divide one another.
    fn check_fineness(&mut self, fields: &Fields<'_>, ground: &GroundSpec) {
        let step = self.spec.sim.step_s;
        let times = step / ground.fine_step_s;
        let uneven = (times.round() / times - 1.0).abs() > 1e-6 || times < 0.5;
        let key = |name: &str| fields.key_path(name);
        if uneven && step > 0.0 {
            let expected = format!("a step of which the scene's, {step} s, is a multiple");
            let got = format!("{:?}", ground.fine_step_s);
            let origin = fields.origin_of("fine_step_s");
            return self.log.wrong(origin, key("fine_step_s"), expected, got);
        }
        if let Err(ModelError { key: wrong, expected, got }) =
            SpatialModel::compile(spatial(ground, self.spec.sim.gravity))
        {
            let name = match wrong.as_str() {
                "sim.step_s" => "fine_step_s",
                other => other.strip_prefix("sim.").unwrap_or(other),
            };
            let (origin, path) = match name {
                "gravity" => (fields.origin, "sim.gravity".to_owned()),
                name => (fields.origin_of(name), key(name)),
            };
            self.log.wrong(origin, path, expected, got);
        }
    }

    /// Flat ground for vehicles in a scene that says nothing of it; robots with a drive become
    /// vehicles where there is ground.
    pub(crate) fn finish_ground(&mut self) {
        let Footing { on_drive, vehicle } = std::mem::take(&mut self.footing);
        if let (None, Some(_)) = (&self.spec.ground, &vehicle) {
            self.spec.ground = Some(flat(self.spec.sim.step_s));
        }
        let reason = match (&self.spec.ground, vehicle) {
            (None, _) => {
                let hitched =
                    on_drive.into_iter().filter_map(|robot| Some((robot.path, robot.hitch?)));
                for (path, (_, origin)) in hitched {
                    let expected = "a scene with [ground], where vehicles are hitched";
                    self.log.wrong(&origin, join(&path, "hitch"), expected, "a flat floor");
                }
                return;
            }
            (Some(_), Some(path)) => format!("{path} is a vehicle"),
            (Some(_), None) => "the scene has [ground]".to_owned(),
        };
        if let Some(ground) = self.spec.ground.clone() {
            on_drive.into_iter().for_each(|robot| self.put_on_ground(robot, &ground, &reason));
        }
        // What would be without effect there is refused rather than ignored.
        for (path, instead) in [
            ("sim.integrator", "steps of vehicles are semi-implicit"),
            ("contact.iterations", "what meets there is solved by another engine"),
        ] {
            let row = self.log.ledger.find(path).filter(|row| !row.origin.is_default());
            let Some((origin, got)) = row.map(|row| (row.origin.clone(), row.value.clone())) else {
                self.log.ledger.forget(path);
                continue;
            };
            let expected = format!("no such key on ground, where {instead}");
            self.log.wrong(&origin, path.to_owned(), expected, got);
        }
    }
}

/// From where to where an area is, for people.
fn corners(Area { min, max }: &Area) -> String {
    format!("from [{}, {}] to [{}, {}]", min.x, min.y, max.x, max.y)
}

/// Flat ground with a step that divides the scene's.
fn flat(step_s: f64) -> GroundSpec {
    let terrain = Terrain::new(TerrainSpec::flat(FLAT_SIZE)).expect("a plane is a good terrain");
    let times = (step_s / LONGEST_STEP * (1.0 - 1e-9)).ceil().max(1.0);
    let fine_step_s = if step_s > 0.0 { step_s / times } else { LONGEST_STEP };
    let control_period_s = control_period(fine_step_s);
    GroundSpec { fine_step_s, control_period_s, ..GroundSpec::new("flat", Arc::new(terrain)) }
}

/// The multiple of a step that is nearest to 10 ms.
fn control_period(fine_step_s: f64) -> f64 {
    if fine_step_s > 0.0 { fine_step_s * (1e-2 / fine_step_s).round().max(1.0) } else { 1e-2 }
}

/// A spatial world of this fineness without vehicles, for checks.
pub(crate) fn spatial(ground: &GroundSpec, gravity: f64) -> SpatialSpec {
    SpatialSpec {
        step_s: ground.fine_step_s,
        control_period_s: ground.control_period_s,
        gravity,
        slices: ground.slices,
        contact_every: ground.contact_every,
        tyre_every: ground.tyre_every,
        ..SpatialSpec::new(ground.terrain.clone())
    }
}
