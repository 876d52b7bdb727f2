// Posts a request for quotes on the board and notifies the best-fitting sellers, 25 at most. The sellers are found before the turn;
// the request, its events and the counters of the plan are one commit.
import type { Static } from 'typebox';
import { type CountEffect, count, type Effect, insert } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { closesFault, type Seller, WAKES_A_DAY, WOKEN_MAX } from '../../domain/demand/demand.ts';
import { codeWord, fault, isFault } from '../../domain/fault.ts';
import { PLANS } from '../../domain/identity/plan.ts';
import { describe, step } from '../../domain/next-step.ts';
import { DAY_MS } from '../../domain/time.ts';
import { DemandInput, DemandShape, ownDemand } from '../../schemas/demand.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { iso } from '../../schemas/wire.ts';
import { countedOut } from '../../steps/count-ahead.ts';
import { closeLater, demandPostsKey, openDemandKey } from '../../steps/demand/close.ts';
import { tell } from '../../steps/event.ts';
import { contentOf, type ListingContent } from '../../steps/listing/content.ts';
import { readReviewing } from '../../steps/listing/find.ts';
import { nicheFault } from '../../steps/listing/review.ts';

/** Sellers that are considered: some may have reached today's limit of notifications by this account. */
const SELLERS_MAX = 2 * WOKEN_MAX;

type Given = Static<typeof DemandInput>;
type Refusal = 'not_found' | 'plan_limit';

/** A request as a seeking listing, under all rules for listings. */
function contentOfDemand({ headline, description = '', labels, budget_cents }: Given, newId: () => string) {
  return contentOf({ card_type: 'buying', headline, description, labels, budget_cents }, null, newId);
}

const dayOf = (now_ms: number): number => Math.floor(now_ms / DAY_MS);
const endOfDay = (now_ms: number): number => (dayOf(now_ms) + 1) * DAY_MS;

/** The counter of an account's notifications of a seller on a day. */
function wakesKey(account_id: string, seller_id: string, now_ms: number): string {
  return `demand_wakes:${account_id}:${seller_id}:${dayOf(now_ms)}`;
}

/** The counters of a post, limited by the account's plan. */
function counted({ principal, account_id, now_ms }: Ctx): CountEffect<'plan_limit'>[] {
  const { posts_a_day, open } = PLANS[principal.plan].demand;
  const ends_at = endOfDay(now_ms);
  const inDay = { limit: posts_a_day, resets_at: iso(ends_at), meter: 'demand_posts' };
  const atOnce = { limit: open, resets_at: null, meter: 'demand_open' };
  return [
    count(
      demandPostsKey(account_id, now_ms),
      posts_a_day,
      fault('plan_limit', `Your plan allows ${posts_a_day} requests a day.`, inDay),
      ends_at,
    ),
    count(
      openDemandKey(account_id),
      open,
      fault('plan_limit', `Your plan allows ${open} open requests; close one, or wait until one closes.`, atOnce),
    ),
  ];
}

/** The best sellers that this account may still notify today. */
async function wakeable(read: Read, sellers: readonly Seller[], ctx: Ctx): Promise<Seller[]> {
  const woken: Seller[] = [];
  for (const seller of sellers) {
    if (woken.length === WOKEN_MAX) break;
    const wakes = await read.peek(counterById, { id: wakesKey(ctx.account_id, seller.id, ctx.now_ms) });
    if ((wakes?.n ?? 0) < WAKES_A_DAY) woken.push(seller);
  }
  return woken;
}

/** Notifies a seller. If another post of the account reaches the day's limit at the same time, this turn runs again. */
function wake(ctx: Ctx, seller: Seller, request: Row<'demand_requests'>): Effect<never>[] {
  const { id: request_id, headline, labels, budget_cents, closes_at } = request;
  const { settings, addresses, now_ms } = ctx;
  const respond = `${settings.base_url}${addresses.path({ operation: 'demand.quote', input: { request_id } })}`;
  const asked = { request_id, headline, labels: [...labels], budget_cents, closes_at: iso(closes_at), respond };
  return [
    count(wakesKey(ctx.account_id, seller.id, now_ms), WAKES_A_DAY, 'again', endOfDay(now_ms)) as Effect<never>,
    tell(
      ctx,
      seller,
      'demand.posted',
      { ...asked, counterparty_handle: actor(ctx).handle },
      { subject_id: request_id, respond_by: closes_at },
    ),
  ];
}

