// Keys. Driving goes by the place of the keys (WASD is WASD on any keyboard), the rest by their names.

import type { App } from '../app';
import { CAMERA_MODES } from '../view3d/rig';
import type { Tab, Tool } from '../settings';
import type { TextKey } from '../text';
import { odometryFor, odometryShown } from '../sensing';
import { toggleLoads } from '../ui/vehicle';
import type { Driving } from './driving';
import { steerByKeys, type Steering } from './steer';

export interface PageActions {
  toggleHelp(): void;
  toggleScenes(): void;
  toggleTheme(): void;
  /** True where something was closed. */
  closeAll(): boolean;
  showTab(tab: Tab): void;
  toggleCompare(): void;
  /** Looks at once at what is held, without waiting for the next turn. */
  steer(): void;
}

const TOOLS: Tool[] = ['pull', 'put', 'push', 'goal'];
const TABS: Tab[] = ['robots', 'sensors', 'plots', 'events'];

/** What the help shows: keys, and what they do. */
export const KEY_HELP: { title: TextKey; rows: [string[], TextKey][] }[] = [
  {
    title: 'helpDrive',
    rows: [
      [['↑', '↓', '←', '→', 'W', 'A', 'S', 'D'], 'keyDrive'],
      [['Shift'], 'keySlow'],
      [['Space'], 'keyBrake'],
      [['G'], 'keyGoal'],
      [['X'], 'keyRelease'],
      [['N', 'P'], 'keyNext'],
      [['Esc'], 'keyDeselect'],
    ],
  },
  {
    title: 'helpRun',
    rows: [
      [['Space'], 'keyPlay'],
      [['.'], 'keyStep'],
      [['[', ']'], 'keySpeed'],
      [['0'], 'keyRealTime'],
      [['R'], 'keyReset'],
    ],
  },
  {
    title: 'helpTime',
    rows: [
      [['Backspace'], 'keyBackwards'],
      [['<'], 'keyStepBack'],
      [['PageUp', 'PageDown'], 'keyMarks'],
      [['End'], 'keyLive'],
      [['9'], 'keyGhosts'],
      [['\\'], 'keyGhostsHide'],
    ],
  },
  {
    title: 'helpCamera',
    rows: [
      [['1', '2', '3', '4'], 'keyCameras'],
      [['C'], 'keyNextCamera'],
      [['I', 'J', 'K', 'L'], 'keyTurn'],
      [['+', '−'], 'keyZoom'],
      [['F'], 'keyFollow'],
      [['Home'], 'keyHome'],
    ],
  },
  {
    title: 'helpShow',
    rows: [
      [['T'], 'keyTraces'],
      [['O'], 'keyOdometry'],
      [['U'], 'keyRays'],
      [[','], 'keyLoads'],
      [['Y'], 'keyEye'],
      [['5', '6', '7', '8'], 'keyPanels'],
      [['Z'], 'keyScenes'],
      [['V'], 'keyTool'],
      [['M'], 'keyTheme'],
      [['H', '?'], 'keyHelp'],
    ],
  },
  {
    title: 'helpMaze',
    rows: [
      [['V', 'W', 'L', 'K', 'C', 'B', 'R'], 'keyMazeTools'],
      [['Ctrl+Z', 'Ctrl+Shift+Z'], 'keyMazeUndo'],
      [['Del'], 'keyMazeDelete'],
      [['↑', '↓', '←', '→'], 'keyMazeMove'],
      [['Shift', 'Ctrl+A'], 'keyMazeSeveral'],
      [['G'], 'keyMazeGrid'],
      [['+', '−', 'Home'], 'keyMazeZoom'],
    ],
  },
];

const DRIVE_CODES: Record<string, 'forward' | 'back' | 'left' | 'right'> = {
  ArrowUp: 'forward', KeyW: 'forward', ArrowDown: 'back', KeyS: 'back',
  ArrowLeft: 'left', KeyA: 'left', ArrowRight: 'right', KeyD: 'right',
};
const BRAKE_CODE = 'Space';
const TURN_CODES: Record<string, [number, number]> = {
  KeyJ: [-1, 0], KeyL: [1, 0], KeyI: [0, 1], KeyK: [0, -1],
};
/** Speed of the camera by keys, rad/s, and of the zoom, factor a second. */
const TURN_RATE = 1.6;
const ZOOM_RATE = 2.5;

/** Keys that are looked at when steering, not when drawing. */
function isDriven(code: string): boolean {
  return code in DRIVE_CODES || code === BRAKE_CODE;
}

export class Keyboard {
  private readonly held = new Set<string>();
  /** Pressed and not yet looked at: a key tapped between two pictures (or turns of steering) counts for one. */
  private readonly fresh = new Set<string>();
  private readonly tapped = new Set<string>();
  private shift = false;

  constructor(
    private readonly app: App,
    private readonly driving: Driving,
    private readonly page: PageActions,
  ) {
    window.addEventListener('keydown', (event) => this.down(event));
    window.addEventListener('keyup', (event) => {
      if (this.fresh.has(event.code)) this.tapped.add(event.code);
      else this.held.delete(event.code);
      this.shift = event.shiftKey;
      if (isDriven(event.code)) page.steer();
    });
    // Keys let go while another window has the focus are never told.
    window.addEventListener('blur', () => {
      this.clear();
      page.steer();
    });
  }

  /** Whether the vehicle that this page drives is to brake. */
  get brakes(): boolean {
    return this.held.has(BRAKE_CODE);
  }

