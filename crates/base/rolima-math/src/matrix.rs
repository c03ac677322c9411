//! Small fixed-size matrices and their exponential.

/// A square matrix, row by row.
pub type Matrix<const N: usize> = [[f64; N]; N];

/// The unit matrix.
pub fn identity<const N: usize>() -> Matrix<N> {
    let mut m = [[0.0; N]; N];
    for i in 0..N {
        m[i][i] = 1.0;
    }
    m
}

/// The product `a b`.
pub fn product<const N: usize>(a: &Matrix<N>, b: &Matrix<N>) -> Matrix<N> {
    let mut m = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..N {
            for k in 0..N {
                m[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    m
}

/// The inverse of a symmetric or general 2x2 matrix.
pub fn inverse2(m: &Matrix<2>) -> Matrix<2> {
    let d = 1.0 / (m[0][0] * m[1][1] - m[0][1] * m[1][0]);
    [[m[1][1] * d, -m[0][1] * d], [-m[1][0] * d, m[0][0] * d]]
}

/// exp(`a` `t`), by scaling, a Taylor series of degree 20, and squaring.
///
/// For `x' = a x` this is the exact map over the time `t`.
pub fn exponential<const N: usize>(a: &Matrix<N>, t: f64) -> Matrix<N> {
    let norm =
        a.iter().map(|row| row.iter().map(|x| (x * t).abs()).sum::<f64>()).fold(0.0, f64::max);
    let mut squarings = 0;
    let mut scale = 1.0;
    while norm * scale > 0.25 && squarings < 60 {
        scale *= 0.5;
        squarings += 1;
    }
    let mut sum = identity::<N>();
    let mut term = identity::<N>();
    for k in 1..=20 {
        term = product(&term, a);
        let factor = t * scale / f64::from(k);
        for i in 0..N {
            for j in 0..N {
                term[i][j] *= factor;
                sum[i][j] += term[i][j];
            }
        }
    }
    for _ in 0..squarings {
        sum = product(&sum, &sum);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::{cos, exp, sin};

    #[test]
    fn exponential_of_a_rotation_generator_is_the_rotation() {
        let e = exponential(&[[0.0, -1.0], [1.0, 0.0]], 2.5);
        assert!((e[0][0] - cos(2.5)).abs() < 1e-14 && (e[1][0] - sin(2.5)).abs() < 1e-14);
    }

    #[test]
    fn exponential_of_a_diagonal_is_elementwise() {
        let e = exponential(&[[-3.0, 0.0], [0.0, -800.0]], 0.5);
        // Eleven squarings amplify the rounding of one.
        assert!((e[0][0] - exp(-1.5)).abs() < 1e-12);
        assert!((e[1][1] - exp(-400.0)).abs() < 1e-15);
    }

    #[test]
    fn inverse_times_matrix_is_unity() {
        let m = [[2.0, 0.3], [0.7, 5.0]];
        let i = product(&m, &inverse2(&m));
        assert!((i[0][0] - 1.0).abs() < 1e-15 && i[0][1].abs() < 1e-15);
    }
}
