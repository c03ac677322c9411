import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { GoalState, type Goal } from '../../src/proto/live.js';
import { GoalBook } from '../../src/state/goals';
import { setLanguage } from '../../src/text';
import { en, type TextKey } from '../../src/text/en';
import { goalBadge, goalText } from '../../src/text/goals';
import { noticeText } from '../../src/text/server';

/** Changing the language also renews the page, of which there is none here. */
function speak(language: 'en' | 'pt'): void {
  vi.stubGlobal('document', { documentElement: {}, querySelectorAll: () => [] });
  setLanguage(language);
}
afterEach(() => {
  speak('en');
  vi.unstubAllGlobals();
});

/** A robot's goal as the page knows it once the simulator has told of it. */
function heard(state: Goal['state'], reason = '') {
  const book = new GoalBook();
  const goal: Goal = {
    body: 2, x: 1, y: 2, heading: 0.5, state, reason, reference_x: 0, reference_y: 0, reference_heading: 0, left_m: 1.5, left_s: 2,
    plan: 7, clock_s: 0.25, path: undefined,
  };
  book.hear({ generation: 3, goals: [goal] }, 3);
  return { book, goal: book.get(2)! };
}

describe('how a robot gets on', () => {
  it('is told in words and in a word', () => {
    const { goal } = heard(GoalState.DRIVING);
    expect([goalText(goal), goalBadge(goal)]).toEqual(['on its way, 1.50 m left', '→ 1.50 m']);
    expect(goalText(heard(GoalState.BLOCKED).goal)).toBe('every way is blocked');
    expect(goalText(heard(GoalState.REFUSED, 'the goal is in a wall, or too near to one').goal)).toMatch(/^the goal is in a wall/);
  });

  it('is not "on its way" for one without a plan, but says why there is none', () => {
    const { book, goal } = heard(GoalState.UNPLANNED, 'the path has too many legs');
    expect(goal.state).toBe('unplanned');
    expect([goalText(goal), goalBadge(goal)]).toEqual(['there is no plan: the path has too many legs', 'no plan']);
    speak('pt');
    expect([goalText(goal), goalBadge(goal)]).toEqual(['não há plano: o caminho tem trechos demais', 'sem plano']);
    // It tries again: hands leave it alone.
    expect(book.drives(2, 9000)).toBe(true);
    expect(goalText(heard(GoalState.UNPLANNED).goal)).toBe('não há plano');
    expect(goalText(heard(GoalState.UNPLANNED, 'the moon is full').goal)).toBe('não há plano: the moon is full');
  });

  it('has the reason of a refusal in our language as well', () => {
    speak('pt');
    expect(noticeText('navigation cannot drive this robot: expected a finite limit above zero'))
      .toBe('a navegação não consegue dirigir este robô: o limite precisa ser finito e maior que zero');
    expect(noticeText('expected a goal within the world')).toBe('o destino precisa estar dentro do mundo');
  });

  it('knows reasons by the very words of the simulator', () => {
    const source = (path: string) => readFileSync(new URL(`../../../crates/domains/${path}`, import.meta.url), 'utf8');
    const said = source('rolima-nav/src/error.rs') + source('rolima-pilot/src/progress.rs');
    const keys = (Object.keys(en) as TextKey[]).filter((key) => key.startsWith('notice_nav'));
    expect(keys.length).toBeGreaterThan(4);
    for (const key of [...keys, 'notice_inWall', 'notice_outside'] as TextKey[]) expect(said, key).toContain(`"${en[key]}"`);
  });
});
