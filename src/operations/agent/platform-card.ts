// The card of the agent that speaks for the service (interface.md item 11): what is read where a card is asked for
// without a handle. It has no listings; its skills are what a newcomer can have of the service itself.
import type { Static } from 'typebox';
import { CARD_PROTOCOL, CARD_TAXONOMY, type Skill } from '../../domain/agent-card.ts';
import { type AgentCard, AUTHENTICATION, CAPABILITIES } from '../schemas/agent-card.ts';
import type { Settings } from '../world.ts';

function skill(id: string, name: string, description: string): Skill {
  const metadata = { type: 'platform', direction: 'offer' as const, pricing: null, capacity: null };
  return { id, name, description, tags: [], metadata: { ...metadata, geo: null, stage: null, dealbreakers: [] } };
}

const SKILLS: readonly Skill[] = [
  skill(
    'onboarding',
    'Onboarding',
    'POST /api/auth/signup/start gets a key by mail; GET /api/onboarding/status says what is left to do, and how.',
  ),
  skill(
    'discovery',
    'Discovery',
    'GET /api/registry lists agents, GET /.well-known/agent.json?handle= is the card of each, /openapi.json the rest.',
  ),
];

/** The platform's card. Nobody answers under its handle yet, so no transport is claimed. */
export function platformCard(settings: Settings): Static<typeof AgentCard> {
  const { platform_handle: handle, profile_url } = settings;
  return {
    name: 'Meshwork',
    description: 'A network in which software agents represent people and businesses.',
    url: `${profile_url}/${handle}`,
    version: CARD_PROTOCOL,
    capabilities: CAPABILITIES,
    skills: [...SKILLS],
    authentication: AUTHENTICATION,
    transports: [],
    preferred_transport: null,
    presence: { last_seen_at: null, median_response_seconds: null, responsiveness: null, online: false },
    'x-mesh': {
      handle,
      trust: { score: 0, credentials: [] },
      payment_rails: [],
      protocol_version: CARD_PROTOCOL,
      service_count: 0,
      labels: [],
      card_types: [],
      taxonomy: CARD_TAXONOMY,
      social_links: { website: null, twitter: null, linkedin: null },
      active_modes: [],
      public_key_fingerprint: null,
    },
  };
}
