// The numbers of an element that can be typed.

import { isStroke, type Element, type Point } from './element';
import type { TextKey } from '../text';

export interface Field {
  readonly label: TextKey;
  readonly unit: 'm' | '°' | '';
  readonly value: number;
  /** The element with another number. */
  with(value: number): Element;
}

const DEGREE = Math.PI / 180;

/** Degrees for people, without the tail that the change of units leaves. */
export function degrees(radians: number): number {
  return Math.round((radians / DEGREE) * 1e6) / 1e6;
}

/** Radians of whole quarter turns are the nearest numbers there are. */
export function radians(value: number): number {
  return value === 0 ? 0 : value * DEGREE;
}

export function fieldsOf(element: Element): Field[] {
  if (isStroke(element)) {
    const end = (name: 'from' | 'to', axis: 0 | 1, label: TextKey): Field => ({
      label, unit: 'm', value: element[name][axis],
      with: (value) => ({ ...element, [name]: withAxis(element[name], axis, value) }),
    });
    return [end('from', 0, 'mazeX1'), end('from', 1, 'mazeY1'), end('to', 0, 'mazeX2'), end('to', 1, 'mazeY2')];
  }
  const place = (axis: 0 | 1, label: TextKey): Field => ({
    label, unit: 'm', value: element.at[axis], with: (value) => ({ ...element, at: withAxis(element.at, axis, value) }),
  });
  const fields: Field[] = [place(0, 'x'), place(1, 'y')];
  switch (element.kind) {
    case 'ball':
      fields.push({ label: 'mazeDiameter', unit: 'm', value: element.size, with: (size) => ({ ...element, size }) });
      break;
    case 'cube':
      fields.push(
        // A cube stays one while only its side is changed.
        { label: 'mazeSide', unit: 'm', value: element.size, with: (size) => ({ ...element, size, height: element.height === element.size ? size : element.height }) },
        { label: 'mazeHeight', unit: 'm', value: element.height, with: (height) => ({ ...element, height }) },
      );
      break;
    case 'robot':
      fields.push({ label: 'mazeHeading', unit: '°', value: degrees(element.heading), with: (value) => ({ ...element, heading: radians(value) }) });
      break;
    case 'mesh':
      fields.push({ label: 'mazeHeading', unit: '°', value: degrees(element.rotation), with: (value) => ({ ...element, rotation: radians(value) }) });
      break;
    case 'cell': break;
  }
  return fields;
}

function withAxis(point: Point, axis: 0 | 1, value: number): Point {
  return axis === 0 ? [value, point[1]] : [point[0], value];
}
