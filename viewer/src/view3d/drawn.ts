// Parts of vehicles that somebody drew: OBJ text as geometry, in its own colours and in those of the body that wears it.

import * as THREE from 'three';
import { readObj, TAG, TEAM } from '../state/obj';

/** What of a shape has which colours. */
export interface Drawn {
  /** Colours of its own, as vertex colours. */
  own: THREE.BufferGeometry | undefined;
  team: THREE.BufferGeometry | undefined;
  tag: THREE.BufferGeometry | undefined;
}

/** `mirrored`: in y, as wheels on the right side are. */
export function drawnPart(obj: string, mirrored = false): Drawn {
  const { positions, normals, colours } = readObj(obj);
  const colour = new THREE.Color();
  const part = (wears: (tint: number) => boolean): THREE.BufferGeometry | undefined => {
    const chosen = colours.flatMap((tint, i) => (wears(tint) ? [i] : []));
    if (chosen.length === 0) return undefined;
    const at = new Float32Array(9 * chosen.length);
    const up = new Float32Array(9 * chosen.length);
    const tints = new Float32Array(9 * chosen.length);
    const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    chosen.forEach((i, n) => {
      // Colours of the body are multiplied by white.
      colour.setHex(colours[i]! < 0 ? 0xffffff : colours[i]!);
      // A mirrored triangle is seen from the other side: its corners go the other way round.
      (mirrored ? [0, 2, 1] : [0, 1, 2]).forEach((from, to) => {
        for (const [source, target] of [[positions, at], [normals, up]] as const) {
          const [x, y, z] = source.subarray(9 * i + 3 * from, 9 * i + 3 * from + 3);
          target.set([x!, mirrored ? -y! : y!, z!], 9 * n + 3 * to);
        }
        tints.set([colour.r, colour.g, colour.b], 9 * n + 3 * to);
      });
      if (up.subarray(9 * n, 9 * n + 9).some((x) => x !== 0)) return;
      // Without normals of its own it is flat.
      a.fromArray(at, 9 * n);
      b.fromArray(at, 9 * n + 3).sub(a);
      c.fromArray(at, 9 * n + 6).sub(a);
      b.cross(c).normalize();
      for (let k = 0; k < 3; k++) b.toArray(up, 9 * n + 3 * k);
    });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(at, 3));
    geometry.setAttribute('normal', new THREE.BufferAttribute(up, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(tints, 3));
    return geometry;
  };
  return { own: part((tint) => tint >= 0), team: part((tint) => tint === TEAM), tag: part((tint) => tint === TAG) };
}
