// What stands on the picture while there is no simulator.

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
  /** The attempts after a goodbye fail like any other: what it said still holds. */
  let saidGoodbye = false;
  app.on('link', (link) => {
    if (link.state === 'lost' || link.state === 'refused') lostAt ??= performance.now();
    if (link.state === 'lost' && link.goodbye) saidGoodbye = true;
    if (link.state === 'open') {
      lostAt = undefined;
      saidGoodbye = false;
    }
  });
  const refresh = (now: number) => {
    const { link } = app.connection;
    const fine = link.state === 'open' && app.playback?.started === true;
    const brief = link.state === 'lost' && app.scene !== undefined && lostAt !== undefined && now - lostAt < 400;
    element.hidden = fine || brief || (link.state === 'open' && app.playback?.started === true);
    element.dataset.state = link.state;
    if (element.hidden) return;
    const show = (heading: string, more: string, note: string, action: string) => {
      setText(title, heading);
      setText(hint, more);
      setText(wait, note);
      setText(button, action);
      hint.hidden = more === '';
      wait.hidden = note === '';
      button.hidden = action === '';
    };
    const over = saidGoodbye || app.status?.ended === true;
    const [head, text]: [string, string] = over ? [t('runEnded'), t('runEndedHint')] : [t('lost'), t('lostHint')];
    spinner.hidden = link.state === 'incompatible' || link.state === 'refused' || over;
    if (link.state === 'incompatible') {
      show(t('incompatible'), t('incompatibleHint', { theirs: link.theirs, ours: PROTOCOL }), '', t('reload'));
    } else if (link.state === 'lost') {
      show(head, text, nextAttempt(link.retryAt - now), t('retryNow'));
    } else if (link.state === 'refused') {
      show(t('refused'), t('refusedHint'), nextAttempt(link.retryAt - now), t('retryNow'));
    } else if (link.state === 'silent') {
      show(t('silent', { seconds: Math.round(link.sinceMs / 1000) }), '', '', '');
    } else if (link.state === 'open') {
      show(t('waitingScene'), '', '', '');
    } else if (lostAt !== undefined) {
      show(head, text, t('retrying'), '');
    } else {
      show(t('connecting'), '', '', '');
    }
  };
  return { element, refresh };
}

function nextAttempt(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds > 0 ? t('retryIn', { seconds }) : t('retrying');
}
