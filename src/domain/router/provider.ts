// The states of a provider (interface.md "Router provider states"): in rotation, or suspended after five consecutive failed dispatches, until
// it registers again. A provider that its agent has switched off is in neither.

/** Consecutive failed dispatches that suspend a provider. */
export const STREAK_MAX = 5;

/** The standing of a provider by its dispatches. */
interface Standing {
  readonly streak: number;
  readonly suspended_at: number | null;
}

/** Whether it gets calls. */
export function inRotation({
  active,
  suspended_at,
}: { readonly active: number } & Pick<Standing, 'suspended_at'>): boolean {
  return active === 1 && suspended_at === null;
}

/** The standing after a failed dispatch; `suspends` once, at the fifth in a row. */
export function afterFailure({ streak, suspended_at }: Standing, now_ms: number): Standing & { suspends: boolean } {
  const failed = streak + 1;
  const suspends = suspended_at === null && failed >= STREAK_MAX;
  return { streak: failed, suspended_at: suspends ? now_ms : suspended_at, suspends };
}

/** The standing after a served dispatch; null without a change. A suspended provider stays suspended. */
export function afterSuccess({ streak, suspended_at }: Standing): Pick<Standing, 'streak'> | null {
  return streak > 0 && suspended_at === null ? { streak: 0 } : null;
}

/** The standing after failures turned out to be an outage of this service: they are reverted, unless it has registered again since. */
export function afterOutage({ streak, suspended_at }: Standing, failures: number, since_ms: number): Standing {
  const left = Math.max(0, streak - failures);
  const stands = suspended_at !== null && (suspended_at < since_ms || left >= STREAK_MAX);
  return { streak: left, suspended_at: stands ? suspended_at : null };
}

/** The standing after registration. */
export const REGISTERED: Standing = { streak: 0, suspended_at: null };

/** Providers of an agent. */
export const PROVIDERS_MAX = 100;

// Names of capabilities: lowercase letters, digits, dot, dash or underscore, 3 to 64 characters (interface.md "Router capability, provider, call").

export const CAPABILITY_PATTERN = '^[a-z0-9._-]{3,64}$';

/** Fields that a provider may declare for the payload of a capability outside the catalogue. */
export const FIELDS_MAX = 50;

// Detects outages of this service: if providers of several accounts stop answering within seconds, they are not all broken. Only failures
// without any HTTP answer count, since a provider that answers is reachable.

/** The time span of such failures. */
export const OUTAGE_MS = 10_000;
/** Failures at so many hosts, of as many accounts, are an outage of this service. */
const HOSTS = 3;

interface Unanswered {
  readonly host: string;
  readonly provider_account_id: string;
}

/** Whether failures without an answer, all of the last seconds, are an outage of this service. */
export function isOutage(failures: readonly Unanswered[]): boolean {
  const hosts = new Set(failures.map(({ host }) => host));
  const accounts = new Set(failures.map(({ provider_account_id }) => provider_account_id));
  return hosts.size >= HOSTS && accounts.size >= HOSTS;
}
