// What stands still on rough ground: the ground itself, what is painted on it, walls and zones.

import * as THREE from 'three';
import type { Ground } from '../state/ground';
import { materialOf } from '../state/materials';
import { usualBody, type SceneInfo } from '../state/scene';
import type { Detail } from './bodies';
import { Cutaway } from './cutaway';
import { drape } from './drape';
import { face, merge, paint, ribbon, ringOfPoints, sides, withTexture } from './geometry';
import type { Land } from './land';
import { meshesOf } from './meshes';
import type { Palette } from './palette';
import { PAINTED, surface, Surfaces } from './surface';
import { TerrainMesh } from './terrain';

const LINE_WIDTH = 0.05;
const WALL_HEIGHT = 0.3;
const BARK = 0x6b4a30;
/** Radius of the thickest trunk, m. */
const MOST_TRUNK = 1;

export class Landscape {
  readonly group = new THREE.Group();
  /** How far the drawn ground is from the one that wheels feel at most, m. */
  readonly off: number;
  private readonly cutaway = new Cutaway();
  private highest = 0;

  constructor(scene: SceneInfo, ground: Ground, palette: Palette, land: Land, detail: Detail) {
    const { shadows } = detail;
    const { reach } = usualBody(scene);
    const terrain = new TerrainMesh(ground, land, gridStep(reach), detail);
    this.off = terrain.off;
    this.group.add(terrain.group);
    const lift = 0.012 * reach;
    this.addFloors(scene, ground, lift, shadows);
    this.addMarkings(scene, ground, lift, shadows);
    this.addWalls(scene, ground, palette, shadows);
    for (const mesh of meshesOf(scene.source, ground, shadows)) {
      this.cutaway.apply(mesh.material as THREE.Material);
      this.highest = Infinity;
      this.group.add(mesh);
    }
  }

  /** Lets these robots be seen through walls that are higher than they. */
  look(robots: readonly { x: number; y: number; z: number; height: number; reach: number }[]): void {
    const hidden = robots.filter(({ height }) => this.highest > 1.2 * height);
    this.cutaway.look(hidden.map(({ x, y, z, height, reach }) => ({ x, y, z: z + 0.5 * height, radius: 1.5 * reach })));
  }

  dispose(): void {
    this.group.traverse((item) => {
      if (!(item instanceof THREE.Mesh)) return;
      item.geometry.dispose();
      (item.material as THREE.Material).dispose();
    });
  }

  private add(geometry: THREE.BufferGeometry, material: THREE.Material, shadows: boolean): void {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.receiveShadow = shadows;
    this.group.add(mesh);
  }

  private addFloors({ source, materials }: SceneInfo, ground: Ground, lift: number, shadows: boolean): void {
    source.floors.forEach(({ points, material }, i) => {
      const known = materialOf(materials, material);
      const ring = ringOfPoints(points);
      if (!known || ring.length < 3) return;
      // After the ground, one over another.
      const floor = new THREE.Mesh(withTexture(drape(face(ring, 0.7 * lift), ground)), surface(known, { ...PAINTED, transparent: true }));
      floor.renderOrder = -1000 + Math.min(i, 900);
      floor.receiveShadow = shadows;
      this.group.add(floor);
    });
  }

  private addMarkings({ source, materials }: SceneInfo, ground: Ground, lift: number, shadows: boolean): void {
    const zones = source.zones
      .map((zone) => ({ zone, ring: ringOfPoints(zone.points) }))
      .filter(({ ring }) => ring.length > 2)
      .map(({ zone, ring }) => paint(drape(face(ring, lift), ground), zone.colour));
    if (zones.length > 0) this.add(merge(zones), painted(0.32), shadows);
    const made = new Surfaces(materials);
    const lines = source.markings
      .filter((marking) => marking.points.length >= 4)
      .flatMap(({ points, width, material, colour }) => {
        const line = () => drape(ribbon(points, width || LINE_WIDTH, 1.3 * lift), ground);
        return made.putDyed(line, material, colour) ? [] : [paint(line(), colour)];
      });
    for (const mesh of made.meshes({ ...PAINTED, transparent: true })) {
      mesh.receiveShadow = shadows;
      this.group.add(mesh);
    }
    if (lines.length > 0) this.add(merge(lines), painted(0.85), shadows);
  }

  private addWalls({ source, materials }: SceneInfo, ground: Ground, palette: Palette, shadows: boolean): void {
    const tint = new THREE.Color(palette.wallTint);
    const surfaces = new Surfaces(materials);
    for (const wall of source.walls) {
      const ring = ringOfPoints(wall.points);
      if (ring.length < 3) continue;
      const height = wall.height || WALL_HEIGHT;
      this.highest = Math.max(this.highest, height);
      const [low, high] = footOf(ground, ring);
      const trunk = source.mesh_places.some(({ x, y }) => isTrunk(ring, x, y));
      const colour = new THREE.Color(trunk ? BARK : wall.colour).multiply(tint).getHex();
      surfaces.put(sides(ring, low, high + height), wall.material, colour, ring[0]);
      surfaces.put(face(ring, high + height), wall.top, colour, ring[0]);
    }
    for (const walls of surfaces.meshes()) {
      this.cutaway.apply(walls.material as THREE.Material);
      walls.castShadow = walls.receiveShadow = shadows;
      this.group.add(walls);
    }
  }
}

/** Painted on the ground, in its light; never fights with it. */
function painted(opacity: number): THREE.Material {
  return new THREE.MeshLambertMaterial({
    vertexColors: true, transparent: true, opacity, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2,
    side: THREE.DoubleSide,
  });
}

/** Whether a wall is what a tree's crown stands on. */
function isTrunk(ring: readonly THREE.Vector2[], x: number, y: number): boolean {
  return ring.length === 8 && ring.every((corner) => Math.hypot(corner.x - x, corner.y - y) < MOST_TRUNK);
}

/** The lowest and the highest ground below a wall's outline: it stands in the one and reaches its height over the other. */
function footOf(ground: Ground, ring: readonly THREE.Vector2[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]!;
    const pieces = Math.min(200, Math.max(1, Math.ceil(a.distanceTo(b) / Math.min(ground.cellX, ground.cellY))));
    for (let k = 0; k < pieces; k++) {
      const z = ground.height(a.x + ((b.x - a.x) * k) / pieces, a.y + ((b.y - a.y) * k) / pieces);
      [low, high] = [Math.min(low, z), Math.max(high, z)];
    }
  });
  return [low - 0.02, high];
}

/** A round distance between lines, about the length of a robot, m. */
export function gridStep(reach: number): number {
  return [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].find((step) => step >= 1.6 * reach) ?? 20;
}
