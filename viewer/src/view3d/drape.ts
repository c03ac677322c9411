// What is painted follows the ground; rings around bodies too.

import * as THREE from 'three';
import type { Ground } from '../state/ground';

/** Most triangles of one painted thing. */
const MOST_TRIANGLES = 60_000;
const ROUND = 72;

/** Where a triangle is compared with the ground: shares of its second and third corner. */
const SAMPLES = [[0.5, 0], [0, 0.5], [0.5, 0.5], [1 / 3, 1 / 3], [0.25, 0], [0.75, 0], [0, 0.25], [0, 0.75], [0.25, 0.75], [0.75, 0.25]] as const;

/** Lays flat triangles over the ground, so high above it as they were above zero. They are cut until they follow it: by a third
 * of that height, so that none is below the ground between its corners. */
export function drape(geometry: THREE.BufferGeometry, ground: Ground): THREE.BufferGeometry {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  const from = flat.getAttribute('position');
  const cell = Math.min(ground.cellX, ground.cellY);
  // Longer ones would miss what lies between the samples; shorter ones than parts of a cell show nothing more.
  const longest = Math.max(3 * cell, 0.002 * ground.size);
  const shortest = 0.1 * cell;
  const out: number[] = [];
  type Point = readonly [number, number, number];
  const follows = (a: Point, b: Point, c: Point): boolean => {
    const [za, zb, zc] = [ground.height(a[0], a[1]), ground.height(b[0], b[1]), ground.height(c[0], c[1])];
    const may = Math.max(1e-4, Math.min(a[2], b[2], c[2]) / 3);
    return SAMPLES.every(([u, v]) => {
      const w = 1 - u - v;
      return Math.abs(ground.height(a[0] * w + b[0] * u + c[0] * v, a[1] * w + b[1] * u + c[1] * v) - (za * w + zb * u + zc * v)) <= may;
    });
  };
  const lay = (a: Point, b: Point, c: Point, room: number): void => {
    const sides = [[a, b, c], [b, c, a], [c, a, b]] as const;
    const lengths = sides.map(([p, q]) => Math.hypot(p[0] - q[0], p[1] - q[1]));
    const n = lengths.indexOf(Math.max(...lengths));
    const fine = lengths[n]! <= shortest || (lengths[n]! <= longest && follows(a, b, c));
    if (fine || room <= 0 || out.length > 9 * MOST_TRIANGLES) {
      for (const [x, y, z] of [a, b, c]) out.push(x, y, z + ground.height(x, y));
      return;
    }
    const [p, q, r] = sides[n]!;
    const middle = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2] as const;
    lay(p, middle, r, room - 1);
    lay(middle, q, r, room - 1);
  };
  const at = (i: number): Point => [from.getX(i), from.getY(i), from.getZ(i)];
  for (let i = 0; i + 2 < from.count; i += 3) lay(at(i), at(i + 1), at(i + 2), 22);
  const draped = new THREE.BufferGeometry();
  draped.setAttribute('position', new THREE.Float32BufferAttribute(out, 3));
  draped.computeVertexNormals();
  geometry.dispose();
  return draped;
}

/** A ring that lies on the ground wherever it is. */
export class DrapedRing {
  readonly mesh: THREE.Mesh;
  private readonly position = new THREE.BufferAttribute(new Float32Array(6 * (ROUND + 1)), 3);

  constructor(material: THREE.Material) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.position);
    const index: number[] = [];
    for (let i = 0; i < ROUND; i++) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    geometry.setIndex(index);
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.renderOrder = 2;
  }

  lay(ground: Ground, x: number, y: number, radius: number): void {
    this.mesh.visible = true;
    for (let i = 0; i <= ROUND; i++) {
      const angle = (2 * Math.PI * i) / ROUND;
      [radius, 1.06 * radius].forEach((r, k) => {
        const [px, py] = [x + r * Math.cos(angle), y + r * Math.sin(angle)];
        this.position.setXYZ(2 * i + k, px, py, ground.height(px, py) + 0.03 * radius);
      });
    }
    this.position.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
  }
}
