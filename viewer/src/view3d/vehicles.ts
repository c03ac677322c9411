// Vehicles with suspended wheels: chassis, struts, wheels that turn and move. Vehicles alike share their geometry.

import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import type { Shown } from '../state/playback';
import { materialOf } from '../state/materials';
import type { BodyInfo, SceneInfo } from '../state/scene';
import { QUARANTINED, type Snapshot } from '../state/snapshot';
import type { Space } from '../state/space';
import { lighter, paintInstances, type Detail } from './bodies';
import { drawnPart, type Drawn } from './drawn';
import { gear, gearKey } from './gear';
import { face, merge, paint, ringOf } from './geometry';
import { surface } from './surface';
import { wheelGeometry } from './wheel';

const TUB = 0x2b3138;
const STEEL = 0x8b949d;
const LAMP = 0xfff6d8;
const TAIL = 0xd8352a;
const DARK = 0x1d2228;
const GREY = 0x8a8f96;

interface Shape {
  numbers: readonly number[];
  sample: BodyInfo;
  meshes: THREE.InstancedMesh[];
  coloured: THREE.InstancedMesh[];
  places: THREE.InstancedBufferAttribute;
  /** Wheels that look alike: their mesh, and which of the vehicle's wheels it draws. */
  wheels: { mesh: THREE.InstancedMesh; which: number[] }[];
  struts: THREE.InstancedMesh;
}

export class Vehicles {
  readonly group = new THREE.Group();
  private readonly shapes: Shape[] = [];
  private readonly greyed: Uint8Array;
  private readonly own = new THREE.Matrix4();
  private readonly part = new THREE.Matrix4();
  private readonly turn = new THREE.Matrix4();
  private readonly place = new THREE.Vector3();
  private readonly other = new THREE.Vector3();
  private readonly rotation = new THREE.Quaternion();
  private readonly size = new THREE.Vector3(1, 1, 1);

  constructor(
    private readonly scene: SceneInfo,
    private readonly detail: Detail,
  ) {
    this.greyed = new Uint8Array(scene.bodies.length);
    const alike = new Map<string, number[]>();
    for (const body of scene.bodies) {
      if (!body.vehicle) continue;
      const key = JSON.stringify([body.vehicle.wheels, body.vehicle.chassis, body.source.shapes, gearKey(body), lookKey(body)]);
      const known = alike.get(key);
      if (known) known.push(body.number);
      else alike.set(key, [body.number]);
    }
    for (const numbers of alike.values()) this.addShape(numbers);
  }

  update(shown: Shown, latest: Snapshot): void {
    const { space } = shown;
    if (!space) return;
    for (const shape of this.shapes) {
      const places = shape.places.array as Float32Array;
      shape.numbers.forEach((n, i) => {
        this.rotation.set(space.q[4 * n + 1]!, space.q[4 * n + 2]!, space.q[4 * n + 3]!, space.q[4 * n]!);
        this.own.compose(this.place.set(shown.x[n]!, shown.y[n]!, space.z[n]!), this.rotation, this.size.setScalar(1));
        this.own.toArray(places, 16 * i);
        this.moveWheels(shape, n, i, space);
      });
      shape.places.needsUpdate = true;
      for (const { mesh } of shape.wheels) mesh.instanceMatrix.needsUpdate = true;
      shape.struts.instanceMatrix.needsUpdate = true;
    }
    this.grey(latest);
  }

  dispose(): void {
    for (const { meshes, wheels, struts } of this.shapes) {
      for (const mesh of [...meshes, ...wheels.map(({ mesh: one }) => one), struts]) {
        mesh.geometry.dispose();
        (mesh.material as THREE.Material).dispose();
        mesh.dispose();
      }
    }
  }

