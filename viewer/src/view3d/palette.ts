// Colours of the picture in the light and in the dark.

export interface Palette {
  background: number;
  ground: number;
  field: number;
  edge: number;
  grid: number;
  gridOpacity: number;
  wallTint: number;
  sky: number;
  skyStrength: number;
  sun: number;
  sunStrength: number;
  accent: number;
  odometry: number;
  ray: number;
  sonar: number;
  bumper: number;
  gps: number;
  path: number;
  goal: number;
  flash: number;
}

export const LIGHT: Palette = {
  background: 0xe7ebf0, ground: 0xc3cbd4, field: 0x3f7d63, edge: 0x5b636d, grid: 0xffffff,
  gridOpacity: 0.07, wallTint: 0xffffff, sky: 0xffffff, skyStrength: 1.9, sun: 0xfff4e2, sunStrength: 2.2,
  accent: 0xff4d5e, odometry: 0xff5fc4, flash: 0xfff2b0,
  ray: 0xffe14a, sonar: 0xffb052, bumper: 0xff3b30, gps: 0x9be8ff, path: 0x49c8ff, goal: 0xf6ff70,
};

export const DARK: Palette = {
  background: 0x12161c, ground: 0x171c23, field: 0x1f4a3b, edge: 0x2c333c, grid: 0xffffff,
  gridOpacity: 0.05, wallTint: 0xb9c2cc, sky: 0xbfd0ea, skyStrength: 1.5, sun: 0xffffff, sunStrength: 1.7,
  accent: 0xff6b79, odometry: 0xff86d3, flash: 0xffe58a,
  ray: 0xffd84a, sonar: 0xffa64d, bumper: 0xff5a50, gps: 0x8fe0ff, path: 0x4fc3f7, goal: 0xecff6e,
};
