// DNS look-ups, at DNS_SERVERS or the system's. Nothing is cached: a caching resolver would still return a removed proof, or miss
// a new one.
import type { MxRecord } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** Of one question to one server, and how often it is asked; a DNS that is silent costs a caller three seconds. */
const QUESTION_MS = 1_000;
const TRIES = 2;

/** The result of a look-up. `none` is a clear answer (no such name, or no record of that type); `failed` is no answer. */
export type DnsAnswer = { readonly found: readonly string[] } | { readonly none: true } | { readonly failed: string };

export interface Dns {
  /** All addresses of a name, IPv4 first. `system` also asks what this machine knows, such as its hosts file. */
  addresses(name: string, signal?: AbortSignal, system?: boolean): Promise<DnsAnswer>;
  /** The strings of a name's TXT records, in order, without record boundaries: Bun 1.4 returns the strings of a long record as
   * records of their own, so a search for a long text must join neighbours (`holdsText`). */
  txt(name: string, signal?: AbortSignal): Promise<DnsAnswer>;
  /** The names of the machines that take mail for a domain, the preferred first. */
  mx(name: string, signal?: AbortSignal): Promise<DnsAnswer>;
}

const NOTHING: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** One question; `ask` gets a resolver of its own, since a shared one caches by the record's time to live. */
async function answer(
  servers: readonly string[],
  ask: (resolver: Resolver) => Promise<readonly string[]>,
  signal: AbortSignal | undefined,
): Promise<DnsAnswer> {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers([...servers]);
  const cancel = (): void => resolver.cancel();
  if (signal?.aborted) return { failed: 'ECANCELLED' };
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const found = await ask(resolver);
    return found.length > 0 ? { found } : { none: true };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
    return NOTHING.has(code) ? { none: true } : { failed: code };
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** The machine's own resolution of a name. */
async function systemAddresses(name: string): Promise<DnsAnswer> {
  try {
    const found = (await lookup(name, { all: true })).map(({ address }) => address);
    return found.length > 0 ? { found } : { none: true };
  } catch {
    return { none: true };
  }
}

const byPreference = (records: readonly MxRecord[]): string[] =>
  [...records].sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);

/** Whether neighbouring strings make `text`, blanks around it aside. */
export function holdsText(found: readonly string[], text: string): boolean {
  return found.some((_, from) => {
    let joined = '';
    for (const part of found.slice(from)) {
      joined += part;
      if (joined.trim() === text) return true;
      if (joined.trimStart().length > text.length) return false;
    }
    return false;
  });
}

/** A resolver on `servers` (`ip:port` as `setServers` takes them), or on the system's when there are none. */
export function createDns(servers: readonly string[]): Dns {
  return {
    async addresses(name, signal, system = false) {
      // The DNS knows no localhost (RFC 6761, 6.3); asking it would give the name away.
      if (system && name === 'localhost') return systemAddresses(name);
      const [v4, v6] = await Promise.all([
        answer(servers, (resolver) => resolver.resolve4(name), signal),
        answer(servers, (resolver) => resolver.resolve6(name), signal),
      ]);
      const found = [v4, v6].flatMap((part) => ('found' in part ? part.found : []));
      if (found.length > 0) return { found };
      if (system) return systemAddresses(name);
      return 'failed' in v4 ? v4 : v6;
    },
    txt: (name, signal) =>
      answer(servers, async (resolver) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')), signal),
    mx: (name, signal) => answer(servers, async (resolver) => byPreference(await resolver.resolveMx(name)), signal),
  };
}
