// The page's state and what can be done with it. Panels and inputs know only this.

import { Emitter } from './emitter';
import { accessAddress, socketAddress } from './net/address';
import { Connection, type Link } from './net/connection';
import { Recordings } from './net/recordings';
import type { Outgoing, ServerMessage } from './net/codec';
import {
  NoticeLevel, Role, type Driver, type Drivers, type Event, type Frame, type Look, type MapAnswer, type Picture, type Profile, type RecordState, type SceneEntry, type Status, type Welcome,
} from './proto/live.js';
import { Ghosting } from './ghosting';
import { Programs } from './programs';
import { keepSettings, loadSettings, type Settings, type Tool } from './settings';
import { GoalTable, type GoalNow } from './state/goals';
import { ChannelTable } from './state/channels';
import type { DetailName } from './state/detail';
import { Playback } from './state/playback';
import { rightsOf, whyNot, type Right, type Rights } from './state/rights';
import { ownerIn, readScene, type BodyInfo, type SceneInfo } from './state/scene';
import { GROUND_TOLERANCE } from './state/ground';
import { sensedValue } from './state/sensor-signals';
import { Senses } from './state/senses';
import { ownerOf } from './state/sensors';
import { Recorder, type Signal } from './state/signals';
import { Tracer } from './state/trace';
import type { GhostInfo } from './state/ghosts';
import type { MarkTable } from './state/marks';
import { RATES, type Change } from './state/travel';
import { t } from './text';
import { mapNote } from './text/map';
import { refusalText } from './text/server';
import type { CameraMode } from './view3d/rig';
import type { Gesture } from './view3d/overlay';
import { Travelling } from './travelling';
import type { View } from './view';

export type Topics = {
  link: Link;
  welcome: Welcome;
  scenes: readonly SceneEntry[];
  scene: SceneInfo;
  status: Status;
  drivers: readonly Driver[];
  selection: number | undefined;
  events: readonly Event[];
  scores: readonly number[];
  frame: Frame;
  /** Robots that were sent to poses. */
  goals: readonly GoalNow[];
  /** The robot, or WORLD, whose sensors told something. */
  readings: number;
  picture: Picture;
  /** The list of the scene's channels came. */
  channels: ChannelTable;
  /** Where the time of steps goes. */
  profile: Profile;
  /** Time began anew in the same scene. */
  restart: undefined;
  settings: Settings;
  camera: CameraMode;
  /** How much detail the picture has. */
  detail: DetailName;
  tool: Tool;
  /** What became of a map that this page sent. */
  map: MapAnswer;
  /** What a program wants of the view, or whether the person follows that. */
  look: Look | undefined;
  /** Robots whose ways programs want to be drawn. */
  traces: readonly number[];
  /** Which instant is shown, and which can be gone to. */
  timeline: Change;
  /** What happened, as far as it can be gone to. */
  marks: MarkTable;
  /** What is shown over the run. */
  ghosts: readonly GhostInfo[];
  /** Whether the run is being recorded. */
  record: RecordState | undefined;
  /** Whether the picture is being filmed. */
  film: boolean;
  /** `link`: a recording that can be had. */
  notice: { level: 'info' | 'warning' | 'error'; text: string; link?: { text: string; file: string } };
};

const MOST_EVENTS = 500;
/** Traces of more robots than this are a carpet: then only the selected one leaves one. */
const MOST_TRACED = 60;
export const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 0];

