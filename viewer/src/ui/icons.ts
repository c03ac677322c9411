// Pictures of buttons, 24 x 24, drawn with lines.

const PATHS = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
  step: 'M5 5v14l9-7zM16.5 5v14',
  stepBack: 'M19 5v14l-9-7zM7.500 5v14',
  playBack: 'M17 4.500v15L5 12z',
  markNext: 'M5 6l7 6-7 6M15 21V4l5 3.500-5 3.500',
  markPrevious: 'M12 6l-7 6 7 6M15 21V4l5 3.500-5 3.500',
  filter: 'M4 5.500h16l-6 7V19l-4-2v-4.500z',
  record: 'M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12',
  stop: 'M7 7h10v10H7z',
  film: 'M3.500 7h11.500v10H3.500zM15 11l5.500-3v8L15 13z',
  ghost: 'M5 20V11a7 7 0 0 1 14 0v9l-2.300-2-2.400 2-2.300-2-2.300 2-2.400-2zM9.500 11h.01M14.500 11h.01',
  beside: 'M4 5h16v14H4zM12 5v14',
  arrows: 'M3 17l5-5M8 16v-4H4M9 12l5-5M14 11V7h-4M16 8l4-4',
  noWay: 'M5 5l14 14M4 18c3 0 3-5 6-5M15 12c1-1 2-5 4-6',
  reset: 'M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5',
  dice: 'M5 5h14v14H5zM9 9h.01M15 15h.01M12 12h.01M15 9h.01M9 15h.01',
  chase: 'M4 17l3-6h10l3 6zM9 11V8h6v3M8 17v2M16 17v2',
  top: 'M12 3v6M9.5 6.5L12 9l2.5-2.5M4 13h16v8H4zM12 13v8',
  first: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6',
  orbit: 'M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M2.5 12c0-2.4 4.3-4.3 9.5-4.3s9.5 1.9 9.5 4.3-4.3 4.3-9.5 4.3S2.5 14.400 2.500 12z',
  pull: 'M4 20l4-4M8 16l2-5 2 4 2-6 2 5M17 4l3 3-3 3M20 7h-6',
  put: 'M12 3v10M8 9.500l4 4 4-4M5 17h14v4H5z',
  push: 'M3 12h10M9.500 8l4 4-4 4M17 5v14M20.500 5v14',
  goal: 'M6 21V4M6 4.500c3-2 6 2 12 0v8.500c-6 2-9-2-12 0',
  path: 'M5 19h.01M5 19c0-8 14-4 14-13M16 8.500L19 5l3 3.500',
  traces: 'M4 18c3 0 3-5 6-5s3 3 6 1 2-7 4-8',
  panel: 'M4 5h16v14H4zM14.500 5v14',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.800v4.400M9 14.800v4.400',
  help: 'M9 9a3 3 0 1 1 4.200 2.700c-.8.4-1.200 1-1.200 1.800v.500M12 17.500h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  theme: 'M12 3a9 9 0 1 0 0 18V3zM12 3a9 9 0 0 1 0 18',
  close: 'M6 6l12 12M18 6L6 18',
  home: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  download: 'M12 4v11M8 11.500l4 4 4-4M5 20h14',
  clear: 'M5 7h14M9 7V4.500h6V7M7 7l1 13h8l1-13',
  plus: 'M12 5v14M5 12h14',
  down: 'M6 9l6 6 6-6',
  rays: 'M4 20L20 4M4 20l17-8M4 20L12 3M4 20h17M4 20V3',
  eye: 'M3 8h4l2-3h6l2 3h4v11H3zM12 10a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7',
  enlarge: 'M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7',
  edit: 'M4 20l1-4.500L16 4.500l3.500 3.500L8.500 19zM13.500 7l3.500 3.500',
  open: 'M12 15V4M8 7.500l4-4 4 4M5 14v6h14v-6',
  select: 'M6 4l12 8-5.500 1.200L10 19z',
  wall: 'M5 19L19 5',
  line: 'M5 19l3-3M10.500 13.500l3-3M16 8l3-3',
  cell: 'M6 6h12v12H6zM6 10.500L10.500 6M6 15.500L15.500 6M8.500 18L18 8.500M13.500 18l4.500-4.500',
  cube: 'M6 6h12v12H6z',
  ball: 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14',
  robot: 'M12 4l6.500 15L12 15.500 5.500 19z',
  undo: 'M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4',
  redo: 'M16 5l4 4-4 4M20 9H10a5 5 0 0 0 0 10h4',
  delete: 'M9 6h11v12H9l-5-6zM12 9.500l5 5M17 9.500l-5 5',
  grid: 'M4 9h16M4 15h16M9 4v16M15 4v16',
  text: 'M6 3h8l4 4v14H6zM9 11h6M9 14.500h6M9 18h4',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-2.500 4 3.500M15.500 9h.01',
  world: 'M12 4v10M8 10.500l4 4 4-4M4 16c0 2.500 3.600 4 8 4s8-1.500 8-4',
  wheel: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5M3.200 11l6.300.5M20.800 11l-6.300.5M12 14.500V21',
} as const;

export type IconName = keyof typeof PATHS;
const FILLED: ReadonlySet<IconName> = new Set(['play', 'pause', 'playBack', 'record', 'stop']);

export function icon(name: IconName): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  if (FILLED.has(name)) svg.classList.add('filled');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
