//! How bodies collide, by their kinds.

use crate::check::check_numbers;
use crate::model::BodyKind;
use crate::spec::{ContactResponse, ContactSpec, PairTable, SceneSpec};
use rolima_check::ModelError;

/// How bodies collide, by kinds.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactModel {
    /// The response model.
    pub response: ContactResponse,
    /// Restitution by [`crate::BodyKind`] of both.
    pub restitution: [[f64; 4]; 4],
    /// Friction by [`crate::BodyKind`] of both.
    pub friction: [[f64; 4]; 4],
    /// Approach speed below which nothing bounces, m/s.
    pub restitution_threshold: f64,
    /// Most sweeps of the solver.
    pub iterations: u32,
}

pub(crate) fn compile_contact(spec: &SceneSpec) -> Result<ContactModel, ModelError> {
    let c = &spec.contact;
    check_numbers("contact", c, ContactSpec::KEYS)?;
    check_numbers("contact.restitution", c, ContactSpec::RESTITUTION)?;
    check_numbers("contact.friction", c, ContactSpec::FRICTION)?;
    Ok(ContactModel {
        response: c.response,
        restitution: by_kind(&c.restitution),
        friction: by_kind(&c.friction),
        restitution_threshold: c.restitution_threshold,
        iterations: c.iterations,
    })
}

/// The table indexed by both kinds.
fn by_kind(table: &PairTable) -> [[f64; 4]; 4] {
    BodyKind::ALL.map(|a| BodyKind::ALL.map(|b| table.of(a, b)))
}