export class App extends Emitter<Topics> {
  readonly connection: Connection;
  readonly recordings: Recordings;
  readonly settings: Settings = loadSettings();
  readonly recorder = new Recorder();
  readonly senses = new Senses();
  readonly programs = new Programs(this);
  readonly travelling = new Travelling(this);
  readonly ghosting = new Ghosting(this);
  readonly goals = new GoalTable();
  readonly channels = new ChannelTable();
  recording = true;
  view: View | undefined;
  welcome: Welcome | undefined;
  scenes: readonly SceneEntry[] = [];
  scene: SceneInfo | undefined;
  playback: Playback | undefined;
  status: Status | undefined;
  drivers: readonly Driver[] = [];
  /** When that was told, ms. */
  private driversAt = 0;
  /** Robots that programs of Robot One may drive; undefined: all, or there are no programs. */
  forPrograms: readonly number[] | undefined;
  selected: number | undefined;
  hovered: number | undefined;
  gesture: Gesture | undefined;
  events: Event[] = [];
  eventsDropped = 0;
  scores: readonly number[] = [];
  cameraMode: CameraMode = 'orbit';
  detail: DetailName = 'full';
  /** Whether the detail follows how fast pictures are drawn. */
  detailIsAutomatic = true;
  tool: Tool = 'pull';
  framesReceived = 0;
  private tracer: Tracer | undefined;
  private tracedScene: SceneInfo | undefined;

  constructor(page: URL) {
    super();
    this.recordings = new Recordings(page);
    this.connection = new Connection({ socket: socketAddress(page), access: accessAddress(page) }, {
      message: (message) => this.receive(message),
      link: (link) => this.emit('link', link),
    });
    this.on('timeline', (change) => this.travelled(change));
  }

  // ---- what is asked of the simulator

  /** What the page's address lets it do; undefined as long as that is not known. */
  get rights(): Rights | undefined {
    return this.welcome && rightsOf(this.welcome);
  }

  /** Why something may not be done with this address, in words; undefined: it may. */
  whyNot(right: Right, body?: number): string | undefined {
    const reason = this.rights && whyNot(this.rights, right, this.body(body)?.name);
    return reason && t(reason.text, reason.words);
  }

  /** Whether the simulator is there and everything may be asked of it. */
  get mayControl(): boolean {
    return this.isConnected && this.whyNot('control') === undefined;
  }

  /** Whether the simulator is there and robots may be driven: this one, where it is about one. */
  mayDrive(body?: number): boolean {
    return this.isConnected && this.whyNot('drive', body) === undefined;
  }

  get isConnected(): boolean {
    return this.welcome !== undefined && this.connection.link.state === 'open';
  }

  /** Tells the person why something may not be done; false if it may. */
  refuses(right: Right, body?: number): boolean {
    const text = this.whyNot(right, body);
    if (text !== undefined) this.emit('notice', { level: 'warning', text });
    return text !== undefined;
  }

  send(message: Outgoing): boolean {
    return this.connection.send(message);
  }

  control(control: NonNullable<Outgoing['control']>): void {
    if (!this.refuses('control')) this.send({ control });
  }

  togglePlay(): void {
    if (this.travelling.travel.isAway) this.travelling.toggle(this.travelling.travel.direction);
    else this.control(this.status?.paused ? { play: true } : { pause: true });
  }

  /** One step on from what is shown. */
  stepOn(): void {
    if (this.travelling.travel.isAway) this.travelling.step(1);
    else this.control({ step: 1 });
  }

  /** Whether what is shown stands still. */
  get isPaused(): boolean | undefined {
    const { travel } = this.travelling;
    return travel.isAway ? !travel.isPlaying : this.status?.paused;
  }

  /** Simulated seconds a second; 0 means as fast as possible. */
  get speed(): number {
    const { travel } = this.travelling;
    return travel.isAway ? travel.rate : (this.status?.speed ?? 1);
  }

  setSpeed(speed: number): void {
    const { travel } = this.travelling;
    if (travel.isAway) this.travelling.setRate(speed || RATES.at(-1)!);
    else this.control({ speed });
  }

