// Tells the owner of a listing without matches which rules excluded its best pairs, and what would change that; once a day at most.

import { Type } from 'typebox';
import { count } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { listingToMatch, pairsOfListing } from '../../../db/queries/match.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { DAY_MS } from '../../domain/time.ts';
import { tell } from '../../steps/event.ts';
import { TELL_UNMATCHED } from '../../steps/listing/derived.ts';

/** An open match would be among so many of the best pairs. */
const PAIRS_LOOKED_AT = 50;

export const matchTellUnmatched = flow({
  ...TELL_UNMATCHED,
  summary: 'Tell an agent why its listing has no matches',
  output: Type.Object({ told: Type.Boolean() }),
  effect: 'adds',
  access: 'internal',
  run: async ({ listing_id }, ctx, { explain }) => {
    const explained = await explain(ctx, listing_id);
    if (explained === null) return { reply: { told: false } };
    const day = Math.floor(ctx.now_ms / DAY_MS);
    const told = await ctx.turn({
      attempt: async (read) => {
        const listing = await read(listingToMatch, { id: listing_id });
        const agent = listing && (await read(agentById, { id: listing.agent_id }));
        const pairs = await read.peek(pairsOfListing, { listing_id, limit: PAIRS_LOOKED_AT });
        const met = pairs.some(({ status }) => status === 'pending' || status === 'approved');
        if (!listing || !agent || met) return { reply: { told: false } };
        const { considered, missing } = explained;
        const rules = missing.map(({ rule, count, change }) => ({ rule, count, change }));
        const data = { listing_id, headline: listing.headline, considered, missing: rules };
        const once = count(`unmatched:${listing_id}:${day}`, 1, fault('rate_limited'), (day + 1) * DAY_MS);
        return { reply: { told: true }, effects: [once, tell(ctx, agent, 'listing.unmatched', data)] };
      },
    });
    // The owner was already told today.
    return isFault(told) ? { reply: { told: false } } : told;
  },
});
