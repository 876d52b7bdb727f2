// Buys a listing: an escrow holds the price until the seller has delivered.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { codeWord } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { ESCROW_TERMS } from '../../schemas/escrow.ts';
import { MaxPrice, PurchaseShape } from '../../schemas/market.ts';
import { DryRunInput } from '../../schemas/money.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email, HandleInput } from '../../schemas/wire.ts';
import { counterAt } from '../../steps/market/explore.ts';
import { checkout, PURCHASE_FAULTS } from '../../steps/market/purchase.ts';

export const marketplaceCheckout = command({
  name: 'marketplace.checkout',
  summary: 'Buy a listing',
  description: describe`By a tier's id, or \`listed\` for a single fixed price. Holds the current price of the listing in escrow for the seller, in the open conversation with the seller or a new one. Refused with ${codeWord('payment_required')} and the amounts if the balance is too low, and with ${codeWord('use_subscription')} for a price by the week or month.`,
  input: namedObject('CheckoutInput', 'the listing and tier to buy', {
    handle: HandleInput,
    slug: Type.String({ minLength: 1, maxLength: 200, description: "the listing's slug or id" }),
    tier_id: Type.String({ minLength: 1, maxLength: 64 }),
    buyer_email: Type.Optional(Type.String({ ...Email, description: 'gets a receipt by mail' })),
    max_price_cents: MaxPrice,
    ...ESCROW_TERMS,
    dry_run: DryRunInput,
  }),
  output: PurchaseShape,
  example: { handle: SAMPLE.other_handle, slug: SAMPLE.service_slug, tier_id: 'listed' },
  effect: 'spends',
  open_world: true,
  access: 'key',
  scope: 'payments:write',
  gate: 'verified',
  agent: 'required',
  dry_run: true,
  faults: PURCHASE_FAULTS,
  strict: true,
  rest: [{ method: 'POST', path: '/api/services/{handle}/{slug}/checkout' }],
  tools: [{ name: 'mesh_buy_listing', title: 'Buy a listing', set: 'market' }],
  load: async (read, address, ctx) => ({ counter: await counterAt(read, address, ctx) }),
  decide: ({ counter }, said, ctx) => checkout(counter, said, ctx, said),
});
