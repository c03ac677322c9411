// Rough ground as a surface of triangles, nowhere farther from the ground than said; its look is that of `ground-paint.ts`.

import * as THREE from 'three';
import { GROUND_TOLERANCE, type Ground } from '../state/ground';
import { triangulate, type Triangles } from '../state/triangles';
import type { Detail } from './bodies';
import { paintGround } from './ground-paint';
import type { Land } from './land';

/** Most triangles: where they do not do, the tolerance grows, and the page says so. */
const MOST_TRIANGLES = 1_500_000;
/** How far an extended terrain goes on beyond its border, in its sizes. */
const BEYOND = 5;
/** Depth of the block that a terrain which ends is cut from, in its sizes. */
const BLOCK = 0.05;

/** Triangles of grounds, which colours do not change. */
const known = new WeakMap<Ground, Triangles>();

function trianglesOf(ground: Ground): Triangles {
  let triangles = known.get(ground);
  // Heights are off already by what they were rounded to.
  const tolerance = Math.max(0.1 * GROUND_TOLERANCE, GROUND_TOLERANCE - ground.off);
  if (!triangles) known.set(ground, (triangles = triangulate(ground, tolerance, MOST_TRIANGLES)));
  return triangles;
}

export class TerrainMesh {
  readonly group = new THREE.Group();
  /** How far the drawn surface is from the one that wheels feel at most, m. */
  readonly off: number;

  /** `spacing`: between lines of the grid, m. */
  constructor(ground: Ground, land: Land, spacing: number, { low, shadows }: Detail) {
    const triangles = trianglesOf(ground);
    this.off = triangles.tolerance + ground.off;
    const material = new THREE.MeshLambertMaterial();
    paintGround(material, ground, land, spacing, !low);
    const position = new THREE.BufferAttribute(triangles.positions, 3);
    const normal = upright(triangles.positions.length / 3);
    const add = (geometry: THREE.BufferGeometry) => {
      const surface = new THREE.Mesh(geometry, material);
      surface.receiveShadow = surface.castShadow = shadows;
      this.group.add(surface);
    };
    for (const index of triangles.groups) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', position);
      geometry.setAttribute('normal', normal);
      geometry.setIndex(new THREE.BufferAttribute(index, 1));
      geometry.boundingSphere = sphereOf(triangles.positions, index);
      add(geometry);
    }
    if (ground.extended) add(beyond(ground, triangles));
    else this.group.add(new THREE.Mesh(sidesOf(ground, triangles), new THREE.MeshLambertMaterial({ color: land.cut, side: THREE.DoubleSide })));
  }
}

/** The surface's normals are painted; these only keep shadows off it. */
function upright(count: number): THREE.BufferAttribute {
  const up = new Int8Array(4 * count);
  for (let i = 0; i < count; i++) up[4 * i + 2] = 127;
  return new THREE.BufferAttribute(up, 4, true);
}

function sphereOf(positions: Float32Array, index: Uint32Array): THREE.Sphere {
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  for (const n of index) box.expandByPoint(point.fromArray(positions, 3 * n));
  return box.getBoundingSphere(new THREE.Sphere());
}

/** What lies beyond the borders: level outwards, as the border is. */
function beyond(ground: Ground, { positions, borders }: Triangles): THREE.BufferGeometry {
  const far = BEYOND * ground.size;
  const out: number[] = [];
  const quad = (...corners: [number, number, number][]) => {
    for (const k of [0, 1, 2, 0, 2, 3]) out.push(...corners[k]!);
  };
  const at = (n: number): [number, number, number] => [positions[3 * n]!, positions[3 * n + 1]!, positions[3 * n + 2]!];
  const moved = ([x, y, z]: [number, number, number], dx: number, dy: number): [number, number, number] => [x + dx * far, y + dy * far, z];
  // Outwards, and whether the border runs counter-clockwise.
  const ways = [[-1, 0, false], [1, 0, true], [0, -1, true], [0, 1, false]] as const;
  ways.forEach(([dx, dy, forwards], side) => {
    const line = borders[side]!;
    for (let k = 0; k + 1 < line.length; k++) {
      const [a, b] = forwards ? [at(line[k]!), at(line[k + 1]!)] : [at(line[k + 1]!), at(line[k]!)];
      quad(b, a, moved(a, dx, dy), moved(b, dx, dy));
    }
  });
  for (const [x, y, dx, dy] of [[ground.minX, ground.minY, -1, -1], [ground.maxX, ground.minY, 1, -1], [ground.maxX, ground.maxY, 1, 1], [ground.minX, ground.maxY, -1, 1]] as const) {
    const corner: [number, number, number] = [x, y, ground.height(x, y)];
    const [along, across] = [moved(corner, dx, 0), moved(corner, 0, dy)];
    const [first, second] = dx * dy > 0 ? [along, across] : [across, along];
    quad(corner, first, moved(corner, dx, dy), second);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(out, 3));
  geometry.setAttribute('normal', upright(out.length / 3));
  return geometry;
}

/** The sides of a terrain that ends. */
function sidesOf(ground: Ground, { positions, borders }: Triangles): THREE.BufferGeometry {
  const base = ground.lowest - BLOCK * ground.size;
  const position: number[] = [];
  const normal: number[] = [];
  const ways = [[-1, 0], [1, 0], [0, -1], [0, 1]] as const;
  ways.forEach(([nx, ny], side) => {
    const line = borders[side]!;
    for (let i = 0; i + 1 < line.length; i++) {
      const [ax, ay, az] = positions.subarray(3 * line[i]!, 3 * line[i]! + 3) as unknown as [number, number, number];
      const [bx, by, bz] = positions.subarray(3 * line[i + 1]!, 3 * line[i + 1]! + 3) as unknown as [number, number, number];
      position.push(ax, ay, base, bx, by, base, bx, by, bz, ax, ay, base, bx, by, bz, ax, ay, az);
      for (let k = 0; k < 6; k++) normal.push(nx, ny, 0);
    }
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normal, 3));
  return geometry;
}
