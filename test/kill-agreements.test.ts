// kill -9 amid proposals, people's answers to them and to what programs asked for outside the bounds, meetings and what an agent is told to
// know, again and again: each call under its key is one, whoever serves when it is made again. In the end each agreement is one deal with
// one escrow, each approved payment left the wallet once, no conversation has two proposals that stand, every decision is recorded once
// and sealed with its day, both sides of each meeting heard of it once, and an agent knows what it was told and nothing that was taken back.
// KILL_ROUNDS=30 for more.

import { afterAll, expect, test } from 'bun:test';
import type { ServerChild } from './support/child.ts';
import { conversationOf, firstWord } from './support/first-word.ts';
import { type House, openSite } from './support/kill-house.ts';
import { often } from './support/nightly.ts';
import {
  type Credential,
  fundBy,
  type Json,
  type RestClient,
  restClient,
  signInBy,
  verifiedAgent,
} from './support/rest-client.ts';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? often(2, 4));
const PAIRS = 6;
const ANSWERS_PER_ROUND = 60;
const TOKEN = 'token-of-the-kill-test';
const AS_PLATFORM = { 'X-Internal-Token': TOKEN };
const FUNDED_CENTS = 1_000_000;
const MAX_PAY_CENTS = 500;
/** An agent asks its person about so many payments a day. */
const ASKED_MAX = 10;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

const ENV = { INTERNAL_TOKEN: TOKEN, TEST_CLOCK: '1' };

const site = await openSite();
afterAll(() => site.clear());

type Role = 'seller_program' | 'buyer_program' | 'buyer_person';
interface Pair {
  readonly who: Record<Role, Credential>;
  readonly buyer: string;
  readonly seller: string;
  readonly conversation_id: string;
  /** What its program has asked of its person. */
  asked: number;
  /** How far the time of the service is ahead. */
  ahead_ms: number;
  /** Meetings that were set in this round, and those of earlier ones, which have begun. */
  coming: string[];
  begun: string[];
  /** What the seller's program was told to know and may forget. */
  known: string[];
}
/** A call under the key by which it is one. */
interface Call {
  readonly pair: Pair;
  readonly by: Role;
  readonly method?: 'DELETE';
  readonly path: string;
  readonly body: object;
  readonly key: string;
}
interface Answer {
  readonly status: number;
  readonly body: Json;
}

async function openPair(client: RestClient, n: number): Promise<Pair> {
  const seller = await verifiedAgent(client, TOKEN, `kill_seller_${n}`, `+1415555020${n}`);
  const buyer = await verifiedAgent(client, TOKEN, `kill_buyer_${n}`, `+1415555030${n}`);
  await client.ask(
    'POST',
    '/internal/admin/set-plan',
    {},
    { email: `${buyer.handle}@example.org`, plan: 'pro' },
    AS_PLATFORM,
  );
  await fundBy(client, buyer, FUNDED_CENTS);
  await client.ask('PATCH', '/api/agents/bounds', { token: buyer.token }, { max_pay_cents: MAX_PAY_CENTS });
  const alone = { auto_approve_below_cents: MAX_PAY_CENTS };
  await client.ask('PATCH', '/api/agents/bounds', { token: seller.token }, alone);
  const wanted = { name: 'spends', scopes: ['payments:write', 'agents:read', 'deals:read', 'messages:write'] };
  const { api_key } = await client.ask('POST', '/api/developer/keys', { token: buyer.token }, wanted);
  const first = firstWord(seller.handle, 'What would it be?');
  const conversation_id = conversationOf(await client.ask('POST', '/a2a/rpc', { key: buyer.key }, first));
  const who = {
    seller_program: { key: seller.key },
    buyer_program: { key: api_key },
    buyer_person: { token: buyer.token },
  };
  return {
    who,
    buyer: buyer.handle,
    seller: seller.handle,
    conversation_id,
    asked: 0,
    ahead_ms: 0,
    coming: [],
    begun: [],
    known: [],
  };
}

async function make(url: string, { pair, by, method, path, body, key }: Call): Promise<Answer> {
  const { key: api_key, token } = pair.who[by];
  const headers: Record<string, string> = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  if (api_key) headers['X-API-Key'] = api_key;
  if (token) headers['Authorization'] = `Bearer ${token}`;
  const response = await fetch(`${url}${path}`, { method: method ?? 'POST', headers, body: JSON.stringify(body) });
  // Each start listens at a port of its own.
  const { request_id: _own, url: _port, ...answer } = await response.json();
  return { status: response.status, body: answer };
}

/** Makes a call and answers what came of it; null once the server is dead. */
type Made = (call: Omit<Call, 'pair' | 'key'> & { readonly step: string }) => Promise<Answer | null>;

