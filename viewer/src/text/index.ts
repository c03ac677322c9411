// Which language is shown, and how texts get onto the page.

import { en, type TextKey, type Texts } from './en';
import { pt } from './pt';

export const LANGUAGES = { en: 'English', pt: 'Português' } as const;
export type Language = keyof typeof LANGUAGES;
export type { TextKey };

const TEXTS: Record<Language, Texts> = { en, pt };
let current: Language = 'en';

/** The language of the browser where we have it, else English. */
export function languageOf(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const short = tag.toLowerCase().split('-')[0];
    if (short !== undefined && short in TEXTS) return short as Language;
  }
  return 'en';
}

export function setLanguage(language: Language): void {
  current = language;
  document.documentElement.lang = language;
  translate(document);
}

export function language(): Language {
  return current;
}

export function t(key: TextKey, words: Record<string, string | number> = {}): string {
  return TEXTS[current][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(words[name] ?? whole));
}

/** Numbers in the language's own way, with a fixed count of decimals. */
export function number(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return '–';
  const text = value.toFixed(decimals);
  const tidy = Number(text) === 0 ? text.replace('-', '') : text;
  return (current === 'pt' ? tidy.replace('.', ',') : tidy).replace('-', '\u2212');
}

/** Elements carry the keys of their texts, so that the language can change at any time. */
export function translate(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = t(element.dataset.text as TextKey);
  }
  for (const element of root.querySelectorAll<HTMLElement>('[data-label]')) {
    const text = t(element.dataset.label as TextKey);
    element.title = text;
    element.setAttribute('aria-label', text);
  }
  for (const element of root.querySelectorAll<HTMLInputElement>('[data-placeholder]')) {
    element.placeholder = t(element.dataset.placeholder as TextKey);
  }
}
