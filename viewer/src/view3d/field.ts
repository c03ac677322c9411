// What stands still: ground, lines, zones, walls.

import * as THREE from 'three';
import { groundColour, materialOf } from '../state/materials';
import type { Bounds, SceneInfo } from '../state/scene';
import { Cutaway } from './cutaway';
import { face, merge, paint, ribbon, ringOfPoints, sides, withTexture } from './geometry';
import { meshesOf } from './meshes';
import type { Palette } from './palette';
import { PAINTED, surface, Surfaces } from './surface';

/** Widths and heights where a scene says none, m. */
const LINE_WIDTH = 0.006;
const WALL_HEIGHT = 0.05;
const SHEET_WIDTH = 0.003;
const TABLE_MARGIN = 0.05;
/** Most lines of the grid in one direction. */
const MOST_LINES = 60;
/** The ground is drawn first, then its pieces one over another, then lines, then all else. */
const [GROUND_ORDER, FLOOR_ORDER, LINE_ORDER] = [-3000, -2000, -1000];

export class Field {
  readonly group = new THREE.Group();
  private readonly cutaway = new Cutaway();
  /** Height of the highest wall, m. */
  private highest = 0;
  /** What is painted lies higher in large scenes, where depths are coarser. */
  private readonly coarse: number;

  constructor(scene: SceneInfo, palette: Palette, shadows: boolean) {
    const { source, bounds } = scene;
    const size = Math.max(bounds.maxX - bounds.minX, bounds.maxY - bounds.minY);
    this.coarse = Math.max(1, size / 4);
    // A scene that says nothing of its ground is an open floor; if it has walls, it lies on a table.
    const own = groundColour(source);
    const bare = own === undefined && source.floors.length === 0;
    this.addGround(bounds, size, palette, bare && source.walls.length > 0, own ?? (bare ? palette.field : palette.ground));
    this.addFloors(scene);
    // Where cameras see a ground as it is, lines on it would be seen for markings.
    if (bare) this.addGrid(bounds, size, palette);
    this.addMarkings(scene);
    this.addWalls(scene, palette);
    for (const mesh of meshesOf(scene.source, undefined, shadows)) this.group.add(mesh);
    this.group.traverse((item) => {
      if (item instanceof THREE.Mesh) item.receiveShadow = shadows;
    });
  }

  /** Lets these robots be seen through walls that are higher than they. */
  look(robots: readonly { x: number; y: number; height: number; reach: number }[]): void {
    const hidden = robots.filter(({ height }) => this.highest > 1.2 * height);
    this.cutaway.look(hidden.map(({ x, y, height, reach }) => ({ x, y, z: 0.5 * height, radius: 1.5 * reach })));
  }

  dispose(): void {
    this.group.traverse((item) => {
      if (item instanceof THREE.Mesh || item instanceof THREE.LineSegments) {
        item.geometry.dispose();
        (item.material as THREE.Material).dispose();
      }
    });
  }

  private addGround(bounds: Bounds, size: number, palette: Palette, table: boolean, colour: number): void {
    const floor = new THREE.Mesh(
      new THREE.CircleGeometry(size * 12, 48),
      new THREE.MeshLambertMaterial({ color: table ? palette.ground : colour }),
    );
    floor.renderOrder = GROUND_ORDER;
    floor.position.z = table ? -0.035 * Math.max(1, size / 2) : -0.0005;
    this.group.add(floor);
    if (!table) return;
    const margin = TABLE_MARGIN * Math.max(1, size / 4);
    const ring = rounded(bounds, margin, margin * 0.8);
    const low = floor.position.z;
    const body = new THREE.Mesh(sides(ring, low, 0), new THREE.MeshLambertMaterial({ color: palette.edge }));
    const top = new THREE.Mesh(face(ring, 0), new THREE.MeshLambertMaterial({ color: colour }));
    this.group.add(body, top);
  }

  private addFloors({ source, materials }: SceneInfo): void {
    source.floors.forEach(({ points, material }, i) => {
      const known = materialOf(materials, material);
      const ring = ringOfPoints(points);
      if (!known || ring.length < 3) return;
      const floor = new THREE.Mesh(withTexture(face(ring, 0.0002 * this.coarse)), surface(known, PAINTED));
      floor.renderOrder = FLOOR_ORDER + Math.min(i, 900);
      this.group.add(floor);
    });
  }

