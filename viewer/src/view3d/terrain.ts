// Rough ground as a surface: coloured by height and slope, with a soft grid so that motion is seen.

import * as THREE from 'three';
import type { Ground } from '../state/ground';
import { contourStep } from '../state/relief';
import { groundColour, type Land } from './land';

/** How far an extended terrain goes on beyond its border, in its sizes. */
const BEYOND = 5;
/** Coarse grids are drawn finer, so that their cells are the saddles that they are. */
const FINE_NODES = 20_000;
/** Depth of the block that a terrain which ends is cut from, in its sizes. */
const BLOCK = 0.05;

export class TerrainMesh {
  readonly group = new THREE.Group();

  /** `spacing`: between lines of the grid, m. */
  constructor(ground: Ground, land: Land, spacing: number, shadows: boolean) {
    const material = new THREE.MeshLambertMaterial({ vertexColors: true });
    finish(material, ground, land, spacing);
    const surface = new THREE.Mesh(surfaceOf(ground, land), material);
    surface.receiveShadow = shadows;
    surface.castShadow = shadows;
    this.group.add(surface);
    if (!ground.extended) {
      const sides = new THREE.Mesh(sidesOf(ground), new THREE.MeshLambertMaterial({ color: land.cut, side: THREE.DoubleSide }));
      this.group.add(sides);
    }
  }
}

/** Places of the drawn nodes along one axis. */
function places(min: number, max: number, count: number, finer: number, beyond: number): number[] {
  const cells = (count - 1) * finer;
  const inside = Array.from({ length: cells + 1 }, (_, i) => min + ((max - min) * i) / cells);
  // Twice at the border: its slope ends there, and does not fade away over all that is beyond.
  const seam = 1e-4 * (max - min);
  return beyond > 0 ? [min - beyond, min - seam, ...inside, max + seam, max + beyond] : inside;
}

function surfaceOf(ground: Ground, land: Land): THREE.BufferGeometry {
  const level = ground.highest === ground.lowest;
  const finer = level ? 1 : Math.max(1, Math.min(8, Math.floor(Math.sqrt(FINE_NODES / (ground.nx * ground.ny)))));
  const beyond = ground.extended ? BEYOND * ground.size : 0;
  const xs = places(ground.minX, ground.maxX, ground.nx, finer, beyond);
  const ys = places(ground.minY, ground.maxY, ground.ny, finer, beyond);
  const [nx, ny] = [xs.length, ys.length];
  const position = new Float32Array(3 * nx * ny);
  const normal = new Float32Array(3 * nx * ny);
  const colour = new Float32Array(3 * nx * ny);
  const tone = new THREE.Color();
  ys.forEach((y, j) => xs.forEach((x, i) => {
    const at = 3 * (j * nx + i);
    const z = ground.height(x, y);
    const [gx, gy] = softGradient(ground, x, y);
    const length = Math.sqrt(1 + gx * gx + gy * gy);
    position.set([x, y, z], at);
    normal.set([-gx / length, -gy / length, 1 / length], at);
    const [r, g, b] = groundColour(ground, land, z, Math.hypot(gx, gy));
    tone.setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace);
    colour.set([tone.r, tone.g, tone.b], at);
  }));
  const index = new Uint32Array(6 * (nx - 1) * (ny - 1));
  let k = 0;
  for (let j = 0; j + 1 < ny; j++) {
    for (let i = 0; i + 1 < nx; i++) {
      const [a, b, c, d] = [j * nx + i, j * nx + i + 1, (j + 1) * nx + i, (j + 1) * nx + i + 1];
      index.set([a, b, d, a, d, c], k);
      k += 6;
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(normal, 3));
  geometry.setAttribute('color', new THREE.BufferAttribute(colour, 3));
  geometry.setIndex(new THREE.BufferAttribute(index, 1));
  return geometry;
}

/** Slopes between nodes: those of the four nodes around, mixed. Cells alone would show as facets. */
function softGradient(ground: Ground, x: number, y: number): [number, number] {
  const fx = (x - ground.minX) / ground.cellX;
  const fy = (y - ground.minY) / ground.cellY;
  const i = Math.max(0, Math.min(ground.nx - 2, Math.floor(fx)));
  const j = Math.max(0, Math.min(ground.ny - 2, Math.floor(fy)));
  const u = Math.max(0, Math.min(1, fx - i));
  const v = Math.max(0, Math.min(1, fy - j));
  const [a, b] = [ground.nodeGradient(i, j), ground.nodeGradient(i + 1, j)];
  const [c, d] = [ground.nodeGradient(i, j + 1), ground.nodeGradient(i + 1, j + 1)];
  const mixed = (k: 0 | 1) => (a[k] * (1 - u) + b[k] * u) * (1 - v) + (c[k] * (1 - u) + d[k] * u) * v;
  // Beyond the border it is level outwards.
  return [x < ground.minX || x > ground.maxX ? 0 : mixed(0), y < ground.minY || y > ground.maxY ? 0 : mixed(1)];
}

