// The world outside, for the simulation: receivers of webhooks that mostly behave, told apart by their addresses, and what
// reached each of them.
import type { SafeAnswer, SafeHttp, SafeRequest } from '../../src/outbound/safe-http/safe-http.ts';

type Whim = () => number;

/** What a receiver answers; anything below 100 is a connection that breaks. */
export const ANSWERS: readonly number[] = [
  ...Array.from({ length: 16 }, () => 200),
  204,
  301,
  410,
  500,
  500,
  503,
  0,
  0,
];

export interface Receivers extends SafeHttp {
  /** The seqs that reached an address, in the order in which they came. */
  reached(url: string): readonly number[];
}

/** Receivers whose answers `whim` draws. */
export function createReceivers(whim: Whim): Receivers {
  const reached = new Map<string, number[]>();
  const answer = ({ url, body }: SafeRequest): SafeAnswer => {
    const { seq } = JSON.parse(String(body));
    const seqs = reached.get(url) ?? [];
    seqs.push(seq);
    reached.set(url, seqs);
    const status = whim();
    if (status < 100) {
      return { ok: false, reason: 'reset', message: 'The connection broke.', status: null, took_ms: 1 };
    }
    return { ok: true, status, headers: {}, body: new Uint8Array(), took_ms: 1 };
  };
  return {
    request: async (request) => answer(request),
    check: async (url) => (url.startsWith('https://hook.example/') ? null : 'This address is not public.'),
    close: () => {},
    reached: (url) => reached.get(url) ?? [],
  };
}
