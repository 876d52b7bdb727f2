// The one HTTP client for calls to untrusted addresses: webhooks, crawls, pushes to other agents, providers. Public https
// only, except the operator's EGRESS_ALLOW; every address of a name is checked and a checked one is dialled; no redirect is
// followed, no proxy variable is used; bytes are capped; one deadline covers everything from the look-up to the last byte
// (interface.md "Events", rules.md 1).
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { parseV4, parseV6 } from '../../domain/identity/rate.ts';
import type { Dns } from '../dns.ts';
import { type Broken, type Exchanged, exchange, type Target, type Wanted } from './exchange.ts';
import { type Destination, type OutboundUrl, readOutboundUrl } from './public-url.ts';

// Keep-alive connections, one pool for each checked address of a host. A pool is never shared between names, because a
// certificate was verified for one of them. Idle pools are closed soon, so that a connection never outlives the verdict on
// its address.

/** How long a pool may lie idle. Receivers mostly close after 5 s themselves; being first avoids the race. */
const IDLE_MS = 4_000;

/** Connections to one address at a time; more requests wait their turn within their own deadlines. */
const SOCKETS_MAX = 16;

/** Pools kept; above that, requests travel on connections of their own. */
const POOLS_MAX = 512;

const refuseToDial = (): never => {
  throw new Error('The client is closed.');
};

interface Pool {
  readonly agent: http.Agent;
  busy: number;
  idle_since_ms: number;
}

/** Provides agents by (scheme, host, address, port). */
class Connections {
  readonly #pools = new Map<string, Pool>();
  #sweep: ReturnType<typeof setTimeout> | undefined;

  /** Runs one exchange on a pooled connection, or on a single one when all pools are in use. */
  async lend<T>(target: Target, use: (agent: http.Agent | false) => Promise<T>): Promise<T> {
    const pool = this.#poolFor(target);
    if (!pool) return use(false);
    pool.busy += 1;
    try {
      return await use(pool.agent);
    } finally {
      pool.busy -= 1;
      pool.idle_since_ms = performance.now();
      this.#sweepLater();
    }
  }

  /** Closes all pools, after all their calls were given up. */
  close(): void {
    clearTimeout(this.#sweep);
    this.#sweep = undefined;
    for (const { agent } of this.#pools.values()) {
      // An agent that loses a connection dials for the next that waits, even if that one was given up.
      agent.createConnection = refuseToDial;
      agent.destroy();
    }
    this.#pools.clear();
  }

  #poolFor({ secure, host, address, port, sockets = SOCKETS_MAX }: Target): Pool | null {
    const key = `${secure} ${host} ${address} ${port} ${sockets}`;
    const known = this.#pools.get(key);
    if (known) return known;
    if (this.#pools.size >= POOLS_MAX) return null;
    const options = { keepAlive: true, maxSockets: sockets, maxFreeSockets: sockets };
    const agent = secure ? new https.Agent(options) : new http.Agent(options);
    const pool = { agent, busy: 0, idle_since_ms: 0 };
    this.#pools.set(key, pool);
    return pool;
  }

  #sweepLater(): void {
    if (this.#sweep !== undefined) return;
    this.#sweep = setTimeout(() => {
      this.#sweep = undefined;
      const before_ms = performance.now() - IDLE_MS;
      for (const [key, { agent, busy, idle_since_ms }] of this.#pools) {
        if (busy > 0 || idle_since_ms > before_ms) continue;
        agent.destroy();
        this.#pools.delete(key);
      }
      if (this.#pools.size > 0) this.#sweepLater();
    }, IDLE_MS);
    // The timer must not keep the process alive.
    this.#sweep.unref();
  }
}

// Which IP addresses are public, so that no call reaches a private network. An address is public when it is globally
// reachable by IANA's special-purpose registries (RFC 6890), and never when it embeds another address.

/** A network: its address and the length of its prefix. */
type Network = readonly [address: string, bits: number];

