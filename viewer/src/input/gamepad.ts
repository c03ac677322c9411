// The first gamepad that is connected: its sticks drive and its buttons act, at the pace of driving; the camera moves with
// the pictures.

import type { App } from '../app';
import { CAMERA_MODES } from '../view3d/rig';
import type { Driving } from './driving';
import { STOPPED, steerByPad, type Steering } from './steer';

/** Buttons of the standard mapping. */
const A = 0, B = 1, X = 2, Y = 3, LB = 4, RB = 5, LT = 6, RT = 7, BACK = 8, START = 9, UP = 12, DOWN = 13, LEFT = 14, RIGHT = 15;
const TURN_RATE = 2.2;
const ZOOM_RATE = 2.5;

export class GamepadInput {
  private before: boolean[] = [];
  /** The name of what is connected. */
  name: string | undefined;

  constructor(
    private readonly app: App,
    private readonly driving: Driving,
  ) {}

  steering(): Steering {
    const pad = atHand();
    return pad ? steerByPad(pad.axes, this.app.settings.steering).steering : STOPPED;
  }

  get brakes(): boolean {
    const pad = atHand();
    return pad !== undefined && [LT, RT].some((n) => pad.buttons[n]?.pressed === true);
  }

  /** Does what the buttons say. */
  act(): void {
    this.name = connected()?.id;
    const pad = atHand();
    if (!pad) {
      this.before = [];
      return;
    }
    const held = pad.buttons.map((button) => button.pressed);
    const pressed = (n: number) => held[n] === true && this.before[n] !== true;
    const { app } = this;
    if (pressed(A)) app.togglePlay();
    if (pressed(B)) this.driving.release();
    if (pressed(X)) app.setCamera(CAMERA_MODES[(CAMERA_MODES.indexOf(app.cameraMode) + 1) % CAMERA_MODES.length]!);
    if (pressed(Y)) app.selectNext(1);
    if (pressed(START)) app.control({ reset: true });
    if (pressed(BACK)) app.change({ steering: app.settings.steering === 'arcade' ? 'tank' : 'arcade' });
    this.before = held;
  }

  moveCamera(elapsed: number): void {
    const pad = atHand();
    if (!pad) return;
    const { cameraX, cameraY } = steerByPad(pad.axes, this.app.settings.steering);
    const held = (n: number) => Number(pad.buttons[n]?.pressed ?? false);
    const cross = (more: number, less: number) => held(more) - held(less);
    const rig = this.app.view?.rig;
    const around = cameraX + cross(RIGHT, LEFT);
    const up = cross(UP, DOWN) - cameraY;
    if (around !== 0 || up !== 0) rig?.rotate(around * TURN_RATE * elapsed, up * TURN_RATE * elapsed);
    const zoom = cross(LB, RB);
    if (zoom !== 0) rig?.zoom(ZOOM_RATE ** (zoom * elapsed));
  }
}

/** Without the focus a browser may go on telling where the sticks were: then nothing is held. */
function atHand(): Gamepad | undefined {
  return document.hasFocus() ? connected() : undefined;
}

function connected(): Gamepad | undefined {
  return navigator.getGamepads?.().find((one) => one?.connected) ?? undefined;
}
