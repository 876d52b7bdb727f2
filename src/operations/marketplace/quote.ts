// What a listing costs and whether the caller could buy it now: a purchase that is only thought through.
import { Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { type Fault, isFault } from '../../domain/fault.ts';
import { PLANS } from '../../domain/identity/plan.ts';
import { LISTED_TIER_ID } from '../../domain/listing/conditions.ts';
import { quoted, quotedAll } from '../../domain/listing/purchase.ts';
import { takeFee } from '../../domain/money/fee.ts';
import { Quote } from '../../schemas/market.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { wouldRefuse } from '../../steps/market/checkout.ts';
import { counterAt } from '../../steps/market/purchase.ts';
import { query } from '../operation.ts';

/** The refusal as a quote tells it. */
function refusalView({ fault: error, message, data }: Fault) {
  const lacks = data['payment_required'] as { readonly shortfall_cents?: number } | undefined;
  return { error, message, ...(lacks?.shortfall_cents !== undefined && { shortfall_cents: lacks.shortfall_cents }) };
}

export const marketplaceQuote = query({
  name: 'marketplace.quote',
  summary: 'Ask what a listing costs',
  description:
    'The price of a tier, the fee in it, what the seller gets, the terms of the escrow, and what a checkout by the caller ' +
    'would meet now: its proof, the limits and bounds, the balance. Nothing is reserved, and nothing changes.',
  input: Type.Object({
    handle: HandleInput,
    slug: Type.String({ minLength: 1, maxLength: 200, description: "the listing's slug or id" }),
    tier_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: '`listed` unless said' })),
  }),
  output: Quote,
  example: { handle: SAMPLE.other_handle, slug: SAMPLE.service_slug, tier_id: 'listed' },
  effect: 'reads',
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'own_listing', 'no_fixed_price', 'seller_cannot_be_paid'],
  rest: [{ method: 'GET', path: '/api/services/{handle}/{slug}/quote' }],
  tools: [{ name: 'mesh_get_quote', title: 'Ask what a listing costs', set: 'market' }],
  run: async (read, { tier_id = LISTED_TIER_ID, ...address }, ctx) => {
    const counter = await counterAt(read, address, ctx);
    if (isFault(counter)) return counter;
    const { listing, reached } = counter;
    const found = quoted(listing, tier_id);
    if (isFault(found)) return found;
    const plan = (await read(accountById, { id: reached.other.account_id }))?.plan ?? 'free';
    const { fee_cents, rest_cents } = takeFee(found.price_cents, PLANS[plan].outcome_fee_bps);
    const refusal = await wouldRefuse(read, counter, { tier_id }, ctx);
    return {
      handle: reached.other.handle,
      slug: listing.slug,
      listing_id: listing.id,
      headline: listing.headline,
      ...found,
      fee_cents,
      seller_gets_cents: rest_cents,
      currency: 'USD' as const,
      terms: { auto_release_after_days: null, expires_at: null },
      gate: { passes: refusal === null, refusal: refusal && refusalView(refusal) },
      choices: quotedAll(listing),
    };
  },
});
