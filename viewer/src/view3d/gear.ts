// What robots carry: lidars and cameras on top, and a caster where the two wheels alone would let them tip.

import * as THREE from 'three';
import type { BodyInfo } from '../state/scene';
import { edgeAt } from '../state/sketch';
import { merge, paint } from './geometry';

const HOUSING = 0x2a2f36;
const METAL = 0x6b747e;
const WINDOW = 0x2f9fe8;
const LENS = 0x0a0d10;

/** What tells whether two robots carry the same. */
export function gearKey(body: BodyInfo): unknown {
  return body.sensors.map(({ kind, height, rays }) => [kind, height, rays.slice(0, 3)]);
}

/** Everything on a robot in one shape with its own colours; undefined where it carries nothing that is seen.
 * `casters`: whether a caster is added where two wheels alone would let it tip. */
export function gear(body: BodyInfo, low: boolean, casters = true): THREE.BufferGeometry | undefined {
  const lidars = body.sensors.filter(({ kind, height }) => kind === 'lidar' && height > 0);
  const cameras = body.sensors.filter(({ kind, height }) => kind === 'camera' && height > 0);
  if (lidars.length + cameras.length === 0) return undefined;
  const round = low ? 10 : 24;
  const size = Math.max(0.15 * edgeAt(body, 0), 0.1 * body.reach);
  const parts: THREE.BufferGeometry[] = [];
  const upright = (radius: number, from: number, to: number, x: number, y: number, colour: number) => {
    if (to <= from) return;
    const part = new THREE.CylinderGeometry(radius, radius, to - from, round);
    part.rotateX(Math.PI / 2);
    part.translate(x, y, 0.5 * (from + to));
    parts.push(paint(part, colour));
  };
  for (const lidar of lidars) {
    const [x = 0, y = 0] = lidar.rays;
    const z = lidar.height;
    const half = 0.55 * size;
    upright(0.35 * size, body.height, z - half, x, y, METAL);
    upright(1.1 * size, Math.max(body.height, z - half), z - 0.12 * size, x, y, HOUSING);
    upright(0.95 * size, z - 0.12 * size, z + 0.12 * size, x, y, WINDOW);
    upright(1.1 * size, z + 0.12 * size, z + half, x, y, HOUSING);
  }
  for (const camera of cameras) {
    const lidar = lidars[0];
    const [x = lidar?.rays[0] ?? 0.4 * edgeAt(body, 0), y = lidar?.rays[1] ?? 0, heading = 0] = camera.rays;
    upright(0.14 * size, body.height, camera.height - 0.4 * size, x, y, METAL);
    const box = new THREE.BoxGeometry(0.9 * size, 1.5 * size, 0.8 * size);
    const lens = new THREE.CylinderGeometry(0.28 * size, 0.28 * size, 0.35 * size, round);
    lens.rotateZ(Math.PI / 2);
    lens.translate(0.5 * size, 0, 0);
    for (const [part, colour] of [[box, HOUSING], [lens, LENS]] as const) {
      // The lens, not the middle of the box, is where the scene says.
      part.translate(-0.6 * size, 0, 0);
      part.rotateZ(heading);
      part.translate(x, y, camera.height);
      parts.push(paint(part, colour));
    }
  }
  const back = edgeAt(body, Math.PI);
  if (casters && body.wheelRadius > 0 && back > 1.2 * body.wheelRadius) {
    const radius = 0.35 * body.wheelRadius;
    const caster = new THREE.SphereGeometry(radius, round, low ? 6 : 12);
    caster.translate(-(back - 1.4 * radius), 0, radius);
    parts.push(paint(caster, HOUSING));
  }
  return merge(parts.map((part) => {
    part.deleteAttribute('uv');
    return part.index ? part.toNonIndexed() : part;
  }));
}
