// Conversations between pairs of agents, and the messages that they send: what the message jobs load the servers with.
import type { Store } from '../../db/store.ts';
import { type Requests, requestBytes, STAMPED_KEY, stamped } from './load.ts';
import { joining, type Member, members, newId, talking, write } from './population.ts';

export interface Talk {
  readonly id: string;
  readonly sides: readonly [Member, Member];
}

/** So many agents, two and two in a conversation; nothing is written yet. */
export function talksOf(agents: number): Talk[] {
  const all = members(agents);
  const talks: Talk[] = [];
  for (let i = 0; i + 1 < all.length; i += 2) {
    const [opener, other] = all.slice(i, i + 2);
    if (opener && other) talks.push({ id: newId(), sides: [opener, other] });
  }
  return talks;
}

/** Writes the conversations and their agents into a store. */
export async function fillTalks(store: Store, talks: readonly Talk[]): Promise<void> {
  const now_ms = Date.now();
  const sides = talks.flatMap((talk) => talk.sides);
  await write(store, joining(sides, now_ms));
  await write(
    store,
    talks.map((talk) => talking(talk.id, ...talk.sides, now_ms)),
  );
}

export const CONTENT =
  'Could you look at the numbers of last month before Friday? The invoices are in the folder. '.repeat(2);

let runs = 0;
/** A word of its own for each list of requests: under keys that were sent before, a server only replays its answers. */
const ownRun = (): string => `${++runs}-`;

function post(conversation_id: string, sender: Member, run: string): Buffer {
  const headers = { 'X-API-Key': sender.key, 'Idempotency-Key': `${run}${STAMPED_KEY}` };
  return requestBytes('POST', `/api/messages/${conversation_id}`, headers, JSON.stringify({ content: CONTENT }));
}

/** One of several shares of the agents, and a word that keeps one run's Idempotency-Keys apart from another's. */
export interface Part {
  readonly share: number;
  readonly shares: number;
  readonly run: string;
}

/** Every agent in turn writes into its conversation. */
export function fromAll(
  talks: readonly Talk[],
  { share, shares, run }: Part = { share: 0, shares: 1, run: ownRun() },
): Requests {
  const all = talks.flatMap(({ id, sides }) => sides.map((side) => ({ id, side })));
  return stamped(all.filter((_, i) => i % shares === share).map(({ id, side }) => post(id, side, run)));
}

/** One agent writes into its one conversation. */
export function fromOne(talks: readonly Talk[]): Requests {
  const [talk] = talks;
  if (!talk) throw new Error('nobody talks');
  return stamped([post(talk.id, talk.sides[0], ownRun())]);
}

/** The first side of each conversation writes into it. */
export function openersByRest(talks: readonly Talk[]): Requests {
  const run = ownRun();
  return stamped(talks.map(({ id, sides: [opener] }) => post(id, opener, run)));
}

/** The same by A2A: each a message of the one task that the opener has with the other side. */
export function openersByTask(talks: readonly Talk[]): Requests {
  const run = ownRun();
  return stamped(
    talks.map(({ sides: [opener, other] }) => {
      const message = { role: 'user', parts: [{ type: 'text', text: CONTENT }] };
      const params = { id: 'bench', message, metadata: { target_handle: other.handle } };
      const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/send', params });
      const headers = { 'X-API-Key': opener.key, 'Idempotency-Key': `${run}${STAMPED_KEY}` };
      return requestBytes('POST', '/a2a/rpc', headers, call);
    }),
  );
}
