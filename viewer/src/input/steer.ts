// From what hands do to voltages, or to speeds.

/** Voltages of a robot's motors, as shares of its supply from -1 to 1. */
export interface Steering {
  left: number;
  right: number;
  /** Where the steering wheel is, left positive, as a share of its way, of vehicles that have one; undefined: straight, or
   * by the difference of both sides. */
  wheel?: number;
  /** Throttle beside it, as a share of full speed: both sides together have no room for all of both. Undefined: the mean of
   * both sides. */
  throttle?: number;
  /** Brakes on, of vehicles that have some. */
  brake?: boolean;
}

export const BRAKING: Steering = { left: 0, right: 0, brake: true };
export const STOPPED: Steering = { left: 0, right: 0 };

/** Fastest that hands drive a robot by its speeds, m/s and rad/s: what a person can steer. */
const FASTEST_BY_HAND = 2;
const FASTEST_TURN_BY_HAND = 3;

/** Speeds of the body, m/s and rad/s, for a robot with a speed controller: the wheels' mean and difference, as
 * shares of what it can and a person can steer. */
export function speedsOf({ left, right }: Steering, maxSpeed: number, maxTurning: number): { speed: number; turning: number } {
  return {
    speed: 0.5 * (left + right) * Math.min(maxSpeed, FASTEST_BY_HAND),
    turning: 0.5 * (right - left) * Math.min(maxTurning, FASTEST_TURN_BY_HAND),
  };
}

/** Turning that only turns the wheels of a car that stands, rad/s: any will do. */
const ON_THE_SPOT = 0.5;

/** Speed and turning of a vehicle with steered wheels: throttle and wheel. Backing with the wheel to the left, it turns
 * to the right. Standing, the wheels turn all the way. */
export function carSpeedsOf(asked: Steering, maxSpeed: number, maxCurvature: number): { speed: number; turning: number } {
  const throttle = asked.throttle ?? 0.5 * (asked.left + asked.right);
  const speed = throttle * Math.min(maxSpeed, FASTEST_BY_HAND);
  const wheel = asked.wheel ?? clamp(asked.right - asked.left);
  return { speed, turning: speed === 0 ? wheel * ON_THE_SPOT : wheel * maxCurvature * speed };
}

/** How much of full speed the keyboard asks when turning on the spot: full volts spin too fast to aim. */
const KEY_TURN = 0.45;
const KEY_SPEED = 0.8;
/** How far a key turns the steering wheel: not all the way, which is for standing still. */
const KEY_WHEEL = 0.7;
/** With the slow key held. */
const SLOW = 0.4;
/** Sticks do not come back to exactly zero. */
const DEAD_ZONE = 0.12;

const clamp = (value: number) => Math.max(-1, Math.min(1, value));

export interface HeldKeys {
  forward: boolean;
  back: boolean;
  left: boolean;
  right: boolean;
  slow: boolean;
}

/** Arcade steering by four keys. Backing, the robot turns as a car does: left goes left. */
export function steerByKeys(keys: HeldKeys): Steering {
  const forward = Number(keys.forward) - Number(keys.back);
  const turn = (Number(keys.left) - Number(keys.right)) * (forward < 0 ? -1 : 1);
  const scale = keys.slow ? SLOW : 1;
  const ahead = forward * KEY_SPEED;
  const aside = turn * (forward === 0 ? KEY_TURN : KEY_TURN * 0.6);
  const steering: Steering = { left: clamp(scale * (ahead - aside)), right: clamp(scale * (ahead + aside)) };
  const wheel = Number(keys.left) - Number(keys.right);
  return wheel === 0 ? steering : { ...steering, wheel: wheel * KEY_WHEEL, throttle: scale * ahead };
}

/** Takes out the dead zone and grows gently, so that small corrections are easy. */
export function shapeAxis(value: number): number {
  const size = Math.abs(value);
  if (!(size > DEAD_ZONE)) return 0;
  const share = Math.min(1, (size - DEAD_ZONE) / (1 - DEAD_ZONE));
  return Math.sign(value) * (0.4 * share + 0.6 * share ** 3);
}

export type SteeringKind = 'arcade' | 'tank';

export interface Pad {
  steering: Steering;
  /** How the camera is to move: around, up, each -1 to 1. */
  cameraX: number;
  cameraY: number;
}

/** Axes of the standard gamepad: 0, 1 left stick; 2, 3 right stick; up is negative. In tank steering
 * each stick is a wheel, and the camera is moved by the cross. */
export function steerByPad(axes: readonly number[], kind: SteeringKind): Pad {
  const axis = (n: number) => shapeAxis(axes[n] ?? 0);
  if (kind === 'tank') {
    return { steering: { left: 0 - axis(1), right: 0 - axis(3) }, cameraX: 0, cameraY: 0 };
  }
  const ahead = 0 - axis(1);
  const aside = 0.5 * axis(0);
  const both: Steering = { left: clamp(ahead + aside), right: clamp(ahead - aside) };
  return {
    steering: aside === 0 ? both : { ...both, wheel: -axis(0), throttle: ahead },
    cameraX: axis(2),
    cameraY: axis(3),
  };
}

/** Axes of a stick on the screen from where the finger is, CSS pixels from its middle: as a gamepad's,
 * and no farther out than one in any direction. */
export function stickAxes(dx: number, dy: number, reach: number): [number, number] {
  const far = Math.max(1, Math.hypot(dx, dy) / reach);
  return [dx / reach / far, dy / reach / far];
}
