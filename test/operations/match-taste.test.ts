// What an agent's own answers teach of what it wants to see: they move the order of its own matches within bounds, stand in
// its own reasons, and are forgotten at its word; nobody else is shown anything of it, by whatever door.
import { describe, expect, test } from 'bun:test';
import { MATCHES_BEST } from '../../src/domain/match/rank.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { eventsOf, feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows } from '../support/store.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let made = 0;

interface Match {
  readonly match_id: string;
  readonly counterparty_handle: string;
  readonly score: number;
  readonly reasons: string[];
}

interface Market {
  readonly buyer: TestAgent;
  readonly geo: string;
  readonly plain: readonly TestAgent[];
  readonly crypto: readonly TestAgent[];
}

const person = (): Promise<TestAgent> => newAgent(t, { handle: `person_${++made}`, verified: true, pro: true });
const call = (agent: TestAgent, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
  t.call(method, path, { key: agent.key, ...(body !== undefined && { body }) });
const feed = async (agent: TestAgent): Promise<Match[]> => (await call(agent, 'GET', '/api/matching/feed')).body;
const taste = async (agent: TestAgent): Promise<TestAnswer['body']> =>
  (await call(agent, 'GET', '/api/matching/taste')).body;
const handles = (matches: readonly Match[]): string[] => matches.map((match) => match.counterparty_handle);
const matchWith = async (agent: TestAgent, other: TestAgent): Promise<Match> => {
  const found = (await matchesOf(t, agent)).find((match: Match) => match.counterparty_handle === other.handle);
  if (!found) throw new Error(`${agent.handle} has no match with ${other.handle}`);
  return found;
};
const answer = async (agent: TestAgent, other: TestAgent, action: string, reason?: string): Promise<TestAnswer> =>
  feedback(t, agent, (await matchWith(agent, other)).match_id, action, { ...(reason && { reason }) });

/** What a tool answers at the door of MCP, as one text. */
async function tool(agent: TestAgent, name: string, input: object = {}): Promise<string> {
  const { body } = await rpc(t, 'tools/call', { name, arguments: input }, { key: agent.key, revision: '2025-11-25' });
  expect(body.result.isError ?? false).toBe(false);
  return JSON.stringify(body.result.structuredContent);
}

async function offering(listing: object): Promise<TestAgent> {
  const agent = await person();
  await publish(t, agent, listing);
  return agent;
}

/** A place of its own keeps each market apart from the others. */
const PLACES = [
  'Norway',
  'Peru',
  'Japan',
  'Kenya',
  'Italy',
  'Chile',
  'Egypt',
  'India',
  'Spain',
  'Ghana',
  'Iran',
  'Cuba',
];
let opened = 0;

/** One buyer, sellers whom nothing sets apart, and cheaper ones that name a label more, which the buyer meets first. */
async function market(): Promise<Market> {
  const geo = PLACES[opened];
  if (!geo) throw new Error('each market takes a place, and all are taken');
  opened += 1;
  const offer = { ...LOGO_OFFER, geo, labels: ['logo-design', 'pottery'], price_cents: 85_000 };
  const all = { plain: [] as TestAgent[], crypto: [] as TestAgent[] };
  for (let n = 0; n < 3; n += 1) all.plain.push(await offering(offer));
  for (let n = 0; n < 5; n += 1) {
    all.crypto.push(await offering({ ...offer, labels: ['logo-design', 'crypto'], price_cents: 10_000 }));
  }
  const buyer = await person();
  await publish(t, buyer, { ...LOGO_SEEK, geo });
  return { ...all, buyer, geo };
}

async function decline(buyer: TestAgent, others: readonly TestAgent[], reason: string): Promise<void> {
  for (const other of others) expect((await answer(buyer, other, 'not_a_fit', reason)).status).toBe(200);
}

const CLAUSE = 'you declined 3 that name crypto: shown later';

describe('what was declined three times for what it names', () => {
  test('is shown later, with a reason, and at the score that it has', async () => {
    const { buyer, plain, crypto } = await market();
    const before = await feed(buyer);
    expect(new Set(handles(before).slice(0, 5))).toEqual(new Set(crypto.map(({ handle }) => handle)));
    await decline(buyer, crypto.slice(0, 2), 'skills');
    expect(new Set(handles(await feed(buyer)).slice(0, 3))).toEqual(
      new Set(crypto.slice(2).map((each) => each.handle)),
    );
    await decline(buyer, crypto.slice(2, 3), 'not_relevant');
    const after = await feed(buyer);
    expect(new Set(handles(after).slice(0, 3))).toEqual(new Set(plain.map(({ handle }) => handle)));
    expect(new Set(handles(after).slice(3))).toEqual(new Set(crypto.slice(3).map(({ handle }) => handle)));
    for (const match of after) {
      const was = before.find(({ match_id }) => match_id === match.match_id);
      expect(match.score).toBe(was?.score ?? 0);
      const isCrypto = crypto.some(({ handle }) => handle === match.counterparty_handle);
      expect(match.reasons).toEqual([...(was?.reasons ?? []), ...(isCrypto ? [CLAUSE] : [])]);
    }
    const ran = (await call(buyer, 'POST', '/api/matching/run', {})).body;
    expect(handles(ran.matches)).toEqual(handles(after));
    expect(ran.matches.at(-1).reasons).toContain(CLAUSE);
    const sum = await call(buyer, 'POST', `/api/matching/summary/${after.at(-1)?.match_id}`);
    expect(sum.body.reasons).toContain(CLAUSE);
    expect(await tool(buyer, 'mesh_find_matches')).toContain(CLAUSE);
  });

  test('stands no lower than its bound takes it: a pair that is better by more stays above', async () => {
    const { buyer, crypto, geo } = await market();
    // Shares the label alone, and says nothing of what is wanted.
    const body = { card_type: 'selling', headline: 'Salt', labels: ['logo-design'], price_cents: 89_999, geo };
    const far = await offering(body);
    const scores = await feed(buyer);
    const [best, worst] = [
      scores[0]?.score ?? 0,
      scores.find((each) => each.counterparty_handle === far.handle)?.score,
    ];
    expect(best - (worst ?? 1)).toBeGreaterThan(0.1);
    await decline(buyer, crypto.slice(0, 3), 'skills');
    await decline(buyer, crypto.slice(3, 4), 'price');
    expect(handles(await feed(buyer)).at(-1)).toBe(far.handle);
  });

  test('makes room among the best of one’s own listing, and takes none from the other side’s', async () => {
    const { buyer, crypto, geo } = await market();
    await decline(buyer, crypto.slice(0, 3), 'skills');
    for (let n = 0; n < MATCHES_BEST; n += 1) {
      await offering({ ...LOGO_OFFER, geo, labels: ['logo-design', 'pottery'], price_cents: 85_000 });
    }
    expect((await call(buyer, 'POST', '/api/matching/run', {})).status).toBe(200);
    const { data_dir } = t.service.world.settings;
    const rows = await readStoredRows(data_dir, 'select * from matches');
    for (const { handle } of crypto.slice(3)) {
      const { match_id } = await matchWith(buyer, { ...buyer, handle });
      const row = rows.find((each) => each['match_id'] === match_id);
      // Better by its score than each of those that are the buyer's best.
      expect(row).toMatchObject({ status: 'pending', seek_best: 0, offer_best: 1 });
    }
  });

  test('is nobody else’s business: the other side reads nothing of it by any door, and its order stays', async () => {
    const { buyer, crypto, plain } = await market();
    const sellers = [...plain, ...crypto.slice(3)];
    const lookedAt = async (seller: TestAgent): Promise<TestAnswer['body'][]> => {
      const { match_id } = await matchWith(seller, buyer);
      const by = async (method: string, path: string, body?: unknown) => (await call(seller, method, path, body)).body;
      const { took_ms: _took, ...ran } = await by('POST', '/api/matching/run', {});
      return [
        await feed(seller),
        await matchesOf(t, seller),
        await by('POST', `/api/matching/summary/${match_id}`),
        ran,
        await tool(seller, 'mesh_find_matches'),
        await tool(seller, 'mesh_sum_up_match', { match_id }),
        await eventsOf(t, seller, 'match.created'),
        await taste(seller),
      ];
    };
    // The first look marks as read and as shown.
    await Promise.all(sellers.map(lookedAt));
    const before = await Promise.all(sellers.map(lookedAt));
    await decline(buyer, crypto.slice(0, 3), 'skills');
    expect((await feed(buyer)).at(-1)?.reasons).toContain(CLAUSE);
    expect(await Promise.all(sellers.map(lookedAt))).toEqual(before);
    const { data_dir } = t.service.world.settings;
    for (const table of ['matches', 'events', 'listings', 'agents', 'messages', 'tasks']) {
      expect(JSON.stringify(await readStoredRows(data_dir, `select * from ${table}`))).not.toContain('shown later');
    }
  });
});

describe('an answer', () => {
  test('counts once however often it is given, and the last one about a match stands', async () => {
    const { buyer, crypto } = await market();
    const [first] = crypto;
    if (!first) throw new Error('there are sellers');
    for (let n = 0; n < 4; n += 1) await answer(buyer, first, 'saved');
    expect(await taste(buyer)).toMatchObject({ answers: 1, said: { saved: 1 } });
    const [event] = (await eventsOf(t, buyer, 'match.created')).filter(
      ({ data }) => data.counterparty_handle === first.handle,
    );
    const body = { action: 'interested' };
    expect((await call(buyer, 'POST', `/api/inbox/${event.id}/respond`, body)).status).toBeLessThan(500);
    await answer(buyer, first, 'interested');
    expect(await taste(buyer)).toMatchObject({ answers: 1, said: { interested: 1 } });
    expect((await taste(first)).answers).toBe(0);
  });

  test('to each of many matches at once is held of each', async () => {
    const { buyer, plain, crypto } = await market();
    const ids = await Promise.all([...plain, ...crypto].map((other) => matchWith(buyer, other)));
    const answers = await Promise.all(ids.map(({ match_id }) => feedback(t, buyer, match_id, 'saved')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await taste(buyer)).toMatchObject({ answers: 8, said: { saved: 8 } });
  });

  test('in words of one’s own, or of a chip that names nothing of the listing, teaches nothing', async () => {
    const { buyer, crypto } = await market();
    const [a, b, c, d] = crypto;
    if (!a || !b || !c || !d) throw new Error('there are sellers');
    await decline(buyer, [a], 'No crypto please, and too dear.');
    await decline(buyer, [b], 'timing');
    expect((await answer(buyer, c, 'not_a_fit')).status).toBe(200);
    expect((await taste(buyer)).answers).toBe(0);
    // What was saved and then declined for nothing in particular is no liking any more.
    await answer(buyer, d, 'saved');
    expect((await taste(buyer)).answers).toBe(1);
    await decline(buyer, [d], 'already_found');
    expect((await taste(buyer)).answers).toBe(0);
  });

  test('that is refused teaches nothing', async () => {
    const { buyer, crypto } = await market();
    const [first] = crypto;
    if (!first) throw new Error('there are sellers');
    await decline(buyer, [first], 'price');
    expect((await answer(buyer, first, 'interested')).status).toBe(409);
    expect(await taste(buyer)).toMatchObject({ answers: 1, said: { price: 1 } });
  });
});

describe('a block', () => {
  test('shows what is still open with that agent last, says so, and is taken back with the block', async () => {
    const { buyer, crypto } = await market();
    const top = crypto.at(0);
    if (!top) throw new Error('there are sellers');
    await call(buyer, 'POST', `/api/agents/${top.handle}/block`);
    const shown = await feed(buyer);
    expect(shown.at(-1)).toMatchObject({ counterparty_handle: top.handle });
    expect(shown.at(-1)?.reasons).toContain('you block this agent: shown later');
    expect((await taste(buyer)).learnt).toMatchObject([
      { as: null, about: 'agent', what: top.handle, shift: -0.1, text: `you block @${top.handle}: shown later` },
    ]);
    expect(await taste(top)).toMatchObject({ answers: 0, learnt: [] });
    await call(buyer, 'DELETE', `/api/agents/${top.handle}/block`);
    expect((await taste(buyer)).answers).toBe(0);
    expect(handles(await feed(buyer)).slice(0, 5)).toContain(top.handle);
  });
});

describe('the taste', () => {
  test('says in words what was learnt, on what it rests, and within which bounds', async () => {
    const { buyer, crypto } = await market();
    expect(await taste(buyer)).toEqual({
      answers: 0,
      said: {},
      answers_max: 100,
      alike_min: 3,
      half_life_days: 90,
      shift_max: 0.1,
      learnt: [],
    });
    await decline(buyer, crypto.slice(0, 3), 'skills');
    const { answers, said, learnt } = await taste(buyer);
    expect([answers, said]).toEqual([3, { skills: 3 }]);
    const moves = { as: 'buying seek', about: 'label', what: 'crypto', interested: 0, declined: 3, shift: -0.036 };
    expect(learnt[0]).toEqual({ ...moves, text: CLAUSE });
    // The buyer's own label was in all of them, and is no dislike of it.
    expect(learnt.slice(1)).toMatchObject([{ about: 'label', declined: 0, shift: 0 }]);
  });

  test('is forgotten at a word: the order is what it was, and what is answered then is learnt anew', async () => {
    const { buyer, crypto } = await market();
    const before = handles(await feed(buyer));
    const { listings, tastes } = t.service.world;
    const own = await listings.get((await matchesOf(t, buyer))[0].my_listing.id);
    const ranking = (): Promise<unknown> => (own ? tastes.of(own.side) : Promise.reject(new Error('it is gone')));
    expect(await ranking()).toBeNull();
    await decline(buyer, crypto.slice(0, 3), 'skills');
    expect(handles(await feed(buyer))).not.toEqual(before.slice(3));
    // What the engine ranks by follows the answers, too.
    expect(await ranking()).not.toBeNull();
    const reset = await call(buyer, 'DELETE', '/api/matching/taste');
    expect([reset.status, reset.body]).toEqual([200, { forgotten: 3 }]);
    expect(await ranking()).toBeNull();
    const declined = new Set(crypto.slice(0, 3).map(({ handle }) => handle));
    const after = await feed(buyer);
    expect(handles(after)).toEqual(before.filter((handle) => !declined.has(handle)));
    expect(JSON.stringify(after)).not.toContain('shown later');
    expect(await taste(buyer)).toMatchObject({ answers: 0, learnt: [] });
    expect((await call(buyer, 'DELETE', '/api/matching/taste')).body).toEqual({ forgotten: 0 });
    await decline(buyer, crypto.slice(3, 4), 'skills');
    expect((await taste(buyer)).answers).toBe(1);
  });
});
