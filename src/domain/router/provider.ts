// The states of a provider (interface.md "Router provider states"): in rotation, and out of it after five failed dispatches in a row, until it
// registers anew. An offer that its agent has switched off is in none.

/** Failed dispatches in a row after which nobody is sent there any more. */
export const STREAK_MAX = 5;

/** What dispatches have shown of a provider. */
interface Standing {
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

// Names of capabilities: lowercase letters, digits, dot, dash or underscore, 3 to 64 characters (interface.md "Router capability, provider, call").

export const CAPABILITY_PATTERN = '^[a-z0-9._-]{3,64}$';

/** Fields that a provider may name of the payload of a capability which no catalogue knows. */
export const FIELDS_MAX = 50;

// When failures are our own: providers of several people that all stop answering within seconds have not all broken. Only what came to no
// answer over HTTP at all is looked at; whoever answers, however badly, is there.

/** How close together such failures are. */
export const OUTAGE_MS = 10_000;
/** At so many hosts, of as many accounts, they are our own. */
const HOSTS = 3;

interface Unanswered {
  readonly host: string;
  readonly provider_account_id: string;
}

/** Whether failures without an answer, all of the last seconds, are our own. */
export function isOutage(failures: readonly Unanswered[]): boolean {
  const hosts = new Set(failures.map(({ host }) => host));
  const accounts = new Set(failures.map(({ provider_account_id }) => provider_account_id));
  return hosts.size >= HOSTS && accounts.size >= HOSTS;
}
