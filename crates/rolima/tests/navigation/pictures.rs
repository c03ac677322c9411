//! What is drawn in a picture, read back from its elements.

/// The numbers of an attribute of points, in pairs.
fn pixels(points: &str) -> Vec<(f64, f64)> {
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let pair = |text: &str| text.split_once(',').map(|(x, y)| (number(x), number(y)));
    points.split_whitespace().filter_map(pair).collect()
}

/// What is drawn by elements of a name in a picture, each as its points.
pub(crate) fn drawn(picture: &str, element: &str) -> Vec<Vec<(f64, f64)>> {
    let start = format!("<{element} points=\"");
    let all = picture.split(&start).skip(1);
    all.map(|rest| pixels(rest.split('"').next().unwrap_or(""))).collect()
}

/// The small circles of a picture, each as its centre.
fn circles(picture: &str) -> Vec<Vec<(f64, f64)>> {
    let number = |text: &str| text.split('"').next()?.parse::<f64>().ok();
    let centre = |rest: &str| {
        let (x, rest) = rest.split_once("\" cy=\"")?;
        Some(vec![(number(x)?, number(rest)?)])
    };
    let all = picture.split("<circle cx=\"").skip(1);
    all.map(|rest| centre(rest).expect("a centre")).collect()
}

/// The frames of a picture's axes: left, top, width, height.
fn frames(picture: &str) -> Vec<[f64; 4]> {
    let of = |rest: &str| {
        let mut words = rest.split('"').step_by(2).filter_map(|word| word.parse::<f64>().ok());
        [(); 4].map(|()| words.next().expect("a number"))
    };
    let nested = picture.split("<svg x=\"").skip(1);
    let drawn = picture.split("<rect x=\"").skip(1);
    let drawn = drawn.filter(|rest| rest.split('>').next().is_some_and(|r| r.contains("#9aa0a6")));
    nested.chain(drawn).map(of).collect()
}

/// Whether points lie within a frame of a picture's axes, all within the same.
pub(crate) fn is_within_frame(picture: &str, points: &[(f64, f64)]) -> bool {
    frames(picture).into_iter().any(|[x, y, width, height]| {
        let within = |(px, py): (f64, f64)| {
            px >= x - 0.1 && px <= x + width + 0.1 && py >= y - 0.1 && py <= y + height + 0.1
        };
        points.iter().copied().all(within)
    })
}

/// That nothing is drawn where nobody sees it.
pub(crate) fn is_whole(picture: &str, name: &str) {
    assert!(!frames(picture).is_empty(), "{name} has no frame");
    let lines = [drawn(picture, "polyline"), drawn(picture, "polygon"), circles(picture)].concat();
    assert!(!lines.is_empty(), "{name} shows nothing");
    for line in lines {
        assert!(is_within_frame(picture, &line), "{name} leaves its frame: {line:?}");
    }
}
