// The whole story over a real socket: four strangers come by a code in a mail, their agents publish real listings, a buyer's agent meets three
// sellers and compares what they ask, comes to a deal with one, the work is done and paid, and both say how it was. The people press only what
// the rules leave to people. Over REST, turn by turn and on autopilot; with the agents' every call by tools; with their talk over A2A.
import { afterEach, expect, test } from 'bun:test';
import { Role, TaskState } from '@a2a-js/sdk';
import { ClientFactory, createAuthenticatingFetchWithRetry, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { HOUR_MS } from '../src/domain/time.ts';
import { type ServedTest, serveTest } from './support/a2a.ts';
import { type Json, restClient } from './support/rest-client.ts';
import { type OpenDoor, openMcp, openRest } from './support/story-doors.ts';
import { storyListings } from './support/story-listings.ts';
import { arrive, type Side } from './support/story-people.ts';
import type { TestService } from './support/testbed.ts';

const MAX_PAY_CENTS = 13_000_000;
const MIN_CHARGE_CENTS = 9_000_000;
/** Far more turns than two sides with room between their bounds ever need. */
const TURNS_MAX = 50;
/** Longer than two sides that answer at their pace need. */
const MINUTES = 60;
/** How long the buyer's agent compares. */
const COMPARES_HOURS = 3;
/** Of a hundred. */
const FREE_FEE = 5;
/** A large amount is proposed in three parts, each of which the buyer's person releases. */
const RELEASED = ['release', 'release', 'release'] as const;

let served: ServedTest | null = null;
afterEach(async () => {
  await served?.close();
  served = null;
});

/** The buyer, and the seller that it comes to a deal with. */
interface Pair {
  readonly buyer: Side;
  readonly seller: Side;
}

interface Story {
  readonly buyer: Side;
  readonly sellers: readonly Side[];
}

/** Three sellers, and the least that each takes. */
const SELLERS = [
  ['reads_sensors', MIN_CHARGE_CENTS],
  ['hears_machines', 9_500_000],
  ['sees_patterns', 10_000_000],
] as const;

/** Strangers are there, proven, with bounds and, on the buyer's side, money. */
async function strangers(place: ServedTest, open: OpenDoor, seller_decides: boolean): Promise<Story> {
  const buyer = await arrive(place, open, 'plant_owner');
  const sellers: Side[] = [];
  for (const [name] of SELLERS) sellers.push(await arrive(place, open, name));
  for (const { act, person } of [buyer, ...sellers]) {
    expect((await act('onboarding')).next_step).not.toBeNull();
    const { verify_link } = await act('verifyLink');
    const { pathname } = new URL(verify_link);
    expect((await fetch(`${place.url}${pathname}`)).status).toBe(200);
    await person.signIn();
    await person.verifyPhone();
  }
  await buyer.act('bound', { max_pay_cents: MAX_PAY_CENTS });
  const alone = seller_decides ? {} : { auto_approve_below_cents: MAX_PAY_CENTS };
  for (const [at, [, min_charge_cents]] of SELLERS.entries())
    await sellers[at]?.act('bound', { min_charge_cents, ...alone });
  await buyer.person.fund(MAX_PAY_CENTS);
  return { buyer, sellers };
}

/** A story whose listings have met. */
interface Met extends Story {
  readonly seek_id: string;
  /** The conversation with each seller. */
  readonly talks: readonly string[];
}

/** The listings go live and meet, and the buyer's agent is interested in each. */
async function meet({ t }: { readonly t: TestService }, story: Story): Promise<Met> {
  const { buyer, sellers } = story;
  const { offer, seek: listed } = storyListings();
  const seek = { ...listed, conditions: { decide_within_hours: COMPARES_HOURS } };
  for (const seller of sellers) {
    const headline = `${offer.headline}, by @${seller.handle}`;
    expect(await seller.act('publish', { ...offer, headline })).toMatchObject({ status: 'live' });
  }
  const { id: seek_id, status } = await buyer.act('publish', seek);
  expect(status).toBe('live');
  await t.rest();
  const matches: Json[] = await buyer.act('matches');
  const talks: string[] = [];
  for (const { handle } of sellers) {
    const match = matches.find(({ counterparty_handle }) => counterparty_handle === handle);
    expect(match).toMatchObject({ status: 'pending' });
    talks.push((await buyer.act('interested', { match_id: match.match_id })).conversation_id);
  }
  return { ...story, seek_id, talks };
}

/** Two agents take turns until one of them has nothing to do but to wait. */
async function bargain({ buyer, seller }: Pair, conversation_id: string): Promise<void> {
  for (let n = 0; n < TURNS_MAX; n += 1) {
    const turn = await (n % 2 === 0 ? buyer : seller).act('advance', { conversation_id });
    expect(['say', 'propose', 'approve', 'wait']).toContain(turn.action);
    expect(turn.deal_id).toBeNull();
    if (turn.action !== 'wait') continue;
    // Whoever may agree without its person does so behind the other side.
    expect(['person_decides', 'awaits_their_yes', 'compares']).toContain(turn.reason);
    return;
  }
  throw new Error('the talk has no end');
}

interface Chosen {
  readonly pair: Pair;
  readonly conversation_id: string;
  readonly proposal: Json;
}

/** The best of what the buyer compares, once it is time to decide. */
async function chosen({ t }: ServedTest, { buyer, sellers, seek_id, talks }: Met): Promise<Chosen> {
  const before: Json[] = await buyer.act('compared', { listing_id: seek_id });
  expect(before.length).toBe(sellers.length);
  await t.advance(COMPARES_HOURS * HOUR_MS);
  const [proposal]: Json[] = await buyer.act('compared', { listing_id: seek_id });
  expect(proposal.amount_cents).toBe(Math.min(...before.map(({ amount_cents }) => amount_cents)));
  const { conversation_id } = proposal;
  const seller = sellers[talks.indexOf(conversation_id)];
  if (!seller) throw new Error('the best is of nobody');
  return { pair: { buyer, seller }, conversation_id, proposal };
}

/** The conversations of those that were not chosen have ended. */
async function expectOthersClosed({ t }: ServedTest, { sellers, talks }: Met, { seller }: Pair): Promise<void> {
  await t.advance(2 * HOUR_MS);
  for (const [at, other] of sellers.entries()) {
    if (other === seller) continue;
    const talk = await other.act('conversation', { conversation_id: talks[at] });
    expect(talk).toMatchObject({ status: 'closed', deal_id: null });
    await other.close();
  }
}

/** From a proposal that waits for people to a deal that is paid, reviewed and over. */
async function carryOut(
  pair: Pair,
  conversation_id: string,
  proposal: Json,
  deciding: readonly Side[],
  follows: () => Promise<unknown> = async () => {},
): Promise<void> {
  const { buyer, seller } = pair;
  expect(proposal.amount_cents).toBeGreaterThanOrEqual(MIN_CHARGE_CENTS);
  expect(proposal.amount_cents).toBeLessThanOrEqual(MAX_PAY_CENTS);
  for (const { person } of deciding) await person.approve(conversation_id, proposal);
  await follows();
  const { deal_id } = await buyer.act('conversation', { conversation_id });
  const { escrow_id } = await buyer.act('deal', { deal_id });
  expect(await buyer.act('deal', { deal_id })).toMatchObject({
    status: 'funded',
    amount_cents: proposal.amount_cents,
    escrow_id,
    buyer_handle: buyer.handle,
    seller_handle: seller.handle,
  });
  const { milestones } = await buyer.act('escrow', { escrow_id });
  for (const [milestone_index] of milestones.entries()) {
    await seller.act('deliver', { escrow_id, milestone_index, url: `https://sensors.example/part-${milestone_index}` });
    expect(await buyer.person.balance()).toBe(MAX_PAY_CENTS - proposal.amount_cents);
    await buyer.person.release(escrow_id, milestone_index);
  }
  expect(await seller.act('deal', { deal_id })).toMatchObject({ status: 'completed' });
  // Each part's fee is rounded down by itself.
  const fees = milestones.reduce(
    (sum: number, part: Json) => sum + Math.floor((part.amount_cents * FREE_FEE) / 100),
    0,
  );
  expect(await seller.person.balance()).toBe(proposal.amount_cents - fees);
  await buyer.act('review', { deal_id, rating: 5, text: 'They told us of the bearing a week before it broke.' });
  await seller.act('review', { deal_id, rating: 4, text: 'Good data, and paid the same day.' });
  expect(await seller.act('conversation', { conversation_id })).toMatchObject({ status: 'completed', deal_id });
}

/** The kinds of all that came to an agent. */
async function kindsOf({ act }: Side): Promise<string[]> {
  const kinds: string[] = [];
  let after = 0;
  for (let more = true; more; ) {
    const page = await act('inbox', { after, limit: 100 });
    kinds.push(...page.events.map(({ kind }: Json) => kind));
    [after, more] = [page.cursor, page.has_more];
  }
  return kinds;
}

/** What came to both sides whatever the way. */
const OF_BOTH = [
  'trust.updated',
  'match.created',
  'conversation.updated',
  'escrow.released',
  'conversation.completed',
  'agent.updated',
];

/** How the story has to have ended, whatever door it came by. */
async function expectEnd({ t, url }: ServedTest, { buyer, seller }: Pair): Promise<void> {
  const client = restClient(url);
  const headers = { 'X-Internal-Token': t.internal_token };
  const check = await client.ask('GET', '/api/admin/ledger/check', {}, undefined, headers);
  expect(check).toMatchObject({ ok: true, problems: [], sum_cents: 0 });
  for (const [{ handle }, rating] of [
    [buyer, 4],
    [seller, 5],
  ] as const) {
    const record = await client.ask('GET', `/api/agents/public/${handle}/track-record`);
    expect(record).toMatchObject({ deals: { completed: 1 }, rating, reviews: [{ rating }] });
  }
  const own = ['payment.succeeded', 'negotiation.proposed', 'escrow.delivered'];
  expect(await kindsOf(buyer)).toEqual(expect.arrayContaining([...OF_BOTH, ...own]));
  const met = ['match.approved', 'conversation.started'];
  expect(await kindsOf(seller)).toEqual(expect.arrayContaining([...OF_BOTH, ...met]));
  await buyer.close();
  await seller.close();
}

/** The seller's agent agrees, where it has not yet. */
const agrees =
  ({ buyer, seller }: Pair, conversation_id: string) =>
  async () => {
    const { deal_id } = await buyer.act('conversation', { conversation_id });
    if (deal_id === null) await seller.act('advance', { conversation_id });
  };

test('over REST: the sellers’ agents agree alone, the buyer’s person has the last word', async () => {
  served = await serveTest();
  const met = await meet(served, await strangers(served, openRest, false));
  const { buyer, sellers } = met;
  for (const [at, seller] of sellers.entries()) await bargain({ buyer, seller }, met.talks[at] ?? '');
  const { pair, conversation_id, proposal } = await chosen(served, met);
  for (const { person } of [buyer, pair.seller]) await person.signIn();
  await carryOut(pair, conversation_id, proposal, [buyer], agrees(pair, conversation_id));
  expect(buyer.person.pressed).toEqual(['sign in', 'verify', 'fund', 'sign in', 'approve', ...RELEASED]);
  expect(pair.seller.person.pressed).toEqual(['sign in', 'verify', 'sign in']);
  await expectOthersClosed(served, met, pair);
  await expectEnd(served, pair);
});

test('on autopilot: the people let their agents talk, and come back when there is something to decide', async () => {
  served = await serveTest();
  const { t } = served;
  const story = await strangers(served, openRest, false);
  for (const { person } of [story.buyer, ...story.sellers]) await person.switchOn();
  const met = await meet(served, story);
  for (let minute = 0; minute < MINUTES; minute += 1) await t.advance(60_000);
  const { pair, conversation_id, proposal } = await chosen(served, met);
  const { buyer, seller } = pair;
  for (const { person } of [buyer, seller]) await person.signIn();
  await carryOut(pair, conversation_id, proposal, [buyer], () => t.advance(60_000));
  const again = ['sign in', 'approve', ...RELEASED];
  expect(buyer.person.pressed).toEqual(['sign in', 'verify', 'fund', 'autopilot', ...again]);
  expect(seller.person.pressed).toEqual(['sign in', 'verify', 'autopilot', 'sign in']);
  await expectOthersClosed(served, met, pair);
  await expectEnd(served, pair);
});

test('over MCP: every call of all agents is a tool’s, and both people have the last word', async () => {
  served = await serveTest();
  const met = await meet(served, await strangers(served, openMcp, true));
  const { buyer, sellers } = met;
  for (const [at, seller] of sellers.entries()) await bargain({ buyer, seller }, met.talks[at] ?? '');
  const { pair, conversation_id, proposal } = await chosen(served, met);
  for (const { person } of [buyer, pair.seller]) await person.signIn();
  await carryOut(pair, conversation_id, proposal, [pair.seller, buyer]);
  expect(buyer.person.pressed).toEqual(['sign in', 'verify', 'fund', 'sign in', 'approve', ...RELEASED]);
  expect(pair.seller.person.pressed).toEqual(['sign in', 'verify', 'sign in', 'approve']);
  await expectOthersClosed(served, met, pair);
  await expectEnd(served, pair);
});

/** The official client of A2A with an agent's key, led by the card of the other. */
async function a2aClient({ url }: ServedTest, { key }: Side, to: Side) {
  const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ 'X-API-Key': key }),
    shouldRetryWithHeaders: async () => undefined,
  });
  const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
  const client = await factory.createFromUrl(`${url}/a2a/agents/${to.handle}/`);
  return {
    stateOf: async (id: string) => (await client.getTask({ tenant: '', id, historyLength: 0 })).status?.state,
    say: async (contextId: string, words: string): Promise<string> => {
      const part = { content: { $case: 'text' as const, value: words }, metadata: undefined };
      const message = {
        ...{ messageId: crypto.randomUUID(), contextId, taskId: '', role: Role.ROLE_USER },
        ...{ parts: [{ ...part, filename: '', mediaType: '' }], metadata: undefined },
        ...{ extensions: [], referenceTaskIds: [] },
      };
      const configuration = { acceptedOutputModes: [], returnImmediately: true } as never;
      const task = await client.sendMessage({ tenant: '', message, configuration, metadata: undefined });
      if (!('status' in task)) throw new Error('no task was answered');
      expect(task.contextId).toBe(contextId);
      return task.id;
    },
  };
}

