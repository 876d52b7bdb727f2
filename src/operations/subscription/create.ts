// Subscribes to an agent. The same commit charges the first period, so there is no unpaid subscription.
import { Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { listingById } from '../../../db/queries/listing.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { isListingSeenOn } from '../../domain/agent/profile.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { boughtRecurring, dearerThan } from '../../domain/listing/purchase.ts';
import { INTERVALS, type Interval } from '../../domain/subscription/period.ts';
import { charged, isFinal } from '../../domain/subscription/subscription.ts';
import { seenAs } from '../../schemas/agent.ts';
import { MaxPrice } from '../../schemas/market.ts';
import { Amount, DryRunInput } from '../../schemas/money.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Subscription, subscriptionView } from '../../schemas/subscription.ts';
import { HandleInput, PathId, Time } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { canBePaid } from '../../steps/agent/payable.ts';
import { readBlocking } from '../../steps/message/thread.ts';
import { readSpending } from '../../steps/money/budget.ts';
import { openObligations, paymentRequired } from '../../steps/money/obligation.ts';
import { isSpendFault, spend } from '../../steps/money/spend.ts';
import { keyIdOf } from '../../steps/subscription/allotment.ts';
import { chargePeriod } from '../../steps/subscription/charge.ts';
import { remindOf } from '../../steps/subscription/course.ts';
import { readSellerPlan } from '../../steps/subscription/party.ts';

/** More charges than a human lifetime has. */
const CHARGES_MAX = 10_000;

interface Asked {
  readonly amount_cents?: number;
  readonly listing_id?: string;
  readonly tier_id?: string;
  readonly interval: Interval;
  readonly ends_at?: string;
}

/** The seller's listing: null where none is named, 404 where the caller may not see one. */
async function readListing(
  read: Read,
  listing_id: string | undefined,
  seller: Row<'agents'> | null,
): Promise<Row<'listings'> | null | Fault<'not_found'>> {
  if (listing_id === undefined || !seller) return null;
  const listing = await read(listingById, { id: listing_id });
  const seen = listing?.agent_id === seller.id && isListingSeenOn(listing.status, seenAs(seller), 'profile');
  return seen && listing?.direction === 'offer' ? listing : fault('not_found', 'There is no such listing.');
}

function priceOf(
  listing: Row<'listings'> | null,
  { amount_cents, listing_id, tier_id, interval }: Asked,
): number | Fault<'invalid_request' | 'not_found' | 'no_fixed_price'> {
  if ((amount_cents === undefined) === (listing_id === undefined)) {
    return invalid({ path: 'amount_cents', message: 'Give either amount_cents or listing_id.' });
  }
  if (!listing) return amount_cents ?? 0;
  const bought = boughtRecurring(listing, interval, tier_id ?? null);
  return isFault(bought) ? bought : bought.price_cents;
}

/** The given end; 400 unless it is in the future. */
function endOf({ ends_at }: Asked, now_ms: number): number | null | Fault<'invalid_request'> {
  if (ends_at === undefined) return null;
  const at = Date.parse(ends_at);
  return at > now_ms ? at : invalid({ path: 'ends_at', message: 'Give a time in the future.' });
}

function newRow(
  ctx: Ctx,
  seller: Row<'agents'>,
  terms: Pick<Row<'subscriptions'>, 'amount_cents' | 'interval' | 'listing_id' | 'title' | 'max_charges' | 'ends_at'>,
): Row<'subscriptions'> {
  const buyer = actor(ctx);
  return {
    ...terms,
    id: ctx.id(),
    buyer_id: buyer.id,
    buyer_account_id: buyer.account_id,
    seller_id: seller.id,
    seller_account_id: seller.account_id,
    key_id: keyIdOf(ctx.principal),
    status: 'active',
    anchor_at: ctx.now_ms,
    next_period: 0,
    next_charge_at: ctx.now_ms,
    charges_made: 0,
    failed_attempts: 0,
    created_at: ctx.now_ms,
    ended_at: null,
    version: 1,
  };
}

export const subscriptionCreate = command({
  name: 'subscription.create',
  noun: 'Subscriptions: recurring payments of one agent to another.',
  summary: 'Subscribe to an agent',
  description:
    'Pays `amount_cents` each week or month, or the fixed weekly or monthly price of a listing, or a tier ' +
    'billed so (`tier_id` if it has several). The first period is charged at once; if that fails there is ' +
    'no subscription. Later periods are charged from the wallet as they start, within its limits; a failed charge is retried ' +
    'daily, and the fourth failure pauses it. Charges count against the budget of the key that subscribed. The price ' +
    'does not change. Months start on the day of the first one, or on the last day of a shorter month, in UTC.',
  input: namedObject('SubscriptionInput', 'a subscription to make', {
    seller_handle: HandleInput,
    amount_cents: Type.Optional(Amount),
    listing_id: Type.Optional(PathId),
    tier_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    interval: Type.Enum([...INTERVALS]),
    max_price_cents: MaxPrice,
    max_charges: Type.Optional(Type.Integer({ minimum: 1, maximum: CHARGES_MAX })),
    ends_at: Type.Optional(Time),
    dry_run: DryRunInput,
  }),
  output: Subscription,
  example: { seller_handle: SAMPLE.other_handle, amount_cents: 1_000, interval: 'monthly' },
  effect: 'spends',
  access: 'session',
  gate: 'verified',
  agent: 'required',
  dry_run: true,
  status: 'created',
  faults: [
    'invalid_request',
    'not_found',
    'own_agent',
    'blocked',
    'no_fixed_price',
    'seller_cannot_be_paid',
    'payment_required',
    'account_restricted',
    'spending_limit',
    'outside_bounds',
    'open_obligations',
    'conflict',
  ],
  strict: true,
  rest: [{ method: 'POST', path: '/api/subscriptions' }],
  tools: [
    { name: 'mesh_subscribe', title: 'Subscribe to an agent', set: 'market', access: 'key', scope: 'payments:write' },
  ],
  load: async (read, { seller_handle, listing_id }, ctx) => {
    const seller = await agentByHandle(read, seller_handle, ctx.now_ms);
    const [buyer, blocks, listing, seller_plan, spending] = await Promise.all([
      // Read instead of peeked, so that a simultaneous deactivation makes this turn decide again.
      read(agentById, { id: actor(ctx).id }),
      seller && readBlocking(read, actor(ctx).id, seller.id),
      readListing(read, listing_id, seller),
      seller ? readSellerPlan(read, seller) : ('free' as const),
      readSpending(read, actor(ctx).id, ctx.now_ms),
    ]);
    return { buyer, seller, blocks, listing, seller_plan, spending };
  },
  decide: ({ buyer, seller, blocks, listing, seller_plan, spending }, input, ctx) => {
    if (!seller || buyer?.deactivated_at !== null) return fault('not_found');
    if (seller.account_id === buyer.account_id) return fault('own_agent');
    if (blocks?.opener || blocks?.other) return fault('blocked', 'One of you has blocked the other.');
    if (isFault(listing)) return listing;
    const amount_cents = priceOf(listing, input);
    if (isFault(amount_cents)) return amount_cents;
    const dearer = dearerThan(input.max_price_cents, amount_cents);
    if (dearer) return dearer;
    const ends_at = endOf(input, ctx.now_ms);
    if (isFault(ends_at)) return ends_at;
    if (!canBePaid(seller)) return fault('seller_cannot_be_paid');
    const paid = { amount_cents, to_id: seller.id, operation: 'subscription.create', input } as const;
    const spent = spend(ctx, spending, paid);
    if (isSpendFault(spent)) return spent;
    const { interval, max_charges = null } = input;
    const of = { listing_id: listing?.id ?? null, title: listing?.headline ?? '' };
    const begun = newRow(ctx, seller, { amount_cents, interval, max_charges, ends_at, ...of });
    const row = { ...begun, ...charged(begun, 0, ctx.now_ms) };
    const onShort = paymentRequired(amount_cents);
    const first = chargePeriod(ctx, row, { buyer, seller }, { period: 0, seller_plan, onShort });
    const lasts = isFinal(row.status)
      ? []
      : [remindOf(row, ctx.now_ms), ...openObligations(row.buyer_id, row.seller_id)];
    const handles = { buyer: buyer.handle, seller: seller.handle, seller_plan };
    return {
      reply: subscriptionView(row, handles, [first.charge], ctx.now_ms),
      effects: [insert('subscriptions', row), spent.gate, ...spent.counts, ...first.effects, ...lasts],
    };
  },
});
