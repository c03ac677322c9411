// Plots of chosen signals, live or over the whole run; one diagram for each unit. All channels of the scene can be searched and chosen.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { App } from '../app';
import { RefusalCode } from '../proto/live.js';
import { search, type ChannelInfo } from '../state/channels';
import { joined, RunSeries } from '../state/run-series';
import { tableCsv, toCsv, type Signal } from '../state/signals';
import { number, t } from '../text';
import { chooser, h, iconButton, setText } from './dom';
import { icon } from './icons';

const REFRESH_MS = 100;
const PLOT_HEIGHT = 150;
/** Told apart also by people who see few colours, and on a projector. */
const INKS = ['#2f7de1', '#e8603c', '#1fa67a', '#a05cd6', '#d99a00', '#d1478c', '#00a3b8', '#7c8794'];
const SPANS = ['5', '10', '30', '60', '300'];
/** All of the run, as far as it can be gone to. */
const WHOLE = 'Infinity';

/** Channels that are listed at a time; words find the others. */
const MOST_LISTED = 200;

interface Diagram {
  unit: string;
  signals: Signal[];
  plot: uPlot;
  /** Where the instant is that is shown. */
  now: HTMLElement;
}

export class Plots {
  readonly element: HTMLElement;
  private readonly words: HTMLInputElement;
  private readonly found = h('div', { class: 'channel-list', label: 'channels' });
  private readonly chips = h('div', { class: 'chips' });
  private readonly area = h('div', { class: 'plot-area' });
  private readonly empty = h('div', { class: 'empty' });
  private readonly suggest = h('button', { class: 'small', attributes: { type: 'button' } });
  private readonly pauseButton: HTMLButtonElement;
  private readonly runEmpty = h('p', { class: 'empty', text: 'plotRunEmpty' });
  private readonly run = new RunSeries();
  /** Channels that the stretch does not have. */
  private readonly unknown = new Set<string>();
  private runDrawn = '';
  private diagrams: Diagram[] = [];
  private spanS = 10;
  private shape = '';
  private drawnAt = 0;

  constructor(private readonly app: App) {
    this.words = h('input', {
      id: 'channel-search', label: 'channelSearch', placeholder: 'channelSearch',
      attributes: { type: 'search', autocomplete: 'off', spellcheck: 'false' }, on: { input: () => this.list() },
    });
    this.found.removeAttribute('title');
    this.pauseButton = iconButton(icon('pause'), 'plotPause', () => this.setRecording(!app.recording));
    const spans = [...SPANS.map((value) => ({ value, text: `${value} s` })), { value: WHOLE, text: '', key: 'plotWhole' as const }];
    const span = chooser<string>('plotWindow', spans, (value) => (this.spanS = Number(value)));
    span.value = String(this.spanS);
    this.suggest.addEventListener('click', () => this.addSuggested());
    this.empty.append(h('p', { text: 'plotEmpty' }), this.suggest);
    this.element = h('section', { class: 'panel plots' },
      h('div', { class: 'panel-bar' }, this.words), this.found,
      h('div', { class: 'panel-bar' }, this.pauseButton,
        iconButton(icon('clear'), 'plotClear', () => app.recorder.clear()),
        iconButton(icon('download'), 'plotExport', () => this.exportCsv(), 'export-csv'), span),
      this.chips, this.empty, this.runEmpty, this.area);
    app.on('timeline', ({ course }) => {
      if (!course) return;
      this.run.clear();
      this.unknown.clear();
    });
    for (const topic of ['scene', 'channels', 'selection', 'settings'] as const) {
      app.on(topic, () => {
        if (topic === 'settings') this.shape = '';
        this.list();
        this.showChips();
      });
    }
    new ResizeObserver(() => this.fit()).observe(this.area);
  }

  refresh(): void {
    const now = performance.now();
    this.app.channels.browse(!this.element.hidden);
    this.app.askChannels();
    if (this.element.hidden || now - this.drawnAt < REFRESH_MS || this.area.clientWidth === 0) return;
    this.drawnAt = now;
    const { recorder } = this.app;
    if (this.chips.childElementCount !== recorder.signals.length) this.showChips(); // another panel added some
    const shape = recorder.signals.map(({ name }) => name).join() + document.documentElement.dataset.theme;
    if (shape !== this.shape) {
      this.shape = shape;
      this.rebuild();
    }
    const ofRun = this.ofRun;
    this.element.classList.toggle('of-run', ofRun);
    this.runEmpty.hidden = true;
    if (ofRun) this.showRun(now);
    else this.showLive();
  }

  /** Whether the plots show what was, not what comes. */
  private get ofRun(): boolean {
    const { travel } = this.app.travelling;
    return travel.isAway || (travel.isOffered && this.spanS === Infinity);
  }

  private showLive(): void {
    const { recorder } = this.app;
    this.runDrawn = '';
    const end = recorder.times.at(-1) ?? 0;
    let first = recorder.times.length;
    while (first > 0 && recorder.times[first - 1]! >= end - this.spanS) first--;
    const times = recorder.times.slice(first);
    for (const { plot, signals, now } of this.diagrams) {
      now.hidden = true;
      const columns = signals.map((signal) => {
        const at = recorder.signals.findIndex(({ name }) => name === signal.name);
        return recorder.columns[at]!.slice(first);
      });
      plot.setData([times, ...columns]);
    }
  }

