// Wake preferences: what pushes an event to an agent (interface.md, Intake body; Q45, Q131). What is left out
// does not narrow anything: no preferences at all means to be woken by everything.

import { type Fault, invalid } from '../fault.ts';
import { EVENT_KINDS } from './event.ts';

/** As kept; `min_match_score` is 0 to 100, `mute` holds event kinds. */
export interface Wake {
  readonly min_match_score?: number;
  readonly min_demand_budget_cents?: number;
  readonly mute?: readonly string[];
}

/** Points of 100 below which an agent's person is told of a match by no letter and no push, unless the agent says from how many on. */
export const MATCH_FLOOR = 40;

/** From how many points of 100 on a match is told by letter and push, and stands among what its person has to decide. */
export function matchFloor({ min_match_score }: Wake): number {
  return min_match_score ?? MATCH_FLOOR;
}

/** Whether an event tells of a match below the floor: it stays in the inbox and on the list of matches. */
export function isWeakMatch(wake: Wake, kind: string, { score }: Readonly<Record<string, unknown>>): boolean {
  return kind === 'match.created' && typeof score === 'number' && score * 100 < matchFloor(wake);
}

/**
 * The preferences out of a caller's words, field by field. Fault: `invalid_request` naming the field for a score that
 * is no whole number of 0 to 100 (a score of 0 to 1 is told its percent), and for the muting of an event that is never
 * sent.
 */
export function readWake(given: Wake, path = 'wake'): Wake | Fault<'invalid_request'> {
  const { min_match_score: score, min_demand_budget_cents: budget, mute } = given;
  if (score !== undefined && !Number.isInteger(score)) {
    const hint = score > 0 && score < 1 ? ` Did you mean ${Math.round(score * 100)}?` : '';
    return invalid({ path: `${path}.min_match_score`, message: `Use a whole number from 0 to 100.${hint}` });
  }
  if (score !== undefined && (score < 0 || score > 100)) {
    return invalid({ path: `${path}.min_match_score`, message: 'Use a whole number from 0 to 100.' });
  }
  const kinds: readonly string[] = EVENT_KINDS;
  const unknown = mute?.findIndex((kind) => !kinds.includes(kind)) ?? -1;
  if (unknown >= 0) {
    return invalid({ path: `${path}.mute.${unknown}`, message: `There is no such event; one of ${kinds.join(', ')}.` });
  }
  return {
    ...(score !== undefined && { min_match_score: score }),
    ...(budget !== undefined && { min_demand_budget_cents: budget }),
    ...(mute !== undefined && { mute: [...new Set(mute)] }),
  };
}
