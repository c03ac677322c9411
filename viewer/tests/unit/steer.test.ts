import { describe, expect, it } from 'vitest';
import { shapeAxis, speedsOf, stickAxes, steerByKeys, steerByPad } from '../../src/input/steer';

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
