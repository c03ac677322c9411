// How rough ground looks: its colour by height and slope or its texture, friction, lines of the grid and of equal height.
// All is found pixel by pixel, so that it does not depend on how large the triangles are. Plainly painted, where graphics
// are slow, there is the grid alone for lines, and one look at each texture: lines and looks were half of a picture's time.

import * as THREE from 'three';
import type { Ground } from '../state/ground';
import { contourStep } from '../state/relief';
import { slopeLevels } from '../state/slopes';
import { STEEP, type Land } from './land';

const UNIFORMS = `
  varying vec3 landAt;
  uniform sampler2D landSlopes, landFrictions, landTexture;
  uniform vec4 landCorner;
  uniform vec3 landLow, landMiddle, landHigh, landSteep, landOwn, landInk, landSlippery, landRough, landSpan;
  uniform vec2 landNodes, landTextureSize;
  uniform float landSpacing, landContour, landInkStrength, landHasFriction, landHasOwn, landHasTexture;
  vec2 landSlope;
  // A line wherever x is a multiple of the step; gone where lines would run together.
  float landLine(float x, float across, float step, float width) {
    float px = max(across, 1e-7);
    float off = abs(fract(x / step - 0.5) - 0.5) * step;
    return (1.0 - smoothstep(width * 0.5, width * 0.5 + 1.0, off / px)) * (1.0 - smoothstep(0.12, 0.4, px / step));
  }
  // From how screens show it to how bright it is.
  vec3 landLinear(vec3 shown) {
#ifdef LAND_FINE
    return mix(pow((shown + 0.055) / 1.055, vec3(2.4)), shown / 12.92, vec3(lessThanEqual(shown, vec3(0.04045))));
#else
    // Within 0.003 of that.
    return shown * (shown * (shown * 0.3053 + 0.6822) + 0.0125);
#endif
  }
  // The same as groundColour of land.ts.
  vec3 landColour(float z, float slope) {
    float share = 0.5 + ((z - landSpan.x) * landSpan.y - 0.5) * landSpan.z;
    float steep = smoothstep(${(STEEP / 3).toFixed(4)}, ${STEEP.toFixed(4)}, slope);
    if (landHasOwn > 0.5) {
      vec3 base = mix(landOwn, vec3(step(0.5, share)), 0.24 * abs(share - 0.5));
      return base * (1.0 - 0.25 * steep);
    }
    vec3 base = share < 0.5 ? mix(landLow, landMiddle, 2.0 * share) : mix(landMiddle, landHigh, 2.0 * share - 1.0);
    return mix(base, landSteep, steep);
  }`;

const COLOUR = `
  vec2 landPlace = (landAt.xy - landCorner.xy) / (landCorner.zw - landCorner.xy);
  landSlope = texture2D(landSlopes, (clamp(landPlace, 0.0, 1.0) * (landNodes - 1.0) + 0.5) / landNodes).rg;
  // Beyond the border it is level outwards.
  landSlope *= step(vec2(-1e-4), landPlace) * step(landPlace, vec2(1.0001));
  vec3 landShown = landColour(landAt.z, length(landSlope));
  if (landHasTexture > 0.5) landShown *= texture2D(landTexture, vec2(1.0, -1.0) * landAt.xy / landTextureSize).rgb;
  diffuseColor.rgb = landLinear(landShown);
  vec3 landWide = fwidth(landAt);
  if (landHasFriction > 0.5) {
    float f = texture2D(landFrictions, clamp(landPlace, 0.0, 1.0)).r * 10.0;
    vec3 other = f < 1.0 ? landSlippery : landRough;
    diffuseColor.rgb = mix(diffuseColor.rgb, other, 0.75 * clamp(abs(f - 1.0) / 0.6, 0.0, 1.0));
  }
  float lines = 0.55 * max(landLine(landAt.x, landWide.x, landSpacing, 1.0), landLine(landAt.y, landWide.y, landSpacing, 1.0));
#ifdef LAND_FINE
  lines = max(lines, max(landLine(landAt.x, landWide.x, 5.0 * landSpacing, 1.6), landLine(landAt.y, landWide.y, 5.0 * landSpacing, 1.6)));
#endif
  // A texture shows motion and scale by itself.
  lines *= 1.0 - 0.6 * landHasTexture;
#ifdef LAND_FINE
  // On level ground a height is no line.
  if (landContour > 0.0) lines = max(lines, 0.8 * landLine(landAt.z, landWide.z, landContour, 1.0) * smoothstep(0.01, 0.04, landWide.z / max(landWide.x, landWide.y)));
#endif
  diffuseColor.rgb = mix(diffuseColor.rgb, landInk, landInkStrength * lines);`;

