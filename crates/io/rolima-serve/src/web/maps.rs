//! Maps that viewers send.

use super::handler::{Client, RequestHandler};
use super::options::{MapLoaded, SceneLoaded};
use super::outbox::Out;
use super::refusal::RequestRefusal;
use crate::shm::prepare_scene;
use rolima_run::live::Request;
use rolima_wire::{MapAsked, Role, now, pb};
use std::sync::Arc;

impl RequestHandler {
    /// Reads a map on a thread of its own, and makes it the world unless it is only to be read.
    /// The sender gets an answer in any case.
    pub(super) fn load_map(self: &Arc<Self>, asked: MapAsked, client: &Client) {
        let outbox = client.outbox.clone();
        let request = asked.request;
        let answer = move |answer: pb::MapAnswer| {
            let answer = pb::MapAnswer { request, ..answer };
            let bytes = now::server_message(pb::server_message::Kind::MapAnswer(answer));
            outbox.push(Out::Message(bytes.into()));
        };
        let Some(load) = self.loads.begin(client.number) else {
            return answer(refused_for(&RequestRefusal::Loading));
        };
        let handler = Arc::clone(self);
        self.loads.read(move || {
            let result = match (handler.backend.load_map)(&asked) {
                Ok(read) => handler.take(asked.name, read).unwrap_or_else(|why| refused_for(&why)),
                Err(error) => pb::MapAnswer { error, ..pb::MapAnswer::default() },
            };
            // Whoever has the answer may send the next one.
            drop(load);
            answer(result);
        });
    }

    /// Passes the scene of a map on to the loop, if it is to be one.
    fn take(&self, name: String, read: MapLoaded) -> Result<pb::MapAnswer, RequestRefusal> {
        let MapLoaded { map, notes, model, source } = read;
        let [width, height] = map.size.unwrap_or_default();
        let text = map.text.clone();
        let is_world = model.is_some();
        if let Some(model) = model {
            let scene = SceneLoaded { model, map: Some(map), notes: notes.clone(), source };
            let loaded = prepare_scene(name, scene);
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

impl Client {
    /// Answers a map that is not even looked at.
    pub(super) fn refuse_map(&self, request: u32, why: &RequestRefusal) {
        self.answer_map(pb::MapAnswer { request, ..refused_for(why) });
    }

    /// Answers a map that the client's role may not send, and says which role it needs.
    pub(super) fn forbid_map(&self, request: u32, needs: Role, why: String) {
        let needs = pb::Role::from(needs).into();
        self.answer_map(pb::MapAnswer { request, needs, error: why, ..pb::MapAnswer::default() });
    }

    fn answer_map(&self, answer: pb::MapAnswer) {
        let bytes = now::server_message(pb::server_message::Kind::MapAnswer(answer));
        self.outbox.push(Out::Message(bytes.into()));
    }
}

fn refused_for(why: &RequestRefusal) -> pb::MapAnswer {
    let refusal = Some(why.message());
    pb::MapAnswer { error: why.to_string(), refusal, ..pb::MapAnswer::default() }
}
