// Restricted niches end to end: what is refused, what waits for an administrator, and what follows from the decision.
import { beforeAll, expect, test } from 'bun:test';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { edit, eventsOf, LOGO_OFFER, LOGO_SEEK, matchesOf } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const ADMIN = 'boss@example.org';
const DOUBTFUL = { ...LOGO_OFFER, description: 'We draw friendly logos for small shops and casinos.' };

const t = sharedService({ admin_emails: [ADMIN] });
let admin: string;
let n = 0;

beforeAll(async () => {
  admin = await signIn(t, ADMIN);
});

const fresh = (verified = true): Promise<TestAgent> => newAgent(t, { handle: `maker_${++n}`, verified, pro: true });
const create = (agent: TestAgent, body: object): Promise<TestAnswer> =>
  t.call('POST', `/api/agents/${agent.handle}/cards`, { key: agent.key, body });
const read = (agent: TestAgent, id: string): Promise<TestAnswer> =>
  t.call('GET', `/api/agents/${agent.handle}/cards/${id}`, { key: agent.key });

async function reviewsFor(agent: TestAgent, status = 'open'): Promise<TestAnswer['body'][]> {
  const { body } = await t.call('GET', `/api/admin/reviews?limit=100&status=${status}`, { token: admin });
  return body.filter((review: { handle: string }) => review.handle === agent.handle);
}

async function decided(agent: TestAgent, approve: boolean): Promise<TestAnswer> {
  const [review] = await reviewsFor(agent);
  return t.call('POST', `/api/admin/reviews/${review.id}`, { token: admin, body: { approve } });
}

test('a clear case is refused with its code twice, and nothing is stored', async () => {
  const agent = await fresh();
  const answer = await create(agent, { ...LOGO_OFFER, headline: 'Online casino links' });
  expect([answer.status, answer.body.error, answer.body.code]).toEqual([400, 'restricted_niche', 'restricted_niche']);
  expect((await t.call('GET', '/api/v1/listings', { key: agent.key })).body).toEqual([]);
  const body = { offers: [{ ...LOGO_OFFER, labels: ['payday-loans'] }], seeks: [LOGO_SEEK] };
  const intake = await t.call('POST', '/api/onboarding/intake', { key: agent.key, body });
  expect([intake.status, intake.body.code]).toEqual([400, 'restricted_niche']);
});

test('a doubtful listing is held: its owner sees why, nobody else sees it, and nothing is matched', async () => {
  const seeker = await fresh();
  await create(seeker, LOGO_SEEK);
  const agent = await fresh();
  const { status, body } = await create(agent, DOUBTFUL);
  expect([status, body.status, body.active]).toEqual([201, 'pending_review', false]);
  expect(body.gate_report).toContainEqual(expect.objectContaining({ check: 'review', status: 'pending' }));
  expect((await t.call('GET', `/api/agents/${agent.handle}/cards/${body.id}`)).status).toBe(404);
  expect((await t.call('GET', `/api/agents/${agent.handle}/cards`)).body).toEqual([]);
  expect(await matchesOf(t, agent)).toEqual([]);
  const [review] = await reviewsFor(agent);
  expect(review).toMatchObject({
    kind: 'listing',
    reason: 'casino',
    listing: { id: body.id, status: 'pending_review' },
  });
  expect(review.text).toContain('casinos');
  const activated = await edit(t, agent, body.id, { active: true });
  expect([activated.status, activated.body.error]).toEqual([409, 'pending']);
});

test('an approved listing goes live, is matched, and its owner is told', async () => {
  const agent = await fresh();
  const { id } = (await create(agent, DOUBTFUL)).body;
  const answer = await decided(agent, true);
  expect([answer.status, answer.body.status, answer.body.listing.status]).toEqual([200, 'approved', 'live']);
  expect((await matchesOf(t, agent)).length).toBeGreaterThan(0);
  const [event] = await eventsOf(t, agent, 'listing.reviewed');
  expect(event.data).toMatchObject({ listing_id: id, approved: true, status: 'live' });
  // The same words need no second look, others do.
  expect((await edit(t, agent, id, { price_cents: 100 })).body.status).toBe('live');
  expect((await edit(t, agent, id, { active: false })).body.status).toBe('inactive');
  expect((await edit(t, agent, id, { active: true })).body.status).toBe('live');
  expect((await edit(t, agent, id, { headline: 'Logos for casinos' })).body.status).toBe('pending_review');
  expect(await reviewsFor(agent)).toHaveLength(1);
});

