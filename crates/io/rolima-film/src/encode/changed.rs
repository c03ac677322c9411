//! Where a picture differs from the one before.

/// A part of a picture, pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Looks where pictures change, so that what stands still is written once.
pub(super) struct Changes {
    size: [u32; 2],
    before: Option<Vec<u8>>,
}

impl Changes {
    pub(super) fn new(size: [u32; 2]) -> Self {
        Self { size, before: None }
    }

    /// The picture before.
    pub(super) fn before(&self) -> Option<&[u8]> {
        self.before.as_deref()
    }

    /// The smallest part that holds all that changed; of the first picture all of it, of an equal one a
    /// single pixel.
    pub(super) fn part(&self, rgb: &[u8]) -> Part {
        let [width, height] = self.size;
        let Some(before) = &self.before else { return Part { left: 0, top: 0, width, height } };
        let row = 3 * width as usize;
        let rows = || rgb.chunks_exact(row).zip(before.chunks_exact(row));
        let differs = |(new, old): (&[u8], &[u8])| new != old;
        let Some(top) = rows().position(differs) else {
            return Part { left: 0, top: 0, width: 1, height: 1 };
        };
        let below = rows().rposition(differs).unwrap_or(top) + 1;
        let (mut first, mut last) = (row, 0);
        for (new, old) in rows().skip(top).take(below - top) {
            let unequal = |(a, b): (&u8, &u8)| a != b;
            if let Some(at) = new.iter().zip(old).position(unequal) {
                first = first.min(at);
                last = last.max(new.iter().zip(old).rposition(unequal).unwrap_or(at));
            }
        }
        let (left, right) = (first / 3, last / 3 + 1);
        Part {
            left: left as u32,
            top: top as u32,
            width: (right - left) as u32,
            height: (below - top) as u32,
        }
    }

    /// This picture is the one before from now on.
    pub(super) fn keep(&mut self, rgb: &[u8]) {
        match &mut self.before {
            Some(before) => before.copy_from_slice(rgb),
            None => self.before = Some(rgb.to_vec()),
        }
    }

    /// The pixels of a part, row by row, by their places in the whole picture, in bytes.
    pub(super) fn places(&self, part: Part) -> impl Iterator<Item = usize> + use<> {
        let width = self.size[0] as usize;
        let (left, top) = (part.left as usize, part.top as usize);
        let (across, down) = (part.width as usize, part.height as usize);
        (0..down).flat_map(move |row| {
            let begin = (top + row) * width + left;
            (begin..begin + across).map(|pixel| 3 * pixel)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_holds_all_that_changed_and_no_more() {
        let mut changes = Changes::new([8, 6]);
        let mut picture = vec![7_u8; 3 * 8 * 6];
        assert_eq!(changes.part(&picture), Part { left: 0, top: 0, width: 8, height: 6 });
        changes.keep(&picture);
        assert_eq!(changes.part(&picture), Part { left: 0, top: 0, width: 1, height: 1 });
        // The blue of (5, 1) and the red of (2, 4).
        picture[3 * (8 + 5) + 2] = 8;
        picture[3 * (4 * 8 + 2)] = 8;
        let part = changes.part(&picture);
        assert_eq!(part, Part { left: 2, top: 1, width: 4, height: 4 });
        let places: Vec<usize> = changes.places(part).collect();
        assert_eq!((places.len(), places[0], places[15]), (16, 3 * 10, 3 * (4 * 8 + 5)));
    }
}
