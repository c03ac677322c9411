// The panel of the sensors of the selected robot and of the world: what they read, and how much they err.

import type { App } from '../app';
import { wrap } from '../state/angle';
import { mainPartsOf, nearestOf, offsetFrom, PART_UNITS, poseOf, quantityOf } from '../state/sensor-signals';
import { hasRays, pressedSectors, rayAhead, WORLD, type Owner, type SensorInfo } from '../state/sensors';
import { axesOf } from '../state/sigmas';
import { number, t, type TextKey } from '../text';
import { h, iconButton, setText } from './dom';
import { icon } from './icons';
import { selectSensing } from './sensebar';
import { SigmaField } from './sigmafield';

const REFRESH_MS = 120;
const KINDS: Record<string, TextKey> = {
  gps: 'sensorGps', odometry: 'sensorOdometry', encoders: 'sensorEncoders', imu: 'sensorImu', lidar: 'sensorLidar',
  sonar: 'sensorSonar', bumper: 'sensorBumper', camera: 'sensorCamera',
};
const DEGREES = 180 / Math.PI;

interface Card {
  owner: Owner;
  sensor: SensorInfo;
  values: HTMLElement[];
  fields: SigmaField[];
}

export class SensorPanel {
  readonly element: HTMLElement;
  private readonly list = h('div', { class: 'sensor-list' });
  private readonly empty = h('div', { class: 'empty' });
  private cards: Card[] = [];
  private refreshedAt = 0;

  constructor(private readonly app: App) {
    this.element = h('section', { class: 'panel sensors' }, this.empty, this.list);
    for (const topic of ['selection', 'scene', 'settings', 'link', 'welcome'] as const) app.on(topic, () => this.build());
    this.build();
  }

  refresh(): void {
    const now = performance.now();
    if (this.element.hidden || this.cards.length === 0 || now - this.refreshedAt < REFRESH_MS) return;
    this.refreshedAt = now;
    for (const { owner, sensor, values, fields } of this.cards) {
      const reading = this.app.senses.latest(owner.number);
      const shown = reading ? this.read(owner, sensor, reading.values) : [];
      values.forEach((value, i) => setText(value, shown[i] ?? '–'));
      const sigmas = this.app.senses.sigmas(owner.number, sensor.number);
      fields.forEach((field, axis) => field.show(sigmas?.[axis]));
    }
  }

  private built = '';

  private build(): void {
    const { app } = this;
    const body = app.body(app.selected);
    const built = JSON.stringify([body?.number, app.scene?.generation, document.documentElement.lang, app.mayControl]);
    if (built === this.built) return;
    this.built = built;
    const robot = body?.kind === 'robot' && body.sensors.length > 0 ? body : undefined;
    this.empty.hidden = robot !== undefined;
    const none = !app.scene?.bodies.some(({ sensors }) => sensors.length > 0);
    const text: TextKey = none ? 'sensorsNone' : body?.kind === 'robot' ? 'sensorsNoneHere' : 'sensorsSelect';
    const select = h('button', { class: 'small', text: 'sensorsShow', attributes: { type: 'button' }, on: { click: () => selectSensing(app) } });
    this.empty.replaceChildren(h('p', { text }), ...(none ? [] : [select]));
    const world = app.scene?.world.sensors.length ? app.scene.world : undefined;
    const owners: Owner[] = [...(robot ? [robot] : []), ...(world ? [world] : [])];
    this.cards = owners.flatMap((owner) => owner.sensors.map((sensor) => this.makeCard(owner, sensor)));
    // Where the world has sensors, it is said whose are whose.
    const head = (owner: Owner) => world && h('h2', { class: 'sensor-owner', ...(owner === world && { text: 'world' as const }) }, owner === world ? '' : robot!.name);
    this.list.replaceChildren(...owners.flatMap((owner) => [
      ...(world ? [head(owner) as HTMLElement] : []),
      ...this.cards.filter((card) => card.owner === owner).map((card) => this.cardElement(card)),
    ]));
    this.refreshedAt = 0;
  }

