// Whether the service would call an address that somebody gave it, asked before the turn that keeps it.
import type { World } from './world.ts';

/** For the DNS's answer and the wait for a slot. */
const CHECK_MS = 3_000;

/** Why an address would not be called, as a sentence for whoever gave it; null when it would, or when nobody could tell in
 * time: it is looked up again at each call. */
export function urlProblem({ http, tasks }: Pick<World, 'http' | 'tasks'>, url: string): Promise<string | null> {
  const host = URL.parse(url)?.hostname;
  const hosts = host === undefined ? [] : [host];
  return tasks.call({ hosts, deadline_ms: CHECK_MS, looks: true, work: () => http.check(url) });
}
