// What everybody reads, beside what is stored: the registry, profiles and listings show exactly what is to be seen, and
// an inbox pulled in pages is the stored one. Also the reads that must be the same after the database was opened again.

import { REPLY_WITHIN_MS } from '../../../src/domain/inbox/inbox.ts';
import type { TestAnswer, TestRequest } from '../../support/testbed.ts';
import { must } from '../failure.ts';
import type { Person } from '../person.ts';
import type { Sim } from '../sim.ts';

interface AgentRow {
  readonly id: string;
  readonly handle: string;
  readonly seen: number;
}

const AGENTS = `SELECT id, handle, visibility = 'listed' AND provisional = 0 AND deactivated_at IS NULL AS seen
  FROM agents WHERE kind <> 'platform' ORDER BY id DESC`;
const LIVE = `SELECT id FROM listings WHERE agent_id = ? AND status = 'live' ORDER BY id DESC`;

/** A polite reader: told to wait, it waits. */
async function read(sim: Sim, path: string, request: TestRequest = {}): Promise<TestAnswer> {
  for (;;) {
    const answer = await sim.t.call('GET', path, { ip: '203.0.113.9', ...request });
    must(answer.status < 500, `${path} answered ${answer.status}`, sim.errors);
    if (answer.status !== 429) return answer;
    await sim.t.advance(answer.body.retry_after_seconds * 1_000);
  }
}

/** Every item of a list, page by page. */
async function pages(sim: Sim, path: string, limit: number, request: TestRequest = {}): Promise<TestAnswer['body'][]> {
  const items: TestAnswer['body'][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer: TestAnswer = await read(sim, `${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`, request);
    must(answer.status === 200, `${path} answered ${answer.status}`, answer.body);
    items.push(...answer.body);
    cursor = answer.headers.get('x-next-cursor');
  }
  return items;
}

async function checkPublic(sim: Sim): Promise<void> {
  const agents = sim.db.rows<AgentRow>(AGENTS);
  const listed = agents.filter(({ seen }) => seen === 1).map(({ handle }) => handle);
  const shown = (await pages(sim, '/api/registry', 3)).map(({ handle }) => handle);
  must(Bun.deepEquals(shown, listed), 'the registry does not show exactly the listed agents', { shown, listed });
  for (const { id, handle, seen } of agents) {
    const profile = await read(sim, `/api/agents/public/${handle}`);
    must(profile.status === (seen ? 200 : 404), `the profile of ${handle} answered ${profile.status}`, { seen });
    if (!seen) {
      const cards = await read(sim, `/api/agents/${handle}/cards`);
      must(cards.status === 404, `the listings of ${handle}, who is not to be seen, answered ${cards.status}`);
    } else {
      const cards = (await pages(sim, `/api/agents/${handle}/cards`, 2)).map((card) => card.id);
      const live = sim.db.column(LIVE, id);
      must(Bun.deepEquals(cards, live), `the listings of ${handle} are not its live ones`, { cards, live });
    }
  }
}

const HIDDEN = `SELECT l.id, a.handle FROM listings l JOIN agents a ON a.id = l.agent_id
  WHERE l.status <> 'live' OR a.visibility <> 'listed' OR a.provisional = 1 OR a.deactivated_at IS NOT NULL`;

async function checkHidden(sim: Sim): Promise<void> {
  for (const { id, handle } of sim.db.rows<{ id: string; handle: string }>(HIDDEN)) {
    const { status } = await read(sim, `/api/agents/${handle}/cards/${id}`);
    must(status === 404, `a listing of ${handle} that is not to be seen answered ${status}`);
  }
}

/** A key of the person that works and reads everything of its agents. */
function workingKey(sim: Sim, person: Person): string | null {
  const alive = (text: string): boolean => {
    const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex');
    const sql = `SELECT count(*) FROM api_keys WHERE hash = ? AND revoked_at IS NULL AND expires_at > ?
      AND kind = 'signup' AND agent_id IS NULL AND scopes LIKE '%"agents:read"%' AND scopes LIKE '%"conversations:read"%'`;
    return sim.db.number(sql, hash, sim.clock.now()) === 1;
  };
  return person.keys.findLast(({ text }) => alive(text))?.text ?? null;
}

const STORED_EVENTS = 'SELECT id FROM events WHERE agent_id = ? ORDER BY seq';
const PENDING = `SELECT count(*) FROM events WHERE agent_id = ? AND awaiting = 1
  AND (respond_by IS NULL OR respond_by >= ?)`;
const REPLIES = `SELECT count(*) FROM conversations c
  JOIN messages m ON m.conversation_id = c.id AND m.id = c.last_message_id
  WHERE c.waits_for = ? AND c.status IN ('open', 'escalated') AND m.created_at >= ?`;

