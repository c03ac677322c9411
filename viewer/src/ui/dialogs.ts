// Dialogs: scenes, help, settings.

import type { App } from '../app';
import type { GamepadInput } from '../input/gamepad';
import { KEY_HELP } from '../input/keyboard';
import { pictureAddress } from '../net/address';
import type { Settings } from '../settings';
import { DETAILS } from '../state/detail';
import { LANGUAGES, t, type TextKey } from '../text';
import { DETAIL_TEXTS } from '../text/detail';
import { allow, chooser, h, iconButton, setText } from './dom';
import { icon } from './icons';

/** What a dialog hears before it opens. */
export const OPENING = 'rolima-opening';

export function dialog(id: string, title: TextKey, ...content: HTMLElement[]): HTMLDialogElement {
  const close = iconButton(icon('close'), 'close', () => element.close());
  const element = h('dialog', { id, attributes: { 'aria-labelledby': `${id}-title` } },
    h('div', { class: 'dialog-head' }, h('h2', { id: `${id}-title`, text: title }), close),
    h('div', { class: 'dialog-body' }, ...content));
  // A click beside it closes it.
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();
  });
  return element;
}

export function toggle(element: HTMLDialogElement): void {
  if (element.open) return element.close();
  // Not every browser tells by itself.
  element.dispatchEvent(new Event(OPENING));
  element.showModal();
}

export function scenesDialog(app: App): HTMLDialogElement {
  const grid = h('div', { class: 'scene-grid' });
  const empty = h('p', { class: 'empty', text: 'sceneNone' });
  const watching = h('p', { class: 'dropped watching' });
  const element = dialog('scenes', 'chooseScene', watching, grid, empty);
  const refresh = () => {
    const why = app.whyNot('control');
    watching.hidden = why === undefined;
    setText(watching, why ?? '');
    empty.hidden = app.scenes.length > 0 || why !== undefined;
    grid.replaceChildren(...app.scenes.map((entry) => {
      const current = entry.name === app.scene?.name;
      const picture = h('img', { attributes: { alt: '', loading: 'lazy', 'data-picture': pictureAddress(entry.picture, new URL(location.href)) } });
      picture.addEventListener('error', () => picture.classList.add('missing'));
      const card = h('button', {
        class: 'scene-card', attributes: { type: 'button', 'data-scene': entry.name, 'aria-current': String(current) },
        on: { click: () => {
          app.control({ load: entry.name });
          element.close();
        } },
      }, h('span', { class: 'scene-picture' }, picture), h('b', {}, entry.title || entry.name),
      current && h('small', { text: 'sceneCurrent' }));
      allow(card, true, why);
      return card;
    }));
    if (element.open) fetchPictures(element);
  };
  element.addEventListener(OPENING, () => fetchPictures(element));
  app.on('welcome', refresh);
  app.on('scenes', refresh);
  app.on('scene', refresh);
  app.on('settings', refresh);
  refresh();
  return element;
}

/** The simulator draws pictures of scenes when they are asked for: only for those who look at them. */
function fetchPictures(element: HTMLElement): void {
  for (const picture of element.querySelectorAll<HTMLImageElement>('img[data-picture]')) {
    picture.src = picture.dataset.picture!;
    delete picture.dataset.picture;
  }
}

export function helpDialog(): HTMLDialogElement {
  const row = (left: (Node | string)[], does: TextKey) =>
    h('div', { class: 'help-row' }, h('dt', {}, ...left), h('dd', { text: does }));
  const section = (title: TextKey, rows: HTMLElement[]) =>
    h('section', {}, h('h3', { text: title }), h('dl', {}, ...rows));
  const gesture = (what: TextKey, does: TextKey) => row([h('span', { class: 'gesture', text: what })], does);
  const keys = KEY_HELP.map(({ title, rows }) =>
    section(title, rows.map(([names, does]) => row(names.map((name) => h('kbd', {}, name)), does))));
  return dialog('help', 'helpTitle', h('div', { class: 'help-grid' }, ...keys,
    section('helpMouse', [
      gesture('mouseClick', 'mouseClickDoes'), gesture('mouseDrag', 'mouseDragDoes'), gesture('mousePlace', 'mousePlaceDoes'),
      gesture('mousePush', 'mousePushDoes'), gesture('mouseGround', 'mouseGroundDoes'), gesture('mousePan', 'mousePanDoes'),
      gesture('mouseWheel', 'mouseWheelDoes'), gesture('touchStick', 'touchStickDoes'),
    ]),
    section('helpPad', [
      gesture('padSticks', 'padSticksDoes'), gesture('padCamera', 'padCameraDoes'), gesture('padA', 'padADoes'),
      gesture('padShoulder', 'padShoulderDoes'), gesture('padBrake', 'padBrakeDoes'), gesture('padStart', 'padStartDoes'),
    ])));
}

export function settingsDialog(app: App, pad: GamepadInput): HTMLDialogElement {
  const choice = <K extends 'theme' | 'language' | 'steering' | 'stick' | 'odometry' | 'detail'>(key: K, label: TextKey, options: { value: Settings[K] & string; text: string; key?: TextKey }[]) => {
    const select = chooser<Settings[K] & string>(label, options, (value) => app.change({ [key]: value } as Partial<Settings>));
    app.on('settings', (settings) => (select.value = settings[key]));
    select.value = app.settings[key];
    return h('label', { class: 'setting' }, h('span', { text: label }), select);
  };
  const name = h('input', {
    label: 'yourNameHint', id: 'your-name', attributes: { type: 'text', maxlength: '40', autocomplete: 'nickname' },
    on: { change: () => {
      app.change({ name: name.value.trim() });
      if (app.settings.name) app.send({ new_name: { name: app.settings.name } });
    } },
  });
  name.value = app.settings.name;
  app.on('welcome', (welcome) => (name.placeholder = welcome.name));
  const padLine = h('p', { class: 'note' });
  const element = dialog('settings', 'settings',
    h('label', { class: 'setting' }, h('span', { text: 'yourName' }), name),
    choice('theme', 'theme', [
      { value: 'auto', text: '', key: 'themeAuto' }, { value: 'light', text: '', key: 'themeLight' }, { value: 'dark', text: '', key: 'themeDark' },
    ]),
    choice('language', 'language', [
      { value: 'auto', text: '', key: 'languageAuto' },
      ...Object.entries(LANGUAGES).map(([value, text]) => ({ value: value as keyof typeof LANGUAGES, text })),
    ]),
    choice('steering', 'steering', [
      { value: 'arcade', text: '', key: 'steeringArcade' }, { value: 'tank', text: '', key: 'steeringTank' },
    ]),
    choice('stick', 'stick', [
      { value: 'auto', text: '', key: 'stickAuto' }, { value: 'on', text: '', key: 'stickOn' }, { value: 'off', text: '', key: 'stickOff' },
    ]),
    choice('odometry', 'odometry', [
      { value: 'auto', text: '', key: 'odometryAuto' }, { value: 'on', text: '', key: 'odometryOn' }, { value: 'off', text: '', key: 'odometryOff' },
    ]),
    choice('detail', 'detail', [
      { value: 'auto', text: '', key: 'detailAuto' }, ...DETAILS.map((value) => ({ value, text: '', key: DETAIL_TEXTS[value] })),
    ]),
    padLine);
  const showPad = () => (padLine.textContent = pad.name ? t('padFound', { name: pad.name }) : t('padNone'));
  element.addEventListener('focusin', showPad);
  window.addEventListener('gamepadconnected', showPad);
  app.on('settings', showPad);
  showPad();
  return element;
}
