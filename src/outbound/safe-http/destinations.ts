// Where a host leads: its addresses, looked up and judged all together. The rule kept here is that one address which is
// not public spoils a name, since the next look-up could hand out that one alone.
import { isIP } from 'node:net';
import type { Dns } from '../dns.ts';
import { isPublicAddress } from './public-address.ts';
import type { OutboundUrl } from './public-url.ts';

/** How long a verdict holds; connections are kept to addresses of a standing verdict only. */
const VERDICT_MS = 30_000;

/** Names remembered; the oldest goes first. */
const NAMES_MAX = 4_096;

/** Addresses tried for one request, when dialling the first fails at once. */
const ADDRESSES_MAX = 3;

/** The addresses that may be dialled, best first, or why there are none. */
export type Verdict =
  | { readonly addresses: readonly string[] }
  | { readonly refusal: 'refused' | 'unresolved'; readonly message: string };

interface Remembered {
  readonly verdict: Promise<Verdict>;
  /** The verdict once it is there: most askers come after it, and need not wait. */
  settled: Verdict | null;
  readonly until_ms: number;
}

/** Remembers what names led to for half a minute; askers of the same name share one look-up. */
export class Destinations {
  readonly #dns: Dns;
  readonly #remembered = new Map<string, Remembered>();

  constructor(dns: Dns) {
    this.#dns = dns;
  }

  /** The verdict on a URL's host. A look-up that failed is not remembered. */
  async of(url: OutboundUrl, signal: AbortSignal): Promise<Verdict> {
    if (isIP(url.host) !== 0) return judge({ found: [url.host] }, url.allowed);
    const name = `${url.host}${url.allowed ? '+' : ''}`;
    const now_ms = performance.now();
    const known = this.#remembered.get(name);
    if (known && known.until_ms > now_ms) {
      return known.settled && !signal.aborted ? known.settled : raceWith(known.verdict, signal);
    }
    // Not bound to this asker's deadline: others may be waiting for the same name by then. The DNS has its own.
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

/** The verdict, or what stands for it once the caller's deadline is over. */
function raceWith(verdict: Promise<Verdict>, signal: AbortSignal): Promise<Verdict> {
  const late: Verdict = { refusal: 'unresolved', message: 'The DNS did not answer in time.' };
  if (signal.aborted) return Promise.resolve(late);
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(late);
    signal.addEventListener('abort', stop, { once: true });
    verdict.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
