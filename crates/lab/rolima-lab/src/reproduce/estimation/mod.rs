//! Figures 4.2 to 4.6: least squares of orders 2, 5 and 10, gaps filled, the heading unwrapped.

mod pictures;
mod runs;

use super::{Claim, Section, Verdict};
use anyhow::Result;
use pictures::{DEGREES, Line, MM};
use runs::{
    Course, Data, FRAMES, GAPS, Of, Order, RUNS, SETTLED, data, fitted, gap_frames, is_gap,
};

const SETTING: &str = "Both motors get a step, in open loop; the thesis used its real robot. Ours: minirobot-2001 with 1.3 V right \
                       and 1.0 V left, a circle of some 20 cm; vision of 1 mm and 0.5 degrees every 30 ms that loses the robot for \
                       five frames near 2 s and 9 s. Forgetting 0.995, P = 1e6 I, first parameters random. Errors are against the \
                       truth. One run is drawn, of 100 that differ in noise and first parameters. A claim about every run holds if it does \
                       in 95; one that compares two errors, if it does in 63, more than chance would have (1%).";

/// In how many of the runs a claim must hold.
const MOST: usize = 95;

/// In how many of the runs something must be larger than another to be so not by chance: a coin
/// falls as often as this on one side in fewer than one of a hundred times.
const TENDENCY: usize = 63;

fn usually(count: usize) -> Verdict {
    Verdict::of(count >= MOST)
}

fn tends(count: usize) -> Verdict {
    Verdict::of(count >= TENDENCY)
}

const ORDERS: [(usize, &str); 3] = [(2, "figure-4.2"), (5, "figure-4.3"), (10, "figure-4.4")];

pub(super) fn sections() -> Result<Vec<Section>> {
    let data = data()?;
    let fits = ORDERS.map(|(order, _)| Order::of(&data, order));
    let fits = fits.into_iter().collect::<Result<Vec<Order>>>()?;
    let mut sections = vec![];
    for (i, (order, id)) in ORDERS.into_iter().enumerate() {
        sections.push(measured_and_estimated(&fits[..=i], order, id));
    }
    sections.push(filled(&data)?);
    sections.push(unwrapped(&data)?);
    Ok(sections)
}

/// Figures 4.2 to 4.4: the last of these orders, beside those before it.
fn measured_and_estimated(fits: &[Order], order: usize, id: &'static str) -> Section {
    let own = &fits[fits.len() - 1];
    let mut claims = claims_of(own, order);
    if let [.., before, own] = fits {
        claims.extend(claims_of_growth(own, before));
    }
    if let [two, five, ten] = fits {
        let count = two
            .errors
            .iter()
            .zip(five.errors.iter().zip(&ten.errors))
            .filter(|(a, (b, c))| a.overall <= b.overall && a.overall <= c.overall);
        let count = count.count();
        let drawn = [two, five, ten].map(|fit| format!("{:.2} mm", fit.errors[0].overall));
        let settled = [two, five, ten].map(|fit| format!("{:.2} mm", fit.mean(|e| e.quiet)));
        claims.push(Claim::new(
            "of n = 2, 5 and 10 the errors are smallest with 2",
            format!(
                "over all frames, gaps and first instants included: {}, and smallest with 2 in {count} of {RUNS} runs; once \
                 settled, in the mean of all runs, {}",
                drawn.join(", "),
                settled.join(", ")
            ),
            tends(count),
        ));
    }
    let [x, y, theta] = &own.drawn;
    let places = [("x", x), ("y", y)];
    Section {
        id,
        title: format!(
            "Figure {}: measured and estimated x, y, heading with n = {order}",
            &id[7..]
        ),
        setting: SETTING.to_owned(),
        claims,
        pictures: vec![
            pictures::courses("(a) x and y", "m", &places, 1.0),
            pictures::courses("(b) heading", "degrees", &[("heading", theta)], DEGREES),
            pictures::errors(
                "(c) absolute errors of x and y",
                "mm",
                &places.map(|(name, course)| Line::of(name, course)),
                MM,
                0.1,
            ),
            pictures::errors(
                "(d) absolute error of the heading",
                "degrees",
                &[Line::of("heading", theta)],
                DEGREES,
                0.1,
            ),
        ],
    }
}

