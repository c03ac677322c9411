const TURN = 2 * Math.PI;

/** The same direction between -pi and pi. */
export function wrap(angle: number): number {
  return angle - TURN * Math.round(angle / TURN);
}

/** From heading a to heading b, the way round that turning by about `expected` suggests: a robot that
 * spins fast may turn by more than half a turn between two frames. */
export function turnBetween(a: number, b: number, expected: number): number {
  return expected + wrap(b - a - expected);
}
