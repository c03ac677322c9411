// The dialog that makes the instant shown the live state.

import type { App } from '../app';
import { readSeed, readSettings } from '../state/travel';
import { t } from '../text';
import { timeText } from '../text/time';
import { dialog, toggle } from './dialogs';
import { h, setText } from './dom';

export interface TakeOverDialog {
  element: HTMLDialogElement;
  open(): void;
}

export function takeOverDialog(app: App): TakeOverDialog {
  const seed = h('input', { id: 'take-over-seed', placeholder: 'takeOverSeedHint', attributes: { type: 'text', inputmode: 'numeric', autocomplete: 'off' } });
  const set = h('textarea', { id: 'take-over-set', attributes: { rows: '3', spellcheck: 'false', autocomplete: 'off', placeholder: 'robot.blue-1.drive.mass = 0.5' } });
  const error = h('p', { class: 'form-error', id: 'take-over-error', attributes: { role: 'alert' } });
  const now = h('button', { class: 'main-button', id: 'take-over-now', text: 'takeOverNow', attributes: { type: 'button' }, on: { click: () => take() } });
  const cancel = h('button', { class: 'small', text: 'cancel', attributes: { type: 'button' }, on: { click: () => element.close() } });
  const element = dialog('take-over-dialog', 'takeOverTitle', h('p', { class: 'note', text: 'takeOverWhat' }),
    h('label', { class: 'setting' }, h('span', { text: 'takeOverSeed' }), seed),
    h('label', { class: 'setting tall' }, h('span', { text: 'takeOverSet' }), set),
    error, h('div', { class: 'dialog-buttons' }, cancel, now));
  const title = element.querySelector('h2')!;
  delete title.dataset.text;

  function take(): void {
    const key = readSeed(seed.value);
    const settings = readSettings(set.value);
    const wrong = key === undefined ? t('takeOverSeedBad') : 'line' in settings ? t('takeOverSetBad', settings) : '';
    setText(error, wrong);
    if (!key || 'line' in settings) return;
    app.travelling.takeOver(key.seed, settings.set);
    element.close();
  }
  seed.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') take();
  });
  return {
    element,
    open() {
      if (app.refuses('control') || !app.travelling.travel.isAway) return;
      if (app.travelling.travel.isPlaying) app.travelling.stop();
      setText(error, '');
      setText(title, t('takeOverTitle', { time: timeText(app.travelling.atS, 2) }));
      toggle(element);
      now.focus();
    },
  };
}
