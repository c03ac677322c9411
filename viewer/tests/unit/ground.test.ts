import { LinearMipmapLinearFilter, LinearMipmapNearestFilter, MeshLambertMaterial, type Texture, type WebGLProgramParametersWithUniforms, type WebGLRenderer } from 'three';
import { describe, expect, it } from 'vitest';
import { contours, contourStep, reliefPixels } from '../../src/state/relief';
import { Ground } from '../../src/state/ground';
import { rotate } from '../../src/state/quaternion';
import { pictureHeights, pictureNodes, slopeLevels } from '../../src/state/slopes';
import { Sketch, STRIDE } from '../../src/state/sketch';
import { overGround } from '../../src/view3d/heights';
import { paintGround } from '../../src/view3d/ground-paint';
import { LIGHT_LAND } from '../../src/view3d/land';
import { CameraRig } from '../../src/view3d/rig';
import { ground, tell, terrain } from './ground';

const hill = (x: number, y: number) => 2 * Math.exp(-(x * x + y * y) / 4);

describe('rough ground', () => {
  it('is bilinear between its nodes, rows along x', () => {
    const heights = [0, 1, 4, 10, 12, 20];
    const land = Ground.of({ ...terrain(() => 0), min_x: -1, min_y: 5, max_x: 3, max_y: 6, ...tell(3, 2, heights) })!;
    for (const [x, y, z] of [[-1, 5, 0], [1, 5, 1], [3, 5, 4], [-1, 6, 10], [3, 6, 20], [0, 5.5, 5.75]] as const) {
      expect(land.height(x, y)).toBeCloseTo(z, 6);
    }
    expect(land.height(100, 5.5)).toBeCloseTo(12, 6);
    expect(land.gradient(100, 5.5)).toEqual([0, 16]);
    expect(land.gradient(0, 5)[0]).toBeCloseTo(0.5, 6);
    expect([land.lowest, land.highest]).toEqual([0, 20]);
  });

  it('is none where the numbers contradict one another', () => {
    expect(Ground.of(undefined)).toBeUndefined();
    const broken = (heights: Uint8Array) => Ground.of({ ...terrain(() => 0), heights });
    expect(broken(Uint8Array.of(1, 2, 3))).toBeUndefined();
    expect(broken(new Uint8Array(41 * 21).fill(1))).toBeUndefined();
    expect(broken(new Uint8Array(41 * 21).fill(255))).toBeUndefined();
    expect(broken(new Uint8Array(41 * 21 + 1))).toBeUndefined();
    expect(broken(new Uint8Array(41 * 21))!.highest).toBe(0);
    expect(Ground.of({ ...terrain(() => 0), nx: 65536, ny: 65536 })).toBeUndefined();
    expect(Ground.of({ ...terrain(() => 0), max_x: -20 })).toBeUndefined();
    expect(Ground.of({ ...terrain(() => 0), lowest: NaN })).toBeUndefined();
    expect(Ground.of({ ...terrain(() => 0), friction_nx: 3, friction_ny: 3, friction: [1] })!.friction(0, 0)).toBe(1);
  });

  it('has the friction of the patch', () => {
    const land = ground(() => 0, { friction_nx: 2, friction_ny: 1, friction: [1, 0.25] });
    expect([land.friction(-5, 0), land.friction(5, 0), land.friction(1e9, 0)]).toEqual([1, 0.25, 0.25]);
  });

  it('is met by rays where they come down on it, and not behind a hill', () => {
    const land = ground(hill);
    const down = land.meet([3, 1, 50], [0, 0, -1])!;
    expect(down[2]).toBeCloseTo(hill(3, 1), 2);
    // At a slant onto the near side of the hill.
    const met = land.meet([-8, 0, 1.5], [1, 0, -0.02])!;
    expect(met[0]).toBeLessThan(0);
    expect(met[2]).toBeCloseTo(land.height(met[0], met[1]), 4);
    expect(land.meet([-8, 0, 3], [1, 0, 0.01])).toBeUndefined();
    // Half a metre above the ground.
    expect(land.meet([5, 0, 9], [0, 0, -1], 0.5)![2]).toBeCloseTo(0.5 + land.height(5, 0), 4);
    // From far beyond the border.
    expect(land.meet([-60, 4.9, 20], [0.95, 0, -0.3])![2]).toBeCloseTo(land.height(3.33, 4.9), 2);
  });
});

describe('the texture of the ground', () => {
  const texture = { width: 2, height: 1, rgb: Uint8Array.of(200, 100, 0, 100, 100, 100), size_x: 3, size_y: 1.5 };

  it('is read, and gives the ground its tone from afar; dyed by the ground’s colour', () => {
    const covered = ground(() => 0, { texture });
    expect(covered.texture).toEqual({ width: 2, height: 1, rgb: texture.rgb, sizeX: 3, sizeY: 1.5 });
    expect(covered.tone).toBe((150 << 16) + (100 << 8) + 50);
    expect(ground(() => 0, { texture, colour: 0xff8000 }).tone).toBe((150 << 16) + (50 << 8));
    expect(ground(() => 0, { colour: 0x123456 }).tone).toBe(0x123456);
    expect(ground(() => 0).tone).toBeUndefined();
  });

  it('is none where the numbers contradict one another', () => {
    for (const wrong of [{ width: 3 }, { height: 0 }, { size_x: 0 }, { size_y: NaN }, { rgb: new Uint8Array(5) }]) {
      expect(ground(() => 0, { texture: { ...texture, ...wrong } }).texture).toBeUndefined();
    }
  });
});

