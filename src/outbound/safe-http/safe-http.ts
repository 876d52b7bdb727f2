// The one HTTP client for everything that leaves the house: webhooks, crawls, pushes to other agents, providers. Public
// https only, save the operator's EGRESS_ALLOW; every address of a name is checked and a checked one is dialled; no
// redirect is followed, no proxy of the environment obeyed; bytes are capped; one deadline holds from the look-up to the
// last byte (interface.md "Events", rules.md 1).

import type { Dns } from '../dns.ts';
import { Connections } from './connections.ts';
import { Destinations } from './destinations.ts';
import { type Broken, type Exchanged, exchange, type Target, type Wanted } from './exchange.ts';
import { type Destination, type OutboundUrl, readOutboundUrl } from './public-url.ts';

/** How long `check` waits for the DNS; what cannot be told by then is told at the first call. */
const CHECK_MS = 2_000;

/** Addresses that are not read again at each call; a text of 2 KB is the longest. */
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
  /** It is not sent again on a fresh connection where a kept one was found closed: its bytes may have arrived. */
  readonly once?: boolean;
  /** Connections to one address at a time. */
  readonly sockets?: number;
  /** Gives the call up early. */
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
 * Why there is no whole answer: `refused` by the rule above and nothing was dialled; `unresolved` by the DNS; `timeout`;
 * `too_large`; `tls`, certificate included; `reset`, any other end of the connection, also one that was not accepted.
 * `message` is a sentence for the person whose URL it is. `status` is there when a head came before the trouble.
 */
export interface SafeFailure {
  readonly ok: false;
  readonly reason: 'refused' | 'unresolved' | 'timeout' | 'too_large' | 'tls' | 'reset';
  readonly message: string;
  readonly status: number | null;
  /** Whether nothing of the request was sent; not said where that is not known. */
  readonly unsent?: boolean;
  readonly took_ms: number;
}

export type SafeAnswer = SafeReply | SafeFailure;

export interface SafeHttp {
  /** Calls; never rejects. */
  request(request: SafeRequest): Promise<SafeAnswer>;
  /** Why a URL would not be dialled, as a sentence for whoever gave it; null when it would. A name that the DNS does not
   * know (yet) passes: it is looked up again at each call. */
  check(url: string): Promise<string | null>;
  /** Closes the kept connections. */
  close(): void;
}

export interface SafeHttpOptions {
  readonly dns: Dns;
  /** EGRESS_ALLOW. */
  readonly allow: readonly Destination[];
  /** Certificate authorities in place of the system's; only tests bring any. */
  readonly ca?: string;
}

type Ended = Omit<SafeReply, 'took_ms'> | Omit<SafeFailure, 'took_ms'>;

/** Reads addresses, and remembers the last of those that may be called: what a text says never changes. */
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

/** Calls one address; a kept connection that turns out closed is replaced by a fresh one, once, save for what must not arrive
 * twice. */
async function dial(
  connections: Connections,
  target: Target,
  wanted: Wanted,
  { once = false, signal }: { readonly once?: boolean; readonly signal: AbortSignal },
): Promise<Exchanged | Broken> {
  const first = await connections.lend(target, (agent) => exchange(target, wanted, agent, signal));
  return !first.ok && first.stale && !once && !signal.aborted ? exchange(target, wanted, false, signal) : first;
}

/** Of a call that was not made. */
function undialled(reason: SafeFailure['reason'], message: string): Omit<SafeFailure, 'took_ms'> {
  return { ok: false, reason, message, status: null, unsent: true };
}

/** Makes the client; one serves the whole process. */
export function createSafeHttp({ dns, allow, ca }: SafeHttpOptions): SafeHttp {
  const destinations = new Destinations(dns);
  const connections = new Connections();
  const readUrl = urlReader(allow);

  const call = async (url: OutboundUrl, request: SafeRequest, signal: AbortSignal): Promise<Ended> => {
    const verdict = await destinations.of(url, signal);
    if ('refusal' in verdict) return undialled(verdict.refusal, verdict.message);
    const { method, headers = {}, body, bytes_max, once, sockets } = request;
    const wanted: Wanted = { method, path: url.path, headers, body, bytes_max };
    let last: Ended = undialled('unresolved', 'The host has no address.');
    for (const address of verdict.addresses) {
      const outcome = await dial(connections, { ...url, address, ca, sockets }, wanted, { once, signal });
      if (outcome.ok) return outcome;
      const { reason, unsent } = outcome;
      last = { ok: false, reason, message: outcome.message, status: outcome.status, unsent };
      if (!unsent || reason !== 'reset' || signal.aborted) break;
    }
    return last;
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
      if (request.signal?.aborted) gone.abort();
      request.signal?.addEventListener('abort', giveUp, { once: true });
      try {
        const ended = await call(url, request, gone.signal);
        if (ended.ok || !gone.signal.aborted) return { ...ended, took_ms: took() };
        const { status, unsent } = ended;
        const broken = { ok: false as const, status, unsent, took_ms: took() };
        if (!late) return { ...broken, reason: 'reset', message: 'The call was given up.' };
        const message = `There was no whole answer within ${request.deadline_ms} ms.`;
        return { ...broken, reason: 'timeout', message };
      } finally {
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
    close: () => connections.close(),
  };
}
