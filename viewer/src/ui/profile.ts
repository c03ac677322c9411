// Where the time of steps goes: a table, measured while it is looked at.

import type { App } from '../app';
import type { Profile } from '../proto/live.js';
import { rowsOf } from '../state/profile';
import { number, t, type TextKey } from '../text';
import { h, setText } from './dom';
import { dialog, OPENING } from './dialogs';

const HEADS: TextKey[] = ['profileStage', 'profilePart', 'profileCalls', 'profileTime', 'profileStep', 'profileShare'];

export function profileDialog(app: App): HTMLDialogElement {
  const body = h('tbody');
  const note = h('p', { class: 'note' });
  const table = h('table', { class: 'profile' }, h('thead', {}, h('tr', {}, ...HEADS.map((text) => h('th', { text })))), body);
  const element = dialog('profile', 'profileTitle', note, table);
  const ask = (on: boolean) => app.send({ watch_profile: { on } });
  const show = (profile: Profile | undefined) => {
    setText(note, profile ? t('profileSteps', { steps: number(profile.steps, 0) }) : t('profileWaits'));
    body.replaceChildren(...(profile ? rowsOf(profile) : []).map((row) => h('tr', { class: row.part ? '' : 'stage' },
      ...[row.stage, row.part, row.calls === undefined ? '' : number(row.calls, 0), `${number(1e3 * row.timeS, 1)} ms`,
        `${number(row.nsAStep, 0)} ns`, `${number(100 * row.share, 1)} %`].map((text) => h('td', {}, text)))));
  };
  element.addEventListener(OPENING, () => {
    show(undefined);
    ask(true);
  });
  element.addEventListener('close', () => ask(false));
  // Another connection knows nothing of it.
  app.on('welcome', () => {
    if (element.open) ask(true);
  });
  app.on('scene', () => {
    if (element.open) show(undefined);
  });
  app.on('profile', show);
  return element;
}
