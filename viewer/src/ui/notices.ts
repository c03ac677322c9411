// Short messages that go away by themselves.

import type { App } from '../app';
import { h, iconButton } from './dom';
import { icon } from './icons';

const SHOWN_MS = 5000;
const MOST = 4;

export function notices(app: App): HTMLElement {
  const area = h('div', { class: 'notices', attributes: { role: 'status', 'aria-live': 'polite' } });
  app.on('notice', ({ level, text, link }) => {
    const same = [...area.children].find((one) => (one as HTMLElement).dataset.notice === text);
    same?.remove();
    const notice = h('div', { class: `notice ${level}` }, h('span', {}, text));
    notice.dataset.notice = text;
    if (link) notice.append(h('a', { class: 'notice-link', attributes: { href: app.recordings.address(link.file), download: link.file } }, link.text));
    notice.append(iconButton(icon('close'), 'dismiss', () => notice.remove()));
    area.append(notice);
    while (area.children.length > MOST) area.firstElementChild?.remove();
    setTimeout(() => notice.remove(), level === 'info' && !link ? SHOWN_MS : 2 * SHOWN_MS);
  });
  return area;
}