  private makeCard(owner: Owner, sensor: SensorInfo): Card {
    const { bounds } = this.app.scene!;
    const axes = axesOf(sensor.kind, Math.max(bounds.maxX - bounds.minX, bounds.maxY - bounds.minY));
    const fields = axes.map((axis, n) => new SigmaField(axis, this.app, (sigma) => {
      const world = owner.number === WORLD;
      this.app.send({ sigma: { body: world ? 0 : owner.number, world, sensor: sensor.number, axis: n, sigma } });
    }));
    return { owner, sensor, fields, values: namesOf(sensor).map(() => h('dd')) };
  }

  private cardElement({ owner, sensor, values, fields }: Card): HTMLElement {
    const kind = KINDS[sensor.kind];
    const plot = mainPartsOf(sensor).length > 0 && iconButton(icon('traces'), 'sensorPlot', () => this.plot(owner, sensor));
    return h('article', { class: 'sensor', attributes: { 'data-sensor': sensor.name } },
      h('div', { class: 'sensor-head' }, h('h3', kind ? { text: kind } : {}, kind ? '' : sensor.kind),
        sensor.name !== sensor.kind && h('span', { class: 'sensor-name' }, sensor.name), plot),
      h('dl', { class: 'sensor-values' }, ...namesOf(sensor).map((name, i) => h('div', {}, h('dt', { text: name }), values[i]!))),
      fields.length > 0 && h('div', { class: 'sigmas' }, h('small', { text: sensor.kind === 'odometry' ? 'sigmasMotion' : 'sigmas' }),
        ...fields.map(({ element }) => element)));
  }

  private plot({ number: body }: Owner, sensor: SensorInfo): void {
    const name = body === WORLD ? t('world') : this.app.body(body)!.name;
    for (const part of mainPartsOf(sensor)) {
      const quantity = quantityOf(sensor, part);
      this.app.recorder.add({ name: `${name} ${quantity}`, unit: PART_UNITS[part], of: { body, quantity } });
    }
    this.app.change({ tab: 'plots', dock: true });
  }

  private read(owner: Owner, sensor: SensorInfo, values: readonly number[]): string[] {
    const value = (i: number) => values[sensor.first + i]!;
    const degrees = (angle: number, decimals = 1) => `${number(wrap(angle) * DEGREES, decimals)}°`;
    switch (sensor.kind) {
      case 'gps': case 'odometry': {
        const told = poseOf(values, sensor);
        const latest = this.app.playback!.latest;
        const n = owner.number;
        const off = offsetFrom({ x: latest.x[n]!, y: latest.y[n]!, heading: latest.heading[n]! }, told);
        return [
          `${number(told.x, 3)}, ${number(told.y, 3)} m`, degrees(told.heading),
          `${number(off.way, 3)} m, ${degrees(off.turn)}`,
        ];
      }
      case 'encoders': return [number(value(1), 0), number(value(0), 0)];
      case 'imu': return [`${number(value(0), 2)}, ${number(value(1), 2)} m/s²`, `${number(value(2) * DEGREES, 1)} °/s`];
      case 'lidar': case 'sonar': {
        if (!hasRays(sensor)) return [];
        const { distance, ray, hits } = nearestOf(values, sensor);
        return [
          `${number(value(rayAhead(sensor)), 3)} m`,
          hits > 0 ? `${number(distance, 3)} m, ${degrees(sensor.rays[3 * ray + 2]!, 0)}` : t('sensorNothing'),
          t('sensorHits', { hits, count: sensor.count }),
        ];
      }
      case 'bumper': {
        const pressed = pressedSectors(sensor, value(0));
        return [pressed.length > 0 ? t('bumperSectors', { list: pressed.map((k) => k + 1).join(', '), count: sensor.sectors }) : t('bumperFree')];
      }
      case 'camera': return [number(value(0), 0), `${sensor.picture_width} × ${sensor.picture_height}`];
      default: return [];
    }
  }
}

/** What stands before each number of a sensor. */
function namesOf(sensor: SensorInfo): TextKey[] {
  switch (sensor.kind) {
    case 'gps': case 'odometry': return ['position', 'heading', 'sensorOff'];
    case 'encoders': return ['encoderLeft', 'encoderRight'];
    case 'imu': return ['acceleration', 'omega'];
    case 'lidar': case 'sonar': return ['sensorAhead', 'sensorNearest', 'sensorEchoes'];
    case 'bumper': return ['bumperPressed'];
    case 'camera': return ['picturesTaken', 'pictureSize'];
    default: return [];
  }
}
