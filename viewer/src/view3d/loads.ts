// What the ground carries: an arrow at each wheel that stands on it, as long as its load.

import * as THREE from 'three';
import type { Shown } from '../state/playback';
import type { Ground } from '../state/ground';
import { rotate } from '../state/quaternion';
import type { BodyInfo } from '../state/scene';
import { merge } from './geometry';

/** Wheels of one vehicle at most. */
const MOST = 12;
const GRAVITY = 9.81;
/** Length of the arrow of a wheel that carries its even share, in wheel radii. */
const EVEN_LENGTH = 2.6;
const LITTLE = new THREE.Color(0x4db3ff);
const EVEN = new THREE.Color(0x35c98b);
const MUCH = new THREE.Color(0xff5a3c);

export class Loads {
  readonly group = new THREE.Group();
  private readonly arrows: THREE.InstancedMesh;
  private readonly patches: THREE.InstancedMesh;
  private readonly matrix = new THREE.Matrix4();
  private readonly rotation = new THREE.Quaternion();
  private readonly place = new THREE.Vector3();
  private readonly size = new THREE.Vector3();
  private readonly normal = new THREE.Vector3();
  private readonly colour = new THREE.Color();

  constructor() {
    const shaft = new THREE.CylinderGeometry(0.05, 0.05, 0.76, 10).translate(0, 0.38, 0);
    const head = new THREE.ConeGeometry(0.14, 0.26, 14).translate(0, 0.87, 0);
    const arrow = merge([shaft, head]).rotateX(Math.PI / 2);
    const see = { transparent: true, opacity: 0.9, depthTest: false };
    this.arrows = new THREE.InstancedMesh(arrow, new THREE.MeshBasicMaterial(see), MOST);
    this.patches = new THREE.InstancedMesh(new THREE.RingGeometry(0.45, 0.62, 28), new THREE.MeshBasicMaterial({ ...see, side: THREE.DoubleSide }), MOST);
    for (const mesh of [this.arrows, this.patches]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 5;
      mesh.count = 0;
      this.group.add(mesh);
    }
  }

  /** Shows the loads of a vehicle; of none: nothing. */
  update(body: BodyInfo | undefined, shown: Shown, ground: Ground | undefined): void {
    let count = 0;
    const { space } = shown;
    const vehicle = body?.vehicle;
    if (body && vehicle && space && ground) {
      const even = (body.mass * GRAVITY) / vehicle.wheels.length;
      const q = space.rotation(body.number);
      for (const [k, wheel] of vehicle.wheels.slice(0, MOST).entries()) {
        const at = vehicle.firstWheel + k;
        const share = space.load[at]! / even;
        if (!(share > 0.005)) continue;
        const [dx, dy, dz] = rotate(q, [wheel.x, wheel.y, wheel.z + space.raised[at]!]);
        const [x, y, z] = [shown.x[body.number]! + dx, shown.y[body.number]! + dy, space.z[body.number]! + dz];
        const [gx, gy] = ground.gradient(x, y);
        this.normal.set(-gx, -gy, 1).normalize();
        this.rotation.setFromUnitVectors(UP, this.normal);
        this.place.set(x, y, z).addScaledVector(this.normal, -0.98 * wheel.radius);
        const long = EVEN_LENGTH * wheel.radius * Math.min(4, share);
        const thick = 1.5 * wheel.radius;
        this.colour.copy(EVEN).lerp(share < 1 ? LITTLE : MUCH, Math.min(1, Math.abs(share - 1) / (share < 1 ? 1 : 1.5)));
        this.arrows.setMatrixAt(count, this.matrix.compose(this.place, this.rotation, this.size.set(thick, thick, long)));
        this.arrows.setColorAt(count, this.colour);
        this.patches.setMatrixAt(count, this.matrix.compose(this.place, this.rotation, this.size.setScalar(1.3 * wheel.radius)));
        this.patches.setColorAt(count, this.colour);
        count++;
      }
    }
    for (const mesh of [this.arrows, this.patches]) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  dispose(): void {
    for (const mesh of [this.arrows, this.patches]) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
  }
}

const UP = new THREE.Vector3(0, 0, 1);
