import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Event } from '../../src/proto/live.js';
import { setLanguage } from '../../src/text';
import { en, type TextKey } from '../../src/text/en';
import { eventText, noticeText } from '../../src/text/server';

const NAMES = ['blue-1', 'ball'];
const nameOf = (body: number) => NAMES[body];
const event = (kind: string, bodies: number[], value = 0, text = 'as the simulator says'): Event =>
  ({ step: 1, time_s: 0.001, kind, text, bodies, value });

/** Changing the language also renews the page, of which there is none here. */
function speak(language: 'en' | 'pt'): void {
  vi.stubGlobal('document', { documentElement: {}, querySelectorAll: () => [] });
  setLanguage(language);
}
afterEach(() => {
  speak('en');
  vi.unstubAllGlobals();
});

describe('texts of events', () => {
  it('are made from kind, bodies and value', () => {
    expect(eventText(event('impact', [0, 1], 0.4213), nameOf)).toBe('blue-1 hit ball at 0.42 m/s');
    expect(eventText(event('impact', [1], 1), nameOf)).toBe('ball hit a wall at 1.00 m/s');
    expect(eventText(event('refused', [0], 9000), nameOf)).toBe('A command for blue-1 was refused: 9000 V');
    expect(eventText(event('refused', [], NaN), nameOf)).toBe('A command for something was refused');
    expect(eventText(event('goal', [1], 0, 'Goal for blue'), nameOf)).toBe('Goal for blue');
    expect(eventText(event('goal', [1], 0, 'Goal'), nameOf)).toBe('Goal');
  });
  it('speak Portuguese', () => {
    speak('pt');
    expect(eventText(event('impact', [0, 1], 0.4213), nameOf)).toBe('blue-1 bateu em ball a 0,42 m/s');
    expect(eventText(event('goal', [1], 0, 'Goal for blue'), nameOf)).toBe('Gol de blue');
    expect(eventText(event('goal', [1], 0, 'Goal in left goal'), nameOf)).toBe('Gol em left goal');
    expect(eventText(event('goal', [1], 0, 'Goal'), nameOf)).toBe('Gol');
    for (const kind of ['slip', 'refused', 'quarantine', 'energy_cap']) {
      const text = eventText(event(kind, [0]), nameOf);
      expect(text).toContain('blue-1');
      expect(text).not.toContain('simulator');
    }
  });
  it('of unknown kinds are the simulator\'s own', () => {
    speak('pt');
    expect(eventText(event('eclipse', [0]), nameOf)).toBe('as the simulator says');
    expect(eventText(event('eclipse', [0], 0, ''), nameOf)).toBe('eclipse');
  });
});

describe('notices of the simulator', () => {
  it('are known by their English, whatever words they carry', () => {
    speak('pt');
    expect(noticeText('Ana Maria drives blue-1.')).toBe('Ana Maria dirige blue-1.');
    expect(noticeText('There is no scene called "a.b (c)".')).toBe('Não há uma cena chamada "a.b (c)".');
    expect(noticeText('the simulation has ended')).toBe('A simulação terminou.');
  });
  it('that are unknown stay as they came', () => {
    speak('pt');
    expect(noticeText('The moon is full.')).toBe('The moon is full.');
    expect(noticeText('')).toBe('');
  });
  it('are each found by their own pattern', () => {
    speak('pt');
    for (const key of (Object.keys(en) as TextKey[]).filter((one) => one.startsWith('notice_'))) {
      expect(noticeText(en[key].replace(/\{\w+\}/g, '7')), key).not.toBe(en[key].replace(/\{\w+\}/g, '7'));
    }
  });
});
