// The findings of a check of the running service, and how to correct them.

export type FindingState = 'ok' | 'warning' | 'wrong' | 'inconclusive';

export interface Finding {
  /** The subject of the check, in a word or two. */
  readonly check: string;
  readonly state: FindingState;
  /** The finding, in one sentence. */
  readonly found: string;
  /** What to do, with the command; null where there is nothing to do. */
  readonly mend: string | null;
}

export function well(check: string, found: string): Finding {
  return { check, state: 'ok', found, mend: null };
}

export function warning(check: string, found: string, mend: string): Finding {
  return { check, state: 'warning', found, mend };
}

export function wrong(check: string, found: string, mend: string): Finding {
  return { check, state: 'wrong', found, mend };
}

export function inconclusive(check: string, found: string, mend: string): Finding {
  return { check, state: 'inconclusive', found, mend };
}

/** Whether a person has to act, or a check must be repeated. Warnings alone are no failure. */
export function failsOn(findings: readonly Finding[]): boolean {
  return findings.some(({ state }) => state === 'wrong' || state === 'inconclusive');
}
