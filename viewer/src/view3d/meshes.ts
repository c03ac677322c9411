// Shapes that nothing touches, such as the crowns of trees: each drawn in one call, however often it stands.

import * as THREE from 'three';
import type { Ground } from '../state/ground';
import { PLAIN, readObj } from '../state/obj';
import type { Scene } from '../proto/live.js';

export function meshesOf(source: Scene, ground: Ground | undefined, shadows: boolean): THREE.InstancedMesh[] {
  return source.meshes.flatMap(({ obj }, number) => {
    const places = source.mesh_places.filter(({ mesh }) => mesh === number);
    const shape = readObj(obj);
    if (places.length === 0 || shape.colours.length === 0) return [];
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(shape.positions, 3));
    const colour = new THREE.Color();
    const tints = new Float32Array(shape.positions.length);
    shape.colours.forEach((tint, i) => {
      colour.setHex(tint < 0 ? PLAIN : tint);
      for (let k = 0; k < 3; k++) tints.set([colour.r, colour.g, colour.b], 9 * i + 3 * k);
    });
    geometry.setAttribute('color', new THREE.BufferAttribute(tints, 3));
    geometry.computeVertexNormals();
    const material = new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide });
    const mesh = new THREE.InstancedMesh(geometry, material, places.length);
    const [at, turn, size, up] = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3(), new THREE.Vector3(0, 0, 1)];
    const matrix = new THREE.Matrix4();
    places.forEach(({ x, y, heading, scale_x, scale_y, scale_z }, i) => {
      at.set(x, y, ground?.height(x, y) ?? 0);
      turn.setFromAxisAngle(up, heading);
      mesh.setMatrixAt(i, matrix.compose(at, turn, size.set(scale_x, scale_y, scale_z)));
      // No two trees are the same green.
      const shade = 0.86 + 0.28 * Math.abs(Math.sin(12.9898 * x + 78.233 * y));
      mesh.setColorAt(i, colour.setScalar(shade));
    });
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = shadows;
    return [mesh];
  });
}