function sidesOf(ground: Ground): THREE.BufferGeometry {
  const base = ground.lowest - BLOCK * ground.size;
  const position: number[] = [];
  const normal: number[] = [];
  const wall = (points: [number, number][], nx: number, ny: number) => {
    for (let i = 0; i + 1 < points.length; i++) {
      const [[ax, ay], [bx, by]] = [points[i]!, points[i + 1]!];
      const [az, bz] = [ground.height(ax, ay), ground.height(bx, by)];
      position.push(ax, ay, base, bx, by, base, bx, by, bz, ax, ay, base, bx, by, bz, ax, ay, az);
      for (let k = 0; k < 6; k++) normal.push(nx, ny, 0);
    }
  };
  const xs = places(ground.minX, ground.maxX, ground.nx, 1, 0);
  const ys = places(ground.minY, ground.maxY, ground.ny, 1, 0);
  wall(xs.map((x) => [x, ground.minY]), 0, -1);
  wall(xs.map((x) => [x, ground.maxY]), 0, 1);
  wall(ys.map((y) => [ground.minX, y]), -1, 0);
  wall(ys.map((y) => [ground.maxX, y]), 1, 0);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normal, 3));
  return geometry;
}

/** Lines of the grid and of equal height, and patches of friction, on top of the colour. */
function finish(material: THREE.Material, ground: Ground, land: Land, spacing: number): void {
  const uniforms = {
    spacing: { value: spacing },
    contour: { value: contourStep(ground.highest - ground.lowest) },
    ink: { value: new THREE.Color(land.line) },
    inkStrength: { value: land.lineOpacity },
    frictions: { value: frictionTexture(ground) },
    hasFriction: { value: ground.frictions.length > 0 ? 1 : 0 },
    slippery: { value: new THREE.Color(land.slippery) },
    rough: { value: new THREE.Color(land.rough) },
    corner: { value: new THREE.Vector4(ground.minX, ground.minY, ground.maxX, ground.maxY) },
  };
  material.addEventListener('dispose', () => uniforms.frictions.value.dispose());
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 landAt;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nlandAt = position;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>
        varying vec3 landAt;
        uniform float spacing, contour, inkStrength, hasFriction;
        uniform vec3 ink, slippery, rough;
        uniform vec4 corner;
        uniform sampler2D frictions;
        // A line wherever x is a multiple of the step; gone where lines would run together.
        float landLine(float x, float across, float step, float width) {
          float px = max(across, 1e-7);
          float off = abs(fract(x / step - 0.5) - 0.5) * step;
          return (1.0 - smoothstep(width * 0.5, width * 0.5 + 1.0, off / px)) * (1.0 - smoothstep(0.12, 0.4, px / step));
        }`)
      .replace('#include <color_fragment>', `#include <color_fragment>
        vec3 landWide = fwidth(landAt);
        if (hasFriction > 0.5) {
          vec2 place = (landAt.xy - corner.xy) / (corner.zw - corner.xy);
          float f = texture2D(frictions, clamp(place, 0.0, 1.0)).r * 10.0;
          vec3 other = f < 1.0 ? slippery : rough;
          diffuseColor.rgb = mix(diffuseColor.rgb, other, 0.75 * clamp(abs(f - 1.0) / 0.6, 0.0, 1.0));
        }
        float lines = 0.55 * max(landLine(landAt.x, landWide.x, spacing, 1.0), landLine(landAt.y, landWide.y, spacing, 1.0));
        lines = max(lines, max(landLine(landAt.x, landWide.x, 5.0 * spacing, 1.6), landLine(landAt.y, landWide.y, 5.0 * spacing, 1.6)));
        // On level ground a height is no line.
        if (contour > 0.0) lines = max(lines, 0.8 * landLine(landAt.z, landWide.z, contour, 1.0) * smoothstep(0.01, 0.04, landWide.z / max(landWide.x, landWide.y)));
        diffuseColor.rgb = mix(diffuseColor.rgb, ink, inkStrength * lines);`);
  };
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