  /** A stretch of the run, with the instant that is shown in it. */
  private showRun(now: number): void {
    const { app, run } = this;
    const { travelling } = app;
    const { travel } = travelling;
    const names = app.recorder.channels.filter((name) => !this.unknown.has(name));
    const at = travelling.shownS;
    const { begin_s: begin, end_s: end, course } = travel.now!;
    const question = run.question({ names, begin, end, at, spanS: this.spanS, course, grows: !travel.isAway && app.status?.paused === false }, now);
    if (question) {
      travelling.desk.ask('plots', question, (answer) => {
        if ('curves' in answer) return run.take(answer.curves);
        // Without what is not known there, the others are.
        const name = answer.refusal?.code === RefusalCode.NO_SERIES_CHANNEL ? answer.refusal.name : undefined;
        if (name) this.unknown.add(name);
        else run.take(new Map());
      });
    }
    const [from, to] = run.stretch;
    const drawn = JSON.stringify([run.version, from, to, this.shape]);
    this.runEmpty.hidden = names.length === 0 || this.diagrams.some(({ signals }) => signals.some(({ name }) => run.line(name).times.length > 0)) || run.version === 0;
    for (const { plot, signals, now: cursor } of this.diagrams) {
      if (drawn !== this.runDrawn) {
        plot.batch(() => {
          plot.setData(joined(signals.map(({ name }) => run.line(name))) as uPlot.AlignedData, true);
          plot.setScale('x', { min: from, max: to });
        });
      }
      cursor.hidden = at < from || at > to;
      cursor.style.left = `${plot.valToPos(at, 'x')}px`;
    }
    this.runDrawn = drawn;
  }

  private suggested(): number | undefined {
    const body = this.app.body(this.app.selected);
    return body?.kind === 'robot' ? body.number : this.app.scene?.robots[0];
  }

  private addSuggested(): void {
    const robot = this.app.body(this.suggested());
    if (!robot) return;
    for (const [own, unit] of [['speed.forward', 'm/s'], ['actuator.left.voltage', 'V'], ['actuator.right.voltage', 'V']] as const) {
      this.app.recorder.add({ name: `robot.${robot.name}.${own}`, unit });
    }
    this.changed();
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
    const text = this.ofRun ? this.runCsv() : toCsv(recorder);
    const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    const link = h('a', { attributes: { href: address, download: `rolima-${scene?.name ?? 'signals'}.csv` } });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  /** The stretch of the run that is shown, as it is drawn. */
  private runCsv(): string {
    const signals = this.app.recorder.signals.filter(({ of }) => of === undefined);
    const [times, ...columns] = joined(signals.map(({ name }) => this.run.line(name)));
    return tableCsv('run_time (s)', signals, times, columns);
  }

  /** Lists the channels with the words that are looked for; without words, those of the selected body. */
  private list(): void {
    const { channels, recorder } = this.app;
    const body = this.app.body(this.app.selected);
    const group = body && `${body.kind}.${body.name}`;
    const all = search(channels.list, this.words.value, group);
    const shown = all.slice(0, MOST_LISTED);
    const groups = new Map<string, ChannelInfo[]>();
    for (const channel of shown) {
      const known = groups.get(channel.group);
      if (known) known.push(channel);
      else groups.set(channel.group, [channel]);
    }
    const button = ({ name, own, unit, meaning }: ChannelInfo) => {
      const signal = { name, unit };
      return h('button', {
        class: 'channel', attributes: {
          type: 'button', title: meaning, 'data-channel': name, 'aria-pressed': String(recorder.has(signal)),
        },
        on: { click: () => {
          if (recorder.has(signal)) recorder.remove(signal);
          else recorder.add(signal);
          this.changed();
        } },
      }, h('span', {}, own), h('small', {}, unit));
    };
    const more = all.length - shown.length + (all.length > 0 ? channels.leftOut : 0);
    this.found.replaceChildren(
      ...[...groups].flatMap(([name, own]) => [h('h4', {}, name || t('channelsWorld')), ...own.map(button)]),
      ...(more > 0 ? [h('p', { class: 'note' }, t('channelsMore', { count: more }))] : []));
  }

  /** Another choice of signals. */
  private changed(): void {
    this.app.askChannels();
    this.list();
    this.showChips();
  }

  private ink(signal: Signal): string {
    return INKS[this.app.recorder.signals.findIndex(({ name }) => name === signal.name) % INKS.length]!;
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
      const { name } = signal;
      return h('button', {
        class: 'chip', attributes: { type: 'button', title: t('removeSignal', { name }), 'aria-label': t('removeSignal', { name }) },
        on: { click: () => {
          this.app.recorder.remove(signal);
          this.changed();
        } },
      }, dot, name, icon('close'));
    }));
  }

  private rebuild(): void {
    for (const { plot } of this.diagrams) plot.destroy();
    const units = [...new Set(this.app.recorder.signals.map(({ unit }) => unit))];
    this.runDrawn = '';
    this.diagrams = units.map((unit) => {
      const signals = this.app.recorder.signals.filter((signal) => signal.unit === unit);
      const plot = this.makePlot(unit, signals);
      const now = h('i', { class: 'plot-now' });
      now.hidden = true;
      plot.over.append(now);
      plot.over.addEventListener('click', ({ offsetX }) => {
        if (this.ofRun) this.app.travelling.seek(plot.posToVal(offsetX, 'x'));
      });
      return { unit, signals, plot, now };
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
        { ...axis, label: unit || '1', labelFont: font, labelSize: 16, size: 46, values: (_, ticks) => ticks.map((tick) => number(tick, decimals(ticks))) },
      ],
      series: [{}, ...signals.map((signal) => ({
        label: signal.name, stroke: this.ink(signal), width: 1.75, points: { show: false },
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
