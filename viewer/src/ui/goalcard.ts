// How the selected robot gets on with its goal, on the picture, and a switch for paths.

import type { App } from '../app';
import type { Errands } from '../errands';
import type { GoalNow, GoalState } from '../state/goals';
import { number, t, type TextKey } from '../text';
import { noticeText } from '../text/server';
import { h, iconButton, setText } from './dom';
import { icon } from './icons';

const STATES: Record<GoalState, TextKey> = {
  driving: 'goalDriving', searching: 'goalSearching', arrived: 'goalArrived', blocked: 'goalBlocked', lost: 'goalLost',
  refused: 'goalRefused',
};

/** A few words: how it goes, and how far it is. */
export function goalText(goal: GoalNow): string {
  if (goal.state === 'refused') return noticeText(goal.reason) || t('goalRefused');
  const state = t(STATES[goal.state]);
  return goal.state === 'driving' ? `${state}, ${t('goalLeft', { way: number(goal.leftM, goal.leftM < 10 ? 2 : 1) })}` : state;
}

const BADGES: Record<Exclude<GoalState, 'driving'>, TextKey> = {
  searching: 'badgeSearching', arrived: 'goalArrived', blocked: 'badgeBlocked', lost: 'badgeLost', refused: 'badgeRefused',
};

/** The same in a word: a robot's name and a button stand beside it. */
export function goalBadge(goal: GoalNow): string {
  return goal.state === 'driving' ? `→ ${number(goal.leftM, goal.leftM < 10 ? 2 : 1)} m` : t(BADGES[goal.state]);
}

export function goalCard(app: App, errands: Errands): HTMLElement {
  const name = h('b');
  const text = h('span', { id: 'goal-text' });
  const cancel = iconButton(icon('close'), 'goalCancel', () => {
    if (app.selected !== undefined) errands.cancel(app.selected);
  });
  cancel.id = 'goal-cancel';
  const card = h('div', { class: 'goal-card', attributes: { role: 'status' } }, icon('goal'), name, text, cancel);
  const refresh = () => {
    const goal = app.goals.get(app.selected);
    card.hidden = goal === undefined;
    if (!goal) return;
    card.dataset.state = goal.state;
    setText(name, app.body(goal.body)?.name ?? '');
    setText(text, goalText(goal));
    cancel.disabled = !app.mayControl || (app.driverOf(goal.body) !== undefined && !app.isMine(goal.body));
  };
  for (const topic of ['goals', 'selection', 'scene', 'drivers', 'settings', 'link'] as const) app.on(topic, refresh);
  refresh();
  return card;
}

/** Whether paths and goals are drawn. */
export function pathSwitch(app: App): HTMLElement {
  const button = h('button', {
    class: 'floating pill', id: 'switch-paths', label: 'pathsHint', attributes: { type: 'button' },
    on: {
      click: (event) => {
        if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
        app.change({ paths: !app.settings.paths });
      },
    },
  }, icon('path'), h('span', { text: 'paths' }));
  const refresh = () => {
    button.hidden = (app.scene?.robots.length ?? 0) === 0;
    button.setAttribute('aria-pressed', String(app.settings.paths));
  };
  app.on('settings', refresh);
  app.on('scene', refresh);
  refresh();
  return button;
}
