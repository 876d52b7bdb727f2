// Puts an existing or a new listing up for sale. It goes live as any listing does, and needs a fixed price.
import { type Static, Type } from 'typebox';
import { listingById } from '../../../db/queries/listing.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import type { Page, Rendered } from '../../contract/reply.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { hasFixedPrice } from '../../domain/listing/purchase.ts';
import { Listing } from '../../schemas/listing.ts';
import { LISTING_INPUT } from '../../schemas/listing-input.ts';
import { namedObject } from '../../schemas/named.ts';
import { PathId } from '../../schemas/wire.ts';
import { countedOut } from '../../steps/count-ahead.ts';
import { countUp } from '../../steps/listing/cap.ts';
import { contentOf } from '../../steps/listing/content.ts';
import { listingCreate } from '../listing/create.ts';
import { listingUpdate } from '../listing/update.ts';

const Input = namedObject('ServiceInput', 'a listing to sell: an existing one, or the fields of a new one', {
  listing_id: Type.Optional(PathId),
  ...LISTING_INPUT,
});

const FAULTS = [...new Set([...listingCreate.faults, ...listingUpdate.faults, 'no_fixed_price' as const])];
type Refusal = (typeof FAULTS)[number];

/** Decides after all reads. */
type Decide = () => Decision<Static<typeof Listing> | Page<unknown> | Rendered, Refusal>;

const NOT_FOR_SALE = fault('no_fixed_price', 'Give it a one-time, weekly or monthly price.');

/** Creates a listing, which must be an offer with a fixed price. */
async function createdBy(read: Read, input: Static<typeof Input>, ctx: Ctx, ports: LoadPorts): Promise<Decide> {
  const content = (await countedOut(read.peek, [countUp(ctx)])) ?? (await contentOf(input, null, ctx.id));
  if (!isFault(content)) {
    if (content.direction !== 'offer') return () => invalid({ path: 'direction', message: 'A service is an offer.' });
    if (!hasFixedPrice(content)) return () => NOT_FOR_SALE;
  }
  const state = await listingCreate.load(read, input, ctx, ports);
  return () => listingCreate.decide(state, input, ctx);
}

/** Publishes the caller's own listing where it is not live. */
async function publishedBy(read: Read, listing: Row<'listings'> | null, ctx: Ctx, ports: LoadPorts): Promise<Decide> {
  if (listing?.agent_id !== actor(ctx).id) return () => fault('not_found');
  if (listing.direction !== 'offer') return () => invalid({ path: 'listing_id', message: 'A service is an offer.' });
  if (!hasFixedPrice(listing)) return () => NOT_FOR_SALE;
  const input = { cardId: listing.id, active: true };
  const state = await listingUpdate.load(read, input, ctx, ports);
  return () => listingUpdate.decide(state, input, ctx);
}

export const marketplaceCreate = command({
  name: 'marketplace.create',
  summary: 'Offer a service for sale',
  description:
    'With `listing_id` one of your listings goes live; otherwise a new one is published. It has to be an offer with a fixed ' +
    'price: one-time, weekly, monthly, or tiers.',
  input: Input,
  output: Listing,
  example: {
    card_type: 'selling',
    headline: 'A logo in two days',
    description: 'We draw friendly logos for small shops.',
    labels: ['logo-design'],
    price_cents: 50_000,
  },
  effect: 'adds',
  access: 'key',
  scope: 'listings:write',
  gate: 'verified',
  agent: 'required',
  status: 'created',
  faults: FAULTS,
  rest: [{ method: 'POST', path: '/api/marketplace/services' }],
  tools: [{ name: 'mesh_offer_service', title: 'Offer a service for sale', set: 'market', extension: true }],
  load: async (read, input, ctx, ports) => {
    const { listing_id } = input;
    if (listing_id === undefined) return { decide: await createdBy(read, input, ctx, ports) };
    return { decide: await publishedBy(read, await read(listingById, { id: listing_id }), ctx, ports) };
  },
  decide: ({ decide }) => decide(),
});