/** The seller's program proposes, once or twice, and the buyer's person agrees to the last, or does not. */
async function propose(
  { conversation_id }: Pair,
  made: Made,
  times: number,
  decision: 'approve' | 'reject',
): Promise<void> {
  const path = `/api/conversations/${conversation_id}`;
  let put: Answer | null = null;
  for (let n = 0; n < times; n += 1) {
    const body = { amount_cents: 100 + n, terms: 'All of it', side: 'seller' };
    put = await made({ by: 'seller_program', path: `${path}/propose`, body, step: `propose-${n}` });
    if (!put) return;
    expect(put.status).toBe(201);
  }
  const body = { proposal_id: put?.body.id, version: put?.body.version, decision };
  const said = await made({ by: 'buyer_person', path: `${path}/approve`, body, step: decision });
  if (said) expect(said).toMatchObject({ status: 200, body: { unpaid: null } });
}

/** The buyer's program asks for a payment outside the bounds, and its person lets it go. */
async function ask(pair: Pair, made: Made): Promise<void> {
  pair.asked += 1;
  const body = { to_handle: pair.seller, amount_cents: MAX_PAY_CENTS + pair.asked };
  const asked = await made({ by: 'buyer_program', path: '/api/wallet/send', body, step: 'ask' });
  if (!asked) return;
  expect([asked.status, asked.body.error]).toEqual([403, 'outside_bounds']);
  const path = `/api/actions/${asked.body.action_id}/decide`;
  const done = await made({ by: 'buyer_person', path, body: { decision: 'approve' }, step: 'decide' });
  if (done) expect(done).toMatchObject({ status: 200 });
}

/** The seller's program sets a meeting, and says of one of an earlier round that it took place. */
async function meet(pair: Pair, made: Made): Promise<void> {
  const path = `/api/conversations/${pair.conversation_id}/meetings`;
  const past = pair.begun.shift();
  if (past !== undefined) {
    const done = await made({ by: 'seller_program', path: `${path}/${past}/complete`, body: {}, step: 'complete' });
    if (done) expect(done).toMatchObject({ status: 200, body: { meeting_id: past, status: 'completed' } });
  }
  const starts_at = new Date(Date.now() + pair.ahead_ms + HOUR_SECONDS * 500).toISOString();
  const body = { starts_at, duration_minutes: 30 };
  const set = await made({ by: 'seller_program', path, body, step: 'meet' });
  if (!set) return;
  expect(set.status).toBe(201);
  pair.coming.push(set.body.meeting_id);
}

/** The seller's program is told two things, and to forget one. */
async function learn(pair: Pair, made: Made): Promise<void> {
  for (const step of ['first', 'second']) {
    const body = { title: 'Rope', text: `Told of a rope in ${pair.conversation_id}: ${crypto.randomUUID()}` };
    const told = await made({ by: 'seller_program', path: '/api/knowledge', body, step });
    if (!told) return;
    expect(told.status).toBe(201);
    pair.known.push(told.body.id);
  }
  const id = pair.known.shift();
  const path = `/api/knowledge/${id}`;
  const gone = await made({ by: 'seller_program', method: 'DELETE', path, body: {}, step: 'forget' });
  if (gone) expect(gone).toMatchObject({ status: 200, body: { removed: true, id } });
}

const COURSES: readonly ((pair: Pair, made: Made) => Promise<void>)[] = [
  (pair, made) => propose(pair, made, 1, 'approve'),
  (pair, made) => (pair.asked < ASKED_MAX ? ask(pair, made) : propose(pair, made, 1, 'approve')),
  (pair, made) => propose(pair, made, 2, 'approve'),
  meet,
  (pair, made) => propose(pair, made, 1, 'reject'),
  learn,
];

/** Each pair goes its courses until enough was answered; then the server is killed. */
async function burst(server: ServerChild, pairs: readonly Pair[], round: number) {
  const acknowledged = new Map<Call, Answer>();
  const unsure: Call[] = [];
  let dead = false;
  const worker = async (pair: Pair, at: number): Promise<void> => {
    for (let n = 0; !dead; n += 1) {
      const made: Made = async ({ step, ...asked }) => {
        if (dead) return null;
        const call = { ...asked, pair, key: `round-${round}-${at}-${n}-${step}` };
        try {
          const answer = await make(server.url, call);
          acknowledged.set(call, answer);
          return answer;
        } catch (error) {
          if (!dead) throw error;
          unsure.push(call);
          return null;
        }
      };
      await COURSES[(at + n) % COURSES.length]?.(pair, made);
      if (acknowledged.size >= ANSWERS_PER_ROUND && !dead) {
        dead = true;
        await server.end('SIGKILL');
      }
    }
  };
  await Promise.all(pairs.map(worker));
  return { acknowledged, unsure };
}

