//! Scenes for viewers of a run, and worlds for programs of Robot One.

use super::maps::{ensure_robot, source_of, tell_map_notes};
use super::{OpenedWorld, WorldSource, map_notes};
use crate::robotone::live::{NewWorld, WorldGlance, WorldMaker};
use crate::robotone::robots::WorldChange;
use crate::web::{Loader, MapAsked, MapLoaded, MapLoader, SceneListed, SceneLoaded};
use rolima_core::Model;
use rolima_scene::rolima_map::{self, Size, read};
use rolima_scene::{SceneError, Source, builtin_scenes, load};
use std::sync::Arc;

/// The built-in scene that `World.Mode` 0 means.
const REALISTIC: &str = "realistic";
/// The built-in scene that `World.Mode` 1 means, unless the run was started with a maze.
const MAZE: &str = "maze";
/// Ground and robot.
const EMPTY_MAZE: &str = "R 0 0";
/// What a maze that a program has sent is called.
const SENT: &str = "sent by a program";

/// Refuses maps that are too large to be read.
pub fn glance() -> WorldGlance {
    Arc::new(|change| match change {
        WorldChange::Load(bytes) => {
            rolima_map::glance(SENT, bytes).map_err(|error| error.to_string())
        }
        _ => Ok(()),
    })
}

impl WorldSource {
    /// The scenes that viewers may choose from: this one, which is of `model`, and the built-in ones.
    pub fn offered(&self, model: &Model) -> Vec<SceneListed> {
        let title = model.spec.title.clone();
        let mut scenes = vec![SceneListed { title, name: self.name.clone() }];
        for name in builtin_scenes() {
            if scenes[0].name == name {
                continue;
            }
            // What cannot be read now is not offered.
            let read = Source::resolve(&name).and_then(|source| load(&source, &[]));
            scenes.extend(read.map(|scene| SceneListed { title: scene.spec.title, name }));
        }
        scenes
    }

    /// Reads scenes that viewers choose; the one that was started keeps what it was started with.
    pub fn loader(&self) -> Loader {
        let own = self.clone();
        Arc::new(move |name: &str| {
            // Viewers are not told what stands in files that cannot be read: the host alone sees them.
            let withheld = |error: SceneError| {
                (own.tell)(&error.to_string());
                error.withheld().to_string()
            };
            own.open_again(name).map(OpenedWorld::loaded).map_err(withheld)
        })
    }

    /// Reads maps that viewers send, and makes scenes of them unless they are only to be read.
    pub fn map_loader(&self) -> MapLoader {
        let own = self.clone();
        Arc::new(move |asked: &MapAsked| own.read_map(asked).map_err(|error| error.to_string()))
    }

    fn read_map(&self, asked: &MapAsked) -> Result<MapLoaded, SceneError> {
        let size = asked.size.and_then(|[width, height]| Size::new(width, height));
        let found = read(&asked.name, &asked.data, size)?;
        let map = Arc::new(source_of(&found, &asked.data));
        let opened = (!asked.only_read).then(|| self.open_map(&asked.name, &found.map, &map));
        let (model, source) = opened.transpose()?.unzip();
        Ok(MapLoaded { map, notes: found.notes, model, source })
    }

    /// Makes the worlds that programs ask for.
    pub fn maker(&self) -> WorldMaker {
        let own = self.clone();
        Arc::new(move |change| {
            // In one line, as it goes into the log.
            own.make(change).map_err(|error| error.to_string().replace('\n', "; "))
        })
    }

    fn make(&self, change: WorldChange) -> Result<NewWorld, SceneError> {
        let of_scene = |name: &str| -> Result<NewWorld, SceneError> {
            let scene = self.open_again(name)?.loaded();
            Ok(NewWorld { name: name.to_owned(), scene })
        };
        match change {
            WorldChange::Realistic => of_scene(REALISTIC),
            WorldChange::Maze if self.maze.is_some() => of_scene(&self.name),
            WorldChange::Maze => of_scene(MAZE),
            WorldChange::Clear => self.make_of_map(EMPTY_MAZE.as_bytes()),
            WorldChange::Load(bytes) => self.make_of_map(&bytes),
        }
    }

    fn make_of_map(&self, bytes: &[u8]) -> Result<NewWorld, SceneError> {
        // The size that the run was started with is that of pictures; a text says its own.
        let size = self.size.filter(|_| rolima_map::is_picture(bytes));
        let mut found = read(SENT, bytes, size)?;
        let mut bytes = bytes.to_vec();
        ensure_robot(&mut found, &mut bytes);
        tell_map_notes(SENT, &found, self.tell);
        let map = Arc::new(source_of(&found, &bytes));
        let (model, source) = self.open_map(SENT, &found.map, &map)?;
        let notes = map_notes(&found);
        let scene = SceneLoaded { model, map: Some(map), notes, source: Some(source) };
        Ok(NewWorld { name: SENT.to_owned(), scene })
    }
}