/** The IPv4 networks that are not public; 168.63.129.16 is a cloud's host address. */
const SPECIAL_V4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Global unicast. All else (loopback, mapped, NAT64, unique local, link-local, site-local, multicast) is not public. */
const GLOBAL_V6: Network = ['2000::', 3];

/** Its networks that are not public: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const SPECIAL_V6: readonly Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** An address as bits of fixed width. */
const bits = (parts: readonly number[], width: number): string =>
  parts.map((part) => part.toString(2).padStart(width, '0')).join('');

const bitsV4 = (text: string): string | null => {
  const bytes = parseV4(text);
  return bytes && bits(bytes, 8);
};

const bitsV6 = (text: string): string | null => {
  const groups = parseV6(text);
  return groups && bits(groups, 16);
};

const prefixes = (networks: readonly Network[], read: (text: string) => string | null): readonly string[] =>
  networks.map(([address, length]) => (read(address) ?? '').slice(0, length));

const PREFIXES_V4 = prefixes(SPECIAL_V4, bitsV4);
const PREFIXES_V6 = prefixes(SPECIAL_V6, bitsV6);
const [PREFIX_GLOBAL = ''] = prefixes([GLOBAL_V6], bitsV6);

/** Whether `address`, in a resolver's form, may be dialled. Any other form is not public. */
export function isPublicAddress(address: string): boolean {
  const v4 = bitsV4(address);
  if (v4 !== null) return !PREFIXES_V4.some((prefix) => v4.startsWith(prefix));
  const v6 = bitsV6(address);
  if (v6 === null) return false;
  return v6.startsWith(PREFIX_GLOBAL) && !PREFIXES_V6.some((prefix) => v6.startsWith(prefix));
}

// The addresses of a host, looked up and checked together. One address that is not public refuses the name, because the next
// look-up could return only that one.

/** How long a verdict is valid; connections are kept only to addresses with a valid verdict. */
const VERDICT_MS = 30_000;

/** Cached names; the oldest is evicted first. */
const NAMES_MAX = 4_096;

/** Addresses tried for one request, when dialling the first fails at once. */
const ADDRESSES_MAX = 3;

/** The addresses that may be dialled, best first, or why there are none. */
type Verdict =
  | { readonly addresses: readonly string[] }
  | { readonly refusal: 'refused' | 'unresolved'; readonly message: string };

interface Remembered {
  readonly verdict: Promise<Verdict>;
  /** The verdict once known, for callers after that. */
  settled: Verdict | null;
  readonly until_ms: number;
}

/** Caches the verdicts on names for half a minute; concurrent callers share one look-up. */
class Destinations {
  readonly #dns: Dns;
  readonly #remembered = new Map<string, Remembered>();

  constructor(dns: Dns) {
    this.#dns = dns;
  }