interface Shown {
  readonly id: string;
  readonly kind: string;
  readonly actions: readonly unknown[];
}

async function checkInbox(sim: Sim, key: string, agent: { id: string; handle: string }): Promise<void> {
  const pulled: string[] = [];
  let asking = 0;
  const replies = sim.db.number(REPLIES, agent.id, sim.clock.now() - REPLY_WITHIN_MS);
  for (let after = 0, more = true; more; ) {
    const { status, body } = await read(sim, `/api/inbox?peek=true&limit=7&after=${after}`, {
      key,
      agent: agent.handle,
    });
    must(status === 200, `the inbox of ${agent.handle} answered ${status}`, body);
    pulled.push(...body.events.map((event: Shown) => event.id));
    more = body.has_more;
    after = body.cursor;
    asking += body.events.filter(
      (event: Shown) => event.kind === 'conversation.updated' && event.actions.length > 0,
    ).length;
    const pending = sim.db.number(PENDING, agent.id, sim.clock.now()) + replies;
    must(body.pending.count === pending, 'pending events are miscounted', { told: body.pending, pending });
    // Without it a talk that goes on makes the pace.
    const pace = pending > 0 ? [60] : [60, 900];
    must(pace.includes(body.next_poll_seconds), 'the pace of polling is wrong', body.next_poll_seconds);
  }
  must(asking === replies, 'messages that wait for a reply do not say so', { asking, replies });
  must(
    Bun.deepEquals(pulled, sim.db.column(STORED_EVENTS, agent.id)),
    'an inbox pulled in pages is not the stored one',
  );
}

async function checkThreads(sim: Sim, key: string, agent: { id: string; handle: string }): Promise<void> {
  const request = { key, agent: agent.handle };
  const told = await pages(sim, '/api/conversations', 2, request);
  const stored = sim.db.column(
    'SELECT id FROM conversations WHERE ? IN (opener_id, other_id) ORDER BY id DESC',
    agent.id,
  );
  const ids = told.map(({ conversation_id }) => conversation_id);
  must(Bun.deepEquals(ids, stored), 'conversations told are not those stored', { ids, stored });
  for (const { conversation_id, unread } of told) {
    must(unread >= 0, 'a negative count of unread messages', { conversation_id, unread });
    const path = `/api/messages/${conversation_id}`;
    const messages = (await pages(sim, path, 5, request)).map((message) => message.message_id);
    const sql = 'SELECT id FROM messages WHERE conversation_id = ? ORDER BY n DESC';
    must(Bun.deepEquals(messages, sim.db.column(sql, conversation_id)), 'a thread read in pages is not the stored one');
  }
}

const OWN = 'SELECT id, handle FROM agents WHERE id = ? AND deactivated_at IS NULL';

function* owners(sim: Sim): Generator<{ key: string; agent: { id: string; handle: string } }> {
  for (const person of sim.people) {
    const key = workingKey(sim, person);
    for (const { id } of key === null ? [] : person.agents) {
      const [agent] = sim.db.rows<{ id: string; handle: string }>(OWN, id);
      if (key !== null && agent) yield { key, agent };
    }
  }
}

/** Reads everything that can be read without changing what matters, and compares it with what is stored. */
export async function checkWire(sim: Sim): Promise<void> {
  await checkPublic(sim);
  await checkHidden(sim);
  for (const { key, agent } of owners(sim)) {
    await checkInbox(sim, key, agent);
    await checkThreads(sim, key, agent);
  }
}

/** Who is there changes by reading alone. */
const LOSSY = /"(?:presence":\{[^}]*\}|last_used_at":(?:"[^"]*"|null)|request_id":"[^"]*")/g;

/** What is read now, one line a read: before closing and after opening again these are the same. */
export async function readings(sim: Sim): Promise<string[]> {
  const lines: string[] = [];
  const note = async (path: string, request?: TestRequest): Promise<void> => {
    const { status, body } = await read(sim, path, request);
    lines.push(`${path} ${status} ${JSON.stringify(body).replaceAll(LOSSY, '')}`);
  };
  await note('/api/registry?limit=100');
  await note('/api/labels?limit=100');
  await note('/.well-known/jwks.json');
  for (const { handle } of sim.db.rows<AgentRow>(AGENTS)) {
    await note(`/api/agents/public/${handle}`);
    await note(`/api/agents/${handle}/cards`);
  }
  for (const { key, agent } of owners(sim)) {
    const request = { key, agent: agent.handle };
    for (const path of ['/api/agents', '/api/v1/listings', '/api/v1/matches', '/api/conversations']) {
      await note(path, request);
    }
    await note('/api/inbox?peek=true&limit=100', request);
    await note('/api/inbox/recent', request);
    await note('/api/billing/limits', request);
    await note('/api/onboarding/status', request);
  }
  return lines;
}
