// Robots, balls and objects. Bodies of the same shape share their geometry and are drawn in a handful
// of calls, however many they are; all parts of a robot share one list of places.

import * as THREE from 'three';
import { materialOf, teamPatch } from '../state/materials';
import type { BodyInfo, SceneInfo } from '../state/scene';
import type { Shown } from '../state/playback';
import { QUARANTINED, type Snapshot } from '../state/snapshot';
import { deck, face, inset, merge, paint, ringOf, sides, withTexture } from './geometry';
import { Balls } from './balls';
import { gear, gearKey } from './gear';
import { surface } from './surface';
import { Vehicles } from './vehicles';

const DARK = 0x1d2228;
/** Share of a top face that the flat team colour covers; the rest is a rim. */
const PLATE = 0.94;
/** How high each patch of a tag lies over the one before, m. */
const PATCH_STEP = 0.0004;
/** How far wheels stand out of a robot's outline at most, m: as cameras see it. */
const WHEEL_PROUD = 0.0003;

interface Shape {
  numbers: number[];
  meshes: THREE.InstancedMesh[];
  places: THREE.InstancedBufferAttribute;
  /** Those that carry the body's own colour. */
  coloured: THREE.InstancedMesh[];
  wheels: THREE.InstancedMesh | undefined;
  sample: BodyInfo;
}

export interface Detail {
  shadows: boolean;
  low: boolean;
}

/** Where on its top a body's colour is sure to be seen, in its own frame, m. */
export function deckOf(body: BodyInfo): { x: number; y: number; room: number } {
  const patch = teamPatch(body.source.tag)?.outline;
  if (patch) return deck([ringOf(patch)]);
  const rings = body.source.outlines.map(ringOf).filter((ring) => ring.length > 2);
  return rings.length > 0 ? deck(rings) : { x: 0, y: 0, room: 0.01 };
}

export class Bodies {
  readonly group = new THREE.Group();
  private readonly shapes: Shape[] = [];
  private readonly balls: Balls;
  private readonly vehicles: Vehicles | undefined;
  private readonly matrix = new THREE.Matrix4();
  private readonly turn = new THREE.Quaternion();
  private greyed: Uint8Array;

  constructor(
    private readonly scene: SceneInfo,
    detail: Detail,
  ) {
    this.greyed = new Uint8Array(scene.bodies.length);
    const alike = new Map<string, number[]>();
    for (const body of scene.bodies) {
      if (body.kind === 'ball' || body.vehicle) continue;
      const { outlines, wheel_radius, wheel_distance } = body.source;
      const { material, lid, tag } = body.source;
      const look = [material, lid, tag.map(({ outline }) => outline)];
      const key = JSON.stringify([body.kind, body.height, outlines, wheel_radius, wheel_distance, gearKey(body), look]);
      const known = alike.get(key);
      if (known) known.push(body.number);
      else alike.set(key, [body.number]);
    }
    for (const numbers of alike.values()) this.addShape(numbers, detail);
    this.balls = new Balls(scene, detail);
    this.group.add(this.balls.group);
    if (!scene.bodies.some(({ vehicle }) => vehicle)) return;
    this.vehicles = new Vehicles(scene, detail);
    this.group.add(this.vehicles.group);
  }

  update(shown: Shown, latest: Snapshot): void {
    for (const shape of this.shapes) {
      const places = shape.places.array as Float32Array;
      shape.numbers.forEach((n, i) => {
        const at = 16 * i;
        if (shown.space) {
          const { q, z } = shown.space;
          this.turn.set(q[4 * n + 1]!, q[4 * n + 2]!, q[4 * n + 3]!, q[4 * n]!);
          this.matrix.makeRotationFromQuaternion(this.turn).setPosition(shown.x[n]!, shown.y[n]!, z[n]!).toArray(places, at);
          return;
        }
        const c = Math.cos(shown.heading[n]!);
        const s = Math.sin(shown.heading[n]!);
        places[at] = c;
        places[at + 1] = s;
        places[at + 4] = -s;
        places[at + 5] = c;
        places[at + 12] = shown.x[n]!;
        places[at + 13] = shown.y[n]!;
      });
      shape.places.needsUpdate = true;
      if (shape.wheels) this.turnWheels(shape, shape.wheels, shown);
    }
    this.balls.update(shown);
    this.vehicles?.update(shown, latest);
    this.grey(latest);
  }

  dispose(): void {
    for (const { meshes, wheels } of this.shapes) {
      for (const mesh of wheels ? [...meshes, wheels] : meshes) {
        mesh.geometry.dispose();
        (mesh.material as THREE.Material).dispose();
        mesh.dispose();
      }
    }
    this.balls.dispose();
    this.vehicles?.dispose();
  }