describe('slopes for the light', () => {
  it('are those of the nodes, with means of them for the distance', () => {
    const levels = slopeLevels(ground((x, y) => 0.5 * x - 0.25 * y + (x > 0 ? 0.5 * x : 0)));
    expect(levels.map(({ width, height }) => [width, height]).slice(0, 3)).toEqual([[41, 21], [20, 10], [10, 5]]);
    expect([levels.at(-1)!.width, levels.at(-1)!.height]).toEqual([1, 1]);
    const at = (i: number, j: number) => [...levels[0]!.data.subarray(2 * (41 * j + i), 2 * (41 * j + i) + 2)];
    expect(at(3, 4)).toEqual([expect.closeTo(0.5, 2), expect.closeTo(-0.25, 2)]);
    expect(at(38, 4)).toEqual([expect.closeTo(1, 2), expect.closeTo(-0.25, 2)]);
    expect(levels[1]!.data[2 * (20 * 4 + 17)]).toBeCloseTo(1, 2);
    // Half of it is twice as steep as the other.
    const [x, y] = levels.at(-1)!.data;
    expect([x! > 0.6 && x! < 0.9, y]).toEqual([true, expect.closeTo(-0.25, 2)]);
  });

  it('of long strips are sampled: no graphics card takes such pictures whole', () => {
    const strip = Ground.of(terrain((x) => 0.1 * x, {}, 10_001, 3))!;
    expect(pictureNodes(strip)).toEqual([4096, 3]);
    expect(slopeLevels(strip)[0]!.data.length).toBe(2 * 4096 * 3);
    const heights = pictureHeights(strip);
    expect([heights.length, heights[0], heights[4095]]).toEqual([4096 * 3, expect.closeTo(-1, 3), expect.closeTo(1, 3)]);
  });
});

describe('the relief', () => {
  it('is lighter towards the light and darker behind the hill, the largest y first', () => {
    const land = ground(hill);
    const [width, height] = [80, 40];
    const pixels = reliefPixels(land, width, height, LIGHT_LAND);
    const brightness = (x: number, y: number) => {
      const column = Math.floor(((x + 10) / 20) * width);
      const row = Math.floor(((5 - y) / 10) * height);
      const at = 4 * (row * width + column);
      return pixels[at]! + pixels[at + 1]! + pixels[at + 2]!;
    };
    expect(brightness(-1, 1)).toBeGreaterThan(brightness(1, -1) + 60);
    expect(pixels.length).toBe(4 * width * height);
    expect(pixels[3]).toBe(255);
  });

  it('shows where tyres do not hold', () => {
    const icy = ground(() => 0, { friction_nx: 2, friction_ny: 1, friction: [1, 0.2] });
    const pixels = reliefPixels(icy, 20, 10, LIGHT_LAND);
    // Blue against red: ice is bluer than grass.
    const cold = (column: number) => pixels[4 * (5 * 20 + column) + 2]! - pixels[4 * (5 * 20 + column)]!;
    expect(cold(18)).toBeGreaterThan(cold(1) + 30);
  });

  it('has lines of equal height where that height is', () => {
    const land = ground(hill);
    const step = contourStep(land.highest - land.lowest);
    expect([0.1, 0.2]).toContain(step);
    const pieces = contours(land, step);
    expect(pieces.length).toBeGreaterThan(400);
    for (let i = 0; i < pieces.length; i += 2) {
      const z = land.height(pieces[i]!, pieces[i + 1]!);
      expect(Math.abs(z / step - Math.round(z / step))).toBeLessThan(0.02);
    }
    expect(contours(ground(() => 1), contourStep(0))).toEqual([]);
    for (const span of [0.013, 0.5, 3, 77, 1234]) {
      const wide = contourStep(span);
      expect(span / wide).toBeGreaterThan(5);
      expect(span / wide).toBeLessThan(15);
    }
  });
});

