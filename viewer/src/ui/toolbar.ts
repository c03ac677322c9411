// The bar on top: which scene, how it runs.

import { SPEEDS, type App } from '../app';
import { number, t } from '../text';
import { allow, chooser, h, iconButton, setText } from './dom';
import { icon } from './icons';

const LARGEST_SEED = Number.MAX_SAFE_INTEGER;

export interface ToolbarActions {
  scenes(): void;
  settings(): void;
  help(): void;
  theme(): void;
  panel(): void;
}

export function toolbar(app: App, actions: ToolbarActions): HTMLElement {
  const title = h('span', { class: 'scene-title' });
  const sceneButton = h('button', {
    class: 'scene-button', label: 'chooseScene', id: 'scene-button', attributes: { type: 'button' },
    on: { click: () => actions.scenes() },
  }, title, icon('down'));

  const play = iconButton(icon('pause'), 'pause', () => app.togglePlay(), 'primary');
  play.id = 'play';
  const step = iconButton(icon('step'), 'step', () => app.stepOn());
  step.id = 'step';
  const reset = iconButton(icon('reset'), 'reset', () => app.control({ reset: true }));
  reset.id = 'reset';
  const speeds = SPEEDS.map((speed) => ({ value: String(speed), text: speedText(speed) }));
  const speed = chooser('speed', speeds, (value) => app.setSpeed(Number(value)));
  speed.id = 'speed';

  const seed = h('input', {
    label: 'seedHint', id: 'seed',
    attributes: { type: 'number', min: '0', step: '1', inputmode: 'numeric', autocomplete: 'off' },
    on: {
      change: () => {
        const value = Number(seed.value);
        if (Number.isSafeInteger(value) && value >= 0 && value <= LARGEST_SEED) app.control({ seed: value });
        else seed.value = String(app.status?.seed ?? 0);
        seed.blur();
      },
    },
  });
  const dice = iconButton(icon('dice'), 'seedRandom', () => {
    app.control({ seed: crypto.getRandomValues(new Uint32Array(1))[0]! });
  });

  const bar = h('header', { class: 'toolbar' },
    h('div', { class: 'brand' }, logo(), h('span', { class: 'brand-name', text: 'appName' })),
    sceneButton,
    h('div', { class: 'transport' }, reset, play, step,
      h('label', { class: 'field speed-field' }, h('span', { text: 'speed' }), speed),
      h('label', { class: 'field seed-field' }, h('span', { text: 'seed' }), seed, dice)),
    h('div', { class: 'tools' },
      iconButton(icon('theme'), 'themeSwitch', actions.theme),
      iconButton(icon('settings'), 'settings', actions.settings),
      iconButton(icon('help'), 'help', actions.help),
      iconButton(icon('panel'), 'panel', actions.panel)));

  let paused: boolean | undefined;
  const refresh = () => {
    const { status } = app;
    const why = app.whyNot('control');
    if (status && app.isPaused !== paused) {
      paused = app.isPaused;
      play.replaceChildren(icon(paused ? 'play' : 'pause'));
      play.dataset.label = paused ? 'play' : 'pause';
      play.setAttribute('aria-label', t(paused ? 'play' : 'pause'));
    }
    for (const control of [play, step, reset, speed, seed, dice]) allow(control, app.isConnected, why);
    if (!status) return;
    if (document.activeElement !== speed) showSpeed(speed, app.speed);
    if (document.activeElement !== seed) seed.value = String(status.seed);
  };
  app.on('status', refresh);
  app.on('link', refresh);
  app.on('timeline', refresh);
  app.on('welcome', refresh);
  app.on('settings', refresh);
  app.on('scene', (scene) => {
    setText(title, scene.title);
    document.title = `${scene.title} · Rolimã`;
    refresh();
  });
  refresh();
  return bar;
}

function speedText(speed: number): string {
  return speed === 0 ? t('speedMax') : `${number(speed, speed < 1 ? 1 : 0)}×`;
}

/** A speed that is not in the list (set by another program) gets a place in it. */
function showSpeed(select: HTMLSelectElement, speed: number): void {
  const value = String(speed);
  if (![...select.options].some((option) => option.value === value)) {
    select.append(new Option(`${number(speed, 2)}×`, value));
  }
  if (select.value !== value) select.value = value;
}

function logo(): SVGSVGElement {
  const svg = icon('wheel');
  svg.classList.add('logo');
  return svg;
}
