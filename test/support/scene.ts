// What one caller owns, for requests that name things: an agent with a listing, a match, a conversation, an event and a
// key, each made through the real API when an example first asks for it; or the same names with nothing behind them.

import { insert } from '../../db/effects.ts';
import { accountByEmail } from '../../db/queries/identity.ts';
import { SCOPES, type Scope } from '../../src/domain/identity/scope.ts';
import { HOUR_MS, WEEK_MS } from '../../src/domain/time.ts';
import { SAMPLE } from '../../src/schemas/samples.ts';
import { mintApiKey } from '../../src/steps/key.ts';
import { newAgent, type TestAgent } from './agents.ts';
import { eventsOf, feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from './matches.ts';
import { SERVES_URL } from './serving.ts';
import { codeFor, type TestAnswer, type TestService } from './testbed.ts';
import { ctxOf, startTalk } from './threads.ts';
import { fundWallet } from './wallet.ts';

export interface Scene {
  readonly t: TestService;
  readonly owner: TestAgent;
  listing_id(): Promise<string>;
  match_id(): Promise<string>;
  conversation_id(): Promise<string>;
  /** Another one, in which the other side has proposed something. */
  proposed_conversation_id(): Promise<string>;
  proposal_id(): Promise<string>;
  /** What a program of the owner asked for outside its bounds. */
  action_id(): Promise<string>;
  /** A third, in which the owner's agent took a turn by itself, and the message of it. */
  advanced_conversation_id(): Promise<string>;
  turn_id(): Promise<string>;
  /** A meeting in that conversation which has begun. */
  meeting_id(): Promise<string>;
  event_id(): Promise<string>;
  /** Something that the owner's agent knows. */
  knowledge_id(): Promise<string>;
  key_id(): Promise<string>;
  /** A review of a listing that is held for its words. */
  review_id(): Promise<string>;
  webhook_id(): Promise<string>;
  /** A key of the owner's that may do all that a key may. */
  full_key(): Promise<string>;
  /** A task that the owner sent and that is open. */
  task_id(): Promise<string>;
  /** A withdrawal of the owner's. */
  payout_id(): Promise<string>;
  /** Money that was asked for and is not paid. */
  funding_id(): Promise<string>;
  /** An escrow of two parts in which the owner buys, and one in which it sells. */
  escrow_id(): Promise<string>;
  /** A subscription that the owner pays. */
  subscription_id(): Promise<string>;
  /** Another one, which the owner has paused. */
  paused_subscription_id(): Promise<string>;
  /** A listing of the bystander's with a fixed price. */
  service_id(): Promise<string>;
  sold_escrow_id(): Promise<string>;
  /** What the bystander serves, a call of it that the owner made, and an offer of the owner's. */
  capability(): Promise<string>;
  call_id(): Promise<string>;
  provider_id(): Promise<string>;
  /** A deal that the owner completed, and one that it has agreed to and nobody paid for. */
  deal_id(): Promise<string>;
  agreed_deal_id(): Promise<string>;
  /** Escrows in dispute: against the owner, the same with a proposal, and by the owner. */
  disputed_escrow_id(): Promise<string>;
  proposed_escrow_id(): Promise<string>;
  own_dispute_escrow_id(): Promise<string>;
  dispute_id(): Promise<string>;
  /** Requests for quotes: the owner's, one of the owner's with the bystander's quote, and another agent's. */
  request_id(): Promise<string>;
  quoted_request_id(): Promise<string>;
  quote_id(): Promise<string>;
  other_request_id(): Promise<string>;
  /** A code that was just mailed for a purpose to the owner's address. */
  mailed(path: string): Promise<string>;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

const bystanders = new WeakMap<TestService, TestAgent>();

/** The agent that every scene can meet, and from which its owner buys where an example is about that. */
function bystanderOf(t: TestService): TestAgent {
  const agent = bystanders.get(t);
  if (!agent) throw new Error('the service has no bystander; let `counterpart` make it');
  return agent;
}

/** Bystanders that serve. */
const serving = new WeakMap<TestAgent, Promise<string>>();

/** An agent that every scene can meet and none deals with. */
export const BYSTANDER = 'bystander';

/** What it sells, at the slug of `SAMPLE.service_slug`. Nobody seeks it. */
const ROPES_OFFER = {
  card_type: 'selling',
  headline: 'Hand-made ropes',
  description: 'Of hemp, by the metre.',
  labels: ['hand-made-ropes'],
  price_cents: 4_000,
};

/** The other side of every match: one agent that seeks what every scene's owner offers. */
export async function counterpart(t: TestService): Promise<TestAgent> {
  const agent = await newAgent(t, { handle: 'counterpart', verified: true, pro: true });
  await publish(t, agent, LOGO_SEEK);
  const bystander = await newAgent(t, { handle: BYSTANDER, verified: true });
  bystanders.set(t, bystander);
  await publish(t, bystander, ROPES_OFFER);
  return agent;
}

type Body = Readonly<Record<string, unknown>>;

/** A call of the escrow's routes by an agent's person that has to go well. */
async function inEscrow(t: TestService, { token, handle }: TestAgent, path: string, body: Body) {
  const answer = await t.call('POST', `/api/wallet/escrow${path}`, { token, agent: handle, body });
  if (answer.status > 201) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** An escrow of two parts that an agent's person opens; a link is to be on a page for the second, which the seller has named. */
async function openEscrow(t: TestService, buyer: TestAgent, seller: TestAgent): Promise<string> {
  const milestones = [
    { title: 'Draft', amount_cents: 2_000 },
    { title: 'Final', amount_cents: 3_000 },
  ];
  const { id } = await inEscrow(t, buyer, '', { seller_handle: seller.handle, milestones });
  const link = { type: 'backlink', target_url: 'https://ropes.example/', milestone_index: 1 };
  await inEscrow(t, buyer, `/${id}/deliverable`, link);
  await inEscrow(t, seller, `/${id}/deliverable`, { page_url: 'https://pages.example/ropes', milestone_index: 1 });
  return id;
}

async function completedDeal(t: TestService, buyer: TestAgent, seller: TestAgent): Promise<string> {
  const milestones = [{ title: 'All of it', amount_cents: 1_000 }];
  const { id, deal_id } = await inEscrow(t, buyer, '', { seller_handle: seller.handle, milestones });
  await inEscrow(t, buyer, `/${id}/release`, { milestone_index: 0 });
  return deal_id;
}

/** A turn that an agent takes in a conversation which somebody begins. */
async function advancedBy(t: TestService, owner: TestAgent): Promise<TestAnswer['body']> {
  const asks = await newAgent(t, { handle: `curious_${owner.handle}`.slice(0, 30) });
  const conversation_id = await startTalk(t, asks, owner.handle, 'What do you make?');
  const asked = { token: owner.token, agent: owner.handle };
  return (await t.call('POST', `/api/conversations/${conversation_id}/advance`, asked)).body;
}

/** A conversation in which somebody asks an agent for money. */
async function proposedTo(t: TestService, { handle }: TestAgent): Promise<string> {
  const seller = await newAgent(t, { handle: `asks_${handle}`.slice(0, 30), verified: true });
  const hello = { handle, content: 'Could you use two ropes?' };
  const conversation_id = (await t.call('POST', '/tools/mesh_start_conversation', { key: seller.key, body: hello }))
    .body.conversation_id;
  const body = { amount_cents: 4_000, terms: 'Two ropes', side: 'seller' };
  const put = await t.call('POST', `/api/conversations/${conversation_id}/propose`, { key: seller.key, body });
  if (put.status !== 201) throw new Error(`the proposal answered ${put.status}`);
  return conversation_id;
}

/** A payment outside the bounds, which a program asks for; the bounds are as before then. */
async function refusedPayment(t: TestService, { email, token, handle: agent }: TestAgent): Promise<string> {
  const key = await keyWith(t, email, ['payments:write']);
  const bound = (max_pay_cents: number | null): Promise<TestAnswer> =>
    t.call('PATCH', '/api/agents/bounds', { token, agent, body: { max_pay_cents } });
  await bound(0);
  const body = { to_handle: BYSTANDER, amount_cents: 77 };
  const refused = await t.call('POST', '/api/wallet/send', { key, agent, body });
  await bound(null);
  return refused.body.action_id;
}

/** A deal as two agents make it by word, put into the store. */
async function agreedDeal(t: TestService, { id: buyer_id }: TestAgent, { id: seller_id }: TestAgent): Promise<string> {
  const { store, id: newId } = t.service.world;
  const id = newId();
  const deal = { id, kind: 'agreement' as const, buyer_id, seller_id, amount_cents: 4_000, title: 'Two ropes' };
  const row = { ...deal, status: 'open' as const, created_at: t.clock.now() };
  await store.turn({ attempt: async () => ({ reply: null, effects: [insert('deals', row)] }) });
  return id;
}

/** Disputes an escrow in the name of one of its sides; answers the dispute's id. */
async function disputeIt(t: TestService, by: TestAgent, escrow_id: string): Promise<string> {
  // Letters about disputes leave at once: whether one letter or two tell of what comes before may not hang on the machine.
  await t.rest();
  const { id } = await inEscrow(t, by, `/${escrow_id}/dispute`, { reason: 'It is not what was agreed.' });
  await t.rest();
  return id;
}

/** What is disputed of a scene's escrows. */
function disputesOf(
  t: TestService,
  owner: TestAgent,
): Pick<Scene, 'disputed_escrow_id' | 'proposed_escrow_id' | 'own_dispute_escrow_id' | 'dispute_id'> {
  const buyer = once(async () => {
    const agent = await newAgent(t, { handle: `wronged_${owner.handle}`, verified: true });
    await fundWallet(t, agent.id, SCENE_FUNDS_CENTS);
    return agent;
  });
  const disputed = once(async () => {
    const escrow_id = await openEscrow(t, await buyer(), owner);
    return { escrow_id, dispute_id: await disputeIt(t, await buyer(), escrow_id) };
  });
  return {
    disputed_escrow_id: async () => (await disputed()).escrow_id,
    dispute_id: async () => (await disputed()).dispute_id,
    proposed_escrow_id: once(async () => {
      const escrow_id = await openEscrow(t, await buyer(), owner);
      await disputeIt(t, await buyer(), escrow_id);
      await inEscrow(t, await buyer(), `/${escrow_id}/dispute/propose`, { refund_cents: 2_000, release_cents: 3_000 });
      return escrow_id;
    }),
    own_dispute_escrow_id: once(async () => {
      const escrow_id = await openEscrow(t, owner, bystanderOf(t));
      await disputeIt(t, owner, escrow_id);
      return escrow_id;
    }),
  };
}

/** More than any example spends. */
const SCENE_FUNDS_CENTS = 1_000_000;

/** A subscription that an agent pays the bystander; answers its id. */
async function subscribe(t: TestService, { token, handle }: TestAgent): Promise<string> {
  const body = { seller_handle: BYSTANDER, amount_cents: 500, interval: 'weekly' };
  return (await t.call('POST', '/api/subscriptions', { token, agent: handle, body })).body.id;
}

/** What of a scene money is paid for. */
function moneyOf(
  t: TestService,
  owner: TestAgent,
): Pick<
  Scene,
  | 'payout_id'
  | 'funding_id'
  | 'escrow_id'
  | 'sold_escrow_id'
  | 'deal_id'
  | 'agreed_deal_id'
  | 'subscription_id'
  | 'paused_subscription_id'
  | 'service_id'
> {
  return {
    payout_id: once(async () => {
      const body = { amount_cents: 1_000, chain: 'solana', to_address: SAMPLE.wallet_key, idempotency_key: 'scene' };
      const asked = { token: owner.token, agent: owner.handle, body };
      return (await t.call('POST', '/api/wallet/withdraw', asked)).body.payout_id as string;
    }),
    funding_id: once(async () => {
      const asked = { token: owner.token, agent: owner.handle, body: { amount_cents: 2500 } };
      return (await t.call('POST', '/api/wallet/fund', asked)).body.funding_id as string;
    }),
    escrow_id: once(() => openEscrow(t, owner, bystanderOf(t))),
    deal_id: once(() => completedDeal(t, owner, bystanderOf(t))),
    agreed_deal_id: once(() => agreedDeal(t, owner, bystanderOf(t))),
    subscription_id: once(() => subscribe(t, owner)),
    paused_subscription_id: once(async () => {
      const id = await subscribe(t, owner);
      await t.call('POST', `/api/subscriptions/${id}/pause`, { token: owner.token, agent: owner.handle });
      return id;
    }),
    service_id: once(async () => {
      const [sold] = (await t.call('GET', `/api/agents/${BYSTANDER}/cards`)).body;
      return sold.id as string;
    }),
    sold_escrow_id: once(async () => {
      const buyer = await newAgent(t, { handle: `buyer_${owner.handle}`, verified: true });
      await fundWallet(t, buyer.id, SCENE_FUNDS_CENTS);
      return openEscrow(t, buyer, owner);
    }),
  };
}

/** A request for quotes that an agent posts; nobody offers what it asks for. */
async function postDemand(t: TestService, { key, handle }: TestAgent): Promise<string> {
  const closes_at = new Date(t.clock.now() + WEEK_MS).toISOString();
  const body = { headline: 'A rope ladder', labels: ['rope-ladders'], budget_cents: 5_000, closes_at };
  return (await t.call('POST', '/api/demand', { key, agent: handle, body })).body.request_id;
}

/** What of a scene stands on the demand board. */
function demandOf(
  t: TestService,
  owner: TestAgent,
): Pick<Scene, 'request_id' | 'quoted_request_id' | 'quote_id' | 'other_request_id'> {
  const quoted = once(async () => {
    const request_id = await postDemand(t, owner);
    const { key, handle } = bystanderOf(t);
    const asked = { key, agent: handle, body: { price_cents: 4_000 } };
    const { quote_id } = (await t.call('POST', `/api/demand/${request_id}/respond`, asked)).body;
    return { request_id, quote_id };
  });
  return {
    request_id: once(() => postDemand(t, owner)),
    quoted_request_id: async () => (await quoted()).request_id,
    quote_id: async () => (await quoted()).quote_id,
    other_request_id: once(async () =>
      postDemand(t, await newAgent(t, { handle: `asker_${owner.handle}`, verified: true })),
    ),
  };
}

/** What of a scene is routed: the bystander serves what the owner calls. */
function routedOf(t: TestService, owner: TestAgent): Pick<Scene, 'capability' | 'call_id' | 'provider_id'> {
  const offer = async ({ key, handle }: TestAgent): Promise<string> => {
    const body = { capability: SAMPLE.capability, endpoint_url: SERVES_URL, price_cents: 25 };
    return (await t.call('POST', '/api/router/providers', { key, agent: handle, body })).body.provider.id;
  };
  const capability = once(async () => {
    const bystander = bystanderOf(t);
    if (!serving.has(bystander)) serving.set(bystander, offer(bystander));
    await serving.get(bystander);
    return SAMPLE.capability;
  });
  return {
    capability,
    provider_id: once(() => offer(owner)),
    call_id: once(async () => {
      const body = { capability: await capability(), payload: { text: 'Where is the harbour?', to: 'fr' } };
      return (await t.call('POST', '/api/router/call', { key: owner.key, agent: owner.handle, body })).body.call_id;
    }),
  };
}

/** A meeting that an agent set in one of its conversations and that began an hour ago, put into the store. */
async function begunMeeting(t: TestService, { id: by_id }: TestAgent, conversation_id: string): Promise<string> {
  const { store, id: newId } = t.service.world;
  const id = newId();
  const starts_at = t.clock.now() - HOUR_MS;
  const row = { id, conversation_id, by_id, starts_at, duration_minutes: 30, created_at: starts_at };
  await store.turn({ attempt: async () => ({ reply: null, effects: [insert('meetings', row)] }) });
  return id;
}

/** What of a scene is negotiated. */
function talksOf(
  t: TestService,
  owner: TestAgent,
): Pick<Scene, 'proposed_conversation_id' | 'proposal_id' | 'advanced_conversation_id' | 'turn_id'> {
  const advanced = once(() => advancedBy(t, owner));
  const proposed_conversation_id = once(() => proposedTo(t, owner));
  return {
    proposed_conversation_id,
    proposal_id: once(async () => {
      const conversation_id = await proposed_conversation_id();
      const { body } = await t.call('GET', '/api/proposals', { key: owner.key, agent: owner.handle });
      return body.find((proposal: { conversation_id: string }) => proposal.conversation_id === conversation_id).id;
    }),
    advanced_conversation_id: async () => (await advanced()).conversation_id,
    turn_id: async () => (await advanced()).message.message_id,
  };
}

/** A listing that waits for a reviewer: another agent's, so that the owner goes on with the one listing that it has. */
async function reviewOf(t: TestService, handle: string): Promise<string> {
  const other = await newAgent(t, { handle: `held_${handle}`, verified: true });
  const body = { ...LOGO_OFFER, headline: 'Casino nights', labels: ['party-planning'] };
  await t.call('POST', `/api/agents/${other.handle}/cards`, { key: other.key, body });
  const headers = { 'X-Internal-Token': t.internal_token };
  const reviews = (await t.call('GET', '/api/admin/reviews', { headers })).body;
  return reviews.find((review: { handle: string }) => review.handle === other.handle).id;
}

/** A fresh agent and what it owns. */
export async function sceneOf(t: TestService, handle: string): Promise<Scene> {
  const owner = await newAgent(t, { handle, verified: true, pro: true });
  await fundWallet(t, owner.id, SCENE_FUNDS_CENTS);
  const listing_id = once(() => publish(t, owner, LOGO_OFFER));
  const match_id = once(async () => {
    await listing_id();
    const [match] = await matchesOf(t, owner);
    return match.match_id as string;
  });
  const conversation_id = once(
    async () => (await feedback(t, owner, await match_id(), 'interested')).body.conversation_id as string,
  );
  return {
    t,
    owner,
    listing_id,
    match_id,
    conversation_id,
    meeting_id: once(async () => begunMeeting(t, owner, await conversation_id())),
    event_id: once(async () => {
      await match_id();
      const [event] = await eventsOf(t, owner, 'match.created');
      return event.id as string;
    }),
    knowledge_id: once(async () => {
      const body = { title: 'Delivery', text: 'Ropes leave within two days.' };
      const added = await t.call('POST', '/api/knowledge', { key: owner.key, agent: owner.handle, body });
      return added.body.id as string;
    }),
    key_id: once(async () => {
      const body = { name: 'a program' };
      return (await t.call('POST', '/api/developer/keys', { token: owner.token, body })).body.id as string;
    }),
    review_id: once(() => reviewOf(t, handle)),
    webhook_id: once(async () => {
      const body = { url: 'https://hooks.example/x', events: ['match.created'] };
      const made = await t.call('POST', '/api/developer/webhooks', { key: owner.key, agent: owner.handle, body });
      return made.body.id as string;
    }),
    full_key: once(() => keyWith(t, owner.email, SCOPES)),
    task_id: once(async () => {
      const body = { target_handle: BYSTANDER, parts: [{ kind: 'text', text: 'Draw a logo.' }] };
      const sent = await t.call('POST', '/operations/task.send', { key: owner.key, agent: owner.handle, body });
      return sent.body.task_id as string;
    }),
    action_id: once(() => refusedPayment(t, owner)),
    ...talksOf(t, owner),
    ...moneyOf(t, owner),
    ...disputesOf(t, owner),
    ...demandOf(t, owner),
    ...routedOf(t, owner),
    mailed: async (path) => {
      await t.call('POST', path, { body: { email: owner.email } });
      return codeFor(t, owner.email);
    },
  };
}

/** The same names with nothing behind them; `like` lends what is not a name. */
export function absentScene(like: Scene): Scene {
  const nothing = async (): Promise<string> => Bun.randomUUIDv7();
  return {
    ...like,
    owner: { ...like.owner, handle: 'nobody_at_all', id: Bun.randomUUIDv7() },
    listing_id: nothing,
    match_id: nothing,
    conversation_id: nothing,
    proposed_conversation_id: nothing,
    proposal_id: nothing,
    action_id: nothing,
    advanced_conversation_id: nothing,
    turn_id: nothing,
    meeting_id: nothing,
    event_id: nothing,
    knowledge_id: nothing,
    key_id: nothing,
    review_id: nothing,
    webhook_id: nothing,
    task_id: nothing,
    payout_id: nothing,
    funding_id: nothing,
    escrow_id: nothing,
    subscription_id: nothing,
    paused_subscription_id: nothing,
    service_id: nothing,
    sold_escrow_id: nothing,
    deal_id: nothing,
    agreed_deal_id: nothing,
    disputed_escrow_id: nothing,
    proposed_escrow_id: nothing,
    own_dispute_escrow_id: nothing,
    dispute_id: nothing,
    request_id: nothing,
    quoted_request_id: nothing,
    quote_id: nothing,
    call_id: nothing,
    provider_id: nothing,
    other_request_id: nothing,
  };
}

/** A key of an account with exactly these scopes, put into the store as the service would. */
export async function keyWith(
  t: TestService,
  email: string,
  scopes: readonly Scope[],
  expires_at?: number,
): Promise<string> {
  const { store, random } = t.service.world;
  const account = await store.read(accountByEmail, { email });
  if (!account) throw new Error(`no account has the address ${email}`);
  const ctx = { ...ctxOf(t, account.id), random: (bytes: number) => random(bytes) };
  const wanted = {
    account_id: account.id,
    agent_id: null,
    name: 'a test',
    kind: 'developer' as const,
    scopes: [...scopes],
  };
  const key = mintApiKey(ctx, { ...wanted, expires_at });
  await store.turn({ attempt: async () => ({ reply: null, effects: key.effects }) });
  return key.api_key;
}
