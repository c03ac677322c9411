// Instants and lengths of time, and sizes of files, in words.

import { number } from '.';

/** "12.34 s", "3:05.20", "1:02:03". */
export function timeText(seconds: number, decimals: number): string {
  if (!Number.isFinite(seconds)) return '–';
  const scale = 10 ** decimals;
  const rounded = Math.round(seconds * scale) / scale;
  if (Math.abs(rounded) < 60) return `${number(rounded, decimals)} s`;
  const whole = Math.floor(Math.abs(rounded));
  const rest = Math.abs(rounded) - whole + (whole % 60);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const last = number(rest, decimals).padStart(decimals > 0 ? 3 + decimals : 2, '0');
  return `${rounded < 0 ? '\u2212' : ''}${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${last}`;
}

/** "12 kB", "3.4 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, size] = bytes < 1e6 ? ['kB', bytes / 1e3] : bytes < 1e9 ? ['MB', bytes / 1e6] : ['GB', bytes / 1e9];
  return `${number(size, size < 10 ? 1 : 0)} ${unit}`;
}
