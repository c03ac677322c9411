//! Stage 4, contacts: motion before and after => motion with contacts.
//!
//! Each engine finds and resolves its contacts in its own way: see the modules `contacts` of
//! [`crate::planar`] and [`crate::spatial`]. Where they press is told by [`crate::contact_points`].

use crate::engine;
use crate::probe::Probe;
use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::Model;

/// Stage 4: finds and resolves the contacts of this step.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch, probe: &mut impl Probe) {
    engine::collide(model, state, scratch, probe);
}