  private addGrid(bounds: Bounds, size: number, palette: Palette): void {
    const spacing = [0.1, 0.25, 0.5, 1, 2, 5, 10, 50].find((step) => size / step < MOST_LINES) ?? size / 20;
    const points: number[] = [];
    const z = 0.0004 * this.coarse;
    for (let x = Math.ceil(bounds.minX / spacing) * spacing; x <= bounds.maxX; x += spacing) {
      points.push(x, bounds.minY, z, x, bounds.maxY, z);
    }
    for (let y = Math.ceil(bounds.minY / spacing) * spacing; y <= bounds.maxY; y += spacing) {
      points.push(bounds.minX, y, z, bounds.maxX, y, z);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    const material = new THREE.LineBasicMaterial({
      color: palette.grid, transparent: true, opacity: palette.gridOpacity, depthWrite: false,
    });
    this.group.add(new THREE.LineSegments(geometry, material));
  }

  private addMarkings({ source, materials }: SceneInfo): void {
    const zones = source.zones
      .map((zone) => ({ zone, ring: ringOfPoints(zone.points) }))
      .filter(({ ring }) => ring.length > 2)
      .map(({ zone, ring }) => paint(face(ring, 0.0006 * this.coarse), zone.colour));
    if (zones.length > 0) {
      const material = decal({ vertexColors: true, transparent: true, opacity: 0.28 });
      this.group.add(new THREE.Mesh(merge(zones), material));
    }
    const made = new Surfaces(materials);
    const lines = source.markings
      .filter((marking) => marking.points.length >= 4)
      .flatMap(({ points, width, material, colour }) => {
        const line = () => ribbon(points, width || LINE_WIDTH, 0.0008 * this.coarse);
        return made.putDyed(line, material, colour) ? [] : [paint(line(), colour)];
      });
    for (const mesh of made.meshes(PAINTED)) {
      mesh.renderOrder = LINE_ORDER;
      this.group.add(mesh);
    }
    if (lines.length > 0) {
      const material = decal({ vertexColors: true, transparent: true, opacity: 0.85 });
      this.group.add(new THREE.Mesh(merge(lines), material));
    }
  }

  private addWalls({ source, materials }: SceneInfo, palette: Palette): void {
    const tint = new THREE.Color(palette.wallTint);
    const surfaces = new Surfaces(materials);
    for (const wall of source.walls) {
      const height = wall.height || WALL_HEIGHT;
      this.highest = Math.max(this.highest, height);
      const ring = this.outline(wall.points);
      if (!ring) continue;
      const colour = new THREE.Color(wall.colour).multiply(tint).getHex();
      surfaces.put(sides(ring, 0, height), wall.material, colour, ring[0]);
      surfaces.put(face(ring, height), wall.top, colour, ring[0]);
    }
    for (const walls of surfaces.meshes()) {
      this.cutaway.apply(walls.material as THREE.Material);
      walls.castShadow = true;
      this.group.add(walls);
    }
  }

  /** What a wall stands on; a sheet without thickness is drawn as thick as paper. */
  private outline(points: readonly number[]): THREE.Vector2[] | undefined {
    const ring = ringOfPoints(points);
    if (ring.length > 2) return ring;
    const [a, b] = ring;
    if (!a || !b) return undefined;
    const across = new THREE.Vector2(a.y - b.y, b.x - a.x).setLength((SHEET_WIDTH / 2) * this.coarse);
    return [a.clone().add(across), a.clone().sub(across), b.clone().sub(across), b.clone().add(across)];
  }
}

/** Painted on the ground: never fights with it. */
export function decal(options: THREE.MeshBasicMaterialParameters): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({
    depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2,
    side: THREE.DoubleSide, ...options,
  });
}

function rounded(bounds: Bounds, margin: number, radius: number): THREE.Vector2[] {
  const minX = bounds.minX - margin + radius;
  const maxX = bounds.maxX + margin - radius;
  const minY = bounds.minY - margin + radius;
  const maxY = bounds.maxY + margin - radius;
  const corners = [[maxX, minY, -90], [maxX, maxY, 0], [minX, maxY, 90], [minX, minY, 180]] as const;
  return corners.flatMap(([x, y, from]) =>
    Array.from({ length: 9 }, (_, i) => {
      const angle = ((from + (i * 90) / 8) * Math.PI) / 180;
      return new THREE.Vector2(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    }),
  );
}
