// What surfaces look like: the same materials that the simulator's cameras draw with. No browser needed.

import type { Material, Scene, TagPatch } from '../proto/live.js';
import { dyed, meanOf, textureOf, type GroundTexture } from './ground';

export interface MaterialInfo {
  /** Its place in the scene, from 1: what others name it by. */
  readonly number: number;
  /** Colour in full light; a texture is multiplied by it. */
  readonly colour: number;
  /** Of balls: colour of every other eighth. */
  readonly second: number | undefined;
  /** 1 is matt; the lower, the more it mirrors the sun. */
  readonly roughness: number;
  /** Share of its light that is its own. */
  readonly light: number;
  readonly texture: GroundTexture | undefined;
  /** Its colour as seen from afar. */
  readonly tone: number;
}

const share = (value: number) => Math.max(0, Math.min(1, Number.isFinite(value) ? value : 0));

function read(told: Material, at: number): MaterialInfo {
  const colour = told.colour & 0xffffff;
  const texture = textureOf(told.texture);
  return {
    number: at + 1,
    colour,
    second: told.two_coloured ? told.second_colour & 0xffffff : undefined,
    roughness: share(told.roughness),
    light: share(told.light),
    texture,
    tone: texture ? dyed(meanOf(texture), colour) : colour,
  };
}

export function readMaterials(scene: Scene): readonly MaterialInfo[] {
  return scene.materials.map(read);
}

/** The material of a number; undefined where nothing is said. */
export function materialOf(materials: readonly MaterialInfo[], number: number): MaterialInfo | undefined {
  return materials[number - 1];
}

/** Colour of the ground where the scene says one. */
export function groundColour(scene: Scene): number | undefined {
  return scene.has_ground_colour ? scene.ground_colour & 0xffffff : undefined;
}

/** The patch of a robot's tag that has its team's colour. */
export function teamPatch(tag: readonly TagPatch[]): TagPatch | undefined {
  return tag.find(({ tells, outline }) => tells === 'team' && outline !== undefined);
}