/** What the answers say was done. */
interface Done {
  /** The deals that were made, by id: what each costs. */
  readonly deals: Map<string, number>;
  /** Payments that a person let go, by action. */
  readonly sends: Map<string, number>;
  /** Proposals and actions that a person has decided on. */
  readonly decided: Set<string>;
  /** Meetings, and whether they took place. */
  readonly meetings: Map<string, 'scheduled' | 'completed'>;
  /** What an agent was told, by the id of the entry; null of what it was to forget. */
  readonly known: Map<string, string | null>;
}

function note(done: Done, { path, method, body: asked }: Call, { status, body }: Answer): void {
  const { deals, sends, decided, meetings, known } = done;
  if (status === 201 && path.endsWith('/meetings')) meetings.set(body.meeting_id, 'scheduled');
  if (status === 201 && path === '/api/knowledge') known.set(body.id, (asked as { readonly text: string }).text);
  if (status !== 200) return;
  if (path.endsWith('/complete')) meetings.set(body.meeting_id, 'completed');
  if (method === 'DELETE') known.set(body.id, null);
  if (path.endsWith('/approve')) {
    decided.add(body.proposal.id);
    if (body.deal_id !== null) deals.set(body.deal_id, body.proposal.amount_cents);
  }
  if (path.endsWith('/decide')) {
    decided.add(body.action.id);
    sends.set(body.action.id, body.action.amount_cents);
  }
}

const sum = (cents: Iterable<number>): number => [...cents].reduce((all, one) => all + one, 0);

async function all(client: RestClient, path: string, who: Credential): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor = ''; ; ) {
    const page: Json[] = await client.ask('GET', `${path}?limit=100${cursor}`, who);
    found.push(...page);
    if (page.length < 100) return found;
    cursor = `&cursor=${page.at(-1).deal_id ?? page.at(-1).meeting_id ?? page.at(-1).id}`;
  }
}

/** The record of what a person decided, as they take it along. */
async function approvalsOf(client: RestClient, person: Credential): Promise<Json[]> {
  const found: Json[] = [];
  for (let query = ''; ; ) {
    const { sections, next_cursor } = await client.ask('GET', `/api/account/export${query}`, person);
    found.push(...(sections.approvals ?? []));
    if (next_cursor === null) return found;
    query = `?cursor=${encodeURIComponent(next_cursor)}`;
  }
}

/** What an agent heard of meetings: each kind of event, and which meeting. */
async function heardOf(client: RestClient, who: Credential): Promise<string[]> {
  const heard: string[] = [];
  for (let after = 0; ; ) {
    const { events }: { events: Json[] } = await client.ask('GET', `/api/inbox?limit=100&after=${after}`, who);
    const meetings = events.filter(({ kind }) => kind.startsWith('meeting.'));
    heard.push(...meetings.map(({ kind, data }) => `${kind} ${data.meeting_id}`));
    if (events.length < 100) return heard.toSorted();
    after = events.at(-1).seq;
  }
}

/** Meetings stand as they were set and ended, and both sides heard of each once; answers how many there are. */
async function expectMet(client: RestClient, { who, conversation_id }: Pair, { meetings }: Done): Promise<number> {
  const stored = await all(client, `/api/conversations/${conversation_id}/meetings`, who.seller_program);
  for (const { meeting_id, status } of stored) expect(status).toBe(meetings.get(meeting_id));
  const told = stored.flatMap(({ meeting_id, status }) => [
    `meeting.scheduled ${meeting_id}`,
    ...(status === 'completed' ? [`meeting.completed ${meeting_id}`] : []),
  ]);
  for (const side of [who.seller_program, who.buyer_program])
    expect(await heardOf(client, side)).toEqual(told.toSorted());
  return stored.length;
}

/** An agent knows what it was told and was not to forget, by list and by search; answers how much. */
async function expectKnown(client: RestClient, { who }: Pair, { known }: Done): Promise<number> {
  const stored = await all(client, '/api/knowledge', who.seller_program);
  for (const { id, text } of stored) expect(text).toBe(known.get(id));
  const word = stored[0]?.text.split(': ')[1];
  if (word === undefined) return 0;
  const found = await client.ask('GET', `/api/knowledge/search?q=${word}`, who.seller_program);
  expect(found[0].id).toBe(stored[0]?.id);
  return stored.length;
}

