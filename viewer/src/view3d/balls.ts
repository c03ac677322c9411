// Balls roll as far as they go.

import * as THREE from 'three';
import type { Shown } from '../state/playback';
import type { SceneInfo } from '../state/scene';

/** Farther in one picture, m: put there, not rolled. */
const JUMP_M = 0.2;

interface Ball {
  number: number;
  radius: number;
  x: number;
  y: number;
  turn: THREE.Quaternion;
}

export class Balls {
  readonly group = new THREE.Group();
  private readonly balls: Ball[] = [];
  private readonly mesh: THREE.InstancedMesh | undefined;
  private readonly axis = new THREE.Vector3();
  private readonly spin = new THREE.Quaternion();
  private readonly place = new THREE.Vector3();
  private readonly size = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();

  constructor(scene: SceneInfo, detail: { shadows: boolean; low: boolean }) {
    for (const body of scene.bodies) {
      if (body.kind !== 'ball') continue;
      this.balls.push({ number: body.number, radius: body.reach, x: NaN, y: NaN, turn: new THREE.Quaternion() });
    }
    if (this.balls.length === 0) return;
    const geometry = patched(new THREE.IcosahedronGeometry(1, detail.low ? 3 : 8));
    this.mesh = new THREE.InstancedMesh(
      geometry, new THREE.MeshLambertMaterial({ vertexColors: true }), this.balls.length,
    );
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = detail.shadows;
    const colour = new THREE.Color();
    this.balls.forEach(({ number }, i) => this.mesh!.setColorAt(i, colour.setHex(scene.bodies[number]!.colour)));
    this.group.add(this.mesh);
  }

  update(shown: Shown): void {
    if (!this.mesh) return;
    const { space } = shown;
    this.balls.forEach((ball, i) => {
      if (space) {
        // On rough ground the simulator tells how balls are turned.
        const n = ball.number;
        ball.turn.set(space.q[4 * n + 1]!, space.q[4 * n + 2]!, space.q[4 * n + 3]!, space.q[4 * n]!);
        this.place.set(shown.x[n]!, shown.y[n]!, space.z[n]!);
        this.mesh!.setMatrixAt(i, this.matrix.compose(this.place, ball.turn, this.size.setScalar(ball.radius)));
        return;
      }
      const x = shown.x[ball.number]!;
      const y = shown.y[ball.number]!;
      const dx = x - ball.x;
      const dy = y - ball.y;
      const way = Math.hypot(dx, dy);
      if (way > 1e-7 && way < JUMP_M) {
        this.axis.set(-dy / way, dx / way, 0);
        ball.turn.premultiply(this.spin.setFromAxisAngle(this.axis, way / ball.radius)).normalize();
      }
      ball.x = x;
      ball.y = y;
      this.matrix.compose(this.place.set(x, y, ball.radius), ball.turn, this.size.setScalar(ball.radius));
      this.mesh!.setMatrixAt(i, this.matrix);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.mesh?.geometry.dispose();
    (this.mesh?.material as THREE.Material | undefined)?.dispose();
    this.mesh?.dispose();
  }
}

/** Paler caps on six sides, so that rolling is seen. */
function patched(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const position = geometry.getAttribute('position');
  const colours = new Float32Array(3 * position.count);
  // The geometry is not indexed: whole triangles get one colour, and the patches have clean edges.
  for (let i = 0; i < position.count; i += 3) {
    let far = 0;
    for (const axis of [0, 1, 2]) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += position.getComponent(i + k, axis) / 3;
      far = Math.max(far, Math.abs(sum));
    }
    const shade = far > 0.93 ? 0.62 : 1;
    for (let k = 0; k < 9; k++) colours[3 * i + k] = shade;
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  geometry.deleteAttribute('uv');
  return geometry;
}
