import { describe, expect, it } from 'vitest';
import { Role } from '../../src/proto/live.js';
import { rightsOf, whyNot } from '../../src/state/rights';

const welcome = (role: number, drive_robots: string[] = []) => ({ may_control: role !== Role.WATCH, role, drive_robots });

describe('what a page may do', () => {
  it('follows from the role of its address', () => {
    const [watch, drive, control] = [Role.WATCH, Role.DRIVE, Role.CONTROL].map((role) => rightsOf(welcome(role)));
    expect([watch!.role, drive!.role, control!.role]).toEqual(['watch', 'drive', 'control']);
    expect(whyNot(watch!, 'drive')?.text).toBe('cannotControl');
    expect(whyNot(watch!, 'control')?.text).toBe('cannotControl');
    expect(whyNot(drive!, 'drive', 'blue-1')).toBeUndefined();
    expect(whyNot(drive!, 'control')?.text).toBe('needsControl');
    expect(whyNot(control!, 'drive', 'blue-1')).toBeUndefined();
    expect(whyNot(control!, 'control')).toBeUndefined();
  });

  it('is to drive some robots only where the simulator says so', () => {
    const rights = rightsOf(welcome(Role.DRIVE, ['blue-1', 'blue-2']));
    expect(whyNot(rights, 'drive')).toBeUndefined();
    expect(whyNot(rights, 'drive', 'blue-2')).toBeUndefined();
    expect(whyNot(rights, 'drive', 'blue-3')).toEqual({ text: 'notYourRobot', words: { name: 'blue-3', robots: 'blue-1, blue-2' } });
    // Names are for those who drive.
    expect(whyNot(rightsOf(welcome(Role.CONTROL, ['blue-1'])), 'drive', 'blue-3')).toBeUndefined();
  });

  it('is everything with a simulator that knows of no roles and lets control', () => {
    expect(rightsOf({ may_control: true, role: 0, drive_robots: [] }).role).toBe('control');
  });
});
