// What stands in the picture's place, or on it, while there is no simulator or no 3D.

import type { App } from '../app';
import { PROTOCOL } from '../net/connection';
import { t } from '../text';
import { h, setText } from './dom';

export function linkCard(app: App): { element: HTMLElement; refresh(now: number): void } {
  const title = h('h2', {});
  const hint = h('p', {});
  const wait = h('p', { class: 'note' });
  const button = h('button', { class: 'main-button', attributes: { type: 'button' } });
  const spinner = h('div', { class: 'spinner' });
  const element = h('div', { class: 'card link-card', id: 'link-card', attributes: { role: 'alert' } }, spinner, title, hint, wait, button);
  button.addEventListener('click', () => {
    if (app.connection.link.state === 'incompatible') location.reload();
    else app.connection.connect();
  });
  // A loss that heals at once is not worth a word.
  let lostAt: number | undefined;
  app.on('link', (link) => {
    if (link.state === 'lost') lostAt ??= performance.now();
    if (link.state === 'open') lostAt = undefined;
  });
  const refresh = (now: number) => {
    const { link } = app.connection;
    const fine = link.state === 'open' && app.playback?.started === true;
    const brief = link.state === 'lost' && app.scene !== undefined && lostAt !== undefined && now - lostAt < 400;
    element.hidden = fine || brief || (link.state === 'open' && app.playback?.started === true);
    element.dataset.state = link.state;
    if (element.hidden) return;
    const show = (head: string, text: string, note: string, action: string) => {
      setText(title, head);
      setText(hint, text);
      setText(wait, note);
      setText(button, action);
      hint.hidden = text === '';
      wait.hidden = note === '';
      button.hidden = action === '';
    };
    spinner.hidden = link.state === 'incompatible';
    if (link.state === 'incompatible') {
      show(t('incompatible'), t('incompatibleHint', { theirs: link.theirs, ours: PROTOCOL }), '', t('reload'));
    } else if (link.state === 'lost') {
      const seconds = Math.ceil((link.retryAt - now) / 1000);
      show(t('lost'), t('lostHint'), seconds > 0 ? t('retryIn', { seconds }) : t('retrying'), t('retryNow'));
    } else if (link.state === 'silent') {
      show(t('silent', { seconds: Math.round(link.sinceMs / 1000) }), '', '', '');
    } else if (link.state === 'open') {
      show(t('waitingScene'), '', '', '');
    } else if (lostAt !== undefined) {
      show(t('lost'), t('lostHint'), t('retrying'), '');
    } else {
      show(t('connecting'), '', '', '');
    }
  };
  return { element, refresh };
}

/** Says that there is no WebGL, and offers the flat view. */
export function webglCard(useFlat: () => void): HTMLElement {
  const card = h('div', { class: 'card webgl-card', id: 'webgl-card', attributes: { role: 'alert' } },
    h('h2', { text: 'noWebgl' }), h('p', { text: 'noWebglHint' }),
    h('button', { class: 'main-button', text: 'flatView', attributes: { type: 'button' }, on: {
      click: () => {
        card.remove();
        useFlat();
      },
    } }));
  return card;
}
