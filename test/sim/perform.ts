// Sends a call and judges what comes back; a stream is read until it has told all that is stored, then left.
import { setTimeout as wait } from 'node:timers/promises';
import type { AnyOperation } from '../../src/contract/operation.ts';
import type { TestAnswer } from '../support/testbed.ts';
import type { Call } from './call.ts';
import { checkShownMatches } from './check/matches.ts';
import { standings } from './credentials.ts';
import { must } from './failure.ts';
import { judge } from './judge.ts';
import type { Sim } from './sim.ts';

/** A stream that tells nothing for so long is stuck. It is the wall clock's, and only ever waited for by a failure. */
const STUCK_MS = 5_000;

/** Flows whose last turn is their answer: those and all commands are kept for a repeated Idempotency-Key. */
const KEPT_FLOWS = new Set([
  'router_call.make',
  'agent.update',
  'onboarding.intake',
  'match.run',
  'listing.embed',
  'listing.verify',
  'webhook.create',
  'webhook.update',
  'webhook.test',
  'webhook.redeliver',
]);

/** Whether a good answer is kept for its Idempotency-Key; one that holds a secret only for callers with a credential.
 * Who has signed out is nobody when it asks again, and nobody has kept answers of a session's owner. */
export function isKept({ kind, name, safe, secret, access }: AnyOperation): boolean {
  if (safe || (secret && (access === 'public' || access === 'platform')) || name === 'session.end') return false;
  return kind === 'command' || (kind === 'flow' && KEPT_FLOWS.has(name));
}

/** The ids of what a stream tells. */
async function* idsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  const reader = body.getReader();
  for (;;) {
    const chunk = await Promise.race([reader.read(), wait(STUCK_MS, null, { ref: false })]);
    must(chunk !== null, 'a stream told nothing more');
    if (chunk.done) return;
    const blocks = (text + decoder.decode(chunk.value, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.match(/^data: (.*)$/m)?.[1];
      if (data !== undefined) yield nameOf(JSON.parse(data));
    }
  }
}

/** Every notification of the caller, by way of the list and its cursors. */
async function listed(sim: Sim, { request }: Call): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await sim.t.call('GET', `/api/notifications?limit=7${cursor}`, request);
    if (page.status !== 200) return [];
    ids.push(...page.body.map(({ id }: { id: string }) => id));
    const next = page.headers.get('X-Next-Cursor');
    if (next === null) return ids;
    cursor = `&cursor=${next}`;
  }
}

/** What tells one event of a stream from the others: its id, or the number of a task's update. */
function nameOf({ id, n }: { readonly id?: string; readonly n?: number }): string {
  return id ?? String(n);
}

const UPDATES = `SELECT u.n FROM task_updates u JOIN tasks t ON t.id = u.task_id JOIN handles h ON h.id = ?1
  AND h.agent_id IN (t.sender_id, t.target_id) WHERE u.n > ?3
  AND (t.id = ?2 OR (t.client_id = ?2 AND t.sender_id = h.agent_id)) ORDER BY u.n`;

/** What a stream has to tell first: all that is stored of the inbox or of the task, or all that the list of notifications
 * shows. One that only says that there is news says nothing first. */
async function toTell(sim: Sim, call: Call): Promise<string[]> {
  if (call.operation.name === 'inbox.watch') return [];
  if (call.operation.name === 'notification.stream') return listed(sim, call);
  const { request, planned } = call;
  if (call.operation.name === 'task.follow') {
    const { path = {}, query = {} } = planned;
    return sim.db.column(UPDATES, request.agent ?? '', String(path['task_id']), Number(query['after'] ?? 0));
  }
  const SQL = `SELECT e.id FROM events e JOIN handles h ON h.agent_id = e.agent_id WHERE h.id = ? AND e.seq > ? ORDER BY seq`;
  return sim.db.column(SQL, request.agent ?? '', Number(planned.query?.['after'] ?? 0));
}

/** Reads a stream until it has told what is stored now: an inbox in the order of its seq, notifications once each. */
async function stream(sim: Sim, call: Call, alone: boolean): Promise<TestAnswer> {
  const { path, request, operation } = call;
  const leave = new AbortController();
  const headers = new Headers({ 'x-test-ip': request.ip ?? '', ...request.headers });
  if (request.agent) headers.set('X-Agent-Handle', request.agent);
  if (request.key) headers.set('X-API-Key', request.key);
  if (request.token) headers.set('Authorization', `Bearer ${request.token}`);
  const response = await sim.t.fetch(new Request(`http://localhost${path}`, { headers, signal: leave.signal }));
  const { status } = response;
  if (status !== 200 || !response.body) return { status, headers: response.headers, body: await response.json() };
  const merged = operation.name === 'notification.stream';
  // An agent that somebody deactivates meanwhile takes its notifications along.
  const stored = merged && !alone ? [] : await toTell(sim, call);
  const told: string[] = [];
  if (stored.length > 0) {
    for await (const id of idsOf(response.body)) {
      told.push(id);
      if (told.length >= stored.length) break;
    }
  }
  leave.abort();
  const order = (ids: string[]): string[] => (merged ? ids.sort() : ids);
  must(
    Bun.deepEquals(order(told.slice(0, stored.length)), order(stored)),
    `${operation.name} did not replay what is stored`,
    { told, stored },
  );
  return { status, headers: response.headers, body: { told } };
}

/** Makes one call; `alone` when nothing else runs at the same time. */
export async function perform(sim: Sim, call: Call, alone: boolean): Promise<TestAnswer> {
  const before = standings(sim, call.request);
  const { operation, method, path, request } = call;
  const send = (): Promise<TestAnswer> =>
    operation.kind === 'stream' ? stream(sim, call, alone) : sim.t.call(method, path, request);
  // The operator's clock waits for all that is sent, so a sender that keeps delaying would keep it as well.
  const answer = operation.name === 'platform.clock' ? await sim.calmly(send) : await send();
  try {
    judge(sim, call, answer, before, alone);
    if (alone) checkShownMatches(sim, operation.name, answer);
  } catch (error) {
    sim.trace.note(told(call, answer));
    throw error;
  }
  if (answer.status < 300 && !call.wrong) call.planned.learn?.(answer);
  return answer;
}

export function told({ person, operation, method, path, request }: Call, { status, body }: TestAnswer): string {
  const { ip: _ip, headers, ...rest } = request;
  const sent = JSON.stringify({ ...rest, ...headers });
  return `${person.name} ${operation.name}: ${method} ${path} ${sent} -> ${status} ${JSON.stringify(body)}`;
}
