// Where the time of steps goes, as rows of a table: a stage, then its parts. No browser needed.

import type { Profile, ProfilePart } from '../proto/live.js';

export interface ProfileRow {
  stage: string;
  part: string;
  /** Undefined of a stage with several parts. */
  calls: number | undefined;
  timeS: number;
  nsAStep: number;
  /** Of all steps' time, 0 to 1. */
  share: number;
}

export function rowsOf({ steps, parts }: Profile): ProfileRow[] {
  const whole = parts.reduce((sum, { time_s }) => sum + time_s, 0) || 1;
  const row = (stage: string, part: string, calls: number | undefined, timeS: number): ProfileRow => ({
    stage, part, calls, timeS, nsAStep: (1e9 * timeS) / Math.max(1, steps), share: timeS / whole,
  });
  const stages = new Map<string, ProfilePart[]>();
  for (const part of parts) stages.set(part.stage, [...(stages.get(part.stage) ?? []), part]);
  return [...stages].flatMap(([stage, own]) => {
    const only = own.length === 1 ? own[0] : undefined;
    if (only) return [row(stage, only.part, only.calls, only.time_s)];
    const timeS = own.reduce((sum, { time_s }) => sum + time_s, 0);
    return [row(stage, '', undefined, timeS), ...own.map((part) => row('', part.part, part.calls, part.time_s))];
  });
}
