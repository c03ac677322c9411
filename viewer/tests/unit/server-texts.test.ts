import { afterEach, describe, expect, it, vi } from 'vitest';
import { DriverKind, RefusalCode, RefusalNav, type Driver, type Event, type Refusal, type Zone } from '../../src/proto/live.js';
import { setLanguage } from '../../src/text';
import { eventText as textOf, heldText, refusalText } from '../../src/text/server';

const NAMES = ['blue-1', 'ball'];
const nameOf = (body: number) => NAMES[body];
const event = (kind: string, bodies: number[], value = 0, text = 'as the simulator says', zone = 0): Event =>
  ({ step: 1, time_s: 0.001, kind, text, bodies, value, zone });
const ZONES: Zone[] = [
  { name: 'left goal', points: [], colour: 0, scores_for: '' },
  { name: 'right goal', points: [], colour: 0, scores_for: 'blue' },
];
const eventText = (one: Event, names: typeof nameOf) => textOf(one, names, ZONES);
const goal = (zone: number) => event('goal', [], 0, 'as the simulator says', zone);

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
    expect(eventText(goal(2), nameOf)).toBe('Goal for blue');
    expect(eventText(goal(0), nameOf)).toBe('Goal');
  });
  it('speak Portuguese', () => {
    speak('pt');
    expect(eventText(event('impact', [0, 1], 0.4213), nameOf)).toBe('blue-1 bateu em ball a 0,42 m/s');
    expect(eventText(goal(2), nameOf)).toBe('Gol de blue');
    expect(eventText(goal(1), nameOf)).toBe('Gol em left goal');
    expect(eventText(goal(0), nameOf)).toBe('Gol');
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

const refusal = (code: number, more: Partial<Refusal> = {}): Refusal =>
  ({ code, body: 0, name: '', most: 0, got: 0, others: 0, nav: 0, detail: '', ...more });
const holder = (kind: number, name = 'Ana Maria', goalToo = false): Driver => ({ body: 0, client: 1, name, kind, goal: goalToo, held_s: 1 });
const SAID = 'As the simulator says.';

describe('why something was not done', () => {
  it('is worded from its code, whatever the simulator says', () => {
    const held = (one: Driver) => refusalText(refusal(RefusalCode.HELD, { name: 'blue-1', holder: one }), SAID);
    expect(held(holder(DriverKind.VIEWER))).toBe('Ana Maria drives blue-1.');
    expect(held(holder(DriverKind.VIEWER, 'Ana', true))).toBe('Ana has sent blue-1 to a goal.');
    speak('pt');
    expect(held(holder(DriverKind.VIEWER))).toBe('Ana Maria dirige blue-1.');
    expect(held(holder(DriverKind.PROGRAM))).toBe('Um programa dirige blue-1 (Robot One).');
    expect(held(holder(DriverKind.TERMINAL, ''))).toBe('Alguém no terminal dirige blue-1.');
    expect(held(holder(DriverKind.CONTROLLER))).toContain('Ana Maria dirige blue-1');
    expect(refusalText(refusal(RefusalCode.UNKNOWN_SCENE, { name: 'a.b (c)' }), SAID)).toBe('Não há uma cena chamada "a.b (c)".');
    expect(refusalText(refusal(RefusalCode.ENDED), SAID)).toBe('A simulação terminou.');
    expect(refusalText(refusal(RefusalCode.GOAL_NOT_DRIVABLE, { nav: RefusalNav.BAD_LIMIT }), SAID))
      .toBe('a navegação não consegue dirigir este robô: o limite precisa ser finito e maior que zero');
  });
  it('of a replay names the log and the steps', () => {
    const differs = refusal(RefusalCode.REPLAY_DIFFERS, { name: 'match.log', most: 2000, got: 3000 });
    expect(refusalText(differs, SAID)).toBe('Not as logged: after step 3000 the state is another than in match.log; the same up to step 2000.');
    speak('pt');
    expect(refusalText(refusal(RefusalCode.REPLAY_OVER, { name: 'match.log' }), SAID)).toBe('A reprodução de match.log terminou.');
    expect(refusalText(refusal(RefusalCode.REPLAY, { name: 'match.log' }), SAID)).toContain('Esta é uma reprodução de match.log');
  });
  it('is told in the simulator\'s words where there is no code, or one that this page does not know', () => {
    speak('pt');
    expect(refusalText(undefined, 'Ana Maria drives blue-1.')).toBe('Ana Maria drives blue-1.');
    expect(refusalText(refusal(RefusalCode.OTHER), SAID)).toBe(SAID);
    expect(refusalText(refusal(9999), SAID)).toBe(SAID);
  });
  it('has words for every code, but those that only controllers in lock step meet', () => {
    speak('pt');
    const forControllers = ['OTHER', 'NOT_JOINED', 'NOT_LOCK_STEP', 'PERIOD', 'TOO_MANY_CONTROLLERS', 'NOT_ASKED', 'WRONG_STEP',
      'TOO_MANY_COMMANDS', 'JOINED', 'NOT_BINARY'];
    for (const [name, code] of Object.entries(RefusalCode)) {
      const text = refusalText(refusal(code, { nav: RefusalNav.BAD_LIMIT }), SAID);
      expect(text === SAID, name).toBe(forControllers.includes(name));
    }
  });
  it('says for how long a robot is held', () => {
    expect([heldText(0.4), heldText(59.9), heldText(125)]).toEqual(['For 0 s.', 'For 59 s.', 'For 2 min.']);
  });
});
