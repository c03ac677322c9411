//! Maps that viewers send.

use super::desk::{Desk, Visitor};
use super::options::MapLoaded;
use super::outbox::Out;
use crate::shm::prepare_scene;
use rolima_run::live::Request;
use rolima_wire::{MapAsked, Role, now, pb};
use std::sync::Arc;

impl Desk {
    /// Reads a map on a thread of its own, and makes it the world unless it is only to be read.
    /// The sender gets an answer in any case.
    pub(super) fn load_map(self: &Arc<Self>, asked: MapAsked, visitor: &Visitor) {
        let outbox = visitor.outbox.clone();
        let request = asked.request;
        let answer = move |answer: pb::MapAnswer| {
            let answer = pb::MapAnswer { request, ..answer };
            let bytes = now::server_message(pb::server_message::Kind::MapAnswer(answer));
            outbox.push(Out::Message(bytes.into()));
        };
        let Some(load) = self.loads.begin(visitor.client) else {
            return answer(refused("Another scene is being loaded.".to_owned()));
        };
        let desk = Arc::clone(self);
        self.loads.read(move || {
            let read = (desk.backend.load_map)(&asked);
            let result = read.and_then(|read| desk.take(asked.name, read)).unwrap_or_else(refused);
            // Whoever has the answer may send the next one.
            drop(load);
            answer(result);
        });
    }

    /// Passes the scene of a map on to the loop, if it is to be one.
    fn take(&self, name: String, read: MapLoaded) -> Result<pb::MapAnswer, String> {
        let MapLoaded { map, notes, model, source } = read;
        let [width, height] = map.size.unwrap_or_default();
        let text = map.text.clone();
        let is_world = model.is_some();
        if let Some(model) = model {
            let loaded = prepare_scene(name, model, Some(map), source);
            self.send(Request::Load(Arc::new(loaded)))?;
        }
        Ok(pb::MapAnswer {
            loaded: is_world,
            text,
            width,
            height,
            notes,
            ..pb::MapAnswer::default()
        })
    }
}

impl Visitor {
    /// Answers a map that is not even looked at, and says which role it needs, if one may send it.
    pub(super) fn refuse_map(&self, request: u32, why: &str, needs: Option<Role>) {
        let mut answer = pb::MapAnswer { request, ..refused(why.to_owned()) };
        if let Some(role) = needs {
            answer.needs = pb::Role::from(role).into();
        }
        let bytes = now::server_message(pb::server_message::Kind::MapAnswer(answer));
        self.outbox.push(Out::Message(bytes.into()));
    }
}

fn refused(error: String) -> pb::MapAnswer {
    pb::MapAnswer { error, ..pb::MapAnswer::default() }
}
