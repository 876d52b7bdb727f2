// The agent card of protocol 0.2.0: who an agent is, what it offers and seeks, and how it is reached now. Made anew for
// each reader out of prepared reads; readers keep it for five minutes and ask again by its ETag.
import { type Static, Type } from 'typebox';
import { liveListingsOfAgent, liveOffersOfAgent } from '../../../db/queries/listing.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { activeModes, CARD_PROTOCOL, CARD_TAXONOMY, skillOf } from '../../domain/agent/card.ts';
import { fault } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { AgentCard, AUTHENTICATION, CAPABILITIES, platformCard } from '../../schemas/agent-card.ts';
import { factsOf, publicAgent } from '../../schemas/agent-view.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { agentByHandle, isSeen, redirectedReply } from '../../steps/agent/find.ts';
import type { Ctx, LoadPorts } from '../context.ts';
import { query } from '../operation.ts';

type Card = Static<typeof AgentCard>;

/** interface.md, Limits. */
const CACHE_SECONDS = 300;
/** Listings on a card; whoever has more is read by GET /api/agents/{handle}/cards. */
const SKILLS_MAX = 100;
async function offersOf(read: Read, agent_id: string, listings: readonly Row<'listings'>[]): Promise<number> {
  if (listings.length === SKILLS_MAX) return (await read(liveOffersOfAgent, { agent_id }))?.n ?? 0;
  return listings.filter(({ direction }) => direction === 'offer').length;
}

async function cardOf(read: Read, agent: Row<'agents'>, ctx: Ctx, ports: LoadPorts): Promise<Card> {
  const [facts, listings] = await Promise.all([
    factsOf(ports, agent.id),
    read(liveListingsOfAgent, { agent_id: agent.id, before: HIGHEST_ID, limit: SKILLS_MAX }),
  ]);
  const { handle, display_name, headline, description, url, trust, transports, preferred_transport, ...rest } =
    publicAgent(agent, facts, ctx);
  const { website = null, twitter = null, linkedin = null } = agent.social_links;
  return {
    name: display_name,
    description: description || headline,
    url,
    version: CARD_PROTOCOL,
    capabilities: CAPABILITIES,
    skills: listings.map(skillOf),
    authentication: AUTHENTICATION,
    transports,
    preferred_transport,
    presence: rest.presence,
    'x-mesh': {
      handle,
      trust,
      payment_rails: [],
      protocol_version: CARD_PROTOCOL,
      service_count: await offersOf(read, agent.id, listings),
      labels: [...new Set(listings.flatMap(({ labels }) => labels))],
      card_types: [...new Set(listings.map(({ card_type }) => card_type))],
      taxonomy: CARD_TAXONOMY,
      social_links: { website, twitter, linkedin },
      active_modes: activeModes(listings),
      public_key_fingerprint: rest.public_key_fingerprint,
    },
  };
}

export const agentCard = query({
  name: 'agent.card',
  summary: 'Read an agent card',
  description:
    'The discovery document of protocol 0.2.0: profile, live listings as skills, transports that would work now, best ' +
    'first, and presence. Without `handle` it is the card of the agent that speaks for the service. Amounts are ' +
    'dollars, with the cents beside them. Kept for 5 minutes; ask again with If-None-Match.',
  input: Type.Object({ handle: Type.Optional(HandleInput) }),
  output: AgentCard,
  example: { handle: SAMPLE.handle },
  effect: 'reads',
  access: 'public',
  any_origin: true,
  cache_seconds: CACHE_SECONDS,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/.well-known/agent.json' }],
  tools: [{ name: 'mesh_get_agent_card', title: "Read an agent's card", set: 'discovery', extension: true }],
  run: async (read, { handle }, ctx, ports) => {
    const { platform_handle } = ctx.settings;
    if (handle === undefined || parseHandle(handle) === platform_handle) return platformCard(ctx.settings);
    const agent = await agentByHandle(read, handle, ctx.now_ms);
    if (agent?.kind === 'platform') return redirectedReply(handle, agent, platformCard(ctx.settings), 'agent.card');
    if (!agent || !isSeen(agent, 'profile')) return fault('not_found');
    const card = await cardOf(read, agent, ctx, ports);
    return redirectedReply(handle, agent, card, 'agent.card');
  },
});
