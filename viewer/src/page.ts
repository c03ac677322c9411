// Puts the page together.

import type { App } from './app';
import { Driving, REPEAT_MS } from './input/driving';
import { GamepadInput } from './input/gamepad';
import { Keyboard } from './input/keyboard';
import { GRAB_EVERY_MS, Pointer } from './input/pointer';
import { BRAKING, STOPPED, type Steering } from './input/steer';
import { Detailing } from './detailing';
import { Filming } from './filming';
import { GoalRequests } from './goal-requests';
import { Sensing } from './sensing';
import { installMaps } from './maze/install';
import type { Theme } from './settings';
import { LEVELS, type DetailName } from './state/detail';
import { languageOf, setLanguage, t } from './text';
import { CompareCard } from './ui/compare';
import { helpDialog, scenesDialog, settingsDialog, toggle } from './ui/dialogs';
import { Dock } from './ui/dock';
import { h } from './ui/dom';
import { EventLog } from './ui/events';
import { CameraWindow } from './ui/camera-window';
import { Labels } from './ui/labels';
import { linkCard } from './ui/linkcard';
import { notices } from './ui/notices';
import { Plots } from './ui/plots';
import { profileDialog } from './ui/profile';
import { RobotList } from './ui/robots';
import { SensorPanel } from './ui/sensors';
import { stageBar } from './ui/stagebar';
import { Stick } from './ui/stick';
import { StatusLine } from './ui/status';
import { takeOverDialog } from './ui/take-over';
import { TimelineBar } from './ui/timeline';
import { toolbar } from './ui/toolbar';
import { VehiclePanel } from './ui/vehicle';
import { View2d } from './view2d/view2d';
import { View3d } from './view3d/view3d';

/** What the page's own address asks: `?detail=low` draws plainly, `?view=flat` from above only. */
export interface Wishes {
  detail: DetailName | undefined;
  flat: boolean;
}

/** A picture that took longer, s, is not made up for: the camera would jump. */
const LONGEST_S = 0.1;

export class Page {
  pictures = 0;
  readonly detailing: Detailing;
  /** What the picture lies in. */
  private readonly surface = h('div', { class: 'surface' });
  /** Time since the last picture, s. */
  private undrawn = 0;
  /** When the numbers beside the picture were last renewed, ms. */
  private writtenAt = 0;
  private readonly driving: Driving;
  private readonly keyboard: Keyboard;
  private readonly pad: GamepadInput;
  private readonly stick: Stick;
  private readonly pointer: Pointer;
  private readonly stage = h('main', { class: 'stage' });
  private readonly labels: Labels;
  private readonly robots: RobotList;
  private readonly vehicle: VehiclePanel;
  private readonly goalRequests: GoalRequests;
  private readonly sensing: Sensing;
  private readonly sensors: SensorPanel;
  readonly eye: CameraWindow;
  private readonly plots: Plots;
  private readonly events: EventLog;
  private readonly filming: Filming;
  private readonly timeline: TimelineBar;
  private readonly compare: CompareCard;
  private readonly status: StatusLine;
  private readonly card: ReturnType<typeof linkCard>;
  readonly maps: ReturnType<typeof installMaps>;
  private readonly systemDark = matchMedia('(prefers-color-scheme: dark)');

  constructor(
    private readonly app: App,
    private readonly wishes: Wishes,
  ) {
    this.driving = new Driving(app);
    this.detailing = new Detailing(app, wishes.detail);
    this.pad = new GamepadInput(app, this.driving);
    this.applySettings();
    this.robots = new RobotList(app, this.driving);
    this.vehicle = new VehiclePanel(app);
    this.robots.element.prepend(this.vehicle.element);
    this.goalRequests = new GoalRequests(app);
    this.sensing = new Sensing(app);
    this.sensors = new SensorPanel(app);
    this.eye = new CameraWindow(app);
    this.plots = new Plots(app);
    this.events = new EventLog(app);
    const profile = profileDialog(app);
    this.status = new StatusLine(app, () => toggle(profile));
    this.labels = new Labels(app);
    this.card = linkCard(app);
    this.stick = new Stick(app, this.driving, () => this.steer());
    const dock = new Dock(app, { 
      robots: this.robots.element, sensors: this.sensors.element, plots: this.plots.element, events: this.events.element,
    });
    const scenes = scenesDialog(app);
    const help = helpDialog();
    const settings = settingsDialog(app, this.pad);
    const takeOver = takeOverDialog(app);
    this.filming = new Filming(app);
    this.compare = new CompareCard(app, (file) => void this.maps.opener.open(file));
    this.timeline = new TimelineBar(app, this.filming, { takeOver: takeOver.open, compare: () => this.compare.toggle() });
    const bar = toolbar(app, {
      scenes: () => toggle(scenes), help: () => toggle(help), settings: () => toggle(settings),
      theme: () => this.switchTheme(), panel: () => app.change({ dock: !app.settings.dock }),
    });
    this.keyboard = new Keyboard(app, this.driving, {
      toggleHelp: () => toggle(help), toggleScenes: () => toggle(scenes), toggleTheme: () => this.switchTheme(),
      closeAll: () => {
        if (this.pointer.cancel() || this.timeline.close()) return true;
        const open = document.querySelector<HTMLDialogElement>('dialog[open]');
        open?.close();
        if (open) return true;
        const compares = this.compare.isOpen;
        this.compare.toggle(false);
        return compares;
      },
      showTab: (tab) => dock.toggle(tab), toggleCompare: () => this.compare.toggle(),
      steer: () => this.steer(),
    });
    this.pointer = new Pointer(app, this.surface, this.goalRequests);
    this.stage.append(this.surface, this.labels.element, ...stageBar(app, this.goalRequests), this.eye.element, this.stick.element, this.card.element, this.compare.element, notices(app));
    document.body.append(bar, this.stage, dock.element, this.timeline.element, this.status.element, scenes, help, settings, profile, takeOver.element);
    this.maps = installMaps(app, this.stage, scenes);
    bar.querySelector('.tools')?.prepend(this.maps.editButton);
    app.on('settings', () => this.applySettings());
    this.systemDark.addEventListener('change', () => this.applySettings());
    new ResizeObserver(() => {
      app.view?.resize();
      // Another size wipes the picture.
      if (this.isDrawable) this.paint(0);
    }).observe(this.stage);
    this.makeView();
    setInterval(() => this.input(), REPEAT_MS);
    setInterval(() => this.pointer.update(performance.now()), GRAB_EVERY_MS);
    document.addEventListener('visibilitychange', () => this.driving.wake());
  }

