// The sky over rough ground: a horizon into which the land fades.

import * as THREE from 'three';
import type { Land } from './land';

const VERTEX = `
varying vec3 look;
void main() {
  look = position;
  gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
  gl_Position.z = gl_Position.w * 0.9999;
}`;

const FRAGMENT = `
uniform vec3 horizon, zenith, sunColour, sunAt;
varying vec3 look;
void main() {
  vec3 at = normalize(look);
  float up = clamp(at.z, 0.0, 1.0);
  vec3 colour = mix(horizon, zenith, 1.0 - pow(1.0 - up, 3.0));
  float near = max(0.0, dot(at, sunAt));
  colour += sunColour * (0.22 * pow(near, 12.0) + 0.5 * pow(near, 400.0));
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;

export class Sky {
  readonly mesh: THREE.Mesh;
  private readonly material: THREE.ShaderMaterial;

  constructor(land: Land, sun: THREE.Vector3, sunStrength: number) {
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, side: THREE.BackSide, depthWrite: false,
      uniforms: {
        horizon: { value: new THREE.Color(land.horizon) }, zenith: { value: new THREE.Color(land.zenith) },
        sunColour: { value: new THREE.Color(0xfff0d8).multiplyScalar(sunStrength) }, sunAt: { value: sun.clone().normalize() },
      },
    });
    this.mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 16), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}