  private moveWheels(shape: Shape, n: number, i: number, { angle, raised, steer }: Space): void {
    const { wheels, firstWheel } = this.scene.bodies[n]!.vehicle!;
    const count = wheels.length;
    for (const { mesh, which } of shape.wheels) {
      which.forEach((k, at) => {
        const wheel = wheels[k]!;
        this.part.makeTranslation(wheel.x, wheel.y, wheel.z + raised[firstWheel + k]!);
        this.part.multiply(this.turn.makeRotationZ(steer[firstWheel + k]!));
        this.part.multiply(this.turn.makeRotationY(angle[firstWheel + k]!)).premultiply(this.own);
        mesh.setMatrixAt(which.length * i + at, this.part);
      });
    }
    wheels.forEach((wheel, k) => {
      const z = wheel.z + raised[firstWheel + k]!;
      mounts(shape.sample, k).forEach(([x, y, top], strut) => {
        // From the mount on the chassis to the hub.
        this.place.set(x, y, top);
        this.other.set(wheel.x, wheel.y, z).sub(this.place);
        const length = this.other.length();
        this.rotation.setFromUnitVectors(UP, this.other.divideScalar(length || 1));
        const thick = (strut === 0 ? 0.09 : 0.13) * wheel.radius;
        this.part.compose(this.place, this.rotation, this.size.set(thick, thick, length)).premultiply(this.own);
        shape.struts.setMatrixAt(2 * (count * i + k) + strut, this.part);
      });
    });
  }

  private addShape(numbers: number[]): void {
    const sample = this.scene.bodies[numbers[0]!]!;
    const { wheels } = sample.vehicle!;
    const places = new THREE.InstancedBufferAttribute(new Float32Array(16 * numbers.length), 16);
    places.setUsage(THREE.DynamicDrawUsage);
    const struts = this.instanced(strutGeometry(this.detail.low), numbers.length * wheels.length * 2);
    const shape: Shape = { numbers, sample, meshes: [], coloured: [], places, wheels: [], struts };
    const add = (geometry: THREE.BufferGeometry, material: THREE.Material, colourOf?: (n: number) => number) => {
      const mesh = new THREE.InstancedMesh(geometry, material, numbers.length);
      mesh.instanceMatrix = places;
      mesh.frustumCulled = false;
      mesh.castShadow = this.detail.shadows;
      if (colourOf) paintInstances(mesh, numbers, colourOf);
      this.group.add(mesh);
      shape.meshes.push(mesh);
      return mesh;
    };
    const { drawn } = sample.vehicle!;
    if (drawn.chassis === undefined) this.addChassis(sample, add, shape);
    else this.addDrawn(drawnPart(drawn.chassis), drawn.up, add, shape);
    const carried = gear(sample, this.detail.low, false);
    if (carried) add(carried, new THREE.MeshLambertMaterial({ vertexColors: true }));
    const kinds = new Map<string, number[]>();
    wheels.forEach(({ radius, width, ball, y }, k) => {
      const mesh = sample.source.shapes?.wheels[k] ?? 0;
      const key = JSON.stringify([radius, width, ball, mesh, mesh > 0 && y < 0]);
      kinds.set(key, [...(kinds.get(key) ?? []), k]);
    });
    for (const which of kinds.values()) {
      const [k] = which;
      const obj = drawn.wheels[k!];
      const geometries = obj === undefined ? { own: wheelGeometry(wheels[k!]!, this.detail.low) } : drawnPart(obj, wheels[k!]!.y < 0);
      for (const [wears, geometry] of Object.entries(geometries)) {
        if (!geometry) continue;
        const mesh = this.instanced(geometry, numbers.length * which.length);
        // Colours of the body come with the instances, one for each of its wheels.
        const owners = numbers.flatMap((n) => which.map(() => n));
        const { bodies } = this.scene;
        if (wears === 'team') paintInstances(mesh, owners, (n) => bodies[n]!.colour);
        if (wears === 'tag') paintInstances(mesh, owners, (n) => bodies[n]!.tagColour);
        shape.wheels.push({ mesh, which });
      }
    }
    this.shapes.push(shape);
  }

