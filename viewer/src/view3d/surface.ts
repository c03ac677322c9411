// Materials of the scene as the graphics card wants them.

import * as THREE from 'three';
import type { MaterialInfo } from '../state/materials';

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

/** Painted on flat ground, one over another in the order of `order`, below all that stands on it. */
export function painted(material: MaterialInfo, geometry: THREE.BufferGeometry, order: number): THREE.Mesh {
  const options = { depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2, side: THREE.DoubleSide } as const;
  const mesh = new THREE.Mesh(geometry, surface(material, options));
  mesh.renderOrder = order;
  return mesh;
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