/// What the thesis says of each order.
fn claims_of(own: &Order, order: usize) -> Vec<Claim> {
    /// Three times what vision itself is off by, mm.
    const SMALL: f64 = 3.0;
    let drawn = &own.errors[0];
    let small = own.count(|e| e.quiet < SMALL);
    let grown = own.count(|e| e.in_gaps > e.quiet);
    let jumps = own.jumps.iter().filter(|jump| jump.to_degrees() > 180.0).count();
    let [after, later, without] = [0, 1, 2].map(|i| own.mean(|e| e.after[i]));
    let left = 100.0 * f64::max(later - without, 0.0) / (after - without);
    let propagates = if order == 2 {
        "after a failed measurement the error propagates for only two more iterations".to_owned()
    } else {
        format!("the error of a gap propagates over the n = {order} samples after it")
    };
    vec![
        Claim::new(
            "x and y are estimated with small absolute errors",
            format!(
                "mean error {:.2} mm after the first second and away from the gaps (vision: 1 mm); below {SMALL} mm in {small} of {RUNS} runs",
                drawn.quiet
            ),
            usually(small),
        ),
        Claim::new(
            "errors grow while vision has lost the robot, near 2 s and 9 s",
            format!(
                "{:.2} mm within the gaps against {:.2} mm; larger in {grown} of {RUNS} runs, in whose mean {:.2} against {:.2} mm",
                drawn.in_gaps,
                drawn.quiet,
                own.mean(|e| e.in_gaps),
                own.mean(|e| e.quiet)
            ),
            tends(grown),
        ),
        Claim::new(
            &propagates,
            format!(
                "in the mean of all runs {after:.2} mm in the {order} frames after a gap and {later:.2} mm in the {order} after \
                 those, where runs without gaps have {without:.2} mm: of what the gap adds {left:.0}% is left, in what the fit has \
                 learnt meanwhile (holds below 10%)"
            ),
            Verdict::of(after > without && left < 10.0),
        ),
        Claim::new(
            "the heading in [-180, 180] degrees has errors where it jumps",
            format!(
                "largest error after the first second {:.0} degrees; above 180 degrees in {jumps} of {RUNS} runs",
                own.jumps[0].to_degrees()
            ),
            usually(jumps),
        ),
    ]
}

/// "Errors grow with n, mainly in the first instants and during the absences": both halves.
fn claims_of_growth(own: &Order, before: &Order) -> [Claim; 2] {
    let begin = own.count_beside(before, |own, before| own.begin > before.begin);
    let gaps = own.count_beside(before, |own, before| own.in_gaps > before.in_gaps);
    let (drawn, other) = (&own.errors[0], &before.errors[0]);
    [
        Claim::new(
            "errors of the first instants grow with n",
            format!(
                "mean of the first second {:.1} mm, with the order before {:.1} mm; larger in {begin} of {RUNS} runs",
                drawn.begin, other.begin
            ),
            tends(begin),
        ),
        Claim::new(
            "errors during the absences grow with n",
            format!(
                "within the gaps {:.2} mm, with the order before {:.2} mm; larger in {gaps} of {RUNS} runs, in whose mean {:.2} \
                 against {:.2} mm",
                drawn.in_gaps,
                other.in_gaps,
                own.mean(|e| e.in_gaps),
                before.mean(|e| e.in_gaps)
            ),
            tends(gaps),
        ),
    ]
}

/// What would be used without a fit: how far the last position seen is off in each frame of a gap,
/// m; not a number elsewhere.
fn last_seen(data: &Data) -> Vec<f64> {
    let off = |frame: usize| {
        let last = (0..frame).rev().find_map(|before| data.seen[before])?;
        is_gap(frame).then(|| (last.position - data.truth[frame].position).length())
    };
    (0..FRAMES).map(|frame| off(frame).unwrap_or(f64::NAN)).collect()
}

fn largest_of(errors: &[f64]) -> f64 {
    errors.iter().copied().filter(|e| e.is_finite()).fold(0.0, f64::max)
}

