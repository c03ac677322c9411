// Balls roll as far as they go.

import * as THREE from 'three';
import type { Shown } from '../state/playback';
import { materialOf, type MaterialInfo } from '../state/materials';
import type { SceneInfo } from '../state/scene';
import { surface } from './surface';

/** Farther in one picture, m: put there, not rolled. */
const JUMP_M = 0.2;

interface Ball {
  number: number;
  /** The mesh that draws it, and which of that it is. */
  mesh: THREE.InstancedMesh;
  at: number;
  radius: number;
  x: number;
  y: number;
  turn: THREE.Quaternion;
}

export class Balls {
  readonly group = new THREE.Group();
  private readonly balls: Ball[] = [];
  private readonly meshes: THREE.InstancedMesh[] = [];
  private readonly axis = new THREE.Vector3();
  private readonly spin = new THREE.Quaternion();
  private readonly place = new THREE.Vector3();
  private readonly size = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();

  constructor(scene: SceneInfo, detail: { shadows: boolean; low: boolean }) {
    // Balls alike are drawn in one call: of one material, and of one colour where they have two.
    const alike = new Map<string, number[]>();
    for (const { number, kind, colour, source } of scene.bodies) {
      if (kind !== 'ball') continue;
      const { second, light } = materialOf(scene.materials, source.material) ?? PLAIN;
      const key = `${source.material} ${second !== undefined || light > 0 ? colour : ''}`;
      alike.set(key, [...(alike.get(key) ?? []), number]);
    }
    for (const numbers of alike.values()) this.add(scene, numbers, detail);
  }

  private add(scene: SceneInfo, numbers: readonly number[], detail: { shadows: boolean; low: boolean }): void {
    const sample = scene.bodies[numbers[0]!]!;
    const made = materialOf(scene.materials, sample.source.material) ?? PLAIN;
    const geometry = new THREE.IcosahedronGeometry(1, detail.low ? 3 : 8);
    geometry.deleteAttribute('uv');
    const two = made.second !== undefined;
    if (made.second !== undefined) eighths(geometry, sample.colour, made.second);
    // What shines by itself has its colour in the material, others have it with the instances.
    const whole = made.light > 0;
    const material = surface({ ...made, colour: whole ? sample.colour : 0xffffff }, { vertexColors: two });
    if (two) (material as THREE.MeshLambertMaterial).color.setScalar(1 - made.light);
    const mesh = new THREE.InstancedMesh(geometry, material, numbers.length);
    mesh.frustumCulled = false;
    mesh.castShadow = detail.shadows;
    const colour = new THREE.Color();
    numbers.forEach((number, at) => {
      const { reach: radius, colour: own } = scene.bodies[number]!;
      this.balls.push({ number, mesh, at, radius, x: NaN, y: NaN, turn: new THREE.Quaternion() });
      mesh.setColorAt(at, colour.setHex(two || whole ? 0xffffff : own));
    });
    this.meshes.push(mesh);
    this.group.add(mesh);
  }

  update(shown: Shown): void {
    const { space } = shown;
    this.balls.forEach((ball) => {
      if (space) {
        // On rough ground the simulator tells how balls are turned.
        const n = ball.number;
        ball.turn.set(space.q[4 * n + 1]!, space.q[4 * n + 2]!, space.q[4 * n + 3]!, space.q[4 * n]!);
        this.place.set(shown.x[n]!, shown.y[n]!, space.z[n]!);
        ball.mesh.setMatrixAt(ball.at, this.matrix.compose(this.place, ball.turn, this.size.setScalar(ball.radius)));
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
      ball.mesh.setMatrixAt(ball.at, this.matrix);
    });
    for (const mesh of this.meshes) mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
  }
}

/** A ball of which nothing is said: as cameras see it. */
const PLAIN: MaterialInfo = { number: 0, colour: 0xffffff, second: undefined, roughness: 0.5, light: 0, texture: undefined, tone: 0xffffff };

/** Every other eighth in a second colour, so that rolling is seen. */
function eighths(geometry: THREE.BufferGeometry, first: number, second: number): void {
  const position = geometry.getAttribute('position');
  const colours = new Float32Array(3 * position.count);
  const pair = [new THREE.Color(first), new THREE.Color(second)] as const;
  const middle = new THREE.Vector3();
  // The geometry is not indexed: whole triangles get one colour.
  for (let i = 0; i < position.count; i += 3) {
    middle.set(0, 0, 0);
    for (let k = 0; k < 3; k++) middle.add(new THREE.Vector3().fromBufferAttribute(position, i + k));
    const colour = pair[middle.x * middle.y * middle.z < 0 ? 1 : 0];
    for (let k = 0; k < 3; k++) colours.set([colour.r, colour.g, colour.b], 3 * (i + k));
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
}
