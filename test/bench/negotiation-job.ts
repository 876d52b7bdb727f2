// What an agent's own side asks of negotiation beside a raw echo: turns of the built-in negotiator, a search of what an agent knows, and
// its analytics. No target was set before the work, so that these rows have none to meet.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Effect, insert } from '../../db/effects.ts';
import { KEY_LIFE_MS, keyPrefixShown, mintKey } from '../../src/domain/identity/key.ts';
import { vectorBytes } from '../../src/domain/negotiation/knowledge.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { BUILT_IN_MODEL, embedText } from '../../src/outbound/embedder/built-in.ts';
import { sha256Hex } from '../../src/outbound/hash.ts';
import { bargainingRows } from './bargaining.ts';
import { type Child, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { inTurn, type Requests, requestBytes } from './load.ts';
import { joining, listing, type Member, members, newId, openForFilling, talking, write } from './population.ts';
import { measure, throughputRow } from './rounds.ts';
import type { Talk } from './talks.ts';

const CONNECTIONS = 64;
/** Turns that a second of load takes at most, so that no conversation is asked for a turn more than it has. */
const TURNS_A_SECOND = 2_500;
const WARM_UP_TURNS = 12_500;
/** Conversations that an agent opened; an agent takes far fewer turns than it may on a day. */
const OPENED = 40;
/** Agents whose analytics and knowledge are read. */
const READ = 20;
const LISTINGS = 20;
const ENTRIES = 200;
const DAYS = 90;
const SMALL = JSON.stringify({ content: 'x'.repeat(180) });

const SAID = [
  'I am looking for: the books of a small software company (bookkeeping, payroll). When could you begin?',
  'I offer: bookkeeping for small software companies. What do you need it for, and by when?',
  'Monthly closing from January on. Which work of this kind have you done?',
  'Payroll and taxes for a dozen teams. My profile shows the proofs and the deals behind it.',
] as const;

const TOPICS = [
  'payroll',
  'invoices',
  'taxes',
  'closing',
  'travel',
  'contracts',
  'audits',
  'pensions',
  'grants',
  'loans',
];
const QUESTIONS = [
  'How long does the monthly closing take?',
  'Which papers do you need for payroll?',
  'Do you also look after audits and grants?',
] as const;

interface Peopled {
  readonly all: readonly Member[];
  readonly talks: readonly Talk[];
}

/** Each agent opens a talk with the next ones of the ring, so that no two talk twice. */
function peopled(talks: number): Peopled {
  const all = members(Math.max(2 * OPENED + 1, Math.ceil(talks / OPENED)));
  const pairs = all.flatMap((opener, at) =>
    Array.from({ length: OPENED }, (_, n): Talk | null => {
      const other = all[(at + n + 1) % all.length];
      return other ? { id: newId(), sides: [opener, other] } : null;
    }),
  );
  return { all, talks: pairs.filter((talk) => talk !== null) };
}

/** Talks of matched agents that have come to exploration by four words; the next one is the opener's. */
function* exploring(talks: readonly Talk[], first: ReadonlyMap<string, string>, now_ms: number): Generator<Effect> {
  for (const { id, sides } of talks) {
    const [opener, other] = sides;
    const match_id = newId();
    const headline = 'Bookkeeping for small software companies';
    const times = { created_at: now_ms, updated_at: now_ms };
    yield insert('matches', {
      ...{ id: match_id, match_id, offer_id: first.get(other.id) ?? '', seek_id: first.get(opener.id) ?? '' },
      ...{ offer_agent_id: other.id, seek_agent_id: opener.id, offer_headline: headline, seek_headline: headline },
      ...{ score_ppm: 700_000, reasons: [], status: 'approved', approved_by: [opener.id, other.id] },
      ...{ saved_by: [], shown_to: [], ended_by: null, feedback: null, conversation_id: id, ...times },
    });
    const sent = { last_n: SAID.length, opener_sent: 2, other_sent: 2, opener_seen: 2, other_seen: 2 };
    const talk = talking(id, opener, other, now_ms) as Extract<Effect, { do: 'insert' }>;
    yield { ...talk, row: { ...talk.row, match_id, phase: 'exploration', ...sent } } as Effect;
    for (const [at, content] of SAID.entries()) {
      const sender = sides[at % 2] ?? opener;
      const from = { sender_id: sender.id, sender_handle: sender.handle, kind: 'text' } as const;
      const created_at = now_ms - (SAID.length - at) * 60_000;
      yield insert('messages', { id: newId(), conversation_id: id, n: at + 1, ...from, content, created_at });
    }
  }
}

/** What an agent knows, with vectors, as the embedder leaves it. */
function* knowing({ id: agent_id }: Member, now_ms: number): Generator<Effect> {
  for (let n = 0; n < ENTRIES; n++) {
    const [topic, beside] = [TOPICS[n % TOPICS.length], TOPICS[(n * 7 + 3) % TOPICS.length]];
    const title = `About ${topic}, part ${n}`;
    const text = `For ${topic} we need the papers of the month before its tenth day, and answer within ${(n % 9) + 1} days. ${SAID[n % SAID.length]} Whoever asks for ${beside} as well gets both in one report, with a list of what is missing and by when it has to be there.`;
    const vector = Buffer.from(vectorBytes(embedText(`${title}\n${text}`)));
    const kept = { id: newId(), agent_id, title, text, public: n % 2, vector, model: BUILT_IN_MODEL };
    yield insert('knowledge', { ...kept, created_at: now_ms });
  }
}

/** Looks at an agent's profile and first listing: some thousand in the last 30 days, and as many in the months before. */
function* viewed({ id: agent_id }: Member, listing_id: string, now_ms: number): Generator<Effect> {
  for (let back = 0; back < DAYS; back++) {
    const day = new Date(now_ms - back * DAY_MS).toISOString().slice(0, 10);
    for (let n = 0; n <= LISTINGS; n++) {
      const of = n === 0 ? null : n === 1 ? listing_id : `${listing_id}-${n}`;
      yield insert('views', { id: `${day}:${agent_id}:${n}`, agent_id, listing_id: of, day, n: 5 + (n % 7) });
    }
  }
}

/** A key of its owner's that may read analytics. */
function reading({ account_id }: Member, key: string, now_ms: number): Effect {
  const kept = { id: newId(), account_id, agent_id: null, hash: sha256Hex(key), prefix: keyPrefixShown(key) };
  const times = { created_at: now_ms, expires_at: now_ms + KEY_LIFE_MS, used_at: now_ms };
  return insert('api_keys', { ...kept, name: 'reads', kind: 'named', scopes: ['analytics:read'], ...times } as never);
}

/** Fills a database; gives the keys that read analytics. */
async function fill(data_dir: string, { all, talks }: Peopled): Promise<string[]> {
  const store = openForFilling(data_dir);
  const now_ms = Date.now();
  const first = new Map(all.map(({ id }) => [id, newId()]));
  const keys: string[] = [];
  await write(store, joining(all, now_ms));
  for (const [at, member] of all.entries()) {
    await write(store, listing(member, at < READ ? LISTINGS : 1, now_ms, first.get(member.id)));
  }
  await write(store, exploring(talks, first, now_ms));
  for (const member of all.slice(0, READ)) {
    const key = mintKey('mesh', randomBytes(32));
    keys.push(key);
    await write(store, [reading(member, key, now_ms)]);
    await write(store, knowing(member, now_ms));
    await write(store, viewed(member, first.get(member.id) ?? '', now_ms));
  }
  await store.close();
  return keys;
}

/** All openers take their turns, then all others: each conversation has one turn of either side in exploration. */
function turns(talks: readonly Talk[]): Requests {
  const sides = [0, 1] as const;
  const all = sides.flatMap((side) => talks.map(({ id, sides: of }) => ({ id, key: of[side].key })));
  let next = 0;
  return () => {
    const asked = all[next++];
    if (!asked) throw new Error('all turns of exploration are taken; ask for fewer rounds');
    return requestBytes('POST', `/api/conversations/${asked.id}/advance`, { 'X-API-Key': asked.key }, '{}');
  };
}

const gets = (path: string, key: string): Buffer => requestBytes('GET', path, { 'X-API-Key': key });

/** Reads come one by one: ten thousand of them to warm up would take minutes. */
async function readRows(bench: Bench, echo: Child, ours: Child, all: readonly Member[], keys: string[]) {
  const searches = all
    .slice(0, READ)
    .flatMap(({ key }) => QUESTIONS.map((q) => gets(`/api/knowledge/search?q=${encodeURIComponent(q)}`, key)));
  const one = { target: ours, connections: 1 };
  const got = await measure(bench, {
    echo: { target: echo, connections: 1, requests: inTurn([requestBytes('POST', '/', {}, SMALL)]) },
    search: { ...one, requests: inTurn(searches) },
    analytics: { ...one, requests: inTurn(keys.map((key) => gets('/api/analytics', key))) },
  });
  const told = { against: 'echo', judged: 'CPU', target: '–' } as const;
  return [
    throughputRow(`knowledge search of ${ENTRIES} entries`, got.search, got.echo, 0, told),
    throughputRow(`analytics of 30 days, ${LISTINGS} listings`, got.analytics, got.echo, 0, told),
  ];
}

export const negotiationJob: Job = {
  name: 'negotiation',
  about: 'turns of the built-in negotiator, knowledge search and analytics beside a raw echo',
  run: async (bench) => {
    const { rounds, window_ms } = bench.effort;
    const turns_max = WARM_UP_TURNS + (rounds * window_ms * TURNS_A_SECOND) / 1_000;
    const people = peopled(Math.ceil(turns_max / 2));
    bench.progress(0, `writing ${people.talks.length} conversations`);
    const data_dir = join(bench.folder, 'data');
    const keys = await fill(data_dir, people);
    const echo = await serve(bench, './echo-server.ts');
    const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', DATA_DIR: data_dir };
    const ours = await serve(bench, './mesh-server.ts', env);
    const reads = await readRows(bench, echo, ours, people.all, keys);
    const got = await measure(bench, {
      echo: { target: echo, connections: CONNECTIONS, requests: inTurn([requestBytes('POST', '/', {}, SMALL)]) },
      turn: { target: ours, connections: CONNECTIONS, requests: turns(people.talks) },
    });
    const told = { against: 'echo', judged: 'CPU', target: '–' } as const;
    const taken = throughputRow('turn of the built-in negotiator', got.turn, got.echo, 0, told);
    const measured = [taken, ...reads].map((row): Row => ({ ...row, met: null }));
    return [...measured, ...(await bargainingRows(bench, turns_max))];
  },
};
