// What the simulator says in English, in the language of the page.

import type { Event } from '../proto/live.js';
import { number, t, type TextKey } from '.';
import { en } from './en';

/** One line for an event. Kinds that this page does not know are told in the simulator's own words. */
export function eventText(event: Event, nameOf: (body: number) => string | undefined): string {
  const name = (n: number) => {
    const body = event.bodies[n];
    return (body === undefined ? undefined : nameOf(body)) ?? t('something');
  };
  switch (event.kind) {
    case 'impact': {
      const speed = number(event.value, 2);
      if (event.bodies.length < 2) return t('event_wall', { name: name(0), speed });
      return t('event_impact', { name: name(0), other: name(1), speed });
    }
    case 'slip': return t('event_slip', { name: name(0) });
    case 'goal': return goalText(event.text);
    case 'refused': {
      if (!Number.isFinite(event.value)) return t('event_refused', { name: name(0) });
      const value = number(event.value, Number.isInteger(event.value) ? 0 : 2);
      return t('event_refusedVolts', { name: name(0), value });
    }
    case 'quarantine': return t('event_quarantine', { name: name(0) });
    case 'energy_cap': return t('event_energyCap', { name: name(0) });
    case 'rolled_over': return t('event_rolledOver', { name: name(0) });
    case 'righted': return t('event_righted', { name: name(0) });
    case 'left_terrain': return t('event_leftTerrain', { name: name(0) });
    default: return event.text || event.kind;
  }
}

/** Which goal it was is only in the simulator's words. */
function goalText(text: string): string {
  return inOurWords(text, ['event_goalFor', 'event_goalIn']) ?? (/^goal$/i.test(text) || text === '' ? t('event_goal') : text);
}

const NOTICES = (Object.keys(en) as TextKey[]).filter((key) => key.startsWith('notice_'));

/** A notice that this page knows, in its language; any other as it came. */
export function noticeText(text: string): string {
  return inOurWords(text, NOTICES, noticeText) ?? text;
}

/** The first of our texts whose English is what the simulator said, with its words put in; a reason in ours, too. */
export function inOurWords(text: string, keys: readonly TextKey[], reason?: (why: string) => string): string | undefined {
  for (const key of keys) {
    const words = patternOf(key).exec(text)?.groups;
    if (words) return t(key, words.why && reason ? { ...words, why: reason(words.why) } : words);
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
