// Materials of the scene as the graphics card wants them.

import * as THREE from 'three';
import { materialOf, type MaterialInfo } from '../state/materials';
import { merge, paint, withTexture } from './geometry';

/** How narrow the mirrored sun is, about as in the pictures of the simulator's cameras. */
const SHININESS = 90;
/** How bright the mirrored sun is in its middle for a surface that mirrors all of it: by the shininess and the sun's strength. */
const PEAK = 8;

/** A surface of a material. One with a texture needs coordinates: `geometry.ts` gives them in metres. */
export function surface(material: MaterialInfo, options: THREE.MeshLambertMaterialParameters = {}): THREE.Material {
  const { colour, roughness, light, texture } = material;
  const map = texture && pictureTexture(texture.width, texture.height, texture.rgb, true);
  if (map && texture) map.repeat.set(1 / texture.sizeX, 1 / texture.sizeY);
  const seen = {
    // What shines by itself takes nothing from elsewhere.
    color: new THREE.Color(colour).multiplyScalar(1 - light),
    emissive: new THREE.Color(colour).multiplyScalar(light),
    ...(map && { map, emissiveMap: map }),
    ...options,
  };
  const made = roughness < 1
    ? new THREE.MeshPhongMaterial({ ...seen, shininess: SHININESS, specular: mirrored(1 - roughness) })
    : new THREE.MeshLambertMaterial(seen);
  if (map) made.addEventListener('dispose', () => map.dispose());
  return made;
}

/** What cameras brighten as it is shown on screens, the graphics card brightens as light. */
function mirrored(gloss: number): THREE.Color {
  return new THREE.Color().setScalar(gloss ** 2.2 / PEAK);
}

/** Of what is painted on the ground: never fights with it. */
export const PAINTED = {
  depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2, side: THREE.DoubleSide,
} as const;

/** Shapes by what they are made of, each kind drawn in one call. */
export class Surfaces {
  private readonly plain: THREE.BufferGeometry[] = [];
  private readonly made = new Map<string, { material: MaterialInfo; shapes: THREE.BufferGeometry[] }>();

  constructor(private readonly materials: readonly MaterialInfo[]) {}

  /** Adds a shape of a material, or of this colour where there is none; its texture begins at `origin`. */
  put(shape: THREE.BufferGeometry, material: number, colour: number, origin?: THREE.Vector2): void {
    const known = materialOf(this.materials, material);
    if (known) this.add(shape, known, origin);
    else this.plain.push(paint(shape, colour));
  }

  /** Adds a shape of a material in a colour of its own; false where there is no such material. */
  putDyed(shape: () => THREE.BufferGeometry, material: number, colour: number): boolean {
    const known = materialOf(this.materials, material);
    if (known) this.add(shape(), { ...known, colour });
    return known !== undefined;
  }

  private add(shape: THREE.BufferGeometry, material: MaterialInfo, origin?: THREE.Vector2): void {
    const key = `${material.number} ${material.colour}`;
    const alike = this.made.get(key) ?? { material, shapes: [] };
    alike.shapes.push(withTexture(shape, origin));
    this.made.set(key, alike);
  }

  meshes(options?: THREE.MeshLambertMaterialParameters): THREE.Mesh[] {
    const made = [...this.made.values()].map(({ material, shapes }) => new THREE.Mesh(merge(shapes), surface(material, options)));
    if (this.plain.length > 0) made.push(new THREE.Mesh(merge(this.plain), new THREE.MeshLambertMaterial({ vertexColors: true })));
    return made;
  }
}

/** A picture that repeats; its first row is its top. */
export function pictureTexture(width: number, height: number, rgb: Uint8Array, fine: boolean): THREE.DataTexture {
  const data = new Uint8Array(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++) data.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i);
  const texture = new THREE.DataTexture(data, width, height);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  // Patterns of a few squares have sharp edges.
  texture.magFilter = width * height <= 16 ? THREE.NearestFilter : THREE.LinearFilter;
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.generateMipmaps = true;
  texture.minFilter = fine ? THREE.LinearMipmapLinearFilter : THREE.LinearMipmapNearestFilter;
  texture.anisotropy = fine ? 8 : 1;
  texture.needsUpdate = true;
  return texture;
}
