// Colours of rough ground by its height and slope, the same in all pictures. No browser needed.

import type { Ground } from '../state/ground';

export type Rgb = [number, number, number];

export interface Land {
  /** From the lowest to the highest place, as 0xRRGGBB. */
  low: number;
  middle: number;
  high: number;
  /** Where it is steep. */
  steep: number;
  /** Of lines that are easy to follow: the grid, and lines of equal height. */
  line: number;
  lineOpacity: number;
  /** Where tyres hold worse, and better, than elsewhere. */
  slippery: number;
  rough: number;
  /** Cut sides of a terrain that ends. */
  cut: number;
  /** The sky at the horizon and overhead. */
  horizon: number;
  zenith: number;
}

export const LIGHT_LAND: Land = {
  low: 0x7d9b63, middle: 0x9cae73, high: 0xcfc39a, steep: 0x9a7f63, line: 0x1c2b1c, lineOpacity: 0.2,
  slippery: 0xbfe3f5, rough: 0x5d4a3c, cut: 0x6f5b48, horizon: 0xdfe8ee, zenith: 0x86b4dc,
};

export const DARK_LAND: Land = {
  low: 0x2c4234, middle: 0x3c5240, high: 0x6b6a55, steep: 0x54463b, line: 0xdcebe0, lineOpacity: 0.085,
  slippery: 0x5f8ba3, rough: 0x2b231e, cut: 0x2e2721, horizon: 0x1c2530, zenith: 0x0c1118,
};

/** A slope, as rise over run, that counts as steep all over; from a third of it on the ground turns. */
export const STEEP = 0.75;
/** Friction so many times the usual one, or less, shows at full strength. */
const FULL_FRICTION = 0.6;

export function rgb(colour: number): Rgb {
  return [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255];
}

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])];
}

const smooth = (low: number, high: number, x: number) => {
  const share = Math.max(0, Math.min(1, (x - low) / (high - low)));
  return share * share * (3 - 2 * share);
};

/** Colour of the ground at a height with a slope, by the land's or the scene's own colour. */
export function groundColour(ground: Ground, land: Land, z: number, slope: number): Rgb {
  const own = ground.tone;
  const span = ground.highest - ground.lowest;
  // Ripples on a plain are no mountains: small differences of height stay near the middle.
  const share = span > 1e-6 ? 0.5 + ((z - ground.lowest) / span - 0.5) * Math.min(1, span / (0.04 * ground.size)) : 0.5;
  const base = own !== undefined
    ? mix(rgb(own), share < 0.5 ? [0, 0, 0] : [255, 255, 255], 0.24 * Math.abs(share - 0.5))
    : share < 0.5 ? mix(rgb(land.low), rgb(land.middle), 2 * share) : mix(rgb(land.middle), rgb(land.high), 2 * share - 1);
  const steep = smooth(STEEP / 3, STEEP, slope);
  return own === undefined ? mix(base, rgb(land.steep), steep) : mix(base, [0, 0, 0], 0.25 * steep);
}

/** Colour with the tyres' friction on it. */
export function withFriction(colour: Rgb, land: Land, friction: number): Rgb {
  const [other, far] = friction < 1 ? [rgb(land.slippery), 1 - friction] : [rgb(land.rough), friction - 1];
  return mix(colour, other, 0.75 * Math.min(1, far / FULL_FRICTION));
}
