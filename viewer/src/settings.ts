// What a person chose, kept in the browser.

import type { Language } from './text';
import type { SteeringKind } from './input/steer';
import { DETAILS, type DetailName } from './state/detail';
import type { TraceStyle } from './view3d/traces';

export type Theme = 'auto' | 'light' | 'dark';
export type Tool = 'pull' | 'put' | 'push' | 'goal';
export type Tab = 'robots' | 'sensors' | 'plots' | 'events';

export interface Settings {
  theme: Theme;
  language: Language | 'auto';
  name: string;
  steering: SteeringKind;
  /** The stick on the screen: `auto` where fingers are the main pointer. */
  stick: 'auto' | 'on' | 'off';
  traces: TraceStyle;
  /** Paths by odometry: `auto` of robots that have that sensor, `on` of all, by their wheels. */
  odometry: 'auto' | 'on' | 'off';
  /** What the selected robot's sensors feel around it is drawn. */
  rays: boolean;
  /** Where robots are sent, and their planned paths, are drawn. */
  paths: boolean;
  /** What the selected robot's camera sees is shown. */
  eye: boolean;
  /** What the wheels of the selected vehicle carry is shown. */
  loads: boolean;
  /** How much detail pictures have; `auto`: as much as is drawn quickly enough. */
  detail: 'auto' | DetailName;
  /** What was drawn quickly enough last. */
  foundDetail: DetailName;
  dock: boolean;
  tab: Tab;
}

const KEY = 'rolima.settings';

const CHOICES: { [K in keyof Settings]: readonly Settings[K][] | undefined } = {
  theme: ['auto', 'light', 'dark'],
  language: ['auto', 'en', 'pt'],
  name: undefined,
  steering: ['arcade', 'tank'],
  stick: ['auto', 'on', 'off'],
  traces: ['off', 'line', 'arrows'],
  odometry: ['auto', 'on', 'off'],
  rays: [true, false],
  paths: [true, false],
  eye: [true, false],
  loads: [true, false],
  detail: ['auto', ...DETAILS],
  foundDetail: DETAILS,
  dock: [true, false],
  tab: ['robots', 'sensors', 'plots', 'events'],
};

export function defaults(narrow: boolean): Settings {
  return {
    theme: 'auto', language: 'auto', name: '', steering: 'arcade', stick: 'auto', traces: 'off', odometry: 'auto',
    rays: true, loads: false, paths: true, eye: !narrow, detail: 'auto', foundDetail: 'full', dock: !narrow, tab: 'robots',
  };
}

/** What was kept, as far as it still makes sense. */
export function restore(text: string | null, base: Settings): Settings {
  const settings: Record<string, unknown> = { ...base };
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '{}');
  } catch {
    return base;
  }
  if (typeof kept !== 'object' || kept === null) return base;
  for (const [key, choices] of Object.entries(CHOICES)) {
    const value = (kept as Record<string, unknown>)[key];
    if (choices ? (choices as readonly unknown[]).includes(value) : typeof value === 'string') settings[key] = value;
  }
  return settings as unknown as Settings;
}

export function loadSettings(): Settings {
  const base = defaults(window.innerWidth < 760);
  try {
    return restore(localStorage.getItem(KEY), base);
  } catch {
    return base; // storage may be forbidden
  }
}

export function keepSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Then they last as long as the page.
  }
}