  /** The next speed up or down the list. */
  changeSpeed(by: number): void {
    const { travel } = this.travelling;
    if (travel.isAway) return this.travelling.setRate(travel.nextRate(by));
    const { speed } = this;
    const order = (value: number) => (value === 0 ? Infinity : value);
    const nearest = SPEEDS.reduce((best, value, i) =>
      Math.abs(order(value) - order(speed)) < Math.abs(order(SPEEDS[best]!) - order(speed)) || value === speed ? i : best, 0);
    const next = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, nearest + by))]!;
    this.control({ speed: next });
  }

  // ---- what is looked at

  body(n: number | undefined): BodyInfo | undefined {
    return n === undefined ? undefined : this.scene?.bodies[n];
  }

  /** `byHand`: a person did it, and from then on looks where they like. */
  select(n: number | undefined, follow = true, byHand = true): void {
    if (byHand && n !== undefined && n !== this.programs.look?.body) this.programs.hold();
    if (this.view) this.view.rig.following = n !== undefined && follow;
    if (this.selected === n) return;
    this.selected = n;
    this.startTracing();
    this.emit('selection', n);
  }

  selectNext(by: number): void {
    const robots = this.scene?.robots ?? [];
    if (robots.length === 0) return;
    const at = this.selected === undefined ? -1 : robots.indexOf(this.selected);
    this.select(robots[at < 0 ? 0 : (at + by + robots.length) % robots.length]);
  }

  setCamera(mode: CameraMode, byHand = true): void {
    if (!this.view) return;
    if (byHand) this.programs.hold();
    if ((mode === 'chase' || mode === 'first') && this.body(this.selected) === undefined) {
      this.select(this.scene?.robots[0], true, byHand);
    }
    this.cameraMode = mode;
    this.view.rig.setMode(mode);
    this.emit('camera', mode);
  }

  /** Back to seeing everything. */
  home(): void {
    this.programs.hold();
    this.view?.rig.home();
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    this.emit('tool', tool);
  }

  change(change: Partial<Settings>): void {
    Object.assign(this.settings, change);
    keepSettings(this.settings);
    this.styleTraces();
    this.emit('settings', this.settings);
  }

  useView(view: View): void {
    this.view?.dispose();
    this.view = view;
    this.styleTraces();
    if (this.scene) view.setScene(this.scene);
    this.tellGroundOff();
    view.rig.setMode(this.cameraMode);
    view.rig.onHand = () => this.programs.hold();
    this.programs.apply();
  }

  /** Traces that a live run leaves are of no use where another instant is shown. */
  private styleTraces(): void {
    this.view?.setTraceStyle(this.travelling.travel.isAway ? 'off' : this.settings.traces);
  }

  /** Another instant is shown, or another run. */
  private travelled({ mode, origin }: Change): void {
    if (mode) this.styleTraces();
    if (!origin) return;
    // What comes now is another future than the one that left these.
    this.view?.clearTraces();
    this.tracer?.restart();
  }

  /** Ground that is too large to be drawn as it is, is not drawn so in silence. */
  private tellGroundOff(): void {
    const off = this.view?.groundOff ?? 0;
    if (off > 1.001 * GROUND_TOLERANCE) this.emit('notice', { level: 'warning', text: t('groundCoarse', { off: off.toPrecision(2) }) });
  }

  /** For how long somebody has held a robot, s. */
  heldFor(driver: Driver): number {
    return driver.held_s + (performance.now() - this.driversAt) / 1000;
  }

  driverOf(n: number): Driver | undefined {
    return this.drivers.find((driver) => driver.body === n);
  }

  isMine(n: number): boolean {
    const driver = this.driverOf(n);
    return driver !== undefined && driver.client === this.welcome?.client;
  }

  clearEvents(): void {
    this.events = [];
    this.eventsDropped = 0;
    this.emit('events', this.events);
  }

  // ---- what comes from the simulator

  private receive(message: ServerMessage): void {
    if (message.welcome) this.begin(message.welcome);
    if (message.scenes) {
      this.scenes = message.scenes.entries;
      this.emit('scenes', this.scenes);
    }
    if (message.scene) this.beginScene(readScene(message.scene));
    if (message.drivers) {
      this.takeDrivers(message.drivers);
      this.emit('drivers', this.drivers);
    }
    if (message.notice) {
      const level = message.notice.level === NoticeLevel.ERROR ? 'error' : message.notice.level === NoticeLevel.WARNING ? 'warning' : 'info';
      this.emit('notice', { level, text: this.roleText(message.notice.needs) ?? refusalText(message.notice.refusal, message.notice.text) });
    }
    if (message.look) this.programs.takeLook(message.look);
    if (message.traces) this.programs.takeTraces(message.traces.traces);
    if (message.map_answer) this.emit('map', message.map_answer);
    if (message.goals && this.goals.hear(message.goals, this.scene?.generation)) this.emit('goals', this.goals.all);
    this.travelling.take(message);
    if (message.ghosts) this.ghosting.take(message.ghosts);
    if (message.frame) this.takeFrame(message.frame);
    if (message.readings && this.scene && this.senses.take(message.readings, this.scene)) {
      this.emit('readings', ownerOf(message.readings));
    }
    if (message.channels && message.channels.generation === this.scene?.generation) {
      this.channels.takeList(message.channels, this.scene.bodies.map(({ name }) => name));
      this.askChannels();
      this.emit('channels', this.channels);
    }
    if (message.channel_values && this.channels.takeValues(message.channel_values) && this.recorder.channels.length > 0) {
      this.record(message.channel_values.time_s);
    }
    if (message.profile && message.profile.generation === this.scene?.generation) this.emit('profile', message.profile);
    if (message.picture && message.picture.generation === this.scene?.generation) this.emit('picture', message.picture);
  }

  /** Asks the simulator for the channels that the page wants, where that has changed. */
  askChannels(): void {
    if (!this.scene || !this.isConnected) return;
    this.channels.want('plots', this.recorder.channels);
    const question = this.channels.question();
    if (question) this.send({ watch_channels: question });
  }

  private record(timeS: number): void {
    const { playback } = this;
    if (!this.recording || !playback || this.travelling.travel.isAway) return;
    const { latest, scene } = playback;
    this.recorder.take(timeS, ({ name, of }: Signal) =>
      of ? sensedValue(ownerIn(scene, of.body)!, of.quantity, this.senses, latest) : this.channels.value(name));
  }

  private takeDrivers({ drivers, programs_come, all_for_programs, for_programs }: Drivers): void {
    this.drivers = drivers;
    this.driversAt = performance.now();
    this.forPrograms = programs_come && !all_for_programs ? for_programs : undefined;
  }

  /** What the simulator refuses for want of a role, in the page's words. */
  private roleText(needs: number): string | undefined {
    if (needs === Role.WATCH) return undefined;
    return this.whyNot(needs === Role.DRIVE ? 'drive' : 'control');
  }

  private begin(welcome: Welcome): void {
    const again = this.welcome !== undefined;
    this.welcome = welcome;
    this.drivers = [];
    this.programs.begin();
    this.goals.clear();
    this.emit('goals', []);
    this.channels.begin();
    if (this.settings.name) this.send({ new_name: { name: this.settings.name } });
    this.travelling.begin();
    this.ghosting.begin();
    this.emit('welcome', welcome);
    if (again) this.emit('notice', { level: 'info', text: t('back') });
  }

  private beginScene(scene: SceneInfo): void {
    const same = this.scene?.name === scene.name && this.scene.bodies.length === scene.bodies.length;
    const selected = same ? this.selected : undefined;
    this.scene = scene;
    this.playback = new Playback(scene);
    this.travelling.tellPlayback(this.playback);
    this.events = [];
    this.eventsDropped = 0;
    this.scores = [];
    this.gesture = undefined;
    this.hovered = undefined;
    this.recorder.clear();
    this.senses.clear();
    this.goals.clear();
    this.channels.begin();
    if (!same) for (const signal of [...this.recorder.signals]) this.recorder.remove(signal);
    this.selected = selected;
    this.view?.setScene(scene);
    this.tellGroundOff();
    this.programs.beginScene(scene);
    this.startTracing();
    this.emit('scene', scene);
    if (!same) for (const note of scene.source.notes) this.emit('notice', { level: 'warning', text: mapNote(note) });
    this.askChannels();
    this.emit('selection', this.selected);
    this.emit('events', this.events);
    this.emit('scores', this.scores);
    this.emit('goals', []);
    if (this.cameraMode === 'chase' || this.cameraMode === 'first') this.setCamera(this.cameraMode, false);
  }

  /** Of few robots all leave traces; of many only the selected one. */
  private startTracing(): void {
    if (!this.scene) return;
    const few = this.scene.robots.length <= MOST_TRACED;
    if (few && this.tracedScene === this.scene) return;
    const chosen = this.body(this.selected)?.kind === 'robot' ? [this.selected!] : [];
    this.view?.clearTraces();
    this.tracer = new Tracer(this.scene, few ? this.scene.robots : chosen);
    this.tracedScene = this.scene;
  }

  private takeFrame(frame: Frame): void {
    const { playback } = this;
    if (!playback) return;
    const outcome = playback.take(frame, performance.now());
    if (outcome === 'ignored') return;
    this.framesReceived++;
    if (outcome === 'restarted') {
      this.tracer?.restart();
      this.view?.clearTraces();
      this.recorder.clear();
      this.emit('restart', undefined);
    }
    // A recording's list ends where it is shown.
    if (outcome === 'back' && this.travelling.travel.mode === 'replay') this.events = this.events.filter(({ time_s }) => time_s <= playback.latest.timeS);
    // Of what was, whole ways and whole courses of signals are shown instead (ghosting.ts, ui/plots.ts).
    if (!this.travelling.travel.isAway) this.follow(playback, outcome === 'restarted');
    frame.contact_x.forEach((x, i) => this.view?.flash(x, frame.contact_y[i] ?? 0, frame.contact_impulse[i] ?? 0));
    this.takeEvents(frame);
    this.travelling.hear(frame);
    if (frame.status) {
      if (frame.status.ended && this.status?.ended !== true) this.emit('notice', { level: 'info', text: t('runEnded') });
      this.status = frame.status;
      this.emit('status', frame.status);
    }
    if (frame.scores.join() !== this.scores.join()) {
      this.scores = frame.scores;
      this.emit('scores', this.scores);
    }
    this.emit('frame', frame);
  }

  /** What a run leaves behind as it goes on: traces, plotted signals. */
  private follow({ latest }: Playback, restarted: boolean): void {
    this.programs.takeFrame(latest, restarted);
    for (const step of this.tracer?.take(latest) ?? []) {
      if (!step.odometry || this.settings.odometry === 'on') this.view?.addTrace(step);
    }
    // Values of channels come right behind their frame.
    if (this.recorder.channels.length === 0) this.record(latest.timeS);
  }

  private takeEvents(frame: Frame): void {
    this.eventsDropped += frame.events_dropped;
    if (frame.events.length === 0 && frame.events_dropped === 0) return;
    // What was is in the list already.
    const isNew = this.travelling.travel.mode !== 'past';
    for (const event of frame.events) {
      if (isNew) this.events.push(event);
      if (event.kind === 'impact') this.flashImpact(event);
    }
    if (this.events.length > MOST_EVENTS) this.events.splice(0, this.events.length - MOST_EVENTS);
    this.emit('events', this.events);
  }

  /** An impact is over before the next frame shows its contact, so it flashes from its event: between
   * the two bodies, or at the one that hit a wall. */
  private flashImpact(event: Event): void {
    const [a, b] = event.bodies;
    const one = this.body(a);
    const latest = this.playback?.latest;
    if (!one || !latest) return;
    const two = this.body(b);
    const x = latest.x[one.number]!;
    const y = latest.y[one.number]!;
    if (!two) {
      this.view?.flash(x, y, event.value * one.mass);
      return;
    }
    const share = one.reach / (one.reach + two.reach);
    const mass = Math.min(one.mass, two.mass);
    this.view?.flash(
      x + share * (latest.x[two.number]! - x), y + share * (latest.y[two.number]! - y), event.value * mass,
    );
  }
}
