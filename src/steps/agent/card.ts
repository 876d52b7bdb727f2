// The cards of an agent: of protocol 0.2.0, and the one that A2A clients of today read. Made of the same reads, so that the two
// never say different things of an agent.
import type { Static } from 'typebox';
import { claimsOfAgent } from '../../../db/queries/agent.ts';
import { liveListingsOfAgent } from '../../../db/queries/listing.ts';
import { servicesOfAgent } from '../../../db/queries/market.ts';
import { providersOfAgent } from '../../../db/queries/router.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { LoadPorts, QueryPorts } from '../../contract/ports.ts';
import { activeModes, CARD_PROTOCOL, CARD_TAXONOMY, skillOf } from '../../domain/agent/card.ts';
import { protocolCard } from '../../domain/agent/protocol-card.ts';
import { isPriced } from '../../domain/listing/purchase.ts';
import { inRotation } from '../../domain/router/provider.ts';
import { factsOf, publicAgent } from '../../schemas/agent.ts';
import {
  type AgentCard,
  AUTHENTICATION,
  CAPABILITIES,
  type ProtocolCard,
  platformCard,
} from '../../schemas/agent-card.ts';
import { guidanceText } from '../../schemas/next-step.ts';
import { iso } from '../../schemas/wire.ts';
import { agentByHandle, isSeen } from './find.ts';
import { canBePaid } from './payable.ts';

type Card = Static<typeof AgentCard>;

/** interface.md, Limits. */
export const CARD_CACHE_SECONDS = 300;
/** Listings on a card; GET /api/agents/{handle}/cards returns the rest. */
const SKILLS_MAX = 100;

/** The number of services that the agent sells: live offers with a price. */
async function servicesOf(read: Read, agent_id: string, listings: readonly Row<'listings'>[]): Promise<number> {
  if (listings.length === SKILLS_MAX) return (await read(servicesOfAgent, { agent_id }))?.n ?? 0;
  return listings.filter((listing) => listing.direction === 'offer' && isPriced(listing)).length;
}

/** The card of protocol 0.2.0. */
export async function cardOf(read: Read, agent: Row<'agents'>, ctx: Ctx, ports: LoadPorts): Promise<Card> {
  if (agent.kind === 'platform') return platformCard(ctx.settings, ctx.now_ms);
  const [facts, listings, offers] = await Promise.all([
    factsOf(ports, agent.id),
    read(liveListingsOfAgent, { agent_id: agent.id, before: HIGHEST_ID, limit: SKILLS_MAX }),
    read(providersOfAgent, { agent_id: agent.id }),
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
      payment_rails: canBePaid(agent) ? ['wallet'] : [],
      protocol_version: CARD_PROTOCOL,
      service_count: await servicesOf(read, agent.id, listings),
      labels: [...new Set(listings.flatMap(({ labels }) => labels))],
      card_types: [...new Set(listings.map(({ card_type }) => card_type))],
      taxonomy: CARD_TAXONOMY,
      social_links: { website, twitter, linkedin },
      active_modes: activeModes(listings, offers.some(inRotation)),
      public_key_fingerprint: rest.public_key_fingerprint,
    },
  };
}

/** The extension `x-mesh` of the 0.2.0 card, without its protocol version. */
function meshOf({ 'x-mesh': { protocol_version: _of_0_2, ...mesh } }: Card): Record<string, unknown> {
  return mesh;
}

/** A card for A2A clients, made of the one of 0.2.0; the platform's texts name calls by their addresses. */
function protocolCardFrom(card: Card, ctx: Ctx) {
  const { base_url, platform_handle, instance } = ctx.settings;
  const { handle } = card['x-mesh'];
  const { name, description, url } = card;
  const skills = card.skills.map(({ metadata: { type, direction }, tags, ...skill }) => ({
    ...skill,
    description: guidanceText(skill.description, ctx.addresses),
    tags: [direction, type, ...tags],
  }));
  const documentation_url = handle === platform_handle ? `${base_url}/llms.txt` : url;
  const facts = { handle, name, description, documentation_url, skills, mesh: meshOf(card) };
  return protocolCard(facts, { base_url, organization: instance.name });
}

/** The card for A2A clients, signed: once for what it says, however often it is read. */
export async function signedCard(
  read: Read,
  agent: Row<'agents'>,
  ctx: Ctx,
  ports: QueryPorts,
): Promise<Static<typeof ProtocolCard>> {
  const card = protocolCardFrom(await cardOf(read, agent, ctx, ports), ctx);
  return { ...card, signatures: ports.card_signer.sign(card) };
}

/** The card for authenticated callers: also fast-changing data, and what the agent's human proved. It has no signature, which
 * would have to be made for each caller. */
export async function extendedCard(
  read: Read,
  agent: Row<'agents'>,
  ctx: Ctx,
  ports: QueryPorts,
): Promise<Static<typeof ProtocolCard>> {
  const [seed, claims] = await Promise.all([
    cardOf(read, agent, ctx, ports),
    read(claimsOfAgent, { agent_id: agent.id }),
  ]);
  const { presence, transports, preferred_transport, skills } = seed;
  const card = protocolCardFrom(seed, ctx);
  const mesh = {
    ...card['x-mesh'],
    presence,
    transports,
    preferred_transport,
    claims: claims.map(({ provider, verified_at }) => ({ kind: provider, verified_at: iso(verified_at) })),
    listings: skills.map(({ id, metadata: { type, direction, pricing, geo } }) => ({
      id,
      type,
      direction,
      pricing,
      geo,
    })),
  };
  return { ...card, 'x-mesh': mesh };
}

/** The agent of a handle whose card is public; null when its profile is hidden. */
export async function agentWithCard(read: Read, handle: string, now_ms: number): Promise<Row<'agents'> | null> {
  const agent = await agentByHandle(read, handle, now_ms);
  return agent && isSeen(agent, 'profile') ? agent : null;
}
