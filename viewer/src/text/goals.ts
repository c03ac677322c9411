// How a robot that was sent to a pose gets on, in words. No browser needed.

import type { GoalNow, GoalState } from '../state/goals';
import { number, t, type TextKey } from '.';
import { refusalText } from './server';

const STATES: Record<GoalState, TextKey> = {
  driving: 'goalDriving', searching: 'goalSearching', arrived: 'goalArrived', blocked: 'goalBlocked', lost: 'goalLost',
  unplanned: 'goalUnplanned', refused: 'goalRefused',
};

/** A few words: how it goes, how far it is, and how well it knows where it is. */
export function goalText(goal: GoalNow): string {
  const why = refusalText(goal.refusal, goal.reason);
  if (goal.state === 'refused') return why || t('goalRefused');
  const parts = [goal.state === 'driving' && goal.meets ? t(MEETS[goal.meets]) : t(STATES[goal.state])];
  if (goal.state === 'unplanned' && why) parts[0] += `: ${why}`;
  if (goal.state === 'driving') parts.push(t('goalLeft', { way: number(goal.leftM, goal.leftM < 10 ? 2 : 1) }));
  if (goal.errorM > 0) parts.push(t('goalError', { error: number(1000 * goal.errorM, 1) }));
  const text = parts.join(', ');
  return goal.count > 1 ? `${t('goalNumber', { number: goal.number, count: goal.count })}: ${text}` : text;
}

const MEETS: Record<NonNullable<GoalNow['meets']>, TextKey> = { approaching: 'goalApproaching', striking: 'goalStriking' };

const BADGES: Record<Exclude<GoalState, 'driving'>, TextKey> = {
  searching: 'badgeSearching', arrived: 'goalArrived', blocked: 'badgeBlocked', lost: 'badgeLost',
  unplanned: 'badgeUnplanned', refused: 'badgeRefused',
};

/** The same in a word: a robot's name and a button stand beside it. */
export function goalBadge(goal: GoalNow): string {
  return goal.state === 'driving' ? `→ ${number(goal.leftM, goal.leftM < 10 ? 2 : 1)} m` : t(BADGES[goal.state]);
}
