// Live plots of chosen signals; one diagram for each unit.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { App } from '../app';
import { findQuantity, partsOf, quantityOf, type Part } from '../state/sensor-signals';
import { isQuantity, keyOf, OF_MOTORS, OF_SPACE, QUANTITIES, toCsv, unitOf, type Quantity, type Signal } from '../state/signals';
import { number, t, type TextKey } from '../text';
import { chooser, h, iconButton, setText } from './dom';
import { icon } from './icons';

const REFRESH_MS = 100;
const PLOT_HEIGHT = 150;
/** Told apart also by people who see few colours, and on a projector. */
const INKS = ['#2f7de1', '#e8603c', '#1fa67a', '#a05cd6', '#d99a00', '#d1478c', '#00a3b8', '#7c8794'];
const SPANS = ['5', '10', '30', '60', '300'];

const NAMES: Record<Quantity, TextKey> = {
  x: 'x', y: 'y', heading: 'heading', speed: 'speedSignal', omega: 'omega', voltsLeft: 'voltsLeft',
  voltsRight: 'voltsRight', currentLeft: 'currentLeft', currentRight: 'currentRight',
  wheelLeft: 'wheelLeft', wheelRight: 'wheelRight', z: 'z', roll: 'roll', pitch: 'pitch',
};

const PARTS: Record<Part, TextKey> = {
  x: 'x', y: 'y', heading: 'heading', offset: 'partOffset', turnOffset: 'partTurnOffset', left: 'partLeft', right: 'partRight',
  accelX: 'partAccelX', accelY: 'partAccelY', turning: 'omega', ahead: 'sensorAhead', nearest: 'sensorNearest', pressed: 'bumperPressed',
};

interface Diagram {
  unit: string;
  signals: Signal[];
  plot: uPlot;
}

export class Plots {
  readonly element: HTMLElement;
  private readonly bodyChoice: HTMLSelectElement;
  private readonly quantityChoice: HTMLSelectElement;
  private readonly chips = h('div', { class: 'chips' });
  private readonly area = h('div', { class: 'plot-area' });
  private readonly empty = h('div', { class: 'empty' });
  private readonly suggest = h('button', { class: 'small', attributes: { type: 'button' } });
  private readonly pauseButton: HTMLButtonElement;
  private diagrams: Diagram[] = [];
  private spanS = 10;
  private shape = '';
  private drawnAt = 0;

  constructor(private readonly app: App) {
    this.bodyChoice = chooser('body', [], () => this.offerQuantities());
    this.quantityChoice = chooser('signal', [], () => undefined);
    const add = h('button', {
      class: 'small', text: 'addSignal', id: 'add-signal', attributes: { type: 'button' }, on: { click: () => this.add() },
    });
    this.pauseButton = iconButton(icon('pause'), 'plotPause', () => this.setRecording(!app.recording));
    const spans = SPANS.map((value) => ({ value, text: `${value} s` }));
    const span = chooser('plotWindow', spans, (value) => (this.spanS = Number(value)));
    span.value = String(this.spanS);
    this.suggest.addEventListener('click', () => this.addSuggested());
    this.empty.append(h('p', { text: 'plotEmpty' }), this.suggest);
    this.element = h('section', { class: 'panel plots' },
      h('div', { class: 'panel-bar' }, this.bodyChoice, this.quantityChoice, add),
      h('div', { class: 'panel-bar' }, this.pauseButton,
        iconButton(icon('clear'), 'plotClear', () => app.recorder.clear()),
        iconButton(icon('download'), 'plotExport', () => this.exportCsv(), 'export-csv'), span),
      this.chips, this.empty, this.area);
    app.on('scene', () => this.offerBodies());
    app.on('selection', (selected) => {
      if (selected !== undefined) this.bodyChoice.value = String(selected);
      this.offerQuantities();
      this.showChips();
    });
    app.on('settings', () => {
      this.shape = '';
      this.offerQuantities();
      this.showChips();
    });
    new ResizeObserver(() => this.fit()).observe(this.area);
  }

  refresh(): void {
    const now = performance.now();
    if (this.element.hidden || now - this.drawnAt < REFRESH_MS || this.area.clientWidth === 0) return;
    this.drawnAt = now;
    const { recorder } = this.app;
    if (this.chips.childElementCount !== recorder.signals.length) this.showChips(); // another panel added some
    const shape = recorder.signals.map(keyOf).join() + document.documentElement.dataset.theme;
    if (shape !== this.shape) {
      this.shape = shape;
      this.rebuild();
    }
    const end = recorder.times.at(-1) ?? 0;
    let first = recorder.times.length;
    while (first > 0 && recorder.times[first - 1]! >= end - this.spanS) first--;
    const times = recorder.times.slice(first);
    for (const { plot, signals } of this.diagrams) {
      const columns = signals.map((signal) => {
        const at = recorder.signals.findIndex((known) => keyOf(known) === keyOf(signal));
        return recorder.columns[at]!.slice(first);
      });
      plot.setData([times, ...columns]);
    }
  }

  private add(): void {
    const quantity = this.quantityChoice.value;
    if (this.bodyChoice.value === '' || !quantity) return;
    this.app.recorder.add({ body: Number(this.bodyChoice.value), quantity });
    this.showChips();
  }

  private suggested(): number | undefined {
    const body = this.app.body(this.app.selected);
    return body?.kind === 'robot' ? body.number : this.app.scene?.robots[0];
  }

