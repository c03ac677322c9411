// Shapes of bodies and of the field.

import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Outline } from '../proto/live.js';

const ROUND = 40;

/** The outline as points around it, counter-clockwise. */
export function ringOf(part: Outline): THREE.Vector2[] {
  if (part.radius > 0) {
    return Array.from({ length: ROUND }, (_, i) => {
      const angle = (2 * Math.PI * i) / ROUND;
      return new THREE.Vector2(part.x + part.radius * Math.cos(angle), part.y + part.radius * Math.sin(angle));
    });
  }
  return ringOfPoints(part.points);
}

export function ringOfPoints(points: readonly number[]): THREE.Vector2[] {
  const ring: THREE.Vector2[] = [];
  for (let i = 0; i + 1 < points.length; i += 2) ring.push(new THREE.Vector2(points[i], points[i + 1]));
  if (ring.length > 2 && THREE.ShapeUtils.isClockWise(ring)) ring.reverse();
  return ring;
}

/** A flat face at height z. */
export function face(ring: THREE.Vector2[], z: number): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  const triangles = THREE.ShapeUtils.triangulateShape(ring, []);
  const position = ring.flatMap((point) => [point.x, point.y, z]);
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(ring.flatMap(() => [0, 0, 1]), 3));
  geometry.setIndex(triangles.flat());
  return geometry.toNonIndexed();
}

/** Upright sides between two heights. */
export function sides(ring: THREE.Vector2[], low: number, high: number): THREE.BufferGeometry {
  const position: number[] = [];
  const normal: number[] = [];
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]!;
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const nx = (b.y - a.y) / length;
    const ny = -(b.x - a.x) / length;
    position.push(a.x, a.y, low, b.x, b.y, low, b.x, b.y, high, a.x, a.y, low, b.x, b.y, high, a.x, a.y, high);
    for (let k = 0; k < 6; k++) normal.push(nx, ny, 0);
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normal, 3));
  return geometry;
}

export function prism(ring: THREE.Vector2[], low: number, high: number): THREE.BufferGeometry {
  return merge([sides(ring, low, high), face(ring, high)]);
}

export function merge(parts: THREE.BufferGeometry[]): THREE.BufferGeometry {
  const merged = parts.length > 0 ? mergeGeometries(parts) : new THREE.BufferGeometry();
  for (const part of parts) part.dispose();
  return merged;
}

/** Coordinates of a texture in metres, as cameras have them: along a level face x and -y from its first corner (of the
 * ground: from the origin), along a side its length and down. */
export function withTexture(geometry: THREE.BufferGeometry, origin?: THREE.Vector2): THREE.BufferGeometry {
  const [position, normal] = [geometry.getAttribute('position'), geometry.getAttribute('normal')];
  const uv = new Float32Array(2 * position.count);
  let low = Infinity;
  for (let i = 0; i < position.count; i++) low = Math.min(low, position.getZ(i));
  for (let i = 0; i < position.count; i++) {
    const [x, y, z] = [position.getX(i), position.getY(i), position.getZ(i)];
    if (normal.getZ(i) > 0.5) {
      uv.set([x - (origin?.x ?? 0), (origin?.y ?? 0) - y], 2 * i);
    } else {
      // Corners of a side come six by six, the first at its beginning.
      const first = i - (i % 6);
      const [dx, dy] = [x - position.getX(first), y - position.getY(first)];
      uv.set([dy * normal.getX(i) - dx * normal.getY(i), low - z], 2 * i);
    }
  }
  geometry.setAttribute('uv', new THREE.BufferAttribute(uv, 2));
  return geometry;
}

/** All vertices in one colour, as a vertex attribute. */
export function paint(geometry: THREE.BufferGeometry, colour: number): THREE.BufferGeometry {
  const { r, g, b } = new THREE.Color(colour);
  const count = geometry.getAttribute('position').count;
  const colours = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) colours.set([r, g, b], 3 * i);
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  return geometry;
}

function centroid(ring: THREE.Vector2[]): THREE.Vector2 {
  const sum = ring.reduce((total, point) => total.add(point), new THREE.Vector2());
  return sum.divideScalar(ring.length || 1);
}

/** The same outline, smaller, around its middle. */
export function inset(ring: THREE.Vector2[], share: number): THREE.Vector2[] {
  const middle = centroid(ring);
  return ring.map((point) => point.clone().sub(middle).multiplyScalar(share).add(middle));
}

/** Distance from a point to the nearest edge of a convex ring; negative outside. */
function depth(ring: THREE.Vector2[], at: THREE.Vector2): number {
  let least = Infinity;
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]!;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    if (length < 1e-9) return;
    least = Math.min(least, ((b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x)) / length);
  });
  return least;
}

/** Where marks go on top of a body: a point well inside of it, and how much room is around. */
export function deck(rings: THREE.Vector2[][]): { x: number; y: number; room: number } {
  const origin = new THREE.Vector2(0, 0);
  const own = Math.max(...rings.map((ring) => depth(ring, origin)));
  if (own > 0.008) return { x: 0, y: 0, room: own };
  let best = { x: 0, y: 0, room: 0.01 };
  for (const ring of rings) {
    const middle = centroid(ring);
    const room = depth(ring, middle);
    if (room > best.room) best = { x: middle.x, y: middle.y, room };
  }
  return best;
}

/** A painted line with mitred joints. */
export function ribbon(points: readonly number[], width: number, z: number): THREE.BufferGeometry {
  const ring: THREE.Vector2[] = [];
  for (let i = 0; i + 1 < points.length; i += 2) {
    const point = new THREE.Vector2(points[i], points[i + 1]);
    if (ring.length === 0 || ring.at(-1)!.distanceTo(point) > 1e-6) ring.push(point);
  }
  const closed = ring.length > 3 && ring[0]!.distanceTo(ring.at(-1)!) < 1e-6;
  const half = width / 2;
  const left: THREE.Vector2[] = [];
  const right: THREE.Vector2[] = [];
  ring.forEach((point, i) => {
    const before = ring[i - 1] ?? (closed ? ring[ring.length - 2]! : point);
    const after = ring[i + 1] ?? (closed ? ring[1]! : point);
    const into = point.clone().sub(before);
    const out = after.clone().sub(point);
    if (into.lengthSq() === 0) into.copy(out);
    if (out.lengthSq() === 0) out.copy(into);
    into.normalize();
    out.normalize();
    const along = into.clone().add(out).normalize();
    const across = new THREE.Vector2(-along.y, along.x);
    const stretch = half / Math.max(0.5, across.dot(new THREE.Vector2(-into.y, into.x)));
    left.push(point.clone().addScaledVector(across, stretch));
    right.push(point.clone().addScaledVector(across, -stretch));
  });
  const position: number[] = [];
  for (let i = 0; i + 1 < ring.length; i++) {
    const [a, b, c, d] = [right[i]!, right[i + 1]!, left[i + 1]!, left[i]!];
    position.push(a.x, a.y, z, b.x, b.y, z, c.x, c.y, z, a.x, a.y, z, c.x, c.y, z, d.x, d.y, z);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  const up = new Float32Array(position.length);
  for (let i = 2; i < up.length; i += 3) up[i] = 1;
  geometry.setAttribute('normal', new THREE.BufferAttribute(up, 3));
  return geometry;
}
