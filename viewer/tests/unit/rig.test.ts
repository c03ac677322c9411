import { describe, expect, it } from 'vitest';
import { ground } from './ground';
import { CameraRig, CAMERA_MODES, X_UP, Y_UP } from '../../src/view3d/rig';

const bounds = { minX: -0.875, minY: -0.675, maxX: 0.875, maxY: 0.675 };
const robot = { x: 0.3, y: -0.2, heading: Math.PI / 2, height: 0.075, reach: 0.053 };

function rig(width = 1000, height = 700): CameraRig {
  const made = new CameraRig();
  made.eased = false;
  made.setBounds(bounds);
  made.resize(width, height);
  return made;
}

describe('the camera', () => {
  it('sees the whole field from above, at any shape of window', () => {
    for (const [width, height] of [[1000, 700], [400, 780], [2000, 500]] as const) {
      const camera = rig(width, height);
      camera.setMode('top');
      const { eye, fov } = camera.update(undefined, 0);
      const halfHeight = eye[2] * Math.tan((fov * Math.PI) / 360);
      expect(halfHeight * (width / height)).toBeGreaterThanOrEqual(0.875);
      expect(eye[1] + halfHeight).toBeGreaterThan(0.675);
      expect(eye[1] - halfHeight).toBeLessThan(-0.675);
    }
  });

  it('shows a map as it is drawn: x up, y to the left', () => {
    const camera = new CameraRig();
    camera.eased = false;
    camera.setBounds({ minX: -20, minY: -5, maxX: 20, maxY: 5 }, X_UP);
    camera.resize(1000, 700);
    camera.setMode('top');
    const { eye, up, fov } = camera.update(undefined, 0);
    expect(up).toEqual([1, 0, 0]);
    const halfHeight = eye[2] * Math.tan((fov * Math.PI) / 360);
    expect(eye[0] + halfHeight).toBeGreaterThan(20);
    expect(eye[0] - halfHeight).toBeLessThan(-20);
    camera.pan(3, 2);
    const moved = camera.update(undefined, 0).eye;
    expect(moved[0] - eye[0]).toBeCloseTo(2);
    expect(moved[1] - eye[1]).toBeCloseTo(-3);
    camera.home();
    camera.setMode('orbit');
    const around = camera.update(undefined, 0);
    expect(around.eye[0]).toBeLessThan(-20);
    expect(around.eye[1]).toBeCloseTo(0);
  });

  it('looks first at rough ground from where no hill hides the middle, and as flat as it may', () => {
    for (const [land, flattest] of [
      [ground(() => 0), true],
      [ground((_, y) => 0.3 * y * y), false],
    ] as const) {
      const camera = new CameraRig();
      camera.eased = false;
      camera.ground = land;
      camera.setBounds({ minX: -3, minY: -3, maxX: 3, maxY: 3 });
      camera.resize(1000, 700);
      const { eye, target } = camera.update(undefined, 0);
      const slope = (eye[2] - target[2]) / Math.hypot(eye[0] - target[0], eye[1] - target[1]);
      expect(slope < 0.5).toBe(flattest);
      const foot = land.height(target[0], target[1]);
      for (let share = 0.05; share < 1; share += 0.05) {
        const along = (k: 0 | 1) => target[k] + share * (eye[k] - target[k]);
        expect(land.height(along(0), along(1))).toBeLessThanOrEqual(foot + share * (eye[2] - foot) + 1e-9);
      }
    }
  });

  it('chases from behind and above', () => {
    const camera = rig();
    camera.setMode('chase');
    const { eye } = camera.update(robot, 0.016);
    expect(eye[0]).toBeCloseTo(robot.x);
    expect(eye[1]).toBeLessThan(robot.y - 0.1);
    expect(eye[2]).toBeGreaterThan(robot.height);
  });

  it('chases robots of any size at the same distance for their eyes', () => {
    const camera = rig();
    camera.setMode('chase');
    const reaches = (reach: number) => {
      const { eye } = camera.update({ ...robot, reach }, 0.016);
      return Math.hypot(eye[0] - robot.x, eye[1] - robot.y) / reach;
    };
    expect(reaches(0.61)).toBeCloseTo(reaches(0.053));
  });

  it('stays above what stands in the scene', () => {
    const camera = rig();
    camera.setBounds({ minX: -20, minY: -20, maxX: 20, maxY: 20 }, Y_UP, 0.55);
    camera.setMode('top');
    for (let i = 0; i < 100; i++) camera.zoom(0.5);
    expect(camera.update(undefined, 0).eye[2]).toBeGreaterThan(0.55);
  });

  it('looks ahead in first person', () => {
    const camera = rig();
    camera.setMode('first');
    const { eye, target } = camera.update(robot, 0.016);
    expect(eye[2]).toBeLessThan(0.15);
    expect(target[1]).toBeGreaterThan(eye[1]);
    expect(target[0]).toBeCloseTo(eye[0]);
  });

  it('keeps a followed robot in sight when it leaves the field', () => {
    const camera = rig();
    camera.setMode('top');
    camera.following = true;
    const { target } = camera.update({ ...robot, x: 5 }, 0.016);
    expect(target[0]).toBeGreaterThan(3);
  });

  it('comes closer by zooming in, in every mode, and stays within bounds', () => {
    for (const mode of CAMERA_MODES) {
      const camera = rig();
      camera.setMode(mode);
      const size = () => {
        const { eye, target, fov } = camera.update(robot, 0.016);
        const distance = Math.hypot(eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]);
        return distance * Math.tan((fov * Math.PI) / 360);
      };
      const before = size();
      camera.zoom(0.7);
      expect(size()).toBeLessThan(before);
      for (let i = 0; i < 200; i++) camera.zoom(0.5);
      expect(size()).toBeGreaterThan(0.01);
      for (let i = 0; i < 200; i++) camera.zoom(2);
      expect(size()).toBeLessThan(100);
    }
  });

  it('keeps what somebody chose when the window changes, and fits what nobody touched', () => {
    const camera = rig();
    camera.setMode('top');
    const height = () => camera.update(undefined, 0).eye[2];
    const before = height();
    camera.resize(400, 780);
    expect(height()).toBeGreaterThan(before);
    camera.zoom(0.5);
    const chosen = height();
    camera.resize(1000, 700);
    expect(height()).toBe(chosen);
  });

  it('eases towards its place without passing it', () => {
    const camera = rig();
    camera.update(robot, 0);
    camera.eased = true;
    camera.setMode('top');
    let last = camera.update(robot, 0.016).eye[1];
    for (let i = 0; i < 100; i++) {
      const now = camera.update(robot, 0.016).eye[1];
      expect(now).toBeGreaterThanOrEqual(last - 1e-9);
      last = now;
    }
  });

  it('is as near and as far as a program wants, until somebody moves it', () => {
    const camera = rig();
    const far = (mode: 'chase' | 'top' | 'first', wish: number) => {
      camera.setMode(mode);
      camera.wish = wish;
      const { eye, fov } = camera.update(robot, 0);
      return mode === 'first' ? fov : mode === 'top' ? eye[2] : Math.hypot(eye[0] - robot.x, eye[1] - robot.y, eye[2] - robot.height);
    };
    for (const mode of ['chase', 'top', 'first'] as const) {
      expect(far(mode, 0)).toBeLessThan(far(mode, 0.5));
      expect(far(mode, 0.5)).toBeLessThan(far(mode, 1));
    }
    expect(far('first', 0.5)).toBeCloseTo(47);
    const everything = rig();
    everything.setMode('top');
    expect(far('top', 1)).toBeCloseTo(everything.update(undefined, 0).eye[2]);
    // Another size of the window does not undo it.
    const before = far('top', 0.3);
    camera.resize(500, 700);
    camera.resize(1000, 700);
    expect(far('top', 0.3)).toBeCloseTo(before);
    let moved = 0;
    camera.onHand = () => moved++;
    camera.zoom(2);
    camera.rotate(0.1, 0);
    camera.pan(0.1, 0);
    expect(moved).toBeGreaterThanOrEqual(3);
  });

  it('sees for a program what the camera of the robot sees', () => {
    const camera = rig();
    camera.setMode('first');
    camera.wish = 0.5;
    const { eye, target } = camera.update({ ...robot, eye: 0.1, lens: [0.02, 0, 0] }, 0);
    expect(eye[0]).toBeCloseTo(robot.x);
    expect(eye[1]).toBeCloseTo(robot.y + 0.02);
    expect(target[2]).toBeCloseTo(eye[2]);
  });
});