  private addSuggested(): void {
    const body = this.suggested();
    if (body === undefined) return;
    for (const quantity of ['speed', 'voltsLeft', 'voltsRight'] as const) this.app.recorder.add({ body, quantity });
    this.showChips();
  }

  private setRecording(on: boolean): void {
    this.app.recording = on;
    this.pauseButton.replaceChildren(icon(on ? 'pause' : 'play'));
    this.pauseButton.dataset.label = on ? 'plotPause' : 'plotGo';
    this.pauseButton.title = t(on ? 'plotPause' : 'plotGo');
    this.pauseButton.setAttribute('aria-label', this.pauseButton.title);
  }

  private exportCsv(): void {
    const { recorder, scene } = this.app;
    const text = toCsv(recorder, (n) => this.app.body(n)?.name ?? `#${n}`);
    const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    const link = h('a', { attributes: { href: address, download: `rolima-${scene?.name ?? 'signals'}.csv` } });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  private offerBodies(): void {
    const bodies = this.app.scene?.bodies ?? [];
    this.bodyChoice.replaceChildren(...bodies.slice(0, 2000).map((body) => new Option(body.name, String(body.number))));
    this.offerQuantities();
    this.showChips();
  }

  private offerQuantities(): void {
    const body = this.app.body(Number(this.bodyChoice.value));
    const before = this.quantityChoice.value;
    const rough = this.app.scene?.ground !== undefined;
    const own = QUANTITIES.filter((quantity) => (body?.kind === 'robot' || !OF_MOTORS.has(quantity)) && (rough || !OF_SPACE.has(quantity)));
    const sensed = body?.sensors.flatMap((sensor) => partsOf(sensor).map((part) => quantityOf(sensor, part))) ?? [];
    const offered: string[] = [...own, ...sensed];
    this.quantityChoice.replaceChildren(
      ...offered.map((quantity) => new Option(`${this.nameOf(Number(this.bodyChoice.value), quantity)} (${unitOf(quantity)})`, quantity)));
    this.quantityChoice.value = offered.includes(before) ? before : 'speed';
  }

  private label({ body, quantity }: Signal): string {
    return `${this.app.body(body)?.name ?? `#${body}`} ${this.nameOf(body, quantity)}`;
  }

  private nameOf(body: number, quantity: string): string {
    if (isQuantity(quantity)) return t(NAMES[quantity]);
    const info = this.app.body(body);
    const found = info && findQuantity(info, quantity);
    return found ? `${found.sensor.name} ${t(PARTS[found.part])}` : quantity;
  }

  private ink(signal: Signal): string {
    return INKS[this.app.recorder.signals.findIndex((known) => keyOf(known) === keyOf(signal)) % INKS.length]!;
  }

  private showChips(): void {
    const { signals } = this.app.recorder;
    this.empty.hidden = signals.length > 0;
    const robot = this.suggested();
    this.suggest.hidden = robot === undefined;
    setText(this.suggest, t('plotSuggest', { name: this.app.body(robot)?.name ?? '' }));
    this.chips.replaceChildren(...signals.map((signal) => {
      const dot = h('i', { class: 'swatch' });
      dot.style.background = this.ink(signal);
      const name = this.label(signal);
      return h('button', {
        class: 'chip', attributes: { type: 'button', title: t('removeSignal', { name }), 'aria-label': t('removeSignal', { name }) },
        on: { click: () => {
          this.app.recorder.remove(signal);
          this.showChips();
        } },
      }, dot, name, icon('close'));
    }));
  }

  private rebuild(): void {
    for (const { plot } of this.diagrams) plot.destroy();
    const units = [...new Set(this.app.recorder.signals.map(({ quantity }) => unitOf(quantity)))];
    this.diagrams = units.map((unit) => {
      const signals = this.app.recorder.signals.filter(({ quantity }) => unitOf(quantity) === unit);
      return { unit, signals, plot: this.makePlot(unit, signals) };
    });
  }

  private makePlot(unit: string, signals: Signal[]): uPlot {
    const style = getComputedStyle(document.documentElement);
    const stroke = style.getPropertyValue('--muted').trim();
    const grid = { stroke: style.getPropertyValue('--line').trim(), width: 1 };
    const font = '11px system-ui, sans-serif';
    const axis = { stroke, grid, ticks: grid, font };
    return new uPlot({
      width: Math.max(100, this.area.clientWidth), height: PLOT_HEIGHT,
      scales: { x: { time: false } },
      legend: { show: false },
      cursor: { sync: { key: 'signals' }, drag: { x: false, y: false } },
      axes: [
        { ...axis, values: (_, ticks) => ticks.map((tick) => `${Number(tick.toFixed(3))} s`), size: 28 },
        { ...axis, label: unit, labelFont: font, labelSize: 16, size: 46, values: (_, ticks) => ticks.map((tick) => number(tick, decimals(ticks))) },
      ],
      series: [{}, ...signals.map((signal) => ({
        label: this.label(signal), stroke: this.ink(signal), width: 1.75, points: { show: false },
      }))],
    }, [[], ...signals.map(() => [])], this.area);
  }

  private fit(): void {
    for (const { plot } of this.diagrams) plot.setSize({ width: Math.max(100, this.area.clientWidth), height: PLOT_HEIGHT });
  }
}

/** As many decimals as the distance of the ticks needs. */
function decimals(ticks: number[]): number {
  const gap = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) || 1;
  return Math.max(0, Math.min(6, Math.ceil(-Math.log10(gap) - 1e-9)));
}
