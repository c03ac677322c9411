// What this page may do, by the address that it was opened with.

import { Role, type Welcome } from '../proto/live.js';
import type { TextKey } from '../text';

export type Right = 'drive' | 'control';

export interface Rights {
  role: 'watch' | Right;
  /** Names of the robots that may be driven; undefined: all. */
  robots: readonly string[] | undefined;
}

/** Why something may not be done: a text and the words in it. */
export interface Reason {
  text: TextKey;
  words: Record<string, string>;
}

const ORDER = ['watch', 'drive', 'control'] as const;

export function rightsOf({ may_control, role, drive_robots }: Pick<Welcome, 'may_control' | 'role' | 'drive_robots'>): Rights {
  if (!may_control) return { role: 'watch', robots: undefined };
  // One that lets control and tells no role knows of none.
  if (role !== Role.DRIVE) return { role: 'control', robots: undefined };
  return { role: 'drive', robots: drive_robots.length > 0 ? drive_robots : undefined };
}

/** Why these rights are not enough, for a robot of this name where it is about one; undefined: they are. */
export function whyNot(rights: Rights, right: Right, robot?: string): Reason | undefined {
  if (ORDER.indexOf(rights.role) < ORDER.indexOf(right)) {
    return { text: rights.role === 'watch' ? 'cannotControl' : 'needsControl', words: {} };
  }
  if (right === 'drive' && robot !== undefined && rights.robots && !rights.robots.includes(robot)) {
    return { text: 'notYourRobot', words: { name: robot, robots: rights.robots.join(', ') } };
  }
  return undefined;
}
