// The floor of matches: what fits too little stays on the list of matches, and its event in the inbox and on the webhook; no letter,
// no digest and no push tells of it, and it is not among what its person has to decide.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { AUTHORITY } from '../support/authority.ts';
import { eventsOf, feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { openTestService, START_MS, type TestAnswer, type TestService } from '../support/testbed.ts';
import { type PushService, startPushService } from '../support/web-push.ts';

const HOST = 'receivers.example';
/** A third of the whole, with the offer of a logo: one label of four, above the budget. */
const SIGN_SEEK = {
  card_type: 'buying',
  headline: 'A sign for my bakery',
  description: 'Wood and paint.',
  labels: ['branding', 'woodwork', 'signs', 'painting'],
  budget_cents: 32_000,
};
const WEAK = 33;
/** Between two letters about an agent. */
const LETTER_PAUSE_MS = 600_000;

let t: TestService;
let receiver: Receiver;
let pushes: PushService;
let outside: NonNullable<NonNullable<Parameters<typeof openTestService>[2]>['outside']>;
let people = 0;

beforeAll(async () => {
  receiver = await startReceiver();
  pushes = startPushService(() => t?.clock.now() ?? START_MS);
  const allow = [HOST, '127.0.0.1'].map((host, n) => ({ host, port: n === 0 ? receiver.port : pushes.port }));
  outside = { allow, ca: AUTHORITY };
});
beforeEach(async () => {
  pushes.pushed.length = 0;
  t = await openTestService({}, undefined, { outside });
  t.zone.setAddresses(HOST, ['127.0.0.1']);
});
afterEach(() => t.close());
afterAll(async () => {
  await pushes.stop();
  await receiver.close();
});

/** Somebody who sells logos and hears of everything. */
async function seller(wake?: object): Promise<TestAgent> {
  const agent = await newAgent(t, { handle: `floor_${++people}`, verified: true });
  const { token, key, handle } = agent;
  const subscription = pushes.subscribe(handle);
  await t.call('POST', '/api/notifications/browsers', { token, body: { subscription, name: 'Phone' } });
  await t.call('PATCH', '/api/notifications/preferences', { token, body: { push: 'all' } });
  if (wake) await t.call('PATCH', `/api/agents/${handle}`, { key, body: { wake } });
  await publish(t, agent, LOGO_OFFER);
  return agent;
}

async function seekBy(listing: object): Promise<TestAgent> {
  const agent = await newAgent(t, { handle: `seek_${++people}`, verified: true });
  await publish(t, agent, listing);
  await t.rest();
  await t.service.dispatcher.idle();
  return agent;
}

const lettersTo = ({ email }: TestAgent): string[] =>
  t.mails.flatMap(({ to, subject }) => (to === email && /match/.test(subject) ? [subject] : []));
const pushedTo = ({ handle }: TestAgent): string[] =>
  pushes.pushed.flatMap(({ browser, told: { title } }) => (browser === handle && /match/.test(title) ? [title] : []));
const feed = async ({ key }: TestAgent, only = ''): Promise<number[]> => {
  const answer: TestAnswer = await t.call('GET', `/api/matching/feed${only && `?only=${only}`}`, { key });
  expect(answer.status).toBe(200);
  return answer.body.map(({ score_percent }: { score_percent: number }) => score_percent);
};

test('a weak match is told to the inbox alone, a strong one by letter and push as well', async () => {
  const ann = await seller();
  await seekBy(SIGN_SEEK);
  expect(await feed(ann)).toEqual([WEAK]);
  expect(await eventsOf(t, ann, 'match.created')).toHaveLength(1);
  await t.advance(LETTER_PAUSE_MS);
  expect([lettersTo(ann), pushedTo(ann)]).toEqual([[], []]);
  expect([await feed(ann, 'undecided'), await feed(ann, 'weak')]).toEqual([[], [WEAK]]);
  expect(await matchesOf(t, ann)).toHaveLength(1);

  const strong = await seekBy(LOGO_SEEK);
  const told = `New match with ${strong.handle}`;
  await t.advance(LETTER_PAUSE_MS);
  expect([lettersTo(ann), pushedTo(ann)]).toEqual([[told], [told]]);
  const [best = 0] = await feed(ann, 'undecided');
  expect(best).toBeGreaterThan(40);
  expect(await feed(ann)).toEqual([best, WEAK]);
});

test('a webhook takes the event of a weak match', async () => {
  const ann = await seller();
  const url = `https://${HOST}:${receiver.port}/200/${ann.handle}`;
  const hook = { key: ann.key, body: { url, events: ['match.created'] } };
  expect((await t.call('POST', '/api/developer/webhooks', hook)).status).toBe(201);
  await seekBy(SIGN_SEEK);
  const posted = receiver.received.filter(({ path }) => path.endsWith(ann.handle));
  expect(posted.map(({ body }) => JSON.parse(body).type)).toEqual(['match.created']);
});

test('what the agent itself says goes before the floor', async () => {
  const low = await seller({ min_match_score: 20 });
  const weak = await seekBy(SIGN_SEEK);
  await t.advance(LETTER_PAUSE_MS);
  expect([lettersTo(low), pushedTo(low)]).toEqual([
    [`New match with ${weak.handle}`],
    [`New match with ${weak.handle}`],
  ]);
  expect([await feed(low, 'undecided'), await feed(low, 'weak')]).toEqual([[WEAK], []]);

  const high = await seller({ min_match_score: 99 });
  expect(await eventsOf(t, high, 'match.created')).toEqual([]);
  expect([await feed(high, 'undecided'), await feed(high, 'weak')]).toEqual([[], [WEAK]]);
});

test('the digest tells of no weak match', async () => {
  const digests = (): string[] =>
    t.mails.flatMap(({ subject, text }) => (subject.includes('unread notification') ? [text] : []));
  const ann = await seller();
  await t.advance(HOUR_MS);
  const body = { email: 'none', digest: 'daily' };
  expect((await t.call('PATCH', '/api/notifications/preferences', { key: ann.key, body })).status).toBe(200);
  await seekBy(SIGN_SEEK);
  await t.advance(2 * DAY_MS);
  expect(digests().join()).not.toContain('New match');
  const strong = await seekBy(LOGO_SEEK);
  await t.advance(2 * DAY_MS);
  expect(digests().at(-1)).toContain(`New match with ${strong.handle}`);
});

test('what was answered or saved waits for no decision any more', async () => {
  const ann = await seller();
  await seekBy(LOGO_SEEK);
  await seekBy({ ...LOGO_SEEK, headline: 'A logo for my café' });
  expect(await feed(ann, 'undecided')).toHaveLength(2);
  const [first, second] = await matchesOf(t, ann);
  expect((await feedback(t, ann, first.match_id, 'saved')).status).toBe(200);
  expect(await feed(ann, 'undecided')).toHaveLength(1);
  expect((await feedback(t, ann, second.match_id, 'interested')).status).toBe(200);
  expect([await feed(ann, 'undecided'), (await feed(ann)).length]).toEqual([[], 2]);
});

test('a match says what the other side asks or would pay, and where it is', async () => {
  const ann = await seller();
  const bob = await seekBy({ ...LOGO_SEEK, geo: 'Berlin', price_period: 'day' });
  const [[seen], [other]] = [await matchesOf(t, ann), await matchesOf(t, bob)];
  expect([seen.their_price, seen.their_place]).toEqual([
    { is: 'budget', amount_cents: LOGO_SEEK.budget_cents, period: 'day' },
    'Berlin',
  ]);
  expect([other.their_price, other.their_place]).toEqual([
    { is: 'price', amount_cents: LOGO_OFFER.price_cents, period: 'once' },
    null,
  ]);
});