  private instanced(geometry: THREE.BufferGeometry, count: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshLambertMaterial({ vertexColors: true }), count);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = this.detail.shadows;
    mesh.receiveShadow = this.detail.shadows;
    this.group.add(mesh);
    return mesh;
  }

  /** A chassis that somebody drew: its own colours, and those of its team and tag. */
  private addDrawn(
    { own, team, tag }: Drawn,
    up: number,
    add: (geometry: THREE.BufferGeometry, material: THREE.Material, colourOf?: (n: number) => number) => THREE.InstancedMesh,
    shape: Shape,
  ): void {
    const { bodies } = this.scene;
    const part = (geometry: THREE.BufferGeometry | undefined, colourOf?: (n: number) => number) => {
      if (!geometry) return undefined;
      const material = new THREE.MeshLambertMaterial({ vertexColors: colourOf === undefined });
      const mesh = add(geometry.translate(0, 0, up), material, colourOf);
      mesh.receiveShadow = this.detail.shadows;
      return mesh;
    };
    part(own);
    const worn = part(team, (n) => bodies[n]!.colour);
    if (worn) shape.coloured.push(worn);
    part(tag, (n) => bodies[n]!.tagColour);
  }

  /** A dark tub, the body in its own colour with bevelled edges, lamps, and marks on the deck. */
  private addChassis(
    sample: BodyInfo,
    add: (geometry: THREE.BufferGeometry, material: THREE.Material, colourOf?: (n: number) => number) => THREE.InstancedMesh,
    shape: Shape,
  ): void {
    const { min, max } = sample.vehicle!.chassis;
    const [long, wide, tall] = [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
    const [x, y] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
    const bevel = 0.16 * Math.min(long, wide, tall);
    const fine = this.detail.low ? 2 : 4;
    const slab = (l: number, w: number, low: number, high: number, radius: number) => {
      const box = new RoundedBoxGeometry(l, w, high - low, fine, Math.min(radius, 0.49 * (high - low)));
      box.translate(x, y, (low + high) / 2);
      box.deleteAttribute('uv');
      return box;
    };
    const waist = min[2] + 0.42 * tall;
    const lamps: THREE.BufferGeometry[] = [slab(0.96 * long, 0.9 * wide, min[2], waist + 0.1 * tall, bevel)].map((part) => paint(part, TUB));
    const lamp = (front: boolean, side: number) => {
      const size = 0.16 * Math.min(wide, 3 * tall);
      const part = new THREE.BoxGeometry(0.05 * size, size, 0.5 * size);
      part.translate(front ? max[0] : min[0], y + side * 0.32 * wide, waist + 0.3 * tall);
      part.deleteAttribute('uv');
      return paint(part.toNonIndexed(), front ? LAMP : TAIL);
    };
    for (const side of [-1, 1]) lamps.push(lamp(true, side), lamp(false, side));
    add(merge(lamps.map((part) => (part.index ? part.toNonIndexed() : part))), new THREE.MeshLambertMaterial({ vertexColors: true }))
      .receiveShadow = this.detail.shadows;
    const own = (n: number) => this.scene.bodies[n]!.colour;
    const [made, lid] = [sample.source.material, sample.source.lid].map((number) => materialOf(this.scene.materials, number));
    const body = made ? surface({ ...made, texture: undefined }) : new THREE.MeshLambertMaterial();
    const hull = add(slab(long, wide, waist, max[2], 1.4 * bevel), body, made ? undefined : own);
    hull.receiveShadow = this.detail.shadows;
    if (!made) shape.coloured.push(hull);
    // The flat colour of the deck is exactly the body's, whatever the light.
    const top = max[2] + 0.002 * long;
    const quad = (x0: number, y0: number, x1: number, y1: number, z: number) =>
      face([[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(([u, v]) => new THREE.Vector2(x + u! * 0.5 * long, y + v! * 0.5 * wide)), z);
    const mark = top + 0.002 * long;
    const deck = quad(-0.72, -0.66, 0.72, 0.66, top);
    if (sample.source.tag.length > 0 || lid) {
      add(deck, lid ? surface({ ...lid, texture: undefined }) : new THREE.MeshLambertMaterial({ color: DARK })).castShadow = false;
    } else {
      const plate = add(deck, new THREE.MeshBasicMaterial({ toneMapped: false }), own);
      plate.castShadow = false;
      shape.coloured.push(plate);
    }
    if (sample.source.tag.length > 0) return this.addTag(sample, mark, add, shape);
    const tag = (n: number) => this.scene.bodies[n]!.tagColour;
    const flat = () => new THREE.MeshBasicMaterial({ toneMapped: false });
    add(quad(-0.66, 0, -0.4, 0.5, mark), flat(), tag).castShadow = false;
    add(quad(-0.66, -0.5, -0.4, 0, mark), flat(), (n) => lighter(tag(n))).castShadow = false;
    const arrow = [[0.36, -0.4], [0.64, 0], [0.36, 0.4], [0.44, 0]].map(([u, v]) => new THREE.Vector2(x + u! * 0.5 * long, y + v! * 0.5 * wide));
    add(face(arrow, mark), new THREE.MeshBasicMaterial({ color: DARK })).castShadow = false;
  }

  /** The patches that vision knows a robot by. */
  private addTag(
    sample: BodyInfo,
    height: number,
    add: (geometry: THREE.BufferGeometry, material: THREE.Material, colourOf?: (n: number) => number) => THREE.InstancedMesh,
    shape: Shape,
  ): void {
    sample.source.tag.forEach(({ outline, tells }, i) => {
      const ring = outline ? ringOf(outline) : [];
      if (ring.length < 3) return;
      const patch = add(
        face(ring, height + 0.0004 * i), new THREE.MeshBasicMaterial({ toneMapped: false }), (n) => this.scene.bodies[n]!.source.tag[i]!.colour,
      );
      patch.castShadow = false;
      if (tells === 'team') shape.coloured.push(patch);
    });
  }

  /** Vehicles that were taken out of the world lose their colour. */
  private grey(latest: Snapshot): void {
    for (const shape of this.shapes) {
      shape.numbers.forEach((n, i) => {
        const out = latest.flags[n]! & QUARANTINED ? 1 : 0;
        if (out === this.greyed[n]) return;
        this.greyed[n] = out;
        const colour = new THREE.Color(out ? GREY : this.scene.bodies[n]!.colour);
        for (const mesh of shape.coloured) {
          mesh.setColorAt(i, colour);
          mesh.instanceColor!.needsUpdate = true;
        }
      });
    }
  }
}

const UP = new THREE.Vector3(0, 0, 1);

/** What tells whether two vehicles look the same but for their colours. */
function lookKey({ source: { material, lid, tag } }: BodyInfo): unknown {
  return [material, lid, tag.map(({ outline }) => outline)];
}

/** Where an arm and a damper of a wheel hang on the chassis, in the vehicle's frame. */
function mounts(body: BodyInfo, k: number): [number, number, number][] {
  const { wheels, chassis } = body.vehicle!;
  const { x, y } = wheels[k]!;
  const side = Math.sign(y) || 0;
  const [low, high] = [chassis.min[2], chassis.max[2]];
  // Inside of the chassis, or above a wheel that is below it.
  const edge = side > 0 ? Math.min(y, chassis.max[1]) : side < 0 ? Math.max(y, chassis.min[1]) : 0;
  const along = Math.max(chassis.min[0], Math.min(chassis.max[0], x));
  return [[along, 0.6 * edge, low + 0.2 * (high - low)], [along, 0.9 * edge, low + 0.75 * (high - low)]];
}

/** One long, one thick, along z from the origin. */
function strutGeometry(low: boolean): THREE.BufferGeometry {
  const bar = new THREE.CylinderGeometry(1, 1, 1, low ? 6 : 12);
  bar.rotateX(Math.PI / 2);
  bar.translate(0, 0, 0.5);
  bar.deleteAttribute('uv');
  return paint(bar.toNonIndexed(), STEEL);
}
