import { describe, expect, it } from 'vitest';
import { GoalPhase, GoalState, type Goal, type Goals } from '../../src/proto/live.js';
import { sketchGoal } from '../../src/state/goal-sketch';
import { GoalTable, headingOf } from '../../src/state/goals';
import { INKS, Sketch, STRIDE } from '../../src/state/sketch';
import { robotScene } from './robot';

const robot = () => robotScene([]).bodies[0]!;

function goal(change: Partial<Goal> = {}): Goal {
  return {
    body: 2, x: 1, y: 2, heading: 0.5, state: GoalState.DRIVING, reason: '', reference_x: 0.1, reference_y: 0.2,
    reference_heading: 0.3, left_m: 1.5, left_s: 2, plan: 7, clock_s: 0.25, number: 1, count: 1, phase: GoalPhase.MOVING, believed_x: 0, believed_y: 0, believed_heading: 0, predicted_error: 0,
    path: { x: [0, 0.5, 1, 2], y: [0, 0.5, 1, 2], references: 3, every_s: 0.1 }, ...change,
  };
}

function told(...goals: Goal[]): Goals {
  return { generation: 3, goals };
}

describe('the book of goals', () => {
  it('knows what was told, and keeps a plan that is told once', () => {
    const table = new GoalTable();
    expect(table.hear(told(goal()), 4)).toBe(false);
    expect(table.all).toEqual([]);
    expect(table.hear(told(goal()), 3)).toBe(true);
    expect(table.get(2)).toMatchObject({ state: 'driving', goal: { x: 1, y: 2, heading: 0.5 }, leftM: 1.5 });
    table.hear(told(goal({ path: undefined, clock_s: 0.4 })), 3);
    expect(table.get(2)!.path!.points).toEqual([0, 0, 0.5, 0.5, 1, 1, 2, 2]);
    expect(table.get(2)!.clockS).toBe(0.4);
    // Another plan without its path: the old one is not shown for it.
    table.hear(told(goal({ plan: 8, path: undefined })), 3);
    expect(table.get(2)!.path).toBeUndefined();
    table.hear(told(), 3);
    expect(table.get(2)).toBeUndefined();
  });

  it('lets commands by hand rest while a robot drives by itself, and not longer', () => {
    const table = new GoalTable();
    expect(table.drives(2, 0)).toBe(false);
    table.ask(2, 1000);
    expect(table.drives(2, 1100)).toBe(true);
    expect(table.drives(2, 9000)).toBe(false); // no answer ever came
    table.hear(told(goal()), 3);
    expect(table.drives(2, 9000)).toBe(true);
    // Keys: at once by hand, though the simulator may tell of the goal once more.
    table.take(2);
    expect(table.drives(2, 9001)).toBe(false);
    table.hear(told(goal()), 3);
    expect(table.drives(2, 9002)).toBe(false);
    table.hear(told(), 3);
    table.hear(told(goal()), 3);
    expect(table.drives(2, 9003)).toBe(true);
    // What was refused does not drive.
    table.hear(told(goal({ state: GoalState.REFUSED })), 3);
    expect(table.drives(2, 9004)).toBe(false);
    table.clear();
    expect(table.all).toEqual([]);
  });

  it('leaves a refusal to be read, and one that was called back to brake, until hands move', () => {
    const table = new GoalTable();
    table.ask(2, 0);
    table.hear(told(goal({ state: GoalState.REFUSED })), 3);
    expect(table.isLeftAlone(2, 9000)).toBe(true);
    expect(table.drives(2, 9000)).toBe(false); // it is given back when another one is selected
    table.take(2);
    expect(table.isLeftAlone(2, 9001)).toBe(false);
    table.ask(2, 9100);
    table.hear(told(goal()), 3);
    table.callBack(2);
    expect(table.isLeftAlone(2, 20000)).toBe(true);
    expect(table.drives(2, 20000)).toBe(false);
    table.hear(told(), 3);
    expect(table.isLeftAlone(2, 20001)).toBe(true);
    table.take(2);
    expect(table.isLeftAlone(2, 20002)).toBe(false);
    table.callBack(2);
    table.clear();
    expect(table.isLeftAlone(2, 20003)).toBe(false);
  });

  it('is sent again after hands were on it', () => {
    const table = new GoalTable();
    table.hear(told(goal()), 3);
    table.take(2);
    table.ask(2, 50);
    expect(table.drives(2, 60)).toBe(true);
    table.hear(told(goal()), 3);
    expect(table.drives(2, 5000)).toBe(true);
  });
});

describe('the heading of a goal', () => {
  it('is along the drag, or as the robot comes', () => {
    const from = { x: 1, y: 1 };
    expect(headingOf(from, { x: 1, y: 2 }, { x: 0, y: 0 }, 0.1)).toBeCloseTo(Math.PI / 2);
    expect(headingOf(from, { x: 1.01, y: 1 }, { x: 0, y: 0 }, 0.1)).toBeCloseTo(Math.PI / 4);
    expect(headingOf(from, from, from, 0.1)).toBe(0);
  });
});

describe('the sketch of a goal', () => {
  const strokes = (sketch: Sketch, ink: (typeof INKS)[number]) =>
    Array.from({ length: sketch.count }, (_, i) => [...sketch.data.slice(i * STRIDE, (i + 1) * STRIDE)])
      .filter((stroke) => stroke[9] === INKS.indexOf(ink));

  it('draws the path, marks ahead, the reference and an arrow at the goal', () => {
    const table = new GoalTable();
    table.hear(told(goal()), 3);
    const sketch = new Sketch();
    sketchGoal(sketch, robot(), table.get(2)!, 0.001);
    const path = strokes(sketch, 'path');
    expect(path.length).toBe(3);
    // Two references are behind; the last piece is a corner beyond the plan.
    expect(path[0]![6]).toBeLessThan(path[2]![6]!);
    expect(path[2]![8]).toBeLessThan(path[0]![8]!);
    const dots = strokes(sketch, 'goal').filter((s) => s[0] === s[3] && s[1] === s[4]);
    expect(dots.length).toBe(0); // the only reference ahead is the one that is due now
    table.hear(told(goal({ clock_s: 0 })), 3);
    sketch.clear();
    sketchGoal(sketch, robot(), table.get(2)!, 0.001);
    expect(strokes(sketch, 'goal').filter((s) => s[0] === s[3] && s[1] === s[4]).length).toBe(2);
    expect(strokes(sketch, 'goal').some((s) => Math.abs(s[0]! - 1) < 1e-6 && Math.abs(s[1]! - 2) < 1e-6)).toBe(true);
  });

  it('draws no path to where a robot cannot go', () => {
    const table = new GoalTable();
    table.hear(told(goal({ state: GoalState.REFUSED })), 3);
    const sketch = new Sketch();
    sketchGoal(sketch, robot(), table.get(2)!, 0.001);
    expect(strokes(sketch, 'path')).toEqual([]);
    expect(strokes(sketch, 'goal').length).toBeGreaterThan(30);
  });
});
