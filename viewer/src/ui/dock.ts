// The panel beside the picture (below it on narrow screens), with its tabs.

import type { App } from '../app';
import type { Tab } from '../settings';
import type { TextKey } from '../text';
import { h, iconButton } from './dom';
import { icon } from './icons';

const TABS: { tab: Tab; text: TextKey }[] = [
  { tab: 'robots', text: 'robots' }, { tab: 'sensors', text: 'sensors' }, { tab: 'plots', text: 'plots' }, { tab: 'events', text: 'events' },
];

export class Dock {
  readonly element: HTMLElement;
  private readonly buttons = new Map<Tab, HTMLButtonElement>();

  constructor(
    private readonly app: App,
    private readonly panels: Record<Tab, HTMLElement>,
  ) {
    const tabs = h('div', { class: 'tabs', attributes: { role: 'tablist' } });
    for (const { tab, text } of TABS) {
      const button = h('button', {
        text, id: `tab-${tab}`, attributes: { role: 'tab', type: 'button', 'aria-controls': `panel-${tab}` },
        on: {
          click: () => app.change({ tab, dock: true }),
          keydown: (event) => this.arrow(event, tab),
        },
      });
      this.buttons.set(tab, button);
      tabs.append(button);
      panels[tab].id = `panel-${tab}`;
      panels[tab].setAttribute('role', 'tabpanel');
      panels[tab].setAttribute('aria-labelledby', `tab-${tab}`);
    }
    const close = iconButton(icon('close'), 'close', () => app.change({ dock: false }));
    this.element = h('aside', { class: 'dock', id: 'dock' }, h('div', { class: 'dock-head' }, tabs, close), ...Object.values(panels));
    app.on('settings', () => this.show());
    this.show();
  }

  /** Opens this tab; closes the panel where it is open already. */
  toggle(tab: Tab): void {
    const open = this.app.settings.dock && this.app.settings.tab === tab;
    this.app.change({ tab, dock: !open });
  }

  private show(): void {
    const { dock, tab } = this.app.settings;
    this.element.hidden = !dock;
    document.body.classList.toggle('with-dock', dock);
    for (const [name, button] of this.buttons) {
      const chosen = name === tab;
      button.setAttribute('aria-selected', String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      this.panels[name].hidden = !chosen;
    }
  }

  private arrow(event: KeyboardEvent, tab: Tab): void {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = TABS.findIndex((one) => one.tab === tab);
    const next = TABS[(at + by + TABS.length) % TABS.length]!.tab;
    this.app.change({ tab: next });
    this.buttons.get(next)!.focus();
  }
}
