// A wheel as it is seen: tyre with tread, rim with spokes, its axle along y. Balls in sockets too.

import * as THREE from 'three';
import type { Wheel } from '../proto/live.js';
import { merge, paint } from './geometry';

const RUBBER = 0x24282d;
const LUG = 0x1a1d21;
const RIM = 0x5b646e;
const SPOKE = 0xb9c2cb;
/** One spoke differs, so that turning is seen at any speed. */
const MARKED_SPOKE = 0xff8a3d;
const CAP = 0x30363d;
const SPOKES = 5;

export function wheelGeometry(wheel: Wheel, low: boolean): THREE.BufferGeometry {
  const { radius: r, width } = wheel;
  if (wheel.ball) return plain(paint(new THREE.SphereGeometry(r, low ? 12 : 24, low ? 8 : 16), SPOKE));
  const w = Math.max(width, 0.12 * r);
  const round = low ? 20 : 40;
  const inner = 0.62 * r;
  // From the rim outwards, over the rounded shoulder, across, and back.
  const half = [[inner, 0.42], [0.8 * r, 0.5], [0.9 * r, 0.48], [0.955 * r, 0.36], [0.965 * r, 0]] as const;
  const profile = [...half.map(([x, y]) => [x, -y * w] as const), ...[...half].reverse().map(([x, y]) => [x, y * w] as const)];
  const tyre = new THREE.LatheGeometry(profile.map(([x, y]) => new THREE.Vector2(x, y)), round);
  const parts = [plain(paint(tyre, RUBBER))];
  const lugs = low ? 14 : 22;
  for (let i = 0; i < lugs; i++) {
    // Left and right by turns, a little slanted: a tread.
    const side = i % 2 === 0 ? 1 : -1;
    const lug = new THREE.BoxGeometry(0.09 * r, 0.5 * w, 0.6 * ((2 * Math.PI * r) / lugs));
    lug.rotateX(side * 0.35);
    lug.translate(0.955 * r, side * 0.22 * w, 0);
    lug.rotateY((2 * Math.PI * i) / lugs);
    parts.push(plain(paint(lug, LUG)));
  }
  const rim = new THREE.CylinderGeometry(inner, inner, 0.78 * w, round);
  parts.push(plain(paint(rim, RIM)));
  for (let i = 0; i < SPOKES; i++) {
    const spoke = new THREE.BoxGeometry(0.5 * r, 0.86 * w, 0.1 * r);
    spoke.translate(0.36 * r, 0, 0);
    spoke.rotateY((2 * Math.PI * i) / SPOKES);
    parts.push(plain(paint(spoke, i === 0 ? MARKED_SPOKE : SPOKE)));
  }
  parts.push(plain(paint(new THREE.CylinderGeometry(0.16 * r, 0.16 * r, 0.95 * w, low ? 10 : 20), CAP)));
  return merge(parts);
}

function plain(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  geometry.deleteAttribute('uv');
  return geometry.index ? geometry.toNonIndexed() : geometry;
}
