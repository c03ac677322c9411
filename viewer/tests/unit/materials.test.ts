import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import type { Material, Scene } from '../../src/proto/live.js';
import { readScene } from '../../src/state/scene';
import { Bodies, deckOf } from '../../src/view3d/bodies';
import { Field } from '../../src/view3d/field';
import { LIGHT } from '../../src/view3d/palette';
import { robotScene } from './robot';

const PLAIN: Material = { name: '', colour: 0xffffff, two_coloured: false, second_colour: 0, roughness: 1, light: 0 };
const SQUARE = [-1, -1, 1, -1, 1, 1, -1, 1];

function scene(more: Partial<Scene>): ReturnType<typeof readScene> {
  return readScene({ ...robotScene([]).source, ...more });
}

interface Drawn {
  colour: string;
  material: THREE.MeshLambertMaterial;
  mesh: THREE.Mesh;
}

function drawn(group: THREE.Group): Drawn[] {
  const all: Drawn[] = [];
  group.traverse((item) => {
    if (!(item instanceof THREE.Mesh)) return;
    const material = item.material as THREE.MeshLambertMaterial;
    all.push({ colour: material.color.getHexString(), material, mesh: item });
  });
  return all;
}

describe('materials', () => {
  const materials = [
    { ...PLAIN, name: 'ground', colour: 0x151618 },
    { ...PLAIN, name: 'sides', colour: 0xeef0f2 },
    { ...PLAIN, name: 'line', colour: 0xf4f5f6, roughness: 0.4, light: 0.25 },
    { ...PLAIN, name: 'tiles', texture: { width: 2, height: 2, rgb: Uint8Array.of(0, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0), size_x: 0.5, size_y: 0.5 } },
  ];

  it('give floors, lines, sides of walls and their tops the colours that cameras see', () => {
    const field = new Field(scene({
      materials,
      floors: [{ points: SQUARE, material: 1 }, { points: [0, 0, 0.5, 0, 0.5, 0.5, 0, 0.5], material: 4 }],
      walls: [{ points: [1, -1, 1.1, -1, 1.1, 1, 1, 1], height: 0.05, colour: 0xeef0f2, material: 2, top: 1 }],
      markings: [{ points: [0, -1, 0, 1], width: 0.003, colour: 0xf4f5f6, material: 3 }],
    }), LIGHT, false);
    const all = drawn(field.group);
    const count = (colour: string) => all.filter((one) => one.colour === colour).length;
    expect(count('151618')).toBe(2); // the floor, and the top of the wall
    expect(count('eef0f2')).toBe(1);
    const tiles = all.find(({ material }) => material.map)!;
    expect(tiles.material.map!.repeat.toArray()).toEqual([2, 2]);
    // Columns along x, rows along -y, a corner of a copy at the origin.
    const [at, uv] = [tiles.mesh.geometry.getAttribute('position'), tiles.mesh.geometry.getAttribute('uv')];
    for (let i = 0; i < at.count; i++) expect([uv.getX(i), uv.getY(i)]).toEqual([at.getX(i), 0 - at.getY(i)]);
    const line = all.find(({ material }) => material instanceof THREE.MeshPhongMaterial)!.material;
    const [own, seen] = [new THREE.Color(0xf4f5f6), line.emissive];
    expect(seen.r).toBeCloseTo(0.25 * own.r, 6);
    expect(line.color.r).toBeCloseTo(0.75 * own.r, 6);
    // A later floor covers an earlier one, lines cover both.
    const orders = [all.find(({ colour }) => colour === '151618')!, tiles, all.find(({ material }) => material === line)!];
    const values = orders.map(({ mesh }) => mesh.renderOrder);
    expect([...values].sort((a, b) => a - b)).toEqual(values);
    expect(new Set(values).size).toBe(3);
  });

  it('leave no grid on a ground that cameras see, and keep it on one of which nothing is said', () => {
    const lines = (more: Partial<Scene>) => {
      let count = 0;
      new Field(scene(more), LIGHT, false).group.traverse((item) => (count += Number(item instanceof THREE.LineSegments)));
      return count;
    };
    expect(lines({})).toBe(1);
    expect(lines({ materials, floors: [{ points: SQUARE, material: 1 }] })).toBe(0);
    expect(lines({ has_ground_colour: true, ground_colour: 0x123456 })).toBe(0);
  });

  it('are looked for, not made up: a number that there is not means nothing', () => {
    const field = new Field(scene({
      materials, floors: [{ points: SQUARE, material: 9 }],
      walls: [{ points: SQUARE, height: 0.05, colour: 0x808080, material: 7, top: 0 }],
    }), LIGHT, false);
    expect(drawn(field.group).every(({ material }) => !material.map)).toBe(true);
  });

  it('draw a tag on the lid patch by patch, in place of the marks of other robots', () => {
    const box = (x: number) => ({ radius: 0, x: 0, y: 0, points: [x - 0.1, -0.1, x + 0.1, -0.1, x + 0.1, 0.1, x - 0.1, 0.1] });
    const tag = [{ outline: box(0.2), colour: 0x2f6bff, tells: 'team' }, { outline: box(-0.2), colour: 0x23c45e, tells: 'player' }];
    const info = readScene({ ...robotScene([], { tag, material: 2, lid: 1 }).source, materials });
    const bodies = new Bodies(info, { shadows: false, low: false });
    const all = drawn(bodies.group).filter(({ mesh }) => mesh instanceof THREE.InstancedMesh);
    const colours = all.map(({ mesh, colour }) => {
      const own = new THREE.Color();
      const instances = mesh as THREE.InstancedMesh;
      if (!instances.instanceColor) return colour;
      instances.getColorAt(0, own);
      return own.getHexString();
    });
    // Sides, lid, team, player, wheels.
    expect(colours.slice(0, 4)).toEqual(['eef0f2', '151618', '2f6bff', '23c45e']);
    expect(deckOf(info.bodies[0]!).x).toBeCloseTo(0.2, 9);
  });
});
