// High walls must not hide robots: where a wall stands between the camera and a robot, it is drawn as a veil.

import * as THREE from 'three';

/** Robots that are looked through walls for. */
export const MOST_SEEN = 8;
/** How much of a wall remains before a robot. */
const VEIL = 0.16;

export class Cutaway {
  private readonly spots = Array.from({ length: MOST_SEEN }, () => new THREE.Vector4());
  private readonly uniforms = { cutSpots: { value: this.spots }, cutCount: { value: 0 } };

  /** Makes a material give way. */
  apply(material: THREE.Material): void {
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec3 cutAt;')
        .replace('#include <project_vertex>', `#include <project_vertex>
          vec4 cutPlace = vec4(transformed, 1.0);
          #ifdef USE_INSTANCING
            cutPlace = instanceMatrix * cutPlace;
          #endif
          cutAt = (modelMatrix * cutPlace).xyz;`);
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>
          varying vec3 cutAt;
          uniform vec4 cutSpots[${MOST_SEEN}];
          uniform int cutCount;
          float cutKept() {
            vec3 sight = cutAt - cameraPosition;
            float far = length(sight);
            sight /= far;
            float kept = 1.0;
            for (int i = 0; i < ${MOST_SEEN}; i++) {
              if (i >= cutCount) break;
              vec3 spot = cutSpots[i].xyz - cameraPosition;
              float along = dot(spot, sight);
              float off = length(spot - along * sight);
              // Only what is nearer than the robot, and in its line of sight.
              if (far < along - 0.2 * cutSpots[i].w) kept = min(kept, smoothstep(0.75, 1.35, off / cutSpots[i].w));
            }
            return mix(${VEIL.toFixed(2)}, 1.0, kept);
          }`)
        .replace('#include <color_fragment>', `#include <color_fragment>
          if (fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) > cutKept()) discard;`);
    };
  }

  /** Where robots are: their middles, and how much around them is to be seen. */
  look(spots: readonly { x: number; y: number; z: number; radius: number }[]): void {
    this.uniforms.cutCount.value = Math.min(MOST_SEEN, spots.length);
    spots.slice(0, MOST_SEEN).forEach(({ x, y, z, radius }, i) => this.spots[i]!.set(x, y, z, radius));
  }
}
