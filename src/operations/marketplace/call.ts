// Buys a listing by its id, with a message to the seller, as a signed-in person does on the marketplace's page.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { MESSAGE_MAX_BYTES } from '../../domain/conversation/conversation.ts';
import { ESCROW_TERMS } from '../../schemas/escrow.ts';
import { MaxPrice, PurchaseShape } from '../../schemas/market.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { counterOf } from '../../steps/market/explore.ts';
import { checkout, PURCHASE_FAULTS } from '../../steps/market/purchase.ts';

export const marketplaceCall = command({
  name: 'marketplace.call',
  summary: 'Buy a service, signed in',
  description: 'A checkout by the id of the listing; the note is sent to the seller as the first message.',
  input: namedObject('ServiceCallInput', 'the service to buy', {
    service_id: PathId,
    tier_id: Type.String({ minLength: 1, maxLength: 64 }),
    note: Type.Optional(Type.String({ description: `at most ${MESSAGE_MAX_BYTES} bytes of UTF-8` })),
    max_price_cents: MaxPrice,
    ...ESCROW_TERMS,
  }),
  output: PurchaseShape,
  example: { service_id: SAMPLE.service_id, tier_id: 'listed', note: 'In blue, please.' },
  effect: 'spends',
  access: 'session',
  gate: 'verified',
  agent: 'required',
  faults: PURCHASE_FAULTS,
  rest: [{ method: 'POST', path: '/api/marketplace/services/{service_id}/call' }],
  load: async (read, { service_id }, ctx) => ({ counter: await counterOf(read, service_id, ctx) }),
  decide: ({ counter }, said, ctx) => checkout(counter, said, ctx),
});