  /** The verdict on a URL's host. A failed look-up is not cached. */
  async of(url: OutboundUrl, signal: AbortSignal): Promise<Verdict> {
    if (isIP(url.host) !== 0) return judge({ found: [url.host] }, url.allowed);
    const name = `${url.host}${url.allowed ? '+' : ''}`;
    const now_ms = performance.now();
    const known = this.#remembered.get(name);
    if (known && known.until_ms > now_ms) {
      return known.settled && !signal.aborted ? known.settled : raceWith(known.verdict, signal);
    }
    // Without this caller's deadline, because others may wait for the same name. The DNS has its own.
    const verdict = this.#dns.addresses(url.host, undefined, url.allowed).then((answer) => judge(answer, url.allowed));
    this.#remembered.delete(name);
    const remembered: Remembered = { verdict, settled: null, until_ms: now_ms + VERDICT_MS };
    this.#remembered.set(name, remembered);
    void verdict.then((found) => {
      remembered.settled = found;
      if ('refusal' in found && found.refusal === 'unresolved' && this.#remembered.get(name)?.verdict === verdict) {
        this.#remembered.delete(name);
      }
    });
    const oldest = this.#remembered.keys().next().value;
    if (this.#remembered.size > NAMES_MAX && oldest !== undefined) this.#remembered.delete(oldest);
    return raceWith(verdict, signal);
  }
}

function judge(answer: Awaited<ReturnType<Dns['addresses']>>, allowed: boolean): Verdict {
  if ('failed' in answer) return { refusal: 'unresolved', message: `The DNS gave no answer (${answer.failed}).` };
  if ('none' in answer) return { refusal: 'unresolved', message: 'The DNS knows no address of this host.' };
  if (!allowed && !answer.found.every(isPublicAddress)) {
    return { refusal: 'refused', message: 'This host leads to an address that is not public.' };
  }
  return { addresses: answer.found.slice(0, ADDRESSES_MAX) };
}

/** The verdict, or a refusal once the caller's deadline is over. */
function raceWith(verdict: Promise<Verdict>, signal: AbortSignal): Promise<Verdict> {
  const late: Verdict = { refusal: 'unresolved', message: 'The DNS did not answer in time.' };
  if (signal.aborted) return Promise.resolve(late);
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(late);
    signal.addEventListener('abort', stop, { once: true });
    verdict.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** How long `check` waits for the DNS; later problems show at the first call. */
const CHECK_MS = 2_000;

/** Cached parsed URLs; the longest has 2 KB. */
const URLS_MAX = 4_096;

export interface SafeRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** From the look-up to the last byte, by the wall clock. */
  readonly deadline_ms: number;
  /** Of the answer's body. */
  readonly bytes_max: number;
  /** A body that is longer, breaks off or takes more than half a second is cut there, rather than a failure. */
  readonly cut?: boolean;
  /** Not repeated on a fresh connection when a pooled one was found closed: its bytes may have arrived. */
  readonly once?: boolean;
  /** Connections to one address at a time. */
  readonly sockets?: number;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

/** Any status is an answer, redirects included. Header names are lower case. */
export interface SafeReply {
  readonly ok: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly took_ms: number;
}

/**
 * Why there is no whole answer: `refused` by the rules above, without a call; `unresolved` by the DNS; `timeout`;
 * `too_large`; `tls`, also for the certificate; `reset` for any other end of the connection, also a refused one. `message` is
 * a sentence for the person whose URL it is. `status` is set when the header arrived before the failure.
 */
interface SafeFailure {
  readonly ok: false;
  readonly reason: 'refused' | 'unresolved' | 'timeout' | 'too_large' | 'tls' | 'reset';
  readonly message: string;
  readonly status: number | null;
  /** Whether nothing of the request was sent; absent when unknown. */
  readonly unsent?: boolean;
  readonly took_ms: number;
}

export type SafeAnswer = SafeReply | SafeFailure;

export interface SafeHttp {
  /** Calls; never rejects. */
  request(request: SafeRequest): Promise<SafeAnswer>;
  /** Why a URL would not be dialled, as a sentence for the caller; null when it would. A name that the DNS does not know
   * (yet) passes: it is looked up again at each call. */
  check(url: string): Promise<string | null>;
  /** Gives up all calls and closes the kept connections; after that nothing is dialled. */
  close(): void;
}

export interface SafeHttpOptions {
  readonly dns: Dns;
  /** EGRESS_ALLOW. */
  readonly allow: readonly Destination[];
  /** Certificate authorities in place of the system's; only tests bring any. */
  readonly ca?: string;
}

type Failed = Omit<SafeFailure, 'took_ms'>;
type Ended = Omit<SafeReply, 'took_ms'> | Failed;

/** Parses URLs, and caches the latest allowed ones. */
function urlReader(allow: readonly Destination[]): (text: string) => OutboundUrl | string {
  const known = new Map<string, OutboundUrl>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const url = readOutboundUrl(text, allow);
    if (typeof url === 'string') return url;
    if (known.size >= URLS_MAX) known.clear();
    known.set(text, url);
    return url;
  };
}

/** Calls one address; a pooled connection that turns out closed is replaced by a fresh one, once, except for requests that must
 * not arrive twice. */
async function dial(
  connections: Connections,
  target: Target,
  wanted: Wanted,
  { once = false, signal }: { readonly once?: boolean; readonly signal: AbortSignal },
): Promise<Exchanged | Broken> {
  const first = await connections.lend(target, (agent) => exchange(target, wanted, agent, signal));
  return !first.ok && first.stale && !once && !signal.aborted ? exchange(target, wanted, false, signal) : first;
}

const GIVEN_UP = 'The call was given up.';

/** The failure of a call that was not made. */
function undialled(reason: SafeFailure['reason'], message: string): Failed {
  return { ok: false, reason, message, status: null, unsent: true };
}

/** Calls the first address that can be reached. */
async function dialFirst(
  connections: Connections,
  targets: readonly Target[],
  wanted: Wanted,
  given: { readonly once?: boolean; readonly signal: AbortSignal },
): Promise<Ended> {
  let last: Ended = undialled('unresolved', 'The host has no address.');
  for (const target of targets) {
    const outcome = await dial(connections, target, wanted, given);
    if (outcome.ok) return outcome;
    const { reason, message, status, unsent } = outcome;
    last = { ok: false, reason, message, status, unsent };
    if (!unsent || reason !== 'reset' || given.signal.aborted) break;
  }
  return last;
}

/** The failure of a call that was ended, by its deadline or before. */
function cutShort({ status, unsent }: Failed, deadline_ms: number | null): Failed {
  const broken = { ok: false as const, status, unsent };
  if (deadline_ms === null) return { ...broken, reason: 'reset', message: GIVEN_UP };
  return { ...broken, reason: 'timeout', message: `There was no whole answer within ${deadline_ms} ms.` };
}

/** Makes the client; one serves the whole process. */
export function createSafeHttp({ dns, allow, ca }: SafeHttpOptions): SafeHttp {
  const destinations = new Destinations(dns);
  const connections = new Connections();
  const readUrl = urlReader(allow);
  const running = new Set<AbortController>();
  let closed = false;

  const call = async (url: OutboundUrl, request: SafeRequest, signal: AbortSignal): Promise<Ended> => {
    const verdict = await destinations.of(url, signal);
    if ('refusal' in verdict) return undialled(verdict.refusal, verdict.message);
    if (signal.aborted) return undialled('reset', GIVEN_UP);
    const { method, headers = {}, body, bytes_max, cut, once, sockets } = request;
    const wanted: Wanted = { method, path: url.path, headers, body, bytes_max, cut };
    const targets = verdict.addresses.map((address) => ({ ...url, address, ca, sockets }));
    return dialFirst(connections, targets, wanted, { once, signal });
  };

  return {
    async request(request) {
      const started_ms = performance.now();
      const took = (): number => Math.round((performance.now() - started_ms) * 100) / 100;
      const url = readUrl(request.url);
      if (typeof url === 'string') return { ...undialled('refused', url), took_ms: took() };
      const gone = new AbortController();
      const giveUp = (): void => gone.abort();
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        gone.abort();
      }, request.deadline_ms);
      running.add(gone);
      if (closed || request.signal?.aborted) gone.abort();
      request.signal?.addEventListener('abort', giveUp, { once: true });
      try {
        const ended = await call(url, request, gone.signal);
        if (ended.ok || !gone.signal.aborted) return { ...ended, took_ms: took() };
        return { ...cutShort(ended, late ? request.deadline_ms : null), took_ms: took() };
      } finally {
        running.delete(gone);
        clearTimeout(timer);
        request.signal?.removeEventListener('abort', giveUp);
      }
    },
    async check(text) {
      const url = readOutboundUrl(text, allow);
      if (typeof url === 'string') return url;
      const verdict = await destinations.of(url, AbortSignal.timeout(CHECK_MS));
      return 'refusal' in verdict && verdict.refusal === 'refused' ? verdict.message : null;
    },
    close() {
      closed = true;
      for (const call of running) call.abort();
      connections.close();
    },
  };
}
