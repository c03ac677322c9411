//! Thinning: strokes down to lines of one pixel, by the method of Guo and Hall (1989).

use super::plane::Plane;

/// The eight neighbours of a pixel, clockwise from the top.
fn ring(mask: &Plane<bool>, index: usize) -> [bool; 8] {
    let (width, column) = (mask.width, index % mask.width);
    let is_inner =
        index >= width && index + width < mask.data.len() && column > 0 && column + 1 < width;
    if is_inner {
        // Three rows of three, checked once each.
        let row = |middle: usize| [middle - 1, middle, middle + 1].map(|i| mask.data[i]);
        let (above, below) = (row(index - width), row(index + width));
        let (left, right) = (mask.data[index - 1], mask.data[index + 1]);
        return [above[1], above[2], right, below[2], below[1], below[0], left, above[0]];
    }
    let (x, y) = (column as isize, (index / width) as isize);
    [
        mask.at(x, y - 1),
        mask.at(x + 1, y - 1),
        mask.at(x + 1, y),
        mask.at(x + 1, y + 1),
        mask.at(x, y + 1),
        mask.at(x - 1, y + 1),
        mask.at(x - 1, y),
        mask.at(x - 1, y - 1),
    ]
}

/// How many pieces the neighbours of a pixel fall into.
fn pieces([n, ne, e, se, s, sw, w, nw]: [bool; 8]) -> u32 {
    u32::from(!n && (ne || e))
        + u32::from(!e && (se || s))
        + u32::from(!s && (sw || w))
        + u32::from(!w && (nw || n))
}

fn is_removable(around: [bool; 8], is_second: bool) -> bool {
    let [n, ne, e, se, s, sw, w, nw] = around;
    let pairs = |list: [bool; 4]| list.into_iter().filter(|x| *x).count();
    let one = pairs([nw || n, ne || e, se || s, sw || w]);
    let other = pairs([n || ne, e || se, s || sw, w || nw]);
    let kept = if is_second { (n || ne || !se) && e } else { (s || sw || !nw) && w };
    pieces(around) == 1 && (2..=3).contains(&one.min(other)) && !kept
}

/// For each kind of surroundings, a bit a neighbour, whether a pixel goes in the one pass and in
/// the other: looked up, as large areas ask for millions of them.
fn removable_kinds() -> [[bool; 2]; 256] {
    core::array::from_fn(|kind| {
        let around = core::array::from_fn(|k| kind >> k & 1 == 1);
        [is_removable(around, false), is_removable(around, true)]
    })
}

fn kind(around: [bool; 8]) -> usize {
    around.into_iter().enumerate().fold(0, |kind, (k, is_ink)| kind | usize::from(is_ink) << k)
}

/// Reduces the pixels of `mask` to a skeleton one pixel wide that hangs together in the same way.
///
/// Only pixels whose surroundings have changed in the last two passes are looked at again, so
/// that the work grows with the number of pixels and not with the thickness of strokes as well.
pub(crate) fn thin(mask: &mut Plane<bool>) {
    let all = (0..mask.data.len()).filter(|i| mask.data[*i]);
    let mut changed: Vec<usize> = all.filter(|i| ring(mask, *i).contains(&false)).collect();
    let mut changed_before: Vec<usize> = vec![];
    // In which pass a pixel was looked at last. It has a byte only, and is wiped where that is
    // not enough to count on.
    let mut stamp: Plane<u8> = Plane::new(mask.width, mask.height);
    let kinds = removable_kinds();
    let mut pass: u8 = 0;
    let mut idle = 0;
    while idle < 2 {
        if pass == u8::MAX - 1 {
            stamp.data.fill(0);
            pass = 0; // even, so that passes go on in turn
        }
        pass += 1;
        let which = usize::from(pass.is_multiple_of(2));
        let mut removed = vec![];
        for &pixel in changed.iter().chain(&changed_before) {
            let is_new = std::mem::replace(&mut stamp.data[pixel], pass) != pass;
            if is_new && mask.data[pixel] && kinds[kind(ring(mask, pixel))][which] {
                removed.push(pixel);
            }
        }
        for pixel in &removed {
            mask.data[*pixel] = false;
        }
        idle = if removed.is_empty() { idle + 1 } else { 0 };
        let next = removed.iter().flat_map(|p| mask.neighbours(*p)).filter(|p| mask.data[*p]);
        changed_before = std::mem::replace(&mut changed, next.collect());
    }
    drop_corners(mask);
}

/// Takes out pixels that a line of one pixel does not need: the corners of its stairs.
fn drop_corners(mask: &mut Plane<bool>) {
    for pixel in 0..mask.data.len() {
        if mask.data[pixel] {
            let around = ring(mask, pixel);
            let count = around.into_iter().filter(|x| *x).count();
            mask.data[pixel] = count < 2 || pieces(around) != 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::runs::components;
    use super::*;

    fn drawn(rows: &[&str]) -> Plane<bool> {
        let data = rows.iter().flat_map(|row| row.chars().map(|c| c == '#')).collect();
        Plane { width: rows[0].len(), height: rows.len(), data }
    }

    #[test]
    fn a_bar_becomes_a_line_and_a_ring_stays_a_ring() {
        let mut bar = Plane { width: 40, height: 11, data: vec![false; 440] };
        for y in 2..9 {
            for x in 2..38 {
                bar.data[y * 40 + x] = true;
            }
        }
        thin(&mut bar);
        let row = |y: usize| bar.data[y * 40..(y + 1) * 40].iter().filter(|x| **x).count();
        assert!(row(5) > 25, "{}", row(5));
        let things = |plane: &Plane<bool>| {
            let mut count = 0;
            components(plane.width, plane.height, |i| plane.data[i], |_| count += 1)
                .expect("few things");
            count
        };
        assert_eq!(things(&bar), 1);

        let mut ring = drawn(&["#####", "#####", "##.##", "#####", "#####"]);
        thin(&mut ring);
        assert!(!ring.data[12]);
        assert_eq!(things(&ring), 1);
        // The hole is still apart from the outside: eight pixels around it at least, or four.
        assert!(ring.data.iter().filter(|x| **x).count() >= 4);
    }
}
