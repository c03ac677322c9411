//! What the loop itself does when another scene begins does not grow with the scene.

use crate::common;

use common::Folder;
use common::live::{Viewer, connect};
use common::running::Running;
use rolima_run::live::{Publication, PublishedScene, Sink};
use rolima_serve::{BlockPlace, StateReader};
use rolima_testing::heap;
use rolima_wire::pb::{self, client_message, server_message::Kind};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// What the loop's thread asked of the heap and gave back from the last moment of a scene to the
/// second of the next one, bytes: the first is before the first step, the second after some.
#[derive(Clone, Copy, Debug)]
struct Swap {
    asked: usize,
    held: isize,
}

struct Witness {
    generation: u32,
    before: (usize, isize),
    /// Whether the next publication after a step is the second of its scene.
    is_second: bool,
    swaps: Arc<Mutex<Vec<Swap>>>,
}

impl Sink for Witness {
    fn scene(&mut self, _: &PublishedScene<'_>) {}

    fn publication(&mut self, publication: &Publication<'_>) {
        let now = (heap::bytes(), heap::held());
        let (asked, held) = (now.0 - self.before.0, now.1 - self.before.1);
        let mut swaps = self.swaps.lock().expect("not poisoned");
        if self.generation != publication.generation && self.generation > 0 {
            swaps.push(Swap { asked, held });
            self.is_second = true;
        } else if self.is_second && publication.frame.step > 0 {
            let swap = swaps.last_mut().expect("there is one");
            (swap.asked, swap.held) = (swap.asked + asked, swap.held + held);
            self.is_second = false;
        }
        drop(swaps);
        (self.generation, self.before) = (publication.generation, (heap::bytes(), heap::held()));
    }
}

/// Loads a map of a robot and so many walls, and waits for its first frame.
fn load(viewer: &mut Viewer, walls: u32) {
    let mut text = "R 0 0\n".to_owned();
    for k in 0..walls {
        let (x, y) = (3 + k % 200, 3 + k / 200);
        text += &format!("W {x} {y} {x}.5 {y}\n");
    }
    let before = viewer.frame().generation;
    viewer.say(client_message::Kind::LoadMap(pb::LoadMap {
        request: walls,
        name: "walls.txt".to_owned(),
        data: text.into_bytes().into(),
        ..pb::LoadMap::default()
    }));
    let answer = viewer.until(|kind| match kind {
        Kind::MapAnswer(answer) => Some(answer),
        _ => None,
    });
    assert!(answer.loaded, "{}", answer.error);
    while viewer.frame().generation == before {}
}

/// Checks loads into a run; readers of `file` follow.
fn check(place: BlockPlace, file: Option<&Path>) {
    let swaps = Arc::new(Mutex::new(vec![]));
    let witness =
        Witness { generation: 0, before: (0, 0), is_second: false, swaps: Arc::clone(&swaps) };
    let running = Running::shown_to("soccer", place, vec![Box::new(witness)]);
    let mut viewer = connect(running.address());
    let mut reader = file.map(|path| StateReader::open(path).expect("a block"));
    let walls = [100, 20_000, 100, 20_000];
    for (count, generation) in walls.into_iter().zip(2..) {
        load(&mut viewer, count);
        if let Some(reader) = &mut reader {
            let scene = reader.scene().expect("a block").expect("a scene");
            assert_eq!(scene.generation, generation);
        }
    }
    let swaps = swaps.lock().expect("not poisoned").clone();
    assert_eq!(swaps.len(), walls.len());
    for (swap, walls) in swaps.iter().zip(walls) {
        // Of 20,000 walls the message of the scene alone is longer.
        let is_little = swap.asked < 200_000 && swap.held.unsigned_abs() < 200_000;
        assert!(is_little, "{walls} walls: {swaps:?}");
    }
}

#[test]
fn turning_to_a_large_world_takes_no_more_of_the_loop_than_to_a_small_one() {
    check(BlockPlace::Anonymous, None);
}

#[test]
fn it_takes_no_more_where_other_processes_read_the_block_and_they_follow() {
    let folder = Folder::new("swapped");
    let path = folder.file("run.state");
    check(BlockPlace::File(path.clone()), Some(&path));
}
