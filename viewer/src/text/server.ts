// What the simulator tells by codes, in the language of the page.

import { DriverKind, RefusalCode, RefusalNav, type Driver, type Event, type Refusal, type Zone } from '../proto/live.js';
import type { MarkInfo } from '../state/marks';
import { number, t, type TextKey } from '.';

/** One line for an event. Kinds that this page does not know are told in the simulator's own words. */
export function eventText(event: Event, nameOf: (body: number) => string | undefined, zones: readonly Zone[]): string {
  const name = (n: number) => {
    const body = event.bodies[n];
    return (body === undefined ? undefined : nameOf(body)) ?? t('something');
  };
  switch (event.kind) {
    case 'impact': {
      const speed = number(event.value, 2);
      if (event.bodies.length < 2) return t('event_wall', { name: name(0), speed });
      return t('event_impact', { name: name(0), other: name(1), speed });
    }
    case 'slip': return t('event_slip', { name: name(0) });
    case 'goal': return goalText(zones[event.zone - 1]);
    case 'refused': {
      if (!Number.isFinite(event.value)) return t('event_refused', { name: name(0) });
      const value = number(event.value, Number.isInteger(event.value) ? 0 : 2);
      return t('event_refusedVolts', { name: name(0), value });
    }
    case 'quarantine': return t('event_quarantine', { name: name(0) });
    case 'energy_cap': return t('event_energyCap', { name: name(0) });
    case 'rolled_over': return t('event_rolledOver', { name: name(0) });
    case 'righted': return t('event_righted', { name: name(0) });
    case 'left_terrain': return t('event_leftTerrain', { name: name(0) });
    default: return event.text || event.kind;
  }
}

/** One line for a mark of the timeline. */
export function markText({ kind, text, bodies, value, zone }: MarkInfo, nameOf: (body: number) => string | undefined, zones: readonly Zone[]): string {
  if (kind === 'reset') return t('mark_reset');
  if (kind === 'scene') return text || t('mark_scene');
  if (kind === 'taken_over') return t('mark_taken_over');
  return eventText({ step: 0, time_s: 0, kind, text, bodies: [...bodies], value, zone }, nameOf, zones);
}

/** Whose goal it was; where nobody scores in that zone, which one it is. */
function goalText(zone: Zone | undefined): string {
  if (!zone) return t('event_goal');
  return zone.scores_for ? t('event_goalFor', { team: zone.scores_for }) : t('event_goalIn', { zone: zone.name });
}

const NAV: Record<number, TextKey> = {
  [RefusalNav.NOT_FINITE]: 'notice_navNotFinite', [RefusalNav.ZERO_SPEED]: 'notice_navZeroSpeed',
  [RefusalNav.NEGATIVE_SPEED]: 'notice_navNegativeSpeed', [RefusalNav.BAD_LIMIT]: 'notice_navBadLimit',
  [RefusalNav.SINGULAR_DRIVE]: 'notice_navSingularDrive', [RefusalNav.TOO_MANY_LEGS]: 'notice_navTooManyLegs',
};

function navText(refusal: Refusal): string {
  const key = NAV[refusal.nav];
  return key ? t(key) : '';
}

const HELD: Record<number, TextKey> = {
  [DriverKind.VIEWER]: 'notice_drives', [DriverKind.PROGRAM]: 'notice_program',
  [DriverKind.TERMINAL]: 'notice_terminal', [DriverKind.CONTROLLER]: 'notice_controller',
};

/** Who has a robot, in words. */
export function holderText(holder: Driver | undefined, robot: string): string {
  const words = { name: holder?.name || t('something'), robot };
  if (holder?.kind === DriverKind.VIEWER && holder.goal) return t('notice_sent', words);
  return t(HELD[holder?.kind ?? DriverKind.VIEWER] ?? 'notice_drives', words);
}

/** For how long somebody has held a robot, in words. */
export function heldText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? t('heldMinutes', { count: minutes }) : t('heldSeconds', { count: Math.max(0, Math.floor(seconds)) });
}

