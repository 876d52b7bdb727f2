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
import { type Noted, Rendered } from '../../contract/reply.ts';
import { activeModes, CARD_PROTOCOL, CARD_TAXONOMY, skillOf } from '../../domain/agent/card.ts';
import { protocolCard } from '../../domain/agent/protocol-card.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { isPriced } from '../../domain/listing/purchase.ts';
import { inRotation } from '../../domain/router/provider.ts';
import { type AgentFacts, factsOf, publicAgent, reachOf, trustView } from '../../schemas/agent.ts';
import {
  type AgentCard,
  AUTHENTICATION,
  CAPABILITIES,
  type ProtocolCard,
  platformCard,
} from '../../schemas/agent-card.ts';
import { guidanceText } from '../../schemas/next-step.ts';
import { iso } from '../../schemas/wire.ts';
import { redirectedReply } from './find.ts';
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

/** What a card says that changes without a commit to the agent or its listings. */
interface Facts {
  readonly agent: AgentFacts;
  /** Whether it serves calls of a capability. */
  readonly serves: boolean;
}

async function currentFacts(read: Read, agent: Row<'agents'>, ports: LoadPorts): Promise<Facts> {
  const [facts, offers] = await Promise.all([factsOf(ports, agent.id), read(providersOfAgent, { agent_id: agent.id })]);
  return { agent: facts, serves: offers.some(inRotation) };
}

/** The card of protocol 0.2.0. */
export async function cardOf(read: Read, agent: Row<'agents'>, ctx: Ctx, ports: LoadPorts): Promise<Card> {
  if (agent.kind === 'platform') return platformCard(ctx.settings, ctx.now_ms);
  return cardFrom(read, agent, await currentFacts(read, agent, ports), ctx);
}

async function cardFrom(read: Read, agent: Row<'agents'>, { agent: facts, serves }: Facts, ctx: Ctx): Promise<Card> {
  const listings = await read(liveListingsOfAgent, { agent_id: agent.id, before: HIGHEST_ID, limit: SKILLS_MAX });
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
      active_modes: activeModes(listings, serves),
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

/** The card for A2A clients, signed. */
export function signedCard(card: Card, ctx: Ctx, { card_signer }: QueryPorts): Static<typeof ProtocolCard> {
  const unsigned = protocolCardFrom(card, ctx);
  return { ...unsigned, signatures: card_signer.sign(unsigned) };
}

/** Characters of a card that is kept: those of 200 agents take 26 million at most. */
const KEPT_MAX = 64_000;

/** An operation that shows public cards, each in its form. */
interface Showing<T> {
  readonly operation: 'agent.card' | 'agent.protocol_card';
  readonly form: (card: Card) => T;
}

/** The public card of a handle. The texts of agents name no calls, so their cards are the same at every door. */
export async function publicCard<T>(
  read: Read,
  handle: string,
  ctx: Ctx,
  ports: QueryPorts,
  { operation, form }: Showing<T>,
): Promise<T | Rendered | Noted<T | Rendered> | Fault<'not_found'>> {
  const kept = await ports.cards.of(handle);
  if (!kept) return fault('not_found');
  const { agent, texts } = kept;
  if (agent.kind === 'platform')
    return redirectedReply<T | Rendered>(handle, agent, form(platformCard(ctx.settings, ctx.now_ms)), operation);
  const facts = await currentFacts(read, agent, ports);
  const reach = reachOf(agent, facts.agent, ctx.now_ms);
  const said = JSON.stringify([reach, trustView(agent, facts.agent, ctx.now_ms), facts.serves]);
  const last = texts.get(operation);
  const text = last?.facts === said ? last.text : JSON.stringify(form(await cardFrom(read, agent, facts, ctx)));
  if (last?.facts !== said && text.length <= KEPT_MAX) texts.set(operation, { facts: said, text });
  return redirectedReply<T | Rendered>(handle, agent, new Rendered(() => text), operation);
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
