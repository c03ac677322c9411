// How the selected robot gets on with its goal, on the picture, and a switch for paths.

import type { App } from '../app';
import type { GoalRequests } from '../goal-requests';
import { goalText } from '../text/goals';
import { allow, h, iconButton, setText } from './dom';
import { icon } from './icons';

export function goalCard(app: App, goalRequests: GoalRequests): HTMLElement {
  const name = h('b');
  const text = h('span', { id: 'goal-text' });
  const cancel = iconButton(icon('close'), 'goalCancel', () => {
    if (app.selected !== undefined) goalRequests.cancel(app.selected);
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
    allow(cancel, app.isConnected && (app.driverOf(goal.body) === undefined || app.isMine(goal.body)), app.whyNot('drive', goal.body));
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
