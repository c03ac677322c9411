// What the simulator says of a map, in the language of the page.

import { t, type TextKey } from '.';
import { en } from './en';
import { inOurWords } from './server';

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

/** Something to know about a map that was read. */
export function mapNote(note: string): string {
  return phrase(note);
}
