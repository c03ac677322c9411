// A stick on the picture, for fingers: it drives the selected robot.

import type { App } from '../app';
import type { Driving } from '../input/driving';
import { STOPPED, stickAxes, steerByPad, type Steering } from '../input/steer';
import { h } from './dom';

export class Stick {
  readonly element: HTMLElement;
  private readonly knob = h('div', { class: 'stick-knob' });
  private readonly base: HTMLElement;
  private readonly release: HTMLButtonElement;
  private readonly coarse = matchMedia('(pointer: coarse)');
  private finger: number | undefined;
  private axes: [number, number] = [0, 0];

  constructor(
    private readonly app: App,
    driving: Driving,
    /** Looks at once at where the stick is. */
    private readonly steer: () => void,
  ) {
    this.base = h('div', { class: 'stick-base', id: 'stick', label: 'stick', attributes: { role: 'application' } }, this.knob);
    this.base.removeAttribute('title'); // a tooltip would lie under the finger
    this.release = h('button', {
      class: 'small', text: 'release', attributes: { type: 'button' }, on: { click: () => driving.release() },
    });
    this.element = h('div', { class: 'stick' }, this.release, this.base);
    this.base.addEventListener('pointerdown', (event) => this.down(event));
    this.base.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      this.base.addEventListener(end, (event) => this.up(event));
    }
    this.base.addEventListener('contextmenu', (event) => event.preventDefault());
    window.addEventListener('blur', () => this.rest());
    this.coarse.addEventListener('change', () => this.show());
    for (const topic of ['selection', 'drivers', 'scene', 'link', 'welcome', 'settings'] as const) app.on(topic, () => this.show());
    this.show();
  }

  steering(): Steering {
    return this.element.hidden ? STOPPED : steerByPad(this.axes, 'arcade').steering;
  }

  private show(): void {
    const { app } = this;
    const robot = app.body(app.selected);
    const shown = robot?.kind === 'robot' && app.mayDrive(robot.number) && wantsStick(app, this.coarse);
    this.element.hidden = !shown;
    this.release.hidden = !robot || !app.isMine(robot.number);
    document.body.classList.toggle('with-stick', shown);
    if (!shown) this.rest();
  }

  private down(event: PointerEvent): void {
    if (this.finger !== undefined || event.button !== 0) return;
    event.preventDefault();
    this.finger = event.pointerId;
    this.base.setPointerCapture(event.pointerId);
    this.move(event);
  }

  private move(event: PointerEvent): void {
    if (event.pointerId !== this.finger) return;
    const box = this.base.getBoundingClientRect();
    const reach = box.width / 2;
    this.put(stickAxes(event.clientX - box.left - reach, event.clientY - box.top - reach, reach * 0.8));
  }

  private up(event: PointerEvent): void {
    if (event.pointerId === this.finger) this.rest();
  }

  private rest(): void {
    this.finger = undefined;
    this.put([0, 0]);
  }

  private put(axes: [number, number]): void {
    const rested = this.axes[0] === 0 && this.axes[1] === 0;
    const rests = axes[0] === 0 && axes[1] === 0;
    this.axes = axes;
    this.knob.style.transform = `translate(${axes[0] * 40}%, ${axes[1] * 40}%)`;
    // Beginning and stopping do not wait for the next turn of driving.
    if (rested !== rests) this.steer();
  }
}

/** Whether fingers drive by the stick on the screen: as chosen, else where fingers are the main pointer. */
export function wantsStick(app: App, coarse = matchMedia('(pointer: coarse)')): boolean {
  return app.settings.stick === 'on' || (app.settings.stick === 'auto' && coarse.matches);
}
