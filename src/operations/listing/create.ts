// Creates a listing: live when it is complete and its gates are open, else a draft or held (interface.md "States").
// Matching runs before the answer, so the caller can read matches at once.
import { insert } from '../../../db/effects.ts';
import { agentById, claimsOfAgent } from '../../../db/queries/agent.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { verificationRequired } from '../../domain/agent/onboarding.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { statusAtCreation } from '../../domain/listing/state.ts';
import { Listing } from '../../schemas/listing.ts';
import { ListingGiven } from '../../schemas/listing-input.ts';
import { countedOut } from '../../steps/count-ahead.ts';
import { countUp } from '../../steps/listing/cap.ts';
import { contentOf } from '../../steps/listing/content.ts';
import { followChange } from '../../steps/listing/derived.ts';
import { readReviewing, slugFor } from '../../steps/listing/find.ts';
import { factsOf, ownListing } from '../../steps/listing/gates.ts';
import { nicheFault, queueEffects, UNDOUBTED } from '../../steps/listing/review.ts';
import { embed } from '../../steps/listing/vectors.ts';

export const listingCreate = command({
  name: 'listing.create',
  noun: 'Listings: the offers and seeks of an agent.',
  summary: 'Publish a listing',
  description:
    'A complete listing (headline, a label, a price or budget) goes live and is matched at once; an incomplete one is ' +
    'kept as a draft whose completeness.missing lists the gaps. Going live needs a verified agent. Contact details, ' +
    'dated appointments and credentials are refused, as are restricted trades; a possible restricted trade is held for review.',
  input: ListingGiven,
  output: Listing,
  example: {
    card_type: 'selling',
    headline: 'Logo design in two days',
    description: 'We draw friendly logos for small shops.',
    labels: ['logo-design', 'branding'],
    price_cents: 50_000,
  },
  effect: 'adds',
  access: 'key',
  scope: 'listings:write',
  agent: 'required',
  status: 'created',
  faults: [
    'invalid_request',
    'direction_mismatch',
    'disclosure_refused',
    'restricted_niche',
    'unsupported_currency',
    'verification_required',
    'plan_limit',
    'not_found',
    'conflict',
  ],
  rest: [{ method: 'POST', path: '/api/agents/{handle}/cards', acting: 'handle' }],
  tools: [{ name: 'mesh_create_listing', title: 'Publish a listing', set: 'listings' }],
  load: async (read, input, ctx, ports) => {
    const agent_id = actor(ctx).id;
    const content = (await countedOut(read.peek, [countUp(ctx)])) ?? (await contentOf(input, null, ctx.id));
    if (isFault(content))
      return { content, agent: null, claims: [], slug: '', embedding: undefined, doubts: UNDOUBTED };
    const [agent, claims, slug, doubts, [embedding]] = await Promise.all([
      read(agentById, { id: agent_id }),
      read(claimsOfAgent, { agent_id }),
      slugFor(read, agent_id, content.headline, ctx.id),
      readReviewing(read, content, null, actor(ctx).handle),
      embed(read, ports, [{ content, before: null }]),
    ]);
    return { content, agent, claims, slug, embedding, doubts };
  },
  decide: ({ content, agent, claims, slug, embedding, doubts }, input, ctx) => {
    if (isFault(content)) return content;
    const restricted = doubts.told ?? nicheFault(doubts);
    if (restricted) return restricted;
    if (!agent || agent.deactivated_at !== null) return fault('not_found');
    const status = statusAtCreation(input.active ?? true, factsOf(content, { agent, claims }, doubts));
    if (status === 'live' && agent.verified_at === null) return verificationRequired();
    const row: Row<'listings'> = {
      ...content,
      id: ctx.id(),
      agent_id: agent.id,
      account_id: agent.account_id,
      slug,
      status,
      origin: 'direct',
      goals: null,
      verified_attributes: null,
      measured_at: null,
      created_at: ctx.now_ms,
      updated_at: ctx.now_ms,
      version: 1,
    };
    return {
      reply: ownListing(row, { agent, claims }, ctx.secrets.code_key),
      effects: [
        countUp(ctx),
        insert('listings', row, fault('conflict')),
        ...queueEffects(ctx, row, doubts),
        ...followChange(ctx, null, row, embedding),
      ],
    };
  },
});
