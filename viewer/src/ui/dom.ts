// Small helpers for building the page.

import { t, type TextKey } from '../text';

type Child = Node | string | undefined | false;

interface Props {
  class?: string;
  id?: string;
  /** Key of its text; kept on the element so that the language can change. */
  text?: TextKey;
  /** Key of its name for assistive technology and its tooltip. */
  label?: TextKey;
  placeholder?: TextKey;
  attributes?: Record<string, string>;
  on?: { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (props.class) element.className = props.class;
  if (props.id) element.id = props.id;
  if (props.text) {
    element.dataset.text = props.text;
    element.textContent = t(props.text);
  }
  if (props.label) {
    element.dataset.label = props.label;
    element.title = t(props.label);
    element.setAttribute('aria-label', t(props.label));
  }
  if (props.placeholder) {
    element.dataset.placeholder = props.placeholder;
    (element as HTMLInputElement).placeholder = t(props.placeholder);
  }
  for (const [name, value] of Object.entries(props.attributes ?? {})) element.setAttribute(name, value);
  for (const [name, listener] of Object.entries(props.on ?? {})) {
    element.addEventListener(name, listener as EventListener);
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** A button with a picture; it gives the focus back after a click, so that keys drive again. */
export function iconButton(iconElement: SVGElement, label: TextKey, click: () => void, className = ''): HTMLButtonElement {
  return h('button', {
    class: `icon-button ${className}`, label, attributes: { type: 'button' },
    on: {
      click: (event) => {
        if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
        click();
      },
    },
  }, iconElement);
}

/** Something to press or fill in that may not be used, or not now; the reason is its tooltip. */
export function allow(control: HTMLButtonElement | HTMLSelectElement | HTMLInputElement, isNow: boolean, why: string | undefined): void {
  control.disabled = !isNow || why !== undefined;
  const title = why ?? (control.dataset.label ? t(control.dataset.label as TextKey) : '');
  if (control.title !== title) control.title = title;
  if (why === undefined) control.removeAttribute('aria-description');
  else control.setAttribute('aria-description', why);
}

export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export interface Choice<T extends string> {
  value: T;
  text: TextKey;
  label?: TextKey;
  icon?: SVGElement;
}

/** Buttons of which one is pressed. */
export function segmented<T extends string>(
  label: TextKey, choices: Choice<T>[], choose: (value: T) => void,
): { element: HTMLElement; set(value: T): void; allow(value: T, why: string | undefined): void } {
  const buttons = new Map<T, HTMLButtonElement>();
  const element = h('div', { class: 'segmented', label, attributes: { role: 'group' } });
  // The group's tooltip would cover the buttons' own.
  element.removeAttribute('title');
  for (const choice of choices) {
    const button = h('button', {
      label: choice.label ?? choice.text, attributes: { type: 'button', 'aria-pressed': 'false', 'data-value': choice.value },
      on: {
        click: (event) => {
          if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
          choose(choice.value);
        },
      },
    }, choice.icon, h('span', { text: choice.text }));
    buttons.set(choice.value, button);
    element.append(button);
  }
  return {
    element,
    set(value) {
      for (const [key, button] of buttons) button.setAttribute('aria-pressed', String(key === value));
    },
    allow(value, why) {
      const button = buttons.get(value);
      if (button) allow(button, true, why);
    },
  };
}

/** A list to choose from; gives the focus back. */
export function chooser<T extends string>(
  label: TextKey, options: { value: T; text: string; key?: TextKey }[], choose: (value: T) => void,
): HTMLSelectElement {
  const select = h('select', { label, on: {
    change: () => {
      choose(select.value as T);
      select.blur();
    },
  } });
  for (const { value, text, key } of options) {
    const option = h('option', { attributes: { value }, ...(key ? { text: key } : {}) });
    if (!key) option.textContent = text;
    select.append(option);
  }
  return select;
}

export function css(colour: number): string {
  return `#${(colour & 0xffffff).toString(16).padStart(6, '0')}`;
}