test('a refused listing stays with its owner, who sees the decision and may say it otherwise', async () => {
  const agent = await fresh();
  const { id } = (await create(agent, DOUBTFUL)).body;
  expect((await decided(agent, false)).body.listing.status).toBe('inactive');
  const { body } = await read(agent, id);
  expect([body.status, body.gate_status]).toEqual(['inactive', 'failed']);
  expect(body.gate_report).toContainEqual(expect.objectContaining({ check: 'review', status: 'failed' }));
  const again = await edit(t, agent, id, { active: true });
  expect([again.status, again.body.error]).toEqual([400, 'restricted_niche']);
  const mended = await edit(t, agent, id, { description: 'For small shops.', active: true });
  expect([mended.status, mended.body.status]).toEqual([200, 'live']);
});

test('an edit of a held listing is judged anew', async () => {
  const agent = await fresh();
  const { id } = (await create(agent, DOUBTFUL)).body;
  const other = await edit(t, agent, id, { headline: 'Logos for gambling rooms' });
  expect(other.body.status).toBe('pending_review');
  const [review, ...more] = await reviewsFor(agent);
  expect(more).toEqual([]);
  expect(review.text).toContain('casinos');
  const worse = await edit(t, agent, id, { headline: 'Online gambling site' });
  expect([worse.status, worse.body.error]).toEqual([400, 'restricted_niche']);
  const mended = await edit(t, agent, id, { headline: 'Logos', description: 'For small shops.' });
  expect(mended.body.status).toBe('live');
  expect(await reviewsFor(agent)).toEqual([]);
});

test('a held listing that is paused or deleted leaves the queue', async () => {
  const agent = await fresh();
  const paused = (await create(agent, DOUBTFUL)).body.id;
  expect((await edit(t, agent, paused, { active: false })).body.status).toBe('inactive');
  expect(await reviewsFor(agent)).toEqual([]);
  const gone = (await create(agent, DOUBTFUL)).body.id;
  expect(await reviewsFor(agent)).toHaveLength(1);
  await t.call('DELETE', `/api/agents/${agent.handle}/cards/${gone}`, { key: agent.key });
  expect(await reviewsFor(agent)).toEqual([]);
});

test('approval opens no other gate', async () => {
  const agent = await fresh(false);
  const { id, status } = (await create(agent, DOUBTFUL)).body;
  expect(status).toBe('pending_review');
  expect((await decided(agent, true)).body.listing.status).toBe('pending_verification');
  expect((await read(agent, id)).body.status).toBe('pending_verification');
});

test('a review is decided once', async () => {
  const agent = await fresh();
  await create(agent, DOUBTFUL);
  const [review] = await reviewsFor(agent);
  const path = `/api/admin/reviews/${review.id}`;
  expect((await t.call('POST', path, { token: admin, body: { approve: true } })).status).toBe(200);
  const again = await t.call('POST', path, { token: admin, body: { approve: false } });
  expect([again.status, again.body.error]).toEqual([409, 'already_decided']);
});

test('only administrators get in: sessions of ADMIN_EMAILS, and the platform token', async () => {
  const agent = await fresh();
  const asked = async (who: object): Promise<unknown> => {
    const { status, body } = await t.call('GET', '/api/admin/reviews', who);
    return [status, body.error];
  };
  expect(await asked({})).toEqual([401, 'unauthorized']);
  expect(await asked({ key: agent.key })).toEqual([403, 'session_required']);
  expect(await asked({ token: agent.token })).toEqual([403, 'wrong_role']);
  expect(await asked({ token: admin })).toEqual([200, undefined]);
  expect(await asked({ headers: { 'X-Internal-Token': t.internal_token } })).toEqual([200, undefined]);
});
