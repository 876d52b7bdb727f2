// The states of a provider (interface.md "Router provider states"): in rotation, and out of it after five failed dispatches in a row, until it
// registers anew. An offer that its agent has switched off is in none.

/** Failed dispatches in a row after which nobody is sent there any more. */
export const STREAK_MAX = 5;

/** What dispatches have shown of a provider. */
export interface Standing {
  readonly streak: number;
  readonly suspended_at: number | null;
}

/** Whether calls go to it. */
export function inRotation({
  active,
  suspended_at,
}: { readonly active: number } & Pick<Standing, 'suspended_at'>): boolean {
  return active === 1 && suspended_at === null;
}

/** After a dispatch that failed; `suspends` once, at the fifth in a row. */
export function afterFailure({ streak, suspended_at }: Standing, now_ms: number): Standing & { suspends: boolean } {
  const failed = streak + 1;
  const suspends = suspended_at === null && failed >= STREAK_MAX;
  return { streak: failed, suspended_at: suspends ? now_ms : suspended_at, suspends };
}

/** After a dispatch that was served; null where that changes nothing. One that is out of rotation stays there. */
export function afterSuccess({ streak, suspended_at }: Standing): Pick<Standing, 'streak'> | null {
  return streak > 0 && suspended_at === null ? { streak: 0 } : null;
}

/** After so many failures turned out to be nobody's: what they took away is given back, unless it has registered anew since. */
export function afterOutage({ streak, suspended_at }: Standing, failures: number, since_ms: number): Standing {
  const left = Math.max(0, streak - failures);
  const stands = suspended_at !== null && (suspended_at < since_ms || left >= STREAK_MAX);
  return { streak: left, suspended_at: stands ? suspended_at : null };
}

/** After it registered anew. */
export const REGISTERED: Standing = { streak: 0, suspended_at: null };

/** How many offers an agent may have. */
export const PROVIDERS_MAX = 100;
