// One standard deviation: a slider and a field that show what the simulator says, and send what people set.

import { fromSlider, toSlider, type Axis } from '../state/sigmas';
import type { App } from '../app';
import { allow, h } from './dom';

/** A slider that is dragged sends at most so often, ms. */
const SEND_EVERY_MS = 60;
/** What was just set stands until the simulator had time to tell it back, ms. */
const SETTLE_MS = 900;
/** Larger ones are refused anyway. */
const LARGEST = 1e6;

export class SigmaField {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private setAt = -Infinity;
  private sentAt = -Infinity;
  private pending: ReturnType<typeof setTimeout> | undefined;
  private shown: number | undefined;

  constructor(
    private readonly axis: Axis,
    app: App,
    private readonly send: (sigma: number) => void,
  ) {
    this.slider = h('input', {
      label: axis.text, attributes: { type: 'range', min: '0', max: '1', step: '0.005', value: '0' },
      on: { input: () => this.slide(), change: () => this.slider.blur() },
    });
    this.field = h('input', {
      label: axis.text, attributes: { type: 'number', min: '0', step: 'any', inputmode: 'decimal', autocomplete: 'off' },
      on: { change: () => this.enter() },
    });
    for (const control of [this.slider, this.field]) allow(control, app.isConnected, app.whyNot('control'));
    this.element = h('label', { class: 'sigma' }, h('span', { text: axis.text }), this.slider, this.field, h('i', {}, axis.unit));
  }

  /** What the simulator says it is, in the wire's unit. */
  show(sigma: number | undefined): void {
    if (sigma === undefined || performance.now() - this.setAt < SETTLE_MS) return;
    if (document.activeElement === this.field || document.activeElement === this.slider) return;
    if (sigma === this.shown) return;
    this.shown = sigma;
    this.put(sigma * this.axis.factor);
  }

  private put(value: number): void {
    this.field.value = this.text(value);
    this.slider.value = String(toSlider(value, this.axis.most));
  }

  private text(value: number): string {
    return String(Number(value.toFixed(this.axis.decimals)));
  }

  private slide(): void {
    const value = Number(this.text(fromSlider(Number(this.slider.value), this.axis.most)));
    this.field.value = this.text(value);
    this.set(value);
  }

  private enter(): void {
    const value = Number(this.field.value);
    if (this.field.value === '' || !(value >= 0 && value <= LARGEST)) {
      this.put((this.shown ?? 0) * this.axis.factor);
    } else {
      this.slider.value = String(toSlider(value, this.axis.most));
      this.set(value);
    }
    this.field.blur();
  }

  private set(value: number): void {
    this.setAt = performance.now();
    this.shown = value / this.axis.factor;
    const wait = this.sentAt + SEND_EVERY_MS - this.setAt;
    clearTimeout(this.pending);
    if (wait <= 0) this.sendNow();
    else this.pending = setTimeout(() => this.sendNow(), wait);
  }

  private sendNow(): void {
    this.sentAt = performance.now();
    this.send(this.shown ?? 0);
  }
}
