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
