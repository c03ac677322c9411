// What the simulator says of a map, in the language of the page.

import { t, type TextKey } from '.';
import { en } from './en';

/** The first of our texts whose English is what the simulator said of a map, with its words put in. */
function inOurWords(text: string, keys: readonly TextKey[]): string | undefined {
  for (const key of keys) {
    const words = patternOf(key).exec(text)?.groups;
    if (words) return t(key, words);
  }
  return undefined;
}

const patterns = new Map<TextKey, RegExp>();

/** The English text as a pattern: words in braces stand for anything. Capitals and the last stop may differ. */
function patternOf(key: TextKey): RegExp {
  let pattern = patterns.get(key);
  if (!pattern) {
    const escaped = en[key].replace(/\.$/, '').replace(/[.*+?^$()|[\]\\]/g, '\\$&');
    // An empty group, so that a match always has groups.
    pattern = new RegExp(`^(?<_>)${escaped.replace(/\{(\w+)\}/g, '(?<$1>.+?)')}\\.?$`, 'i');
    patterns.set(key, pattern);
  }
  return pattern;
}

const PHRASES = (Object.keys(en) as TextKey[]).filter((key) => key.startsWith('map_'));

function phrase(text: string): string {
  return inOurWords(text, PHRASES) ?? text;
}

/** One line of what is wrong with a map: where, what was expected, and what was there. */
export function mapErrorLine(line: string): string {
  const at = /^.*?:(?<line>\d+):(?<column>\d+): expected (?<expected>.+), got (?<got>.+)$/s.exec(line)?.groups;
  if (at) return t('mapErrorAt', { ...at, expected: phrase(at.expected!), got: phrase(at.got!) });
  const whole = /^(?:.*?: )?expected (?<expected>.+), got (?<got>.+)$/s.exec(line)?.groups;
  if (whole) return t('mapError', { expected: phrase(whole.expected!), got: phrase(whole.got!) });
  return phrase(line);
}

export function mapErrorLines(error: string): string[] {
  return error.split('\n').filter(Boolean).map(mapErrorLine);
}

/** Something to know about a map that was read; of a scene's, after the name of its file. */
export function mapNote(note: string): string {
  const whole = inOurWords(note, PHRASES);
  if (whole !== undefined) return whole;
  const named = /^(?<name>.+?): (?<rest>.+)$/s.exec(note)?.groups;
  const rest = named && inOurWords(named.rest!, PHRASES);
  return rest === undefined ? note : `${named!.name!}: ${rest}`;
}