  /** The brake's key brakes only while a vehicle is driven here; else it plays and pauses. */
  private get drivesVehicle(): boolean {
    const body = this.app.body(this.app.selected);
    return body?.vehicle !== undefined && this.app.isMine(body.number);
  }

  steering(): Steering {
    const pressed = { forward: false, back: false, left: false, right: false, slow: this.shift };
    for (const code of this.held) {
      const way = DRIVE_CODES[code];
      if (way) pressed[way] = true;
    }
    return steerByKeys(pressed);
  }

  /** After each picture: keys of the camera were seen. */
  endPicture(): void {
    this.seen((code) => !isDriven(code));
  }

  /** After each turn of steering: keys that drive were seen. */
  endSteering(): void {
    this.seen(isDriven);
  }

  private seen(which: (code: string) => boolean): void {
    for (const code of [...this.tapped].filter(which)) {
      this.held.delete(code);
      this.tapped.delete(code);
    }
    for (const code of [...this.fresh].filter(which)) this.fresh.delete(code);
  }

  private clear(): void {
    this.held.clear();
    this.tapped.clear();
    this.fresh.clear();
  }

  /** Moves the camera by the keys that are held. */
  moveCamera(elapsed: number): void {
    const rig = this.app.view?.rig;
    if (!rig) return;
    for (const code of this.held) {
      const turn = TURN_CODES[code];
      if (turn) rig.rotate(turn[0] * TURN_RATE * elapsed, turn[1] * TURN_RATE * elapsed);
      if (code === 'Equal' || code === 'NumpadAdd') rig.zoom(ZOOM_RATE ** -elapsed);
      if (code === 'Minus' || code === 'NumpadSubtract') rig.zoom(ZOOM_RATE ** elapsed);
    }
  }

  private down(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.closest?.('input, textarea, select')) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    // A focused button, tab or list keeps the keys that work it.
    const control = target.closest?.('button, [role="tab"], summary, a');
    if (control && (event.key === ' ' || event.key === 'Enter')) return;
    this.shift = event.shiftKey;
    const inDialog = document.querySelector('dialog[open]') !== null;
    if (inDialog && event.key !== 'Escape' && event.key !== '?' && event.key.toLowerCase() !== 'h') return;
    const brake = event.code === BRAKE_CODE && (this.drivesVehicle || this.held.has(BRAKE_CODE));
    if (brake || event.code in DRIVE_CODES || event.code in TURN_CODES || /^(Equal|Minus|NumpadAdd|NumpadSubtract)$/.test(event.code)) {
      if (!this.held.has(event.code)) this.fresh.add(event.code);
      this.held.add(event.code);
      this.tapped.delete(event.code);
      event.preventDefault();
      if (isDriven(event.code) && !event.repeat) this.page.steer();
      return;
    }
    if (event.repeat && !['.', '<', '>'].includes(event.key)) return;
    if (this.act(event.key.length === 1 ? event.key.toLowerCase() : event.key)) event.preventDefault();
  }

  private act(key: string): boolean {
    const { app, page } = this;
    const actions: Record<string, () => void> = {
      ' ': () => app.togglePlay(),
      '.': () => app.stepOn(),
      '>': () => app.stepOn(),
      '<': () => app.travelling.step(-1),
      Backspace: () => app.travelling.toggle(-1),
      PageUp: () => app.travelling.toMark(-1),
      PageDown: () => app.travelling.toMark(1),
      End: () => app.travelling.toLive(),
      9: () => page.toggleCompare(),
      '\\': () => app.ghosting.setOn(!app.ghosting.on),
      '[': () => app.changeSpeed(-1),
      ']': () => app.changeSpeed(1),
      '0': () => app.setSpeed(1),
      r: () => app.control({ reset: true }),
      x: () => this.driving.release(),
      n: () => app.selectNext(1),
      p: () => app.selectNext(-1),
      c: () => app.setCamera(CAMERA_MODES[(CAMERA_MODES.indexOf(app.cameraMode) + 1) % CAMERA_MODES.length]!),
      f: () => app.view && (app.view.rig.following = !app.view.rig.following),
      Home: () => app.home(),
      t: () => app.change({ traces: app.settings.traces === 'off' ? 'line' : app.settings.traces === 'line' ? 'arrows' : 'off' }),
      o: () => app.change({ odometry: odometryShown(app) ? 'off' : odometryFor(app) }),
      u: () => app.change({ rays: !app.settings.rays }),
      y: () => app.change({ eye: !app.settings.eye }),
      ',': () => toggleLoads(app),
      q: () => page.showTab('sensors'),
      v: () => app.setTool(TOOLS[(TOOLS.indexOf(app.tool) + 1) % TOOLS.length]!),
      b: () => page.showTab('robots'),
      g: () => app.setTool(app.tool === 'goal' ? 'pull' : 'goal'),
      e: () => page.showTab('events'),
      z: () => page.toggleScenes(),
      m: () => page.toggleTheme(),
      h: () => page.toggleHelp(),
      '?': () => page.toggleHelp(),
      Escape: () => {
        if (page.closeAll()) return;
        if (app.tool === 'goal') return app.setTool('pull');
        this.driving.letGo();
        app.select(undefined);
      },
    };
    TABS.forEach((tab, i) => (actions[String(CAMERA_MODES.length + 1 + i)] = () => page.showTab(tab)));
    CAMERA_MODES.forEach((mode, i) => (actions[String(i + 1)] = () => app.setCamera(mode)));
    const action = actions[key];
    action?.();
    return action !== undefined;
  }
}
