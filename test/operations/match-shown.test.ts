// What is shown of an agent's matches, and what that costs: each match counts once, when it is shown for the first time.
import { beforeAll, describe, expect, test } from 'bun:test';
import { makePro, newAgent, type TestAgent } from '../support/agents.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
/** Twelve buyers wait for whoever offers logos. */
beforeAll(async () => {
  for (let n = 0; n < 12; n += 1) {
    const buyer = await newAgent(t, { handle: `buyer_${n}`, verified: true });
    await publish(t, buyer, { ...LOGO_SEEK, budget_cents: 51_000 + n * 5_000 });
  }
});

let made = 0;

/** A seller with twelve matches that nobody has looked at. */
async function seller(pro = false): Promise<TestAgent> {
  made += 1;
  const agent = await newAgent(t, { handle: `seller_${made}`, verified: true, pro });
  await publish(t, agent, LOGO_OFFER);
  return agent;
}

function feed(agent: TestAgent): Promise<TestAnswer> {
  return t.call('GET', '/api/matching/feed', { key: agent.key });
}

async function usedBy(agent: TestAgent): Promise<number> {
  const { body } = await t.call('GET', '/api/billing/limits', { key: agent.key });
  return body.limits.find((limit: { name: string }) => limit.name === 'matches').used;
}

const ids = (answer: TestAnswer): string[] => answer.body.map((match: { match_id: string }) => match.match_id);

describe('the feed', () => {
  test('shows the best first, as many as a month of the free plan has, and the same ones ever after', async () => {
    const agent = await seller();
    const first = await feed(agent);
    expect(first.status).toBe(200);
    expect(first.body).toHaveLength(10);
    const scores = first.body.map((match: { score: number }) => match.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(await usedBy(agent)).toBe(10);
    expect(ids(await feed(agent))).toEqual(ids(first));
    expect(await usedBy(agent)).toBe(10);
  });

  test('counts a match once when it is asked for many times at once', async () => {
    const agent = await seller();
    const answers = await Promise.all(Array.from({ length: 5 }, () => feed(agent)));
    for (const answer of answers) expect(ids(answer)).toEqual(ids(answers[0] ?? answer));
    expect(await usedBy(agent)).toBe(10);
  });

  test('is refused when only unseen matches are left and the month is used up', async () => {
    const agent = await seller();
    for (const match_id of ids(await feed(agent))) await feedback(t, agent, match_id, 'not_a_fit');
    const { status, body } = await feed(agent);
    expect(status).toBe(403);
    expect(body).toMatchObject({ error: 'plan_limit', limit: 10, used: 10, resets_at: '2026-07-01T00:00:00.000Z' });
  });

  test('shows all of them on the Pro plan, at most 20', async () => {
    const agent = await seller(true);
    expect((await feed(agent)).body).toHaveLength(12);
    expect(await usedBy(agent)).toBe(12);
    await publish(t, agent, { ...LOGO_OFFER, headline: 'Logo sketches' });
    expect((await feed(agent)).body).toHaveLength(20);
  });
});

describe('the allowance', () => {
  test('is spent by whatever shows a match first, and by nothing twice', async () => {
    const agent = await seller();
    const listed = await t.call('GET', `/api/agents/${agent.handle}/matches?limit=4`, { key: agent.key });
    expect(listed.body).toHaveLength(4);
    expect(await usedBy(agent)).toBe(4);
    const run = await t.call('POST', '/api/matching/run', { key: agent.key, body: { limit: 2 } });
    expect(run.body.matches).toHaveLength(2);
    const [best] = run.body.matches;
    const before = await usedBy(agent);
    const { body } = await t.call('POST', `/api/matching/summary/${best.match_id}`, { key: agent.key });
    expect(body.match).toEqual(best);
    expect(await usedBy(agent)).toBe(before);
    expect((await feed(agent)).body).toHaveLength(10);
    expect(await usedBy(agent)).toBe(10);
  });

  test('refuses to run matching once it is used up', async () => {
    const agent = await seller();
    await feed(agent);
    const run = await t.call('POST', '/api/matching/run', { key: agent.key, body: {} });
    expect(run.status).toBe(403);
    expect(run.body).toMatchObject({ error: 'plan_limit', limit: 10, used: 10 });
  });

  test('keeps an unseen match from being approached, but never from being declined', async () => {
    const agent = await seller();
    const shown = new Set(ids(await feed(agent)));
    const { body } = await t.call('GET', '/api/inbox?limit=100', { key: agent.key });
    const told: string[] = body.events
      .filter((event: { kind: string }) => event.kind === 'match.created')
      .map((event: { data: { match_id: string } }) => event.data.match_id);
    const unseen = told.filter((match_id) => !shown.has(match_id));
    expect(unseen).toHaveLength(2);
    const [one = ''] = unseen;
    expect((await feedback(t, agent, one, 'interested')).body.error).toBe('plan_limit');
    expect((await feedback(t, agent, one, 'not_a_fit')).status).toBe(200);
    expect(await usedBy(agent)).toBe(10);
  });

  test('is whole again on the 1st, and what was shown before stays free', async () => {
    const agent = await seller();
    const before = ids(await feed(agent));
    await t.advance(Date.UTC(2026, 6, 1) - t.clock.now());
    const after = await feed(agent);
    expect(after.body).toHaveLength(12);
    expect(ids(after)).toEqual(expect.arrayContaining(before));
    expect(await usedBy(agent)).toBe(2);
  });
});

test('the list goes page by page, newest first, and by its alias', async () => {
  const agent = await seller(true);
  const all = await t.call('GET', `/api/agents/${agent.handle}/matches`, { key: agent.key });
  const newest = [...ids(all)].sort().reverse();
  expect(ids(all)).toEqual(newest);
  const seen: string[] = [];
  let cursor = '';
  for (let page = 0; page < 5; page += 1) {
    const answer = await t.call('GET', `/api/v1/matches?limit=5${cursor}`, { key: agent.key });
    seen.push(...ids(answer));
    const next = answer.headers.get('X-Next-Cursor');
    if (next === null) break;
    cursor = `&cursor=${next}`;
  }
  expect(seen).toEqual(newest);
});

test("nobody reads another agent's matches", async () => {
  const [one, other] = [await seller(), await seller()];
  expect((await t.call('GET', `/api/agents/${one.handle}/matches`, { key: other.key })).status).toBe(404);
  const [match_id = ''] = ids(await feed(one));
  expect((await t.call('POST', `/api/matching/summary/${match_id}`, { key: other.key })).status).toBe(404);
  expect((await feed({ ...one, key: 'nonsense' })).status).toBe(401);
});

test('a plan that grows shows the rest at once', async () => {
  const agent = await seller();
  await feed(agent);
  await makePro(t, agent.email);
  expect((await feed(agent)).body).toHaveLength(12);
});
