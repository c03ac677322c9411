// Strokes of a sketch: lines of the same width on the screen at any distance, and dots.

import * as THREE from 'three';
import { INKS, STRIDE, type Sketch } from '../state/sketch';
import type { Palette } from './palette';

const VERTEX = `
attribute vec3 from; attribute vec3 to; attribute vec4 look;
uniform vec2 view; uniform float near; uniform float ratio; uniform vec3 inks[${INKS.length}];
varying vec4 tint;
void main() {
  vec4 a = modelViewMatrix * vec4(from, 1.0);
  vec4 b = modelViewMatrix * vec4(to, 1.0);
  // What is behind the camera is cut off: it has no place on the screen.
  float limit = -near;
  if (a.z > limit && b.z > limit) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  if (a.z > limit) a = mix(a, b, (limit - a.z) / (b.z - a.z));
  else if (b.z > limit) b = mix(b, a, (limit - b.z) / (a.z - b.z));
  a = projectionMatrix * a;
  b = projectionMatrix * b;
  vec2 along = (b.xy / b.w - a.xy / a.w) * view;
  float len = length(along);
  along = len > 0.01 ? along / len : vec2(1.0, 0.0);
  float width = look.z * ratio;
  vec2 off = position.y * width * vec2(-along.y, along.x);
  // A stroke without length is a dot.
  if (len < 1.0) off += (position.x - 0.5) * width * along;
  vec4 at = position.x < 0.5 ? a : b;
  // A little nearer: what ends at a wall is seen before it.
  gl_Position = at + vec4(2.0 * off / view * at.w, -0.0004 * at.w, 0.0);
  tint = vec4(inks[int(look.w + 0.5)], position.x < 0.5 ? look.x : look.y);
}`;

const FRAGMENT = `
varying vec4 tint;
void main() {
  gl_FragColor = tint;
  #include <colorspace_fragment>
}`;

export class Strokes {
  readonly mesh: THREE.Mesh;
  private readonly geometry = new THREE.InstancedBufferGeometry();
  private readonly material: THREE.ShaderMaterial;
  private buffer: THREE.InstancedInterleavedBuffer | undefined;

  constructor() {
    const corners = [0, -0.5, 0, 1, -0.5, 0, 1, 0.5, 0, 0, -0.5, 0, 1, 0.5, 0, 0, 0.5, 0];
    this.geometry.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
    this.geometry.instanceCount = 0;
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, side: THREE.DoubleSide,
      uniforms: {
        view: { value: new THREE.Vector2(1, 1) }, near: { value: 0.01 }, ratio: { value: 1 },
        inks: { value: INKS.map(() => new THREE.Color()) },
      },
    });
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 4;
  }

  setPalette(palette: Palette): void {
    const inks = this.material.uniforms.inks!.value as THREE.Color[];
    INKS.forEach((ink, i) => inks[i]!.setHex(palette[ink]));
  }

  /** Sizes in device pixels; `ratio` of them make a CSS pixel. */
  update(sketch: Sketch, width: number, height: number, ratio: number, near: number): void {
    this.mesh.visible = sketch.count > 0;
    this.geometry.instanceCount = sketch.count;
    if (sketch.count === 0) return;
    if (this.buffer?.array !== sketch.data) this.use(sketch.data);
    this.buffer!.clearUpdateRanges();
    this.buffer!.addUpdateRange(0, sketch.count * STRIDE);
    this.buffer!.needsUpdate = true;
    const { uniforms } = this.material;
    (uniforms.view!.value as THREE.Vector2).set(width, height);
    uniforms.ratio!.value = ratio;
    uniforms.near!.value = near;
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }

  /** The sketch's own numbers are what is drawn; they move to a larger place when they grow. */
  private use(data: Float32Array): void {
    this.geometry.dispose();
    this.buffer = new THREE.InstancedInterleavedBuffer(data, STRIDE);
    this.buffer.setUsage(THREE.DynamicDrawUsage);
    const part = (size: number, at: number) => new THREE.InterleavedBufferAttribute(this.buffer!, size, at);
    this.geometry.setAttribute('from', part(3, 0));
    this.geometry.setAttribute('to', part(3, 3));
    this.geometry.setAttribute('look', part(4, 6));
  }
}
