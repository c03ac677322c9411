import { describe, expect, it } from 'vitest';
import { BehindWindow } from '../../src/state/behind';

describe('wall time given up lately', () => {
  it('starts at nothing, however much was given up before anybody looked', () => {
    expect(new BehindWindow().take(42, 0)).toBe(0);
  });
  it('is told while it is fresh, and forgotten after ten seconds', () => {
    const window = new BehindWindow();
    window.take(0, 0);
    expect(window.take(1.5, 200)).toBeCloseTo(1.5);
    for (let at = 400; at <= 10_000; at += 200) expect(window.take(1.5, at)).toBeCloseTo(1.5);
    expect(window.take(1.5, 10_400)).toBe(0);
    expect(window.take(2, 10_600)).toBeCloseTo(0.5);
  });
  it('counts steady loss by the length of the window, not by the length of the run', () => {
    const window = new BehindWindow();
    let lately = 0;
    for (let at = 0; at <= 600_000; at += 200) lately = window.take(at * 1e-4, at);
    expect(lately).toBeCloseTo(1, 1);
  });
  it('starts over with another run', () => {
    const window = new BehindWindow();
    window.take(0, 0);
    window.take(5, 200);
    expect(window.take(0, 400)).toBe(0);
    expect(window.take(0.25, 600)).toBeCloseTo(0.25);
    window.clear();
    expect(window.take(9, 800)).toBe(0);
  });
});
