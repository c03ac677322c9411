// Saving what is shown as a film: which format a browser has, and what the file is called. No browser needed.

/** From the one that most programs play to those that are written with the least effort. */
const TYPES = [
  'video/mp4;codecs=avc1.640028', 'video/mp4;codecs=avc1.42E01E', 'video/mp4', 'video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm',
];

/** The first format that the browser writes; undefined where it has none. */
export function filmType(supported: (type: string) => boolean): string | undefined {
  return TYPES.find((type) => supported(type));
}

/** "rolima-soccer-12.50s.webm": what was shown, and from which instant on. */
export function filmName(scene: string | undefined, runTimeS: number, type: string): string {
  const ending = type.startsWith('video/mp4') ? 'mp4' : 'webm';
  const tidy = (scene ?? 'film').replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '') || 'film';
  return `rolima-${tidy}-${runTimeS.toFixed(2)}s.${ending}`;
}

/** Bits a second that are enough for a picture so large, at some 30 pictures a second. */
export function filmRate(width: number, height: number): number {
  return Math.round(Math.max(2e6, Math.min(16e6, 6 * width * height)));
}
