//! Bodies by their numbers in the scene: a slot is a place in memory, which is nobody else's business.
//!
//! The only place where the two are turned into one another on the way to a log and back.

use crate::live::contract::Act;
use rolima_core::Model;

/// Stands for what is no body: to do something to it is refused, in a replay as in the run.
const NOBODY: u32 = u32::MAX;

/// What is done to a body of this slot, by the body's number: robots, balls, objects, each in the
/// scene's order.
pub(super) fn by_number(act: Act, model: &Model) -> Act {
    let number = |slot: u32| match model.body(slot) {
        Some(_) => model.bodies[..slot as usize].iter().flatten().count() as u32,
        None => NOBODY,
    };
    renumbered(act, number)
}

/// What is done to a body of this number, by the body's slot.
pub(super) fn by_slot(act: Act, model: &Model) -> Act {
    let slot = |number: u32| {
        let found = model.bodies.iter().flatten().nth(number as usize);
        found.map_or(NOBODY, |body| body.slot)
    };
    renumbered(act, slot)
}

fn renumbered(act: Act, number: impl Fn(u32) -> u32) -> Act {
    match act {
        Act::Place { slot, pose } => Act::Place { slot: number(slot), pose },
        Act::Push { slot, point, impulse } => Act::Push { slot: number(slot), point, impulse },
        Act::Grab { slot, own, hand } => Act::Grab { slot: number(slot), own, hand },
        Act::LetGo { slot } => Act::LetGo { slot: number(slot) },
        Act::Command { .. }
        | Act::Stop { .. }
        | Act::Release { .. }
        | Act::Sigma { .. }
        | Act::Believe { .. }
        | Act::Goal { .. }
        | Act::NoGoal { .. } => act,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Vec2;
    use rolima_scene::builtin_model;

    #[test]
    fn every_body_has_a_number_of_its_own_and_what_is_none_has_none() {
        let model = builtin_model("playground", &[]).expect("a built-in scene");
        let act = |slot| Act::Push { slot, point: Vec2::ZERO, impulse: Vec2::ZERO };
        let number_of = |slot| match by_number(act(slot), &model) {
            Act::Push { slot, .. } => slot,
            other => panic!("{other:?}"),
        };
        let slots: Vec<u32> = model.bodies.iter().flatten().map(|body| body.slot).collect();
        assert!(slots.len() > model.robots.len(), "more than robots");
        for (number, slot) in (0..).zip(&slots) {
            assert_eq!(number_of(*slot), number);
            assert_eq!(by_slot(act(number), &model), act(*slot));
        }
        let padding = (0..).find(|slot| !slots.contains(slot)).expect("no end");
        assert_eq!(number_of(padding), NOBODY);
        assert_eq!(by_slot(act(slots.len() as u32), &model), act(NOBODY));
    }
}