  /** One picture. */
  draw(now: number, elapsed: number): void {
    const { app } = this;
    this.pad.moveCamera(elapsed);
    this.keyboard.moveCamera(elapsed);
    this.keyboard.endPicture();
    // Below the editor nobody sees it.
    this.undrawn += elapsed;
    const drawable = this.isDrawable;
    if (!drawable) this.detailing.pause();
    const drawn = drawable && !app.view!.busy;
    if (drawn) {
      app.playback!.advance(now);
      this.paint(Math.min(LONGEST_S, this.undrawn));
      this.filming.watch();
      this.undrawn = 0;
      this.pictures++;
      // Another detail may be another canvas, which would end a film.
      if (this.filming.isOn) this.detailing.pause();
      else this.detailing.drew(now);
    }
    this.labels.refresh();
    this.timeline.refresh();
    this.status.tick(now, drawn);
    this.card.refresh(now);
    if (now - this.writtenAt < LEVELS[app.detail].panelsMs) return;
    this.writtenAt = now;
    this.robots.refresh();
    this.vehicle.refresh();
    this.sensors.refresh();
    this.plots.refresh();
    this.events.refresh();
    this.status.refresh();
  }

  private get isDrawable(): boolean {
    return this.app.playback?.started === true && this.app.view !== undefined && !this.maps.editor.isOpen;
  }

  /** Draws the instant that is shown. */
  private paint(elapsed: number): void {
    const { app } = this;
    this.sensing.update();
    const { sketch } = this.sensing;
    const planned = sketch.count;
    this.goalRequests.draw(sketch);
    // Paths are told on the plane: they lie on the ground.
    if (app.scene?.ground) sketch.lift(planned, app.scene.ground);
    app.ghosting.update(app.playback!.shown.runTimeS);
    const { selected, hovered, gesture, ghosting: { looks: ghosts, courses, beside } } = app;
    app.view!.draw(app.playback!, { selected, hovered, gesture, sketch, loads: app.settings.loads, ghosts, courses, beside }, elapsed);
  }

  /** What hands do has a pace of its own, whatever becomes of pictures. */
  private input(): void {
    this.pad.act();
    this.steer();
  }

  /** Driving has a pace of its own: a robot must not stop because pictures are slow. */
  private steer(): void {
    const moves = ({ left, right }: Steering) => left !== 0 || right !== 0;
    const asked = [this.keyboard.steering(), this.stick.steering(), this.pad.steering()].find(moves) ?? STOPPED;
    const brakes = this.keyboard.brakes || this.pad.brakes;
    this.driving.update(brakes ? BRAKING : asked, performance.now());
    this.keyboard.endSteering();
  }

  private makeView(): void {
    if (this.wishes.flat) return this.useFlat();
    try {
      this.app.useView(new View3d(this.surface, LEVELS[this.app.detail]));
      this.app.view!.resize();
      this.applySettings();
    } catch {
      this.useFlat();
      this.app.emit('notice', { level: 'warning', text: t('noWebgl') });
    }
  }

  private useFlat(): void {
    this.app.cameraMode = 'top';
    this.app.useView(new View2d(this.surface, LEVELS[this.app.detail]));
    this.app.view!.resize();
    this.app.view!.rig.home();
    this.app.emit('camera', 'top');
    document.body.classList.add('flat');
    this.applySettings();
  }

  private get dark(): boolean {
    const { theme } = this.app.settings;
    return theme === 'dark' || (theme === 'auto' && this.systemDark.matches);
  }

  private switchTheme(): void {
    const theme: Theme = this.dark ? 'light' : 'dark';
    this.app.change({ theme });
  }

  private applied = '';

  private applySettings(): void {
    const { settings, view } = this.app;
    const language = settings.language === 'auto' ? languageOf(navigator.languages) : settings.language;
    const applied = `${this.dark} ${language} ${view?.kind}`;
    if (applied === this.applied) return;
    this.applied = applied;
    document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
    setLanguage(language);
    view?.setDark(this.dark);
    // Texts that are made anew on each change follow.
    queueMicrotask(() => this.app.emit('settings', settings));
  }
}
