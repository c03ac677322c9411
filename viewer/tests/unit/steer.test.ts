import { describe, expect, it } from 'vitest';
import { carSpeedsOf, shapeAxis, speedsOf, stickAxes, steerByKeys, steerByPad } from '../../src/input/steer';

const none = { forward: false, back: false, left: false, right: false, slow: false };

describe('steering by keys', () => {
  it('stands without keys, and with opposite ones', () => {
    expect(steerByKeys(none)).toEqual({ left: 0, right: 0 });
    expect(steerByKeys({ ...none, forward: true, back: true })).toEqual({ left: 0, right: 0 });
  });
  it('goes straight with equal voltages', () => {
    const { left, right } = steerByKeys({ ...none, forward: true });
    expect(left).toBe(right);
    expect(left).toBeGreaterThan(0.5);
  });
  it('turns left by the right wheel', () => {
    const { left, right } = steerByKeys({ ...none, left: true });
    expect(right).toBeGreaterThan(0);
    expect(left).toBe(-right);
  });
  it('never asks more than the supply', () => {
    for (const keys of [{ ...none, forward: true, left: true }, { ...none, back: true, right: true }]) {
      const { left, right } = steerByKeys(keys);
      expect(Math.max(Math.abs(left), Math.abs(right))).toBeLessThanOrEqual(1);
    }
  });
  it('is slower with the slow key', () => {
    const fast = steerByKeys({ ...none, forward: true });
    const slow = steerByKeys({ ...none, forward: true, slow: true });
    expect(slow.left).toBeLessThan(fast.left);
    expect(slow.left).toBeGreaterThan(0);
  });
});

describe('steering by gamepad', () => {
  it('has a dead zone and reaches full scale', () => {
    expect(shapeAxis(0.1)).toBe(0);
    expect(shapeAxis(NaN)).toBe(0);
    expect(shapeAxis(1)).toBeCloseTo(1);
    expect(shapeAxis(-1)).toBeCloseTo(-1);
  });
  it('arcade: stick up is forward, stick right turns right, second stick moves the camera', () => {
    expect(steerByPad([0, -1, 0, 0], 'arcade').steering).toEqual({ left: 1, right: 1 });
    const { steering, cameraX } = steerByPad([1, 0, 1, 0], 'arcade');
    expect(steering.left).toBeGreaterThan(steering.right);
    expect(cameraX).toBeCloseTo(1);
  });
  it('tank: each stick is a wheel', () => {
    expect(steerByPad([0, -1, 0, 1], 'tank').steering).toEqual({ left: 1, right: -1 });
  });
});

describe('a car', () => {
  const near = ({ speed, turning }: { speed: number; turning: number }) => [speed, turning].map((x) => Math.round(1e6 * x) / 1e6);

  it('has throttle and wheel on the keys, and backs the other way round', () => {
    const ahead = carSpeedsOf(steerByKeys({ ...none, forward: true, left: true }), 1, 0.5);
    expect(near(ahead)).toEqual([0.8, 0.28]);
    const back = carSpeedsOf(steerByKeys({ ...none, back: true, left: true }), 1, 0.5);
    expect(near(back)).toEqual([-0.8, -0.28]);
    expect(near(carSpeedsOf(steerByKeys({ ...none, forward: true }), 1, 0.5))).toEqual([0.8, 0]);
  });
  it('turns its wheels where it stands', () => {
    expect(carSpeedsOf(steerByKeys({ ...none, left: true }), 1, 0.5)).toMatchObject({ speed: 0, turning: expect.toSatisfy((x) => x > 0) });
    expect(carSpeedsOf(steerByPad([1, 0], 'arcade').steering, 1, 0.5).turning).toBeLessThan(0);
  });
  it('has the wheel on the left stick, as far as it is pushed', () => {
    const { steering } = steerByPad([1, -1], 'arcade');
    expect(near(carSpeedsOf(steering, 1, 0.5))).toEqual([1, -0.5]);
    const backing = steerByPad([-1, 1], 'arcade').steering;
    expect(carSpeedsOf(backing, 1, 0.5).turning).toBeLessThan(0);
  });
});

describe('the stick on the screen', () => {
  it('reaches one in every direction and no farther', () => {
    expect(stickAxes(0, 0, 50)).toEqual([0, 0]);
    expect(stickAxes(0, -50, 50)).toEqual([0, -1]);
    expect(Math.hypot(...stickAxes(400, 300, 50))).toBeCloseTo(1);
    expect(stickAxes(25, 0, 50)).toEqual([0.5, 0]);
  });
  it('drives ahead when pushed up, and turns right when pushed right', () => {
    expect(steerByPad(stickAxes(0, -80, 50), 'arcade').steering).toEqual({ left: 1, right: 1 });
    const { left, right } = steerByPad(stickAxes(80, 0, 50), 'arcade').steering;
    expect(left).toBeGreaterThan(0);
    expect(right).toBe(-left);
  });
});

describe('driving by speeds', () => {
  it('is a share of what the robot can and a person can steer', () => {
    expect(speedsOf({ left: 1, right: 1 }, 4, 6)).toEqual({ speed: 2, turning: 0 });
    expect(speedsOf({ left: -1, right: -1 }, 1.2, 6)).toEqual({ speed: -1.2, turning: 0 });
    expect(speedsOf({ left: -0.5, right: 0.5 }, 4, 6)).toEqual({ speed: 0, turning: 1.5 });
    expect(speedsOf({ left: -1, right: 1 }, 4, 2)).toEqual({ speed: 0, turning: 2 });
  });
});