/** What is stored of a pair is what was done, once. */
async function expectOnce(client: RestClient, { who, conversation_id }: Pair, done: Done): Promise<void> {
  const [program, person] = [who.buyer_program, who.buyer_person];
  const deals = await all(client, '/api/deals', program);
  for (const { deal_id, amount_cents, status, escrow_id } of deals) {
    expect(amount_cents).toBe(done.deals.get(deal_id));
    expect([status, typeof escrow_id]).toEqual(['funded', 'string']);
  }
  expect(new Set(deals.map(({ escrow_id }) => escrow_id)).size).toBe(deals.length);
  const actions = await all(client, '/api/actions', program);
  const sent = actions.filter(({ status }) => status === 'approved');
  const paid = sum(deals.map(({ amount_cents }) => amount_cents)) + sum(sent.map(({ amount_cents }) => amount_cents));
  const { balance_cents } = await client.ask('GET', '/api/v1/wallet', program);
  expect(balance_cents).toBe(FUNDED_CENTS - paid);
  const wallet = await client.ask('GET', '/api/v1/wallet', who.seller_program);
  expect(wallet.balance_cents).toBe(sum(sent.map(({ amount_cents }) => amount_cents)));
  const proposals = await all(client, '/api/proposals', person);
  expect(proposals.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(proposals.map((_, n) => n + 1));
  expect(proposals.filter(({ status }) => status === 'open').length).toBeLessThanOrEqual(1);
  expect(proposals.every((proposal) => proposal.conversation_id === conversation_id)).toBe(true);
  const subjects: string[] = (await approvalsOf(client, person)).map(({ subject_id }) => subject_id);
  expect(new Set(subjects).size).toBe(subjects.length);
  for (const id of subjects) expect(done.decided.has(id)).toBe(true);
}

/** Sessions name the address of the server that issued them, which another has not. */
async function signInAgain(url: string, pairs: readonly Pair[]): Promise<void> {
  const signIn = async ({ who, buyer }: Pair): Promise<void> => {
    who.buyer_person = { token: await signInBy(restClient(url), TOKEN, `${buyer}@example.org`) };
  };
  await Promise.all(pairs.map(signIn));
}

async function killRounds(rounds: number, house: House): Promise<void> {
  const client = restClient(house.victim(0).url);
  const pairs = await Promise.all(Array.from({ length: PAIRS }, (_, n) => openPair(client, n)));
  const done: Done = {
    ...{ deals: new Map(), sends: new Map(), decided: new Set() },
    ...{ meetings: new Map(), known: new Map() },
  };
  for (let round = 0; round < rounds; round += 1) {
    const { acknowledged, unsure } = await burst(house.victim(round), pairs, round);
    const { url } = await house.next(round);
    await signInAgain(url, pairs);
    for (const [call, answer] of acknowledged) {
      expect(await make(url, call)).toEqual(answer);
      note(done, call, answer);
    }
    // Each was done before, or is done now.
    for (const call of unsure) note(done, call, await make(url, call));
    await house.mend(round);
    // What was set for later begins.
    const later = { advance_seconds: HOUR_SECONDS };
    await restClient(house.victim(round + 1).url).ask('POST', '/internal/clock', {}, later, AS_PLATFORM);
    for (const pair of pairs) {
      pair.ahead_ms += HOUR_SECONDS * 1_000;
      pair.begun.push(...pair.coming.splice(0));
    }
    await signInAgain(house.victim(round + 1).url, pairs);
  }
  const last = restClient(house.victim(rounds).url);
  let [met, knows] = [0, 0];
  for (const pair of pairs) {
    await expectOnce(last, pair, done);
    met += await expectMet(last, pair, done);
    knows += await expectKnown(last, pair, done);
  }
  expect(met).toBe(done.meetings.size);
  expect(knows).toBe([...done.known.values()].filter((text) => text !== null).length);
  expect([...done.meetings.values()]).toContain('completed');
  const deals = await Promise.all(pairs.map(({ who }) => all(last, '/api/deals', who.buyer_program)));
  expect(deals.flat().length).toBe(done.deals.size);
  expect(Math.min(done.deals.size, done.sends.size)).toBeGreaterThan(0);
  // The day of the decisions is over, and sealed.
  await last.ask('POST', '/internal/clock', {}, { advance_seconds: 2 * DAY_SECONDS }, AS_PLATFORM);
  const check = await last.ask('GET', '/api/admin/ledger/check', {}, undefined, AS_PLATFORM);
  expect(check).toMatchObject({ ok: true, problems: [], sum_cents: 0 });
}

test(`an agreement is one deal and a person's yes one payment, over ${ROUNDS} kills`, async () => {
  const house = await site.oneMachine(ENV);
  await killRounds(ROUNDS, house);
  expect(await house.victim(ROUNDS).end('SIGTERM')).toBe(0);
}, 600_000);

test.skipIf(site.postgres === null)(
  'and so on another node',
  async () => killRounds(2, await site.twoNodes(ENV)),
  600_000,
);