  private addShape(numbers: number[], detail: Detail): void {
    const sample = this.scene.bodies[numbers[0]!]!;
    const rings = sample.source.outlines.map(ringOf).filter((ring) => ring.length > 2);
    if (rings.length === 0) return;
    const robot = sample.kind === 'robot';
    const low = robot && sample.wheelRadius > 0 ? Math.min(0.3 * sample.wheelRadius, 0.2 * sample.height) : 0;
    const places = new THREE.InstancedBufferAttribute(new Float32Array(16 * numbers.length), 16);
    places.setUsage(THREE.DynamicDrawUsage);
    const unit = new THREE.Matrix4();
    numbers.forEach((_, i) => unit.toArray(places.array, 16 * i));
    const shape: Shape = { numbers, meshes: [], coloured: [], places, wheels: undefined, sample };
    const add = (geometry: THREE.BufferGeometry, material: THREE.Material, colourOf?: (n: number) => number) => {
      const mesh = new THREE.InstancedMesh(geometry, material, numbers.length);
      mesh.instanceMatrix = places;
      mesh.frustumCulled = false;
      if (colourOf) paintInstances(mesh, numbers, colourOf);
      this.group.add(mesh);
      shape.meshes.push(mesh);
      return mesh;
    };
    const own = (n: number) => this.scene.bodies[n]!.colour;
    const made = materialOf(this.scene.materials, sample.source.material);
    const lid = materialOf(this.scene.materials, sample.source.lid);
    const tagged = robot && sample.source.tag.length > 0;
    const shell = merge(rings.flatMap((ring) => [sides(ring, low, sample.height), face(ring, sample.height)]));
    // Things may have a colour beside their material, in place of the material's.
    const dyed = !made || (!robot && made.light === 0);
    const look = made ? surface(dyed ? { ...made, colour: 0xffffff } : made) : new THREE.MeshLambertMaterial();
    const hull = add(made ? withTexture(shell) : shell, look, dyed ? own : undefined);
    hull.castShadow = hull.receiveShadow = detail.shadows;
    if (dyed) shape.coloured.push(hull);
    if (tagged || lid) {
      const top = merge(rings.map((ring) => face(ring, sample.height + 0.0002)));
      add(withTexture(top), lid ? surface(lid) : new THREE.MeshLambertMaterial({ color: DARK })).receiveShadow = detail.shadows;
    }
    if (tagged) {
      this.addTag(sample, shape, add);
    } else if (!(lid || (made && !robot))) {
      // The flat colour of the top is exactly the team's, whatever the light.
      const plate = add(
        merge(rings.map((ring) => face(inset(ring, PLATE), sample.height + 0.0006))),
        new THREE.MeshBasicMaterial({ toneMapped: false }), own,
      );
      shape.coloured.push(plate);
    }
    if (robot) {
      if (!tagged) this.addMarks(sample, add);
      const carried = gear(sample, detail.low);
      if (carried) add(carried, new THREE.MeshLambertMaterial({ vertexColors: true })).castShadow = detail.shadows;
      if (sample.wheelRadius > 0 && sample.wheelDistance > 0) this.addWheels(shape, detail);
    }
    this.shapes.push(shape);
  }

  /** The patches that vision knows a robot by, each exactly in its colour, whatever the light. */
  private addTag(
    sample: BodyInfo,
    shape: Shape,
    add: (geometry: THREE.BufferGeometry, material: THREE.Material, colourOf?: (n: number) => number) => THREE.InstancedMesh,
  ): void {
    sample.source.tag.forEach(({ outline, tells }, i) => {
      const ring = outline ? ringOf(outline) : [];
      if (ring.length < 3) return;
      const z = sample.height + 0.0002 + (i + 1) * PATCH_STEP;
      const patch = add(face(ring, z), new THREE.MeshBasicMaterial({ toneMapped: false }), (n) => this.scene.bodies[n]!.source.tag[i]!.colour);
      // It goes grey with its robot.
      if (tells === 'team') shape.coloured.push(patch);
    });
  }

