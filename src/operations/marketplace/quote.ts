// The price of a listing, and whether the caller could buy it now: a purchase without its commit.
import { Type } from 'typebox';
import { rehearse } from '../../../db/rehearsal.ts';
import { CONFLICT } from '../../../db/run-effects.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { verificationRequired } from '../../domain/agent/onboarding.ts';
import { fixedTerms } from '../../domain/escrow/escrow.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { LISTED_TIER_ID } from '../../domain/listing/conditions.ts';
import { quoted, quotedAll } from '../../domain/listing/purchase.ts';
import { proceedsOf } from '../../domain/money/fee.ts';
import { ESCROW_TERMS } from '../../schemas/escrow.ts';
import { Quote } from '../../schemas/market.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, isoOrNull } from '../../schemas/wire.ts';
import { counterAt } from '../../steps/market/explore.ts';
import { type Counter, checkout, type Said } from '../../steps/market/purchase.ts';

/** The fault of a purchase now: of the gate, the decision, or the store; null where it would succeed. */
async function wouldRefuse(read: Read, counter: Counter, said: Said, ctx: Ctx): Promise<Fault | null> {
  if (actor(ctx).provisional === 1) return fault('provisional_account');
  if (actor(ctx).verified_at === null) return verificationRequired();
  const decision = checkout(counter, said, ctx);
  if (isFault(decision)) return decision;
  const stopped = await rehearse(read.peek, decision.effects ?? []);
  return stopped === CONFLICT ? null : stopped;
}

/** The refusal as part of a quote. */
function refusalView({ fault: error, message, data }: Fault) {
  const lacks = data['payment_required'] as { readonly shortfall_cents?: number } | undefined;
  return { error, message, ...(lacks?.shortfall_cents !== undefined && { shortfall_cents: lacks.shortfall_cents }) };
}

export const marketplaceQuote = query({
  name: 'marketplace.quote',
  summary: 'Quote a listing',
  description:
    'The price of a tier with the fee included, the net amount of the seller, the escrow terms that a checkout would set, ' +
    'and whether proofs, limits, bounds and balance would allow a checkout by the caller now. Nothing is ' +
    'reserved, and nothing changes.',
  input: Type.Object({
    handle: HandleInput,
    slug: Type.String({ minLength: 1, maxLength: 200, description: "the listing's slug or id" }),
    tier_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'default: `listed`' })),
    ...ESCROW_TERMS,
  }),
  output: Quote,
  example: { handle: SAMPLE.other_handle, slug: SAMPLE.service_slug, tier_id: 'listed' },
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'invalid_request', 'own_listing', 'no_fixed_price', 'seller_cannot_be_paid'],
  rest: [{ method: 'GET', path: '/api/services/{handle}/{slug}/quote' }],
  tools: [
    {
      name: 'mesh_get_quote',
      title: 'Quote a listing or a call',
      set: 'market',
      when: { argument: 'capability', given: false },
    },
  ],
  run: async (read, { tier_id = LISTED_TIER_ID, auto_release_after_days, expires_at, ...address }, ctx, { views }) => {
    const asked = { auto_release_after_days, expires_at };
    const fixed = fixedTerms(asked, ctx.now_ms);
    if (isFault(fixed)) return fixed;
    const counter = await counterAt(read, address, ctx);
    if (isFault(counter)) return counter;
    const { listing, reached, seller_plan } = counter;
    const found = quoted(listing, tier_id);
    if (isFault(found)) return found;
    views.note({ ...listing, listing_id: listing.id }, ctx);
    const refusal = await wouldRefuse(read, counter, { tier_id, ...asked }, ctx);
    return {
      handle: reached.other.handle,
      slug: listing.slug,
      listing_id: listing.id,
      headline: listing.headline,
      ...found,
      ...proceedsOf([{ amount_cents: found.price_cents }], seller_plan),
      currency: 'USD' as const,
      terms: { ...fixed, expires_at: isoOrNull(fixed.expires_at) },
      gate: { passes: refusal === null, refusal: refusal && refusalView(refusal) },
      choices: quotedAll(listing),
    };
  },
});