/** What this page says for a code. Codes that are not here, such as those of lock step, no page can cause. */
const CODES: Record<number, (refusal: Refusal) => string> = {
  [RefusalCode.WATCH_ONLY]: () => t('notice_watch'),
  [RefusalCode.NO_SCENE]: () => t('notice_sceneYet'),
  [RefusalCode.UNKNOWN_SCENE]: ({ name }) => t('notice_noScene', { scene: `"${name}"` }),
  [RefusalCode.LOADING]: () => t('notice_loading'),
  [RefusalCode.NAME_EMPTY]: () => t('notice_name'),
  [RefusalCode.NO_BODY]: ({ body }) => t('notice_noBody', { body }),
  [RefusalCode.NOT_ROBOT]: ({ body }) => t('notice_noRobot', { body }),
  [RefusalCode.NO_SENSOR]: ({ body, got }) => t('notice_noSensor', { body, sensor: got }),
  [RefusalCode.NO_WORLD_SENSOR]: ({ got }) => t('notice_noWorldSensor', { sensor: got }),
  [RefusalCode.NO_SPEED_CONTROLLER]: ({ name }) => t('notice_noServo', { robot: name }),
  [RefusalCode.NO_ACTUATOR]: ({ name, detail }) => t('notice_noActuator', { robot: name, known: detail }),
  [RefusalCode.HELD]: ({ holder, name }) => holderText(holder, name),
  [RefusalCode.NOT_CLAIMED]: ({ name }) => t('notice_claim', { robot: name }),
  [RefusalCode.TOO_MANY_GRABBED]: ({ most }) => t('notice_held', { count: most }),
  [RefusalCode.TOO_MANY_GOALS]: ({ most }) => t('notice_goals', { count: most }),
  [RefusalCode.NO_ROBOT_ONE]: () => t('notice_noPrograms'),
  [RefusalCode.NO_PROFILE]: () => t('notice_noProfile'),
  [RefusalCode.QUEUE_FULL]: () => t('notice_full'),
  [RefusalCode.ENDED]: () => t('notice_ended'),
  [RefusalCode.TOO_MANY_MESSAGES]: () => t('notice_flood'),
  [RefusalCode.NO_ROOM]: () => t('notice_noRoom'),
  [RefusalCode.GOAL_IN_WALL]: () => t('notice_inWall'),
  [RefusalCode.GOAL_OUTSIDE]: () => t('notice_outside'),
  [RefusalCode.GOAL_NOT_DRIVABLE]: (refusal) => t('notice_cannotDrive', { why: navText(refusal) }),
  [RefusalCode.GOAL_UNPLANNED]: navText,
  [RefusalCode.GOAL_NO_BALL]: () => t('notice_noBall'),
  [RefusalCode.GOAL_BAD_ROUTE]: () => t('notice_badRoute'),
  [RefusalCode.FIRST_PICTURE]: () => t('notice_firstPicture'),
  [RefusalCode.LOG_BROKEN]: ({ name, detail }) => t('notice_logBroken', { file: name, why: detail }),
  [RefusalCode.RECORD_BROKEN]: ({ name, detail }) => t('notice_recordBroken', { file: name, why: detail }),
  [RefusalCode.RECORD_LOST]: ({ name }) => t('notice_recordLost', { file: name }),
  [RefusalCode.REPLAY]: ({ name }) => t('notice_replay', { log: name }),
  [RefusalCode.REPLAY_DIFFERS]: ({ name, most, got }) => t('notice_replayDiffers', { log: name, same: most, step: got }),
  [RefusalCode.REPLAY_FAILED]: ({ detail }) => t('notice_replayFailed', { why: detail }),
  [RefusalCode.REPLAY_OVER]: ({ name }) => t('notice_replayOver', { log: name }),
  [RefusalCode.IN_PAST]: () => t('notice_inPast'),
  [RefusalCode.IN_REPLAY]: () => t('notice_inReplay'),
  [RefusalCode.NO_PAST]: () => t('notice_noPast'),
  [RefusalCode.PAST_LOCK_STEP]: () => t('notice_pastLockStep'),
  [RefusalCode.TAKE_OVER_LIVE]: () => t('notice_takeOverLive'),
  [RefusalCode.TAKE_OVER_INEXACT]: () => t('notice_takeOverInexact'),
  [RefusalCode.TAKE_OVER_FAILED]: ({ detail }) => t('notice_takeOverFailed', { why: detail }),
  [RefusalCode.NO_RECORDINGS]: () => t('notice_noRecordings'),
  [RefusalCode.RECORDED_ALREADY]: ({ name }) => t('notice_recordedAlready', { file: name }),
  [RefusalCode.NOT_RECORDED]: () => t('notice_notRecorded'),
  [RefusalCode.RECORD_FAILED]: ({ name, detail }) => t('notice_recordFailed', { file: name, why: detail }),
  [RefusalCode.TOO_MANY_GHOSTS]: ({ most }) => t('notice_tooManyGhosts', { count: most }),
  [RefusalCode.BAD_GHOST]: ({ name, detail }) => t('notice_badGhost', { file: name, why: detail }),
  [RefusalCode.NO_GHOST]: () => t('notice_noGhost'),
  [RefusalCode.SERIES_TOO_LONG]: ({ got, most }) => t('notice_seriesTooLong', { got, most }),
  [RefusalCode.NO_SERIES_SOURCE]: () => t('notice_seriesSource'),
  [RefusalCode.NO_SERIES_CHANNEL]: ({ name }) => t('notice_seriesChannel', { name }),
  [RefusalCode.SERIES_BUSY]: () => t('notice_seriesBusy'),
};

/** Why something was not done, in the language of the page; as the simulator said it where this page has no words for it. */
export function refusalText(refusal: Refusal | undefined, text: string): string {
  return (refusal && CODES[refusal.code]?.(refusal)) || text;
}