fn filled(data: &[Data]) -> Result<Section> {
    let mut better = 0;
    for one in data {
        let [x, y] = [fitted(one, 2, Of::X)?, fitted(one, 2, Of::Y)?];
        let most = x.largest(gap_frames()).max(y.largest(gap_frames()));
        better += usize::from(most < largest_of(&last_seen(one)));
    }
    let drawn = &data[0];
    let [x, y] = [fitted(drawn, 2, Of::X)?, fitted(drawn, 2, Of::Y)?];
    let both = |frames: &[usize]| {
        let of = |course: &Course| course.largest(frames.iter().copied());
        MM * of(&x).max(of(&y))
    };
    let most = both(&gap_frames().collect::<Vec<_>>());
    let begin = both(&(0..SETTLED).collect::<Vec<_>>());
    let back = both(&GAPS.into_iter().flat_map(|(_, end)| end..end + 5).collect::<Vec<_>>());
    let stale = last_seen(drawn);
    let [true_x, true_y]: [Vec<f64>; 2] = [
        drawn.truth.iter().map(|pose| pose.position.x).collect(),
        drawn.truth.iter().map(|pose| pose.position.y).collect(),
    ];
    let around = |gap| pictures::around(gap, [("x", &x, &true_x), ("y", &y, &true_y)]);
    let lines = [
        Line::of("x", &x),
        Line::of("y", &y),
        Line { name: "position last seen", errors: &stale, group: 1 },
    ];
    Ok(Section {
        id: "figure-4.5",
        title: "Figure 4.5: estimates used where measurements are missing".to_owned(),
        setting: SETTING.to_owned(),
        claims: vec![Claim::new(
            "the configuration is known at every instant",
            format!(
                "x and y are off by at most {most:.1} mm within five missing frames, where the last position seen is off by \
                 {:.0} mm (better than that in {better} of {RUNS} runs); by {back:.1} mm in the frames just after them, when the \
                 fit's own values are still among the past ones, and by {begin:.1} mm in the first second, when the fit starts \
                 from nothing",
                MM * largest_of(&stale)
            ),
            usually(better),
        )],
        pictures: vec![
            around(GAPS[0]),
            around(GAPS[1]),
            pictures::errors("(b) absolute errors", "mm", &lines, MM, 0.1),
        ],
    })
}

fn unwrapped(data: &[Data]) -> Result<Section> {
    let kinds = [Of::Heading, Of::Wrapped, Of::Printed];
    let largest = |course: &Course| course.largest(SETTLED..FRAMES).to_degrees();
    let (mut better, mut good, mut printed_good) = (0, 0, 0);
    for one in data {
        let mut worst = [0.0; 3];
        for (worst, of) in worst.iter_mut().zip(kinds) {
            *worst = largest(&fitted(one, 2, of)?);
        }
        better += usize::from(worst[0] < 0.1 * worst[1]);
        good += usize::from(worst[0] < 5.0);
        printed_good += usize::from(worst[2] < 5.0);
    }
    let [heading, wrapped, as_printed] = [
        fitted(&data[0], 2, kinds[0])?,
        fitted(&data[0], 2, kinds[1])?,
        fitted(&data[0], 2, kinds[2])?,
    ];
    let (after, before, printed) = (largest(&heading), largest(&wrapped), largest(&as_printed));
    let begin = heading.largest(0..SETTLED).to_degrees();
    let lines = [
        Line::of("unwrapped", &heading),
        Line { group: 1, ..Line::of("wrapped", &wrapped) },
        Line { group: 2, ..Line::of("as printed", &as_printed) },
    ];
    Ok(Section {
        id: "figure-4.6",
        title: "Figure 4.6: the heading after normalisation, n = 2".to_owned(),
        setting: SETTING.to_owned(),
        claims: vec![
            Claim::new(
                "the heading on a line without jumps is estimated more precisely",
                format!(
                    "largest error after the first second {after:.2} degrees, wrapped {before:.0} degrees, and less than a tenth \
                     of that in {better} of {RUNS} runs; in the first second, when the fit starts from nothing, {begin:.2} degrees"
                ),
                usually(better),
            ),
            Claim::new(
                "the normalisation is theta = atan(sin theta / cos theta)",
                format!(
                    "that is a wrap to +-90 degrees, the opposite of what is needed: largest error after the first second \
                     {printed:.0} degrees; ours takes the value nearest to the last: {after:.2} degrees. Below 5 degrees in \
                     {printed_good} and in {good} of {RUNS} runs"
                ),
                Verdict::printed(printed_good >= MOST, good >= MOST),
            ),
        ],
        pictures: vec![
            pictures::courses(
                "(a) heading, unwrapped",
                "degrees",
                &[("heading", &heading)],
                DEGREES,
            ),
            pictures::errors("(b) absolute error", "degrees", &lines, DEGREES, 0.01),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fair_coin_rarely_shows_a_tendency() {
        // Of 100 throws at least so many on one side.
        let mut share = 1.0;
        let mut all = 0.0;
        let mut shares = vec![];
        for k in 0..=RUNS {
            all += share;
            shares.push(share);
            share *= (RUNS - k) as f64 / (k + 1) as f64;
        }
        let at_least = |count: usize| shares[count..].iter().sum::<f64>() / all;
        assert!(at_least(TENDENCY) < 0.01 && at_least(TENDENCY - 1) > 0.01);
    }
}
