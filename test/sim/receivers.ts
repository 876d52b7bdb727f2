// The world outside, for the simulation: receivers of webhooks that mostly behave, told apart by their addresses, and what
// reached each of them; and sites, which are all alike.
import type { SafeAnswer, SafeHttp, SafeRequest } from '../../src/outbound/safe-http/safe-http.ts';

/** What an A2A endpoint says to news of the service that it takes; webhooks may say anything. */
const TAKEN_RESULT = {};

// biome-ignore lint/suspicious/noExplicitAny: what leaves the service is looked into as JSON.
type Json = any;

/** What an A2A endpoint says to another party's message: nothing, a message, a task that is done, fails, asks, or is looked at. */
function saidTo(id: string, params: Json): unknown {
  const words = params?.message;
  if (!words?.metadata) return TAKEN_RESULT;
  const of = Number(Bun.hash(words.messageId) % 7n);
  const parts = [{ kind: 'text', text: `about ${words.messageId}` }];
  if (of < 2) return { kind: 'message', messageId: id, role: 'agent', parts };
  const state = ['completed', 'failed', 'input-required', 'working'][of - 2];
  if (state === undefined) return TAKEN_RESULT;
  return { kind: 'task', id: words.messageId, contextId: 'c', status: { state, message: { parts } } };
}

/** What is answered to a delivery, by a name of it. */
type Whim = (delivery: string) => number;

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
  /** The ids of the events that reached an address, in the order in which they came. Agents may share an address, and
   * each counts from 1, so a seq would not tell theirs apart. */
  reached(url: string): readonly string[];
}

/** Every site's front page, and its robots.txt. */
/** Where browsers are pushed to. */
const PUSHES = 'https://push.example.net/';
/** Where capabilities are served. */
const SERVES_URL = 'https://hook.example/serve';
const PAGE = new TextEncoder().encode('<title>A site</title><a href="https://elsewhere.example/">elsewhere</a>');

/** Receivers whose answers `whim` draws. */
export function createReceivers(whim: Whim): Receivers {
  const reached = new Map<string, string[]>();
  const times = new Map<string, number>();
  const answer = ({ method, url, body }: SafeRequest): SafeAnswer => {
    // A push says nothing that anybody but its browser reads.
    const page = method === 'GET' || url.startsWith(PUSHES);
    const sent: Json = page ? null : JSON.parse(String(body));
    const ids = reached.get(url) ?? [];
    const id = page ? '' : sent.id;
    if (!page) ids.push(id);
    reached.set(url, ids);
    // Not by the order of arrival: pushes to several agents go on at once.
    const name = `${url} ${id}`;
    const nth = (times.get(name) ?? 0) + 1;
    times.set(name, nth);
    const status = whim(`${name} ${nth}`);
    if (status < 100) {
      return { ok: false, reason: 'reset', message: 'The connection broke.', status: null, took_ms: 1 };
    }
    if (url === SERVES_URL) {
      const headers = { 'content-type': 'application/json' };
      return { ok: true, status, headers, body: Buffer.from('{"done":true}'), took_ms: 1 };
    }
    if (page) return { ok: true, status, headers: {}, body: PAGE, took_ms: 1 };
    const done = { kind: 'task', id: sent.params?.id, contextId: 'c', status: { state: 'completed' } };
    const result = sent.method === 'tasks/get' ? done : saidTo(id, sent.params);
    const said = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }));
    return { ok: true, status, headers: {}, body: said, took_ms: 1 };
  };
  return {
    request: async (request) => answer(request),
    check: async (url) =>
      [PUSHES, 'https://hook.example/'].some((start) => url.startsWith(start)) ? null : 'This address is not public.',
    close: () => {},
    reached: (url) => reached.get(url) ?? [],
  };
}
