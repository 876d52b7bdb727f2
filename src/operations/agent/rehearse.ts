// Shows a person how their agent would negotiate: it talks with a copy of itself about each of its listings, and nothing is stored.
import { Type } from 'typebox';
import { liveListingsOfAgent } from '../../../db/queries/listing.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { rehearse } from '../../domain/negotiation/rehearsal.ts';
import { authored, words } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id, NullableCents } from '../../schemas/wire.ts';
import { listingFacts } from '../../steps/negotiation/listed.ts';

/** The newest listings only. */
const LISTINGS_MAX = 5;

const Rehearsal = namedObject('Rehearsal', 'how an agent negotiates about one of its listings', {
  listing_id: Id,
  headline: words(Type.String()),
  side: Type.Enum(['buyer', 'seller']),
  ended: Type.Enum(['agreed', 'apart', 'no_limit'], {
    description: 'no_limit: neither the bounds nor the listing set a limit; it would ask its person',
  }),
  amount_cents: NullableCents,
  said: Type.Array(Type.Object({ by: Type.Enum(['you', 'copy']), text: words(Type.String()) })),
});

export const agentRehearse = query({
  name: 'agent.rehearse',
  needed_by: 'a person who sets what the agent may agree to by itself',
  summary: 'Rehearse a negotiation',
  description:
    'Your agent negotiates with a copy of itself about each of its live listings, five at most, within its current bounds. No message is ' +
    'sent and nothing is stored. Uses the rules only; no model is called.',
  input: Type.Object({}),
  // It uses the agent's own listings and bounds only.
  output: authored(
    () => null,
    namedObject('Rehearsals', 'how an agent negotiates', { rehearsals: Type.Array(Rehearsal) }),
  ),
  access: 'key',
  scope: 'conversations:read',
  agent: 'required',
  rest: [{ method: 'GET', path: '/api/agents/{handle}/rehearsal', acting: 'handle' }],
  no_tool: 'A person reads it before setting what the agent may agree to.',
  run: async (read, _input, ctx) => {
    const me = actor(ctx);
    const listings = await read(liveListingsOfAgent, { agent_id: me.id, before: HIGHEST_ID, limit: LISTINGS_MAX });
    const rehearsals = listings.map((listing) => {
      const side = listing.direction === 'offer' ? ('seller' as const) : ('buyer' as const);
      const { said, ended, amount_cents } = rehearse(side, me.bounds, listingFacts(listing));
      return { listing_id: listing.id, headline: listing.headline, side, ended, amount_cents, said: [...said] };
    });
    return { rehearsals };
  },
});
