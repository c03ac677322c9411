//! Outlines of robots and objects: shapes of their own, and parts at poses, which may be nested.

use crate::files::Chain;
use crate::ledger::Origin;
use crate::placement::Placement;
use crate::reader::{
    Absent, Fields, Key, KeyKind, Kinds, OURS, Range, key, number, point, pose, tables,
};
use crate::scene::{Assembler, PART, TITLE, split_sets_inside};
use crate::tree::Value;
use rolima_model::PartSpec;

/// Keys that make an outline.
pub(crate) const OUTLINE: &[Key] = &[
    tables("shape", "convex pieces of the outline, 1 to 64 with those of its parts"),
    tables("part", "files with more pieces, each placed at a pose"),
];

#[derive(Clone, Copy)]
pub(crate) enum ShapeKind {
    Box,
    Circle,
    Polygon,
}

pub(crate) const SHAPES: Kinds<ShapeKind> = Kinds {
    absent: None,
    common: &[],
    list: &[
        (
            "box",
            ShapeKind::Box,
            &[&[
                point("size", "m", "full lengths along the pose's axes"),
                pose("centre and heading"),
            ]],
        ),
        (
            "circle",
            ShapeKind::Circle,
            &[&[
                number("radius", "m", Range::Positive, "radius"),
                point("center", "m", "centre").or(Absent::List(&[0.0; 2]), OURS),
            ]],
        ),
        (
            "polygon",
            ShapeKind::Polygon,
            &[&[key(
                "vertices",
                "m",
                KeyKind::Points,
                "corners of a convex polygon, counter-clockwise, 3 to 8",
            )]],
        ),
    ],
};

/// A convex piece and the table that it was read from.
pub(crate) struct OutlinePiece {
    pub(crate) spec: PartSpec,
    path: String,
    origin: Origin,
}

impl OutlinePiece {
    /// A piece that follows from the whole of a table.
    pub(crate) fn derived(spec: PartSpec, fields: &Fields<'_>) -> Self {
        Self { spec, path: fields.path.clone(), origin: fields.origin.clone() }
    }
}

impl Assembler {
    /// Reads the outline of a robot or an object; tells the log if there is none.
    pub(crate) fn outline(&mut self, fields: &Fields<'_>, chain: &Chain<'_>) -> Vec<OutlinePiece> {
        let mut pieces = vec![];
        self.pieces(fields, Placement::IDENTITY, chain, &mut pieces);
        let says_nothing = |name: &str| match fields.get(name).map(|node| &node.value) {
            None => true,
            Some(Value::Array(items)) => items.is_empty(),
            Some(_) => false,
        };
        if says_nothing("shape") && says_nothing("part") {
            let expected = "at least one shape or part of an outline";
            self.log.wrong(
                fields.origin,
                fields.key_path("shape"),
                expected,
                "nothing: the key is missing",
            );
        }
        pieces
    }

    /// Remembers where the pieces of the body `spec_key` stand.
    pub(crate) fn place_pieces(&mut self, spec_key: &str, pieces: &[OutlinePiece]) {
        for (i, piece) in pieces.iter().enumerate() {
            self.place(format!("{spec_key}.shape.{i}"), &piece.path, &piece.origin);
        }
    }

    fn pieces(
        &mut self,
        fields: &Fields<'_>,
        at: Placement,
        chain: &Chain<'_>,
        out: &mut Vec<OutlinePiece>,
    ) {
        for (node, path) in fields.list(&mut self.log, "shape") {
            let opened = Fields::open_kind(&mut self.log, node, path, &SHAPES);
            let Some((fields, kind)) = opened else { continue };
            let spec = self.shape(&fields, kind, at);
            out.push(OutlinePiece { spec, path: fields.path, origin: node.origin.clone() });
        }
        for (node, path) in fields.list(&mut self.log, "part") {
            let (node, sets) = split_sets_inside(node);
            let Some(fields) = Fields::open(&mut self.log, &node, path, &[PART]) else { continue };
            let Some((file, mut tree, placement)) = self.included(&fields, chain) else { continue };
            self.set_inside(&mut tree, &sets, &fields.path);
            let known = &[OUTLINE, TITLE];
            let inner: Option<Fields<'_>> = Fields::open(&mut self.log, &tree, fields.path, known);
            if let Some(inner) = inner {
                self.pieces(&inner, at.compose(placement), &chain.with(&file), out);
            }
        }
    }

    pub(crate) fn shape(
        &mut self,
        fields: &Fields<'_>,
        kind: ShapeKind,
        at: Placement,
    ) -> PartSpec {
        let log = &mut self.log;
        match kind {
            ShapeKind::Box => {
                let size = fields.point(log, "size");
                let pose = at.compose(fields.pose(log)).pose();
                PartSpec::Box { pose, size: [size.x, size.y] }
            }
            ShapeKind::Circle => {
                let center = at.point(fields.point(log, "center"));
                PartSpec::Circle { center, radius: fields.number(log, "radius") }
            }
            ShapeKind::Polygon => {
                let vertices = fields.points(log, "vertices");
                PartSpec::Polygon { vertices: vertices.into_iter().map(|v| at.point(v)).collect() }
            }
        }
    }
}

/// The convex pieces alone.
pub(crate) fn specs(pieces: Vec<OutlinePiece>) -> Vec<PartSpec> {
    pieces.into_iter().map(|piece| piece.spec).collect()
}