/** Lets a material paint this ground; plainly, or finely with lines of equal height and sharp in the distance. */
export function paintGround(material: THREE.Material, ground: Ground, land: Land, spacing: number, fine: boolean): void {
  if (fine) material.defines = { ...material.defines, LAND_FINE: '' };
  const shown = (colour: number) => new THREE.Vector3((colour >> 16) & 255, (colour >> 8) & 255, colour & 255).divideScalar(255);
  const span = ground.highest - ground.lowest;
  const { texture } = ground;
  const slopes = slopeTexture(ground, fine);
  const frictions = frictionTexture(ground);
  const picture = texture && pictureTexture(texture.width, texture.height, texture.rgb, fine);
  const own = ground.colour ?? (texture && 0xffffff);
  const uniforms = {
    landSlopes: { value: slopes },
    landNodes: { value: new THREE.Vector2(slopes.image.width, slopes.image.height) },
    landFrictions: { value: frictions },
    landHasFriction: { value: ground.frictions.length > 0 ? 1 : 0 },
    landTexture: { value: picture ?? slopes },
    landTextureSize: { value: new THREE.Vector2(texture?.sizeX ?? 1, texture?.sizeY ?? 1) },
    landHasTexture: { value: texture ? 1 : 0 },
    landCorner: { value: new THREE.Vector4(ground.minX, ground.minY, ground.maxX, ground.maxY) },
    landLow: { value: shown(land.low) }, landMiddle: { value: shown(land.middle) }, landHigh: { value: shown(land.high) },
    landSteep: { value: shown(land.steep) },
    landOwn: { value: shown(own ?? 0) }, landHasOwn: { value: own === undefined ? 0 : 1 },
    // Ripples on a plain are no mountains: small differences of height stay near the middle.
    landSpan: { value: new THREE.Vector3(ground.lowest, span > 1e-6 ? 1 / span : 0, span > 1e-6 ? Math.min(1, span / (0.04 * ground.size)) : 0) },
    landSpacing: { value: spacing },
    landContour: { value: contourStep(span) },
    landInk: { value: new THREE.Color(land.line) }, landInkStrength: { value: land.lineOpacity },
    landSlippery: { value: new THREE.Color(land.slippery) }, landRough: { value: new THREE.Color(land.rough) },
  };
  material.addEventListener('dispose', () => {
    for (const one of [slopes, frictions, picture]) one?.dispose();
  });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 landAt;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nlandAt = position;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${UNIFORMS}`)
      .replace('#include <color_fragment>', `#include <color_fragment>\n${COLOUR}`)
      .replace('#include <normal_fragment_begin>', `#include <normal_fragment_begin>
        normal = normalize((viewMatrix * vec4(-landSlope, 1.0, 0.0)).xyz);`);
  };
}

/** Slopes at nodes, mixed in between: cells alone would show as facets. */
function slopeTexture(ground: Ground, fine: boolean): THREE.DataTexture {
  const levels = slopeLevels(ground).map(({ data, width, height }) => ({
    data: Uint16Array.from(data, THREE.DataUtils.toHalfFloat), width, height,
  }));
  const { data, width, height } = levels[0]!;
  const texture = new THREE.DataTexture(data, width, height, THREE.RGFormat, THREE.HalfFloatType);
  texture.mipmaps = levels;
  texture.magFilter = THREE.LinearFilter;
  look(texture, fine, 4);
  texture.needsUpdate = true;
  return texture;
}

/** How a texture is looked at in the distance: from one of its sizes, or finely, so often across. */
function look(texture: THREE.Texture, fine: boolean, anisotropy: number): void {
  texture.minFilter = fine ? THREE.LinearMipmapLinearFilter : THREE.LinearMipmapNearestFilter;
  texture.anisotropy = fine ? anisotropy : 1;
}

/** Factors against the usual one, as bytes: 0 to 10 in steps of 0.04. */
function frictionTexture(ground: Ground): THREE.DataTexture {
  const [nx, ny] = [Math.max(1, ground.frictionNx), Math.max(1, ground.frictionNy)];
  const data = new Uint8Array(nx * ny).fill(26);
  ground.frictions.forEach((factor, i) => (data[i] = Math.round(Math.max(0, Math.min(10, factor / ground.usualFriction)) * 25.5)));
  const texture = new THREE.DataTexture(data, nx, ny, THREE.RedFormat);
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}

/** A picture that repeats; its first row is its top. */
function pictureTexture(width: number, height: number, rgb: Uint8Array, fine: boolean): THREE.DataTexture {
  const data = new Uint8Array(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++) data.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i);
  const texture = new THREE.DataTexture(data, width, height);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.magFilter = THREE.LinearFilter;
  texture.generateMipmaps = true;
  look(texture, fine, 8);
  texture.needsUpdate = true;
  return texture;
}