/** What two agents with minds of their own say to each other, the buyer's first. */
const TALK = [
  'We need warnings a week before a machine breaks. Do you read vibration data?',
  'We do, at a thousand samples a second. How many machines are there?',
  'Forty. We thought of $90,000 for all of it.',
  'Forty take two parts: the models first, then the warnings. $120,000.',
  'Two parts are good. $105,000, half of it for each.',
  'Agreed. I send the proposal.',
] as const;
const AGREED_CENTS = 10_500_000;

test('over A2A: each word is a task for the other, and the other’s next word completes it', async () => {
  served = await serveTest();
  const met = await meet(served, await strangers(served, openRest, false));
  const { buyer, sellers } = met;
  const [seller, ...others] = sellers;
  const [conversation_id = '', ...theirs] = met.talks;
  if (!seller) throw new Error('there is no seller');
  const pair = { buyer, seller };
  const [buying, selling] = [await a2aClient(served, buyer, seller), await a2aClient(served, seller, buyer)];
  const tasks: string[] = [];
  for (const [n, words] of TALK.entries()) {
    const [mine, theirs] = n % 2 === 0 ? [buying, selling] : [selling, buying];
    tasks.push(await mine.say(conversation_id, words));
    const before = tasks.at(-2);
    if (before !== undefined) expect(await theirs.stateOf(before)).toBe(TaskState.TASK_STATE_COMPLETED);
  }
  const half = AGREED_CENTS / 2;
  const milestones = ['The models', 'The warnings'].map((title) => ({ title, amount_cents: half }));
  await seller.act('propose', { conversation_id, amount_cents: AGREED_CENTS, terms: 'Forty machines', milestones });
  const { proposal, messages } = await buyer.act('conversation', { conversation_id });
  // The others ask for more, and are heard as well.
  for (const [at, other] of others.entries())
    await other.act('propose', { conversation_id: theirs[at], amount_cents: 12_500_000, terms: 'Forty machines' });
  const said: string[] = messages.map(({ content }: Json) => content).toReversed();
  expect(said).toEqual([...TALK, expect.stringContaining('$105,000')]);
  await carryOut(pair, conversation_id, proposal, [buyer]);
  expect(buyer.person.pressed).toEqual(['sign in', 'verify', 'fund', 'approve', 'release', 'release']);
  expect(seller.person.pressed).toEqual(['sign in', 'verify']);
  await expectEnd(served, pair);
});
