// The first gamepad that is connected: its sticks drive, at the pace of driving; its buttons are read once a picture.

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
    const pad = connected();
    return pad ? steerByPad(pad.axes, this.app.settings.steering).steering : STOPPED;
  }

  get brakes(): boolean {
    const pad = connected();
    return pad !== undefined && [LT, RT].some((n) => pad.buttons[n]?.pressed === true);
  }

  /** Does what the buttons say, and moves the camera. */
  update(elapsed: number): void {
    const pad = connected();
    this.name = pad?.id;
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
    const { cameraX, cameraY } = steerByPad(pad.axes, app.settings.steering);
    const cross = (more: number, less: number) => Number(held[more] ?? false) - Number(held[less] ?? false);
    const rig = app.view?.rig;
    const around = cameraX + cross(RIGHT, LEFT);
    const up = cross(UP, DOWN) - cameraY;
    if (around !== 0 || up !== 0) rig?.rotate(around * TURN_RATE * elapsed, up * TURN_RATE * elapsed);
    const zoom = cross(LB, RB);
    if (zoom !== 0) rig?.zoom(ZOOM_RATE ** (zoom * elapsed));
  }
}

function connected(): Gamepad | undefined {
  return navigator.getGamepads?.().find((one) => one?.connected) ?? undefined;
}
