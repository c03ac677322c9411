//! What measures and explains the product, apart from it.
//!
//! | module | what |
//! |---|---|
//! | [`mod@bench`] | `rolima bench`: how fast it is |
//! | [`mod@reproduce`] | `rolima reproduce`: the papers' figures, with what they claim and what is measured |
//! | [`mod@compare`] | `rolima compare`: runs and measured paths, side by side |
//! | [`mod@curve`] | `rolima curve`: curves of tyres and motors |
//! | [`mod@plan`] | `rolima plan`: paths between poses |
//! | [`mod@profile`] | `rolima profile`: where the time of a step goes |
//! | `plot` | drawings as SVG |

pub mod bench;
pub mod compare;
pub mod curve;
pub mod plan;
mod plot;
pub mod profile;
pub mod reproduce;
