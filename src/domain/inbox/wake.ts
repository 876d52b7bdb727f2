// Wake preferences: which events are pushed to an agent (interface.md, Intake body; Q45, Q131). Absent fields do not
// restrict: without preferences every event is pushed.

import { type Fault, invalid } from '../fault.ts';
import { EVENT_KINDS } from './event.ts';

/** The stored form; `min_match_score` is 0 to 100, `mute` holds event kinds. */
export interface Wake {
  readonly min_match_score?: number;
  readonly min_demand_budget_cents?: number;
  readonly mute?: readonly string[];
}

/** The default score, of 100, below which a person gets no letter and no push about a match. */
export const MATCH_FLOOR = 40;

/** The lowest score, of 100, at which a match is told by letter and push, and is among a person's decisions. */
export function matchFloor({ min_match_score }: Wake): number {
  return min_match_score ?? MATCH_FLOOR;
}

/** Whether an event is about a match below the floor, which stays in the inbox and on the list of matches. */
export function isWeakMatch(wake: Wake, kind: string, { score }: Readonly<Record<string, unknown>>): boolean {
  return kind === 'match.created' && typeof score === 'number' && score * 100 < matchFloor(wake);
}

/**
 * Parses preferences. Fault: `invalid_request` naming the field for a score that is no whole number from 0 to 100 (for a
 * score from 0 to 1 it names the percentage), and for muting an unknown event kind.
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
