import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/text';
import { en, type TextKey } from '../../src/text/en';
import { pt } from '../../src/text/pt';
import { defaults, restore } from '../../src/settings';

describe('texts', () => {
  it('put in the same words in every language', () => {
    const words = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const key of Object.keys(en) as TextKey[]) {
      expect(words(pt[key]), key).toEqual(words(en[key]));
      expect(pt[key].trim(), key).not.toBe('');
    }
  });
  it('follow the browser where we have its language', () => {
    expect(languageOf(['fr-FR', 'pt-BR', 'en'])).toBe('pt');
    expect(languageOf(['de'])).toBe('en');
    expect(languageOf([])).toBe('en');
  });
});

describe('settings', () => {
  it('survive what was kept by another version, or broken', () => {
    const base = defaults(false);
    expect(restore(null, base)).toEqual(base);
    expect(restore('{', base)).toEqual(base);
    expect(restore('[1]', base)).toEqual(base);
    expect(restore('{"theme":"dark","traces":"spiral","name":7,"odd":1}', base)).toEqual({ ...base, theme: 'dark' });
  });
});
