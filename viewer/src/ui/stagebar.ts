// Controls that lie on the picture: camera, mouse tool, traces; the score; a hint.

import type { App } from '../app';
import type { GoalRequests } from '../goal-requests';
import type { Zone } from '../proto/live.js';
import { t, type TextKey } from '../text';
import { holderText } from '../text/server';
import type { CameraMode } from '../view3d/rig';
import type { TraceStyle } from '../view3d/traces';
import type { Tool } from '../settings';
import { besideLabels } from './compare';
import { goalCard, pathSwitch } from './goalcard';
import { css, h, iconButton, segmented, setText } from './dom';
import { icon } from './icons';
import { senseButtons } from './sensebar';
import { wantsStick } from './stick';
import { loadsButton } from './vehicle';

export function stageBar(app: App, goalRequests: GoalRequests): HTMLElement[] {
  const cameras = segmented<CameraMode>('camera', [
    { value: 'chase', text: 'cameraChase', icon: icon('chase') },
    { value: 'top', text: 'cameraTop', icon: icon('top') },
    { value: 'first', text: 'cameraFirst', icon: icon('first') },
    { value: 'orbit', text: 'cameraOrbit', icon: icon('orbit') },
  ], (mode) => app.setCamera(mode));
  cameras.element.id = 'cameras';
  app.on('camera', (mode) => cameras.set(mode));
  cameras.set(app.cameraMode);
  const home = iconButton(icon('home'), 'home', () => app.home(), 'floating');
  const program = programView(app);

  const tools = segmented<Tool>('tool', [
    { value: 'pull', text: 'toolPull', label: 'toolPullHint', icon: icon('pull') },
    { value: 'put', text: 'toolPut', label: 'toolPutHint', icon: icon('put') },
    { value: 'push', text: 'toolPush', label: 'toolPushHint', icon: icon('push') },
    { value: 'goal', text: 'toolGoal', label: 'toolGoalHint', icon: icon('goal') },
  ], (tool) => app.setTool(tool));
  tools.element.id = 'tools';
  app.on('tool', (tool) => tools.set(tool));
  tools.set(app.tool);
  const showRights = () => {
    for (const tool of ['pull', 'put', 'push'] as const) tools.allow(tool, app.whyNot('control'));
    tools.allow('goal', app.whyNot('drive'));
  };
  app.on('welcome', showRights);
  app.on('settings', showRights);

  const styles: TraceStyle[] = ['off', 'line', 'arrows'];
  const names: Record<TraceStyle, TextKey> = { off: 'tracesOff', line: 'tracesLine', arrows: 'tracesArrows' };
  const traceText = h('span');
  const traces = h('button', {
    class: 'floating pill', id: 'traces', label: 'traces', attributes: { type: 'button' },
    on: {
      click: (event) => {
        if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
        app.change({ traces: styles[(styles.indexOf(app.settings.traces) + 1) % styles.length]! });
      },
    },
  }, icon('traces'), traceText);
  const showTraces = () => {
    setText(traceText, `${t('traces')}: ${t(names[app.settings.traces])}`);
    traces.setAttribute('aria-pressed', String(app.settings.traces !== 'off'));
  };
  app.on('settings', showTraces);
  showTraces();

  return [
    h('div', { class: 'stage-top' },
      h('div', { class: 'stage-group' }, cameras.element, home, program),
      h('div', { class: 'stage-group' }, tools.element, traces, pathSwitch(app), loadsButton(app), ...senseButtons(app)), besideLabels(app)),
    h('div', { class: 'stage-bottom' }, score(app), goalCard(app, goalRequests), hint(app)),
  ];
}

/** Whether the view is the one that a program wants; only where one does. */
function programView(app: App): HTMLElement {
  const button = h('button', {
    class: 'floating pill', id: 'program-view', label: 'programViewHint', attributes: { type: 'button' },
    on: {
      click: (event) => {
        if (event.detail > 0) (event.currentTarget as HTMLElement).blur();
        if (app.programs.follows) app.programs.hold();
        else app.programs.giveBack();
      },
    },
  }, icon('eye'), h('span', { text: 'programView' }));
  const refresh = () => {
    button.hidden = app.programs.look === undefined;
    button.setAttribute('aria-pressed', String(app.programs.follows));
  };
  app.on('look', refresh);
  refresh();
  return button;
}

function score(app: App): HTMLElement {
  const board = h('div', { class: 'score', attributes: { role: 'status' } });
  const refresh = () => {
    const zones = app.scene?.source.zones ?? [];
    board.hidden = zones.length === 0 || app.scores.length === 0;
    board.replaceChildren(...zones.slice(0, app.scores.length).map((zone, i) =>
      h('span', { class: 'score-part' }, ...scoreName(app, zone), h('b', {}, String(app.scores[i] ?? 0)))));
  };
  app.on('scores', refresh);
  app.on('scene', refresh);
  refresh();
  return board;
}

/** Goals count for a team where the zone says so; its name and colour then. */
function scoreName(app: App, zone: Zone): (HTMLElement | string)[] {
  const team = zone.scores_for || undefined;
  const member = app.scene?.bodies.find((body) => team !== undefined && body.team === team);
  return [swatch(member?.colour ?? zone.colour), team ?? zone.name];
}

export function swatch(colour: number): HTMLElement {
  const element = h('i', { class: 'swatch' });
  element.style.background = css(colour);
  return element;
}

/** One line that says what can be done next. */
function hint(app: App): HTMLElement {
  const line = h('div', { class: 'hint', attributes: { role: 'status' } });
  const refresh = () => {
    const body = app.body(app.selected);
    line.hidden = !app.mayDrive() || app.travelling.travel.isAway || !app.scene || app.scene.robots.length === 0;
    const stick = wantsStick(app);
    if (app.tool === 'goal' && (body?.kind === 'robot' || app.scene?.robots.length === 1)) {
      setText(line, t('hintGoal', { name: body?.name ?? app.body(app.scene?.robots[0])?.name ?? '' }));
    } else if (body?.kind !== 'robot') setText(line, t(stick ? 'hintSelectStick' : 'hintSelect'));
    else if (app.isMine(body.number) && !app.goals.get(body.number)) setText(line, t(stick ? 'hintDrivingStick' : body.vehicle ? 'hintDrivingVehicle' : 'hintDriving', { name: body.name }));
    else {
      const driver = app.driverOf(body.number);
      setText(line, driver && !app.isMine(body.number) ? holderText(driver, body.name) : t(stick ? 'hintDriveStick' : 'hintDrive', { name: body.name }));
    }
  };
  for (const topic of ['selection', 'drivers', 'scene', 'link', 'welcome', 'settings', 'tool', 'goals', 'timeline'] as const) app.on(topic, refresh);
  refresh();
  return line;
}
