//! Distances, and where they were measured.

use std::f32::consts::{PI, TAU};

/// A scan from the left to the right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LidarScan {
    /// Distances, m; what is out of reach reads as the reach, 8 m.
    pub readings: Vec<f32>,
    /// Bearings, rad: 0 straight ahead, negative to the left, positive to the right.
    pub angles: Vec<f32>,
    /// Where the beams ended, to the right of the lidar, m.
    pub x: Vec<f32>,
    /// Where the beams ended, ahead of the lidar, m.
    pub y: Vec<f32>,
    /// Bearings in the robot's frame, rad: 0 straight ahead, counter-clockwise, so positive to the
    /// left.
    pub bearings: Vec<f32>,
    /// Where the beams ended in the robot's frame, m: x forward, y to the left, from the robot's
    /// origin, which is not where its lidar is.
    pub points: Vec<[f32; 2]>,
}

impl LidarScan {
    /// A scan over half a circle, whose beams are as far from one another as they are many.
    ///
    /// With 36 beams, beam i looks 85 - 5 i degrees to the left. (The released library labels it
    /// -90 + 5 i, 5 degrees beside the truth.)
    pub fn new(readings: Vec<f32>) -> Self {
        let step = PI / readings.len().max(1) as f32;
        Self::from(readings, [0.0, 0.0, PI / 2.0 - step, -step])
    }

    /// A scan as `Lidar.Scan` has it: x and y of the lidar, bearing of the first beam, from each to
    /// the next, then the distances; none if that is not all there.
    pub(crate) fn placed(floats: &[f32]) -> Option<Self> {
        let (place, readings) = floats.split_first_chunk::<4>()?;
        Some(Self::from(readings.to_vec(), *place))
    }

    fn from(readings: Vec<f32>, [x, y, first, step]: [f32; 4]) -> Self {
        let bearings: Vec<f32> =
            (0..readings.len()).map(|beam| first + step * beam as f32).collect();
        let ends = readings.iter().zip(&bearings);
        let points = ends.map(|(far, at)| [x + far * at.cos(), y + far * at.sin()]).collect();
        let angles = bearings.iter().map(|bearing| -bearing).collect();
        Self { bearings, points, ..Self::at(readings, angles) }
    }

    /// The distances, m: another name for `readings`.
    pub fn distances(&self) -> &[f32] {
        &self.readings
    }

    /// The same readings with the bearings that the released library gives them: beam i of n at
    /// -pi/2 + i pi/n, one step too far to the left.
    pub fn as_labelled_in_the_release(self) -> Self {
        let step = PI / self.readings.len().max(1) as f32;
        let angles = self.angles.iter().map(|angle| angle - step).collect();
        Self { bearings: self.bearings, points: self.points, ..Self::at(self.readings, angles) }
    }

    fn at(readings: Vec<f32>, angles: Vec<f32>) -> Self {
        // Equation 3.33 of the thesis: -cos(pi/2 + angle) and sin(pi/2 + angle).
        let x = readings.iter().zip(&angles).map(|(distance, angle)| distance * angle.sin());
        let y = readings.iter().zip(&angles).map(|(distance, angle)| distance * angle.cos());
        Self { x: x.collect(), y: y.collect(), angles, readings, ..Self::default() }
    }
}

/// The same angle within -pi to pi.
pub fn fix_angle(angle: f32) -> f32 {
    let turned = angle.rem_euclid(TAU);
    if turned > PI { turned - TAU } else { turned }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beams_go_from_the_left_to_the_right() {
        let scan = LidarScan::new(vec![2.0; 36]);
        let degrees: Vec<f32> = scan.angles.iter().map(|angle| angle.to_degrees()).collect();
        assert!((degrees[0] + 85.0).abs() < 1e-4 && (degrees[35] - 90.0).abs() < 1e-4);
        assert!(degrees[17].abs() < 1e-4, "the 18th looks straight ahead");
        assert!(scan.x[0] < -1.9 && scan.x[35] > 1.9, "x is to the right");
        assert!((scan.y[17] - 2.0).abs() < 1e-6, "y is ahead");
        assert_eq!(LidarScan::new(vec![]), LidarScan::default());
        let degrees: Vec<f32> = scan.bearings.iter().map(|at| at.to_degrees()).collect();
        assert!((degrees[0] - 85.0).abs() < 1e-4 && (degrees[35] + 90.0).abs() < 1e-4);
        let [x, y] = scan.points[17];
        assert!((x - 2.0).abs() < 1e-5 && y.abs() < 1e-5, "x is ahead");
        assert!(scan.points[0][1] > 1.9 && scan.points[35][1] < -1.9, "y is to the left");
    }

    #[test]
    fn points_are_in_the_robots_frame_wherever_its_lidar_is() {
        // Half a metre ahead and a quarter to the left, from the right to the left.
        let scan = LidarScan::placed(&[0.5, 0.25, -PI / 2.0, PI / 2.0, 1.0, 2.0, 3.0]);
        let scan = scan.expect("a whole scan");
        assert_eq!(scan.distances(), [1.0, 2.0, 3.0]);
        for (point, [x, y]) in scan.points.iter().zip([[0.5, -0.75], [2.5, 0.25], [0.5, 3.25]]) {
            assert!((point[0] - x).abs() < 1e-6 && (point[1] - y).abs() < 1e-6, "{point:?}");
        }
        let labelled = scan.clone().as_labelled_in_the_release();
        assert_eq!((&labelled.points, &labelled.bearings), (&scan.points, &scan.bearings));
        assert_eq!(LidarScan::placed(&[1.0, 2.0, 3.0]), None);
    }

    #[test]
    fn an_angle_is_fixed_to_half_a_turn_either_way() {
        for (angle, fixed) in [(0.0, 0.0), (3.0 * PI / 2.0, -PI / 2.0), (-4.0, TAU - 4.0)] {
            assert!((fix_angle(angle) - fixed).abs() < 1e-5, "{angle}");
        }
        assert!(fix_angle(f32::NAN).is_nan());
    }
}
