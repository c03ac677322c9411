// Short flashes where bodies press or hit.

import * as THREE from 'three';

/** Sizes and impulses are those of a minirobot; other scenes scale them. */
const USUAL_REACH = 0.053;
const USUAL_MASS = 0.352;
const MOST = 256;
const LIFE_S = 0.35;
/** Pressing that is no news, N s a step: a robot that leans on a wall. */
const QUIET = 2e-3;
/** Bodies that stay pressed together flash once in a while, not all the time: so near, m, and so soon. */
const SAME_M = 0.025;
const AGAIN_S = 0.3;
/** An impulse that flashes at full strength, N s. */
const STRONG = 0.15;

const VERTEX = `
attribute float born; attribute float strength;
uniform float now; uniform float scale; uniform float large;
varying float age; varying float power;
void main() {
  age = (now - born) / ${LIFE_S.toFixed(2)};
  power = strength;
  vec4 seen = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * seen;
  float size = large * (0.025 + 0.05 * strength) * (0.5 + age);
  gl_PointSize = age < 1.0 ? min(90.0, scale * size / -seen.z) : 0.0;
}`;

const FRAGMENT = `
uniform vec3 colour;
varying float age; varying float power;
void main() {
  if (age >= 1.0) discard;
  float r = 2.0 * length(gl_PointCoord - 0.5);
  float core = smoothstep(0.5, 0.0, r);
  float ring = smoothstep(0.25, 0.0, abs(r - 0.72));
  float alpha = (1.0 - age) * (core + 0.7 * ring) * (0.35 + 0.65 * power);
  if (alpha < 0.01) discard;
  gl_FragColor = vec4(colour, alpha);
  #include <colorspace_fragment>
}`;

export class Flashes {
  readonly points: THREE.Points;
  private readonly position = new THREE.BufferAttribute(new Float32Array(3 * MOST), 3);
  private readonly born = new THREE.BufferAttribute(new Float32Array(MOST).fill(-1e9), 1);
  private readonly strength = new THREE.BufferAttribute(new Float32Array(MOST), 1);
  private readonly material: THREE.ShaderMaterial;
  private next = 0;
  private now = 0;
  private large = 1;
  private heavy = 1;

  constructor(colour: number) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.position);
    geometry.setAttribute('born', this.born);
    geometry.setAttribute('strength', this.strength);
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, depthTest: false,
      uniforms: { now: { value: 0 }, scale: { value: 500 }, large: { value: 1 }, colour: { value: new THREE.Color(colour) } },
    });
    this.points = new THREE.Points(geometry, this.material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 5;
  }

  /** How large, m, and heavy, kg, the scene's robots are. */
  setScale(reach: number, mass: number): void {
    this.large = reach / USUAL_REACH;
    this.heavy = mass / USUAL_MASS;
    this.material.uniforms.large!.value = this.large;
  }

  /** `floor`: height of the ground there, m. */
  add(x: number, y: number, impulse: number, floor = 0): void {
    const z = floor + 0.04 * this.large;
    const strength = Math.min(1, Math.sqrt(impulse / (STRONG * this.heavy)));
    if (!(impulse > QUIET * this.heavy) || this.flashedHere(x, y, strength)) return;
    this.position.setXYZ(this.next, x, y, z);
    this.born.setX(this.next, this.now);
    this.strength.setX(this.next, strength);
    this.position.needsUpdate = this.born.needsUpdate = this.strength.needsUpdate = true;
    this.next = (this.next + 1) % MOST;
  }

  private flashedHere(x: number, y: number, strength: number): boolean {
    for (let i = 0; i < MOST; i++) {
      if (this.now - this.born.getX(i) > AGAIN_S || this.strength.getX(i) < 0.6 * strength) continue;
      if (Math.hypot(this.position.getX(i) - x, this.position.getY(i) - y) < SAME_M * this.large) return true;
    }
    return false;
  }

  update(elapsed: number, viewHeight: number, fov: number): void {
    this.now += elapsed;
    this.material.uniforms.now!.value = this.now;
    this.material.uniforms.scale!.value = viewHeight / (2 * Math.tan((fov * Math.PI) / 360));
  }

  clear(): void {
    this.born.array.fill(-1e9);
    this.born.needsUpdate = true;
  }

  dispose(): void {
    this.points.geometry.dispose();
    this.material.dispose();
  }
}
