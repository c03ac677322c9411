import { afterEach, describe, expect, it, vi } from 'vitest';
import { GoalPhase, GoalState, RefusalCode, RefusalNav, type Goal, type Refusal } from '../../src/proto/live.js';
import { GoalTable } from '../../src/state/goals';
import { setLanguage } from '../../src/text';
import { goalBadge, goalText } from '../../src/text/goals';

/** Changing the language also renews the page, of which there is none here. */
function speak(language: 'en' | 'pt'): void {
  vi.stubGlobal('document', { documentElement: {}, querySelectorAll: () => [] });
  setLanguage(language);
}
afterEach(() => {
  speak('en');
  vi.unstubAllGlobals();
});

const why = (code: number, nav = 0): Refusal => ({ code, body: 0, name: '', most: 0, got: 0, others: 0, nav, detail: '' });

/** A robot's goal as the page knows it once the simulator has told of it. */
function heard(state: Goal['state'], refusal?: Refusal, reason = '', more: Partial<Goal> = {}) {
  const table = new GoalTable();
  const goal: Goal = {
    body: 2, x: 1, y: 2, heading: 0.5, state, reason, refusal, reference_x: 0, reference_y: 0, reference_heading: 0, left_m: 1.5, left_s: 2,
    plan: 7, clock_s: 0.25, number: 1, count: 1, phase: GoalPhase.MOVING, believed_x: 0, believed_y: 0, believed_heading: 0, predicted_error: 0, path: undefined, ...more,
  };
  table.hear({ generation: 3, goals: [goal] }, 3);
  return { table, goal: table.get(2)! };
}

describe('how a robot gets on', () => {
  it('is told in words and in a word', () => {
    const { goal } = heard(GoalState.DRIVING);
    expect([goalText(goal), goalBadge(goal)]).toEqual(['on its way, 1.50 m left', '→ 1.50 m']);
    expect(goalText(heard(GoalState.BLOCKED).goal)).toBe('every way is blocked');
    const route = heard(GoalState.DRIVING, undefined, '', { number: 2, count: 4, phase: GoalPhase.STRIKING, predicted_error: 0.0014 });
    expect(goalText(route.goal)).toBe('goal 2 of 4: strikes the ball, 1.50 m left, known to 1.4 mm');
    expect(goalText(heard(GoalState.REFUSED, why(RefusalCode.GOAL_IN_WALL)).goal)).toMatch(/^the goal is in a wall/);
  });

  it('is not "on its way" for one without a plan, but says why there is none', () => {
    const { table, goal } = heard(GoalState.UNPLANNED, why(RefusalCode.GOAL_UNPLANNED, RefusalNav.TOO_MANY_LEGS));
    expect(goal.state).toBe('unplanned');
    expect([goalText(goal), goalBadge(goal)]).toEqual(['there is no plan: the path has too many legs', 'no plan']);
    speak('pt');
    expect([goalText(goal), goalBadge(goal)]).toEqual(['não há plano: o caminho tem trechos demais', 'sem plano']);
    // It tries again: hands leave it alone.
    expect(table.drives(2, 9000)).toBe(true);
    expect(goalText(heard(GoalState.UNPLANNED).goal)).toBe('não há plano');
    expect(goalText(heard(GoalState.UNPLANNED, undefined, 'the moon is full').goal)).toBe('não há plano: the moon is full');
  });
});