describe('cameras over rough ground', () => {
  const bounds = { minX: -10, minY: -5, maxX: 10, maxY: 5 };

  it('never go below it', () => {
    const land = ground((x, y) => 3 * Math.sin(0.8 * x) * Math.cos(0.9 * y));
    const rig = new CameraRig();
    rig.eased = false;
    rig.ground = land;
    rig.setBounds(bounds);
    for (const mode of ['orbit', 'chase', 'top'] as const) {
      rig.setMode(mode);
      for (let k = 0; k < 60; k++) {
        rig.rotate(0.4, k % 2 ? -0.5 : 0.3);
        rig.zoom(k % 3 ? 0.8 : 1.2);
        const [x, y] = [8 * Math.sin(k), 4 * Math.cos(1.7 * k)];
        const standing = { z: land.height(x, y), rotation: [1, 0, 0, 0] as const };
        const { eye } = rig.update({ x, y, heading: k, height: 0.3, reach: 0.4, standing }, 0.02);
        expect(eye[2]).toBeGreaterThan(land.height(eye[0], eye[1]) + 0.05);
      }
    }
  });

  it('go up and down with the vehicle that they chase', () => {
    const land = ground((x) => (x > 0 ? 0.2 * x : 0));
    const rig = new CameraRig();
    rig.eased = false;
    rig.ground = land;
    rig.setBounds(bounds);
    rig.setMode('chase');
    const chased = (x: number) => rig.update(
      { x, y: 0, heading: 0, height: 0.3, reach: 0.4, standing: { z: land.height(x, 0), rotation: [1, 0, 0, 0] } }, 0.02,
    );
    const [low, high] = [chased(-5), chased(8)];
    expect(high.target[2] - low.target[2]).toBeCloseTo(1.6, 3);
    expect(high.eye[2] - low.eye[2]).toBeCloseTo(1.6, 3);
  });

  it('tilt with the vehicle whose eyes they are', () => {
    const pitch = 0.3;
    const heading = 1.1;
    // Nose up, then turned.
    const [c, s] = [Math.cos(heading / 2), Math.sin(heading / 2)];
    const [w, y] = [Math.cos(pitch / 2), -Math.sin(pitch / 2)];
    const rotation = [c * w, -s * y, c * y, s * w] as const;
    const level = {
      eye: [2 + 0.5 * Math.cos(heading), 1 + 0.5 * Math.sin(heading), 0.4] as [number, number, number],
      target: [2 + 1.5 * Math.cos(heading), 1 + 1.5 * Math.sin(heading), 0.4] as [number, number, number],
      up: [0, 0, 1] as [number, number, number], fov: 60,
    };
    const pose = overGround(level, 'first', { x: 2, y: 1, z: 3, heading, rotation }, ground(() => 0));
    expect(pose.target[2] - pose.eye[2]).toBeCloseTo(Math.sin(pitch), 6);
    expect(pose.eye[2]).toBeCloseTo(3 + 0.5 * Math.sin(pitch) + 0.4 * Math.cos(pitch), 6);
    expect(rotate(rotation, [0, 0, 1])).toEqual([expect.closeTo(pose.up[0]), expect.closeTo(pose.up[1]), expect.closeTo(pose.up[2])]);
  });
});

describe('what robots sense on rough ground', () => {
  it('is carried where the robot is, as it lies; what is told of the plane lies on the ground', () => {
    const sketch = new Sketch();
    sketch.add(0, 0, 0, 9, 9, 9, 'ray', 1, 1);
    sketch.add(0, 0, 0.2, 1, 0, 0.2, 'ray', 1, 1);
    // On its left side: what was up points to the left... by a quarter turn about x.
    const q = [Math.SQRT1_2, Math.SQRT1_2, 0, 0] as const;
    sketch.carry(1, 5, 6, 7, q);
    expect([...sketch.data.slice(STRIDE, STRIDE + 6)]).toEqual([5, 5.8, 7, 6, 5.8, 7].map((x) => expect.closeTo(x, 5)));
    expect([...sketch.data.slice(0, 6)]).toEqual([0, 0, 0, 9, 9, 9]);
    sketch.lift(1, ground((x) => 0.5 * x));
    expect(sketch.data[STRIDE + 2]).toBeCloseTo(9.5, 4);
    expect(sketch.data[STRIDE + 5]).toBeCloseTo(10, 4);
  });
});

describe('the look of the ground', () => {
  it('costs one look at each texture and no lines of equal height where graphics are slow', () => {
    const texture = { width: 2, height: 2, rgb: new Uint8Array(12), size_x: 1, size_y: 1 };
    const looks = (fine: boolean) => {
      const material = new MeshLambertMaterial();
      paintGround(material, Ground.of({ ...terrain(hill), texture })!, LIGHT_LAND, 1, fine);
      const shader = { uniforms: {}, vertexShader: '', fragmentShader: '' } as unknown as WebGLProgramParametersWithUniforms;
      material.onBeforeCompile(shader, undefined as unknown as WebGLRenderer);
      const of = (name: string) => shader.uniforms[name]!.value as Texture;
      return { fine: 'LAND_FINE' in (material.defines ?? {}), textures: ['landSlopes', 'landTexture'].map((name) => [of(name).minFilter, of(name).anisotropy]) };
    };
    expect(looks(true)).toEqual({ fine: true, textures: [[LinearMipmapLinearFilter, 4], [LinearMipmapLinearFilter, 8]] });
    expect(looks(false)).toEqual({ fine: false, textures: [[LinearMipmapNearestFilter, 1], [LinearMipmapNearestFilter, 1]] });
  });
});