async function attempt(
  read: Read,
  request: Omit<Row<'demand_requests'>, 'woken'>,
  sellers: readonly Seller[],
  ctx: Ctx,
): Promise<Decision<Static<typeof DemandShape>, Refusal>> {
  const agent = await read(agentById, { id: request.agent_id });
  if (agent?.deactivated_at !== null) return fault('not_found');
  const woken = await wakeable(read, sellers, ctx);
  const row = { ...request, woken: woken.map(({ id }) => id) };
  return {
    reply: ownDemand(row, agent, ctx.now_ms),
    effects: [
      ...counted(ctx),
      insert('demand_requests', row),
      closeLater(row, ctx.now_ms),
      ...woken.flatMap((seller) => wake(ctx, seller, row)),
    ],
  };
}

function rowOf(ctx: Ctx, content: ListingContent, { budget_cents, closes_at }: Given) {
  const { id: agent_id, account_id } = actor(ctx);
  const { headline, description, labels } = content;
  return {
    id: ctx.id(),
    agent_id,
    account_id,
    headline,
    description,
    labels,
    budget_cents,
    closes_at: Date.parse(closes_at),
    status: 'open' as const,
    quotes: 0,
    awarded_quote_id: null,
    conversation_id: null,
    deal_id: null,
    ended_at: null,
    created_at: ctx.now_ms,
    updated_at: ctx.now_ms,
    version: 1,
  };
}

export const demandPost = flow({
  name: 'demand.post',
  noun: 'The demand board: requests for quotes up to a ceiling, which sellers answer and one of them is awarded.',
  summary: 'Post a request for quotes',
  description: describe`It stays on the board until \`closes_at\`. Sellers whose live offers share a label with it, ${{ http: String(WOKEN_MAX), tools: String(WOKEN_MAX) }} at most, best matches first, get \`demand.posted\`; \`woken\` is their number. You get \`demand.quoted\` for each quote, which only you can read; ${step('demand.award')} accepts one. The plan limits requests per day and open requests (${codeWord('plan_limit')}). Addresses, phone numbers and secrets are refused as in a listing.`,
  input: DemandInput,
  output: DemandShape,
  example: {
    headline: 'A logo for a bakery',
    labels: ['logo-design'],
    budget_cents: 40_000,
    closes_at: SAMPLE.closes_at,
  },
  effect: 'adds',
  access: 'key',
  scope: 'deals:write',
  gate: 'verified',
  agent: 'required',
  status: 'created',
  faults: [
    'invalid_request',
    'disclosure_refused',
    'restricted_niche',
    'direction_mismatch',
    'unsupported_currency',
    'plan_limit',
    'matching_unavailable',
    'not_found',
  ],
  rest: [{ method: 'POST', path: '/api/demand' }],
  tools: [{ name: 'mesh_post_demand', title: 'Post a request for quotes', set: 'market' }],
  single: () => true,
  run: async (given, ctx, { sellers }) => {
    const late = closesFault(Date.parse(given.closes_at), ctx.now_ms);
    if (late) return late;
    const full = await countedOut(ctx.read.peek, counted(ctx));
    if (full) return full;
    const content = await contentOfDemand(given, ctx.id);
    if (isFault(content)) return content;
    const doubts = await readReviewing(ctx.read, content, null, actor(ctx).handle);
    const refused = doubts.told ?? nicheFault(doubts);
    if (refused) return refused;
    const request = rowOf(ctx, content, given);
    const { id, agent_id, account_id } = request;
    const found = await sellers({ ...content, id, agent_id, account_id }, SELLERS_MAX);
    return ctx.turn({ final: true, attempt: (read) => attempt(read, request, found, ctx) });
  },
});