  /** A tag of two tones behind the middle, and an arrow head before it: the middle stays free. */
  private addMarks(
    sample: BodyInfo,
    add: (geometry: THREE.BufferGeometry, material: THREE.Material, colourOf?: (n: number) => number) => THREE.InstancedMesh,
  ): void {
    const { x, y, room } = deckOf(sample);
    const z = sample.height + 0.0012;
    const quad = (x0: number, y0: number, x1: number, y1: number) =>
      face(
        [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(([u, v]) => new THREE.Vector2(x + u! * room, y + v! * room)), z,
      );
    const tag = (n: number) => this.scene.bodies[n]!.tagColour;
    add(quad(-0.88, 0, -0.48, 0.72), new THREE.MeshBasicMaterial({ toneMapped: false }), tag);
    add(quad(-0.88, -0.72, -0.48, 0), new THREE.MeshBasicMaterial({ toneMapped: false }), (n) => lighter(tag(n)));
    const arrow = [[0.48, -0.55], [0.88, 0], [0.48, 0.55], [0.6, 0]].map(
      ([u, v]) => new THREE.Vector2(x + u! * room, y + v! * room),
    );
    add(face(arrow, z), new THREE.MeshBasicMaterial({ color: DARK }));
  }

  private addWheels(shape: Shape, detail: Detail): void {
    const radius = shape.sample.wheelRadius;
    const width = wheelWidth(shape.sample);
    const tyre = paint(new THREE.CylinderGeometry(radius, radius, width, detail.low ? 12 : 28), 0x23272d);
    const parts = [tyre.toNonIndexed()];
    for (const angle of [0, Math.PI / 3, (2 * Math.PI) / 3]) {
      // Spokes stand out a little on both sides, so that turning is seen.
      const spoke = new THREE.BoxGeometry(1.5 * radius, width * 1.12, 0.16 * radius);
      spoke.rotateY(angle);
      parts.push(paint(spoke.toNonIndexed(), angle === 0 ? 0xf1f3f5 : 0x8c959f));
    }
    for (const part of parts) part.deleteAttribute('uv');
    const wheels = new THREE.InstancedMesh(
      merge(parts), new THREE.MeshLambertMaterial({ vertexColors: true }), 2 * shape.numbers.length,
    );
    wheels.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    wheels.frustumCulled = false;
    wheels.castShadow = detail.shadows;
    this.group.add(wheels);
    shape.wheels = wheels;
  }

  private turnWheels(shape: Shape, wheels: THREE.InstancedMesh, shown: Shown): void {
    const matrices = wheels.instanceMatrix.array as Float32Array;
    const { wheelRadius } = shape.sample;
    const offset = wheelOffset(shape.sample);
    shape.numbers.forEach((n, i) => {
      const c = Math.cos(shown.heading[n]!);
      const s = Math.sin(shown.heading[n]!);
      for (let side = 0; side < 2; side++) {
        const turn = side === 0 ? shown.wheelTurnLeft[n]! : shown.wheelTurnRight[n]!;
        const aside = side === 0 ? offset : -offset;
        const ct = Math.cos(turn);
        const st = Math.sin(turn);
        const at = 16 * (2 * i + side);
        // Turn about the axle (y), then the robot's heading, then its place; column by column.
        matrices[at] = c * ct;
        matrices[at + 1] = s * ct;
        matrices[at + 2] = -st;
        matrices[at + 4] = -s;
        matrices[at + 5] = c;
        matrices[at + 6] = 0;
        matrices[at + 8] = c * st;
        matrices[at + 9] = s * st;
        matrices[at + 10] = ct;
        matrices[at + 12] = shown.x[n]! - s * aside;
        matrices[at + 13] = shown.y[n]! + c * aside;
        matrices[at + 14] = wheelRadius;
        matrices[at + 15] = 1;
      }
    });
    wheels.instanceMatrix.needsUpdate = true;
  }

  /** Bodies that were taken out of the world lose their colour. */
  private grey(latest: Snapshot): void {
    for (const shape of this.shapes) {
      shape.numbers.forEach((n, i) => {
        const out = latest.flags[n]! & QUARANTINED ? 1 : 0;
        if (out === this.greyed[n]) return;
        this.greyed[n] = out;
        const colour = new THREE.Color(out ? 0x8a8f96 : this.scene.bodies[n]!.colour);
        for (const mesh of shape.coloured) {
          mesh.setColorAt(i, colour);
          mesh.instanceColor!.needsUpdate = true;
        }
      });
    }
  }
}

function wheelWidth({ wheelRadius, wheelDistance }: BodyInfo): number {
  return Math.min(0.4 * wheelRadius, 0.16 * wheelDistance);
}

/** How far to its side a robot's wheels are drawn, m: not beyond the outline, as wheels that a drive takes for thin have some
 * width. */
function wheelOffset(body: BodyInfo): number {
  const reach = Math.max(0, ...body.source.outlines.flatMap(ringOf).map(({ y }) => y));
  return Math.min(0.5 * body.wheelDistance, Math.max(0, reach + WHEEL_PROUD - 0.5 * wheelWidth(body)));
}

export function lighter(colour: number): number {
  return new THREE.Color(colour).lerp(new THREE.Color(0xffffff), 0.72).getHex();
}

export function paintInstances(mesh: THREE.InstancedMesh, numbers: number[], colourOf: (n: number) => number): void {
  const colour = new THREE.Color();
  numbers.forEach((n, i) => mesh.setColorAt(i, colour.setHex(colourOf(n))));
}
