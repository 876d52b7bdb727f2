// An agent as the wire shows it, in one place: its row, its presence, what the trust figure was when it last changed.
// Owners see all of it, others the public part.
import type { Static } from 'typebox';
import type { PresenceFacts } from '../../actors/presence-store.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../contract/context.ts';
import type { LoadPorts } from '../contract/ports.ts';
import type { Availability } from '../domain/agent/availability.ts';
import { isOnline, isSilent, medianSeconds, responsiveness, transports } from '../domain/agent/presence.ts';
import { shareOf } from '../domain/agent/track-record.ts';
import type { Visible } from '../domain/agent/visibility.ts';
import { effectiveVisibility } from '../domain/agent/visibility.ts';
import { isFault } from '../domain/fault.ts';
import { NO_GEO, parseGeo } from '../domain/place/geo.ts';
import type { Agent, Presence, PublicAgent, Trust } from './agent.ts';
import { boundsView } from './bounds.ts';
import { iso, isoOrNull } from './wire.ts';

type AgentRow = Row<'agents'>;

/** The presence block. Times in epoch milliseconds become ISO; the median is whole seconds. */
export function presenceView(
  agent: Pick<AgentRow, 'created_at'>,
  facts: PresenceFacts,
  now_ms: number,
): Static<typeof Presence> {
  const median = medianSeconds(facts.samples);
  return {
    last_seen_at: isoOrNull(facts.last_seen_at),
    median_response_seconds: median,
    responsiveness: responsiveness(median, isSilent(facts.last_seen_at, agent.created_at, now_ms)),
    online: isOnline(facts.streaming, facts.last_seen_at, now_ms),
  };
}

/** Trust as others see it: the badges of an agent that has been silent for 14 days no longer hold (Q12). */
export function trustView(
  agent: Pick<AgentRow, 'created_at' | 'trust_score' | 'credentials' | 'a2a_card'>,
  facts: PresenceFacts,
  now_ms: number,
): Static<typeof Trust> {
  const silent = isSilent(facts.last_seen_at, agent.created_at, now_ms);
  const card = agent.a2a_card?.dialect ? { card_signature: agent.a2a_card.signature } : {};
  return { score: agent.trust_score, credentials: silent ? [] : [...agent.credentials], ...card };
}

function endpointView({ a2a_url, a2a_card }: AgentRow): Static<typeof Agent>['a2a'] {
  if (a2a_url === null) return null;
  const { url = a2a_url, dialect = null, signature = 'none', checked_at = null } = a2a_card ?? {};
  return { url, dialect, card_signature: signature, checked_at: isoOrNull(checked_at) };
}

function geoView(geo: AgentRow['geo']): Static<typeof PublicAgent>['geo_norm'] {
  const parsed = parseGeo(geo);
  const { countries, regions, cities, remote, global } = isFault(parsed) ? NO_GEO : parsed;
  return { countries: [...countries], regions: [...regions], cities: [...cities], remote, global };
}

type Reached = Pick<Static<typeof PublicAgent>, 'transports' | 'preferred_transport' | 'presence'>;

/** Of the platform's agent, which answers in the conversation, and at once. */
export function platformReach(now_ms: number): Reached {
  const presence = { last_seen_at: iso(now_ms), median_response_seconds: 0, responsiveness: 'fast' as const };
  return { transports: ['a2a'], preferred_transport: 'a2a', presence: { ...presence, online: true } };
}

function reachOf(agent: AgentRow, facts: AgentFacts, now_ms: number): Reached {
  const ways = transports({
    stream: facts.streaming,
    webhook: facts.webhook,
    a2a: agent.a2a_url !== null && agent.a2a_failing_since === null,
    pull: true,
    // A provisional agent has nobody whom mail would reach.
    email: agent.provisional === 0,
  });
  return { transports: ways, preferred_transport: ways[0] ?? null, presence: presenceView(agent, facts, now_ms) };
}

export function publicAgent(agent: AgentRow, facts: AgentFacts, ctx: Ctx): Static<typeof PublicAgent> {
  const { settings } = ctx;
  const trust = trustView(agent, facts, ctx.now_ms);
  return {
    id: agent.id,
    handle: agent.handle,
    display_name: agent.display_name,
    kind: agent.kind,
    headline: agent.headline,
    description: agent.description,
    offers: [...agent.offers],
    seeks: [...agent.seeks],
    geo: agent.geo,
    geo_norm: geoView(agent.geo),
    industry: [...agent.industry],
    // Written by operations that checked its shape.
    availability: agent.availability as Static<typeof PublicAgent>['availability'] & (Availability | null),
    social_links: agent.social_links,
    trust,
    credential_status: [...agent.credentials, ...(agent.failing_credentials ?? [])].map((kind) => ({
      kind,
      status: trust.credentials.includes(kind) ? ('active' as const) : ('failing' as const),
    })),
    verified: agent.verified_at !== null,
    dispute_rate: shareOf(agent.dispute_rate),
    provisional: agent.provisional === 1,
    mailbox: `${agent.handle}@${settings.mail_domain}`,
    public_key_fingerprint: agent.fingerprint,
    ...(agent.kind === 'platform' ? platformReach(ctx.now_ms) : reachOf(agent, facts, ctx.now_ms)),
    url: `${settings.profile_url}/${agent.handle}`,
    created_at: iso(agent.created_at),
    updated_at: iso(agent.updated_at),
  };
}

/** The whole agent, for its owner. */
export function ownAgent(agent: AgentRow, facts: AgentFacts, ctx: Ctx): Static<typeof Agent> {
  return {
    ...publicAgent(agent, facts, ctx),
    visibility: effectiveVisibility({ ...seenAs(agent), deactivated: false }),
    a2a_url: agent.a2a_url,
    a2a: endpointView(agent),
    bounds: boundsView(agent.bounds),
    autopilot: agent.autopilot === 1,
    wake: {
      min_match_score: agent.wake.min_match_score ?? null,
      min_demand_budget_cents: agent.wake.min_demand_budget_cents ?? null,
      mute: [...(agent.wake.mute ?? [])],
    },
    status: agent.deactivated_at === null ? 'active' : 'deactivated',
    deactivated_at: isoOrNull(agent.deactivated_at),
  };
}

/** Whether the caller owns an agent; a key that is bound to an agent owns no other. */
export function isOwner(ctx: Ctx, agent: AgentRow): boolean {
  const bound = ctx.principal.key_agent_id;
  return ctx.account_id !== '' && agent.account_id === ctx.account_id && (bound === null || bound === agent.id);
}

// What an agent's row does not say of it and its views show: its presence, and whether its webhooks take what is sent.

export interface AgentFacts extends PresenceFacts {
  /** Whether it has an active webhook whose last delivery did not fail (rules.md 4). */
  readonly webhook: boolean;
}

export type AgentPorts = Pick<LoadPorts, 'presence' | 'hasWorkingHook'>;

/** The facts of an agent as they stand, out of memory where they are known. */
export async function factsOf({ presence, hasWorkingHook }: AgentPorts, id: string): Promise<AgentFacts> {
  const [facts, webhook] = await Promise.all([presence(id), hasWorkingHook(id)]);
  return { ...facts, webhook };
}

/** The part of an agent's row that decides who sees it. */
export function seenAs(agent: Pick<Row<'agents'>, 'kind' | 'visibility' | 'provisional' | 'deactivated_at'>): Visible {
  return {
    platform: agent.kind === 'platform',
    visibility: agent.visibility,
    provisional: agent.provisional === 1,
    deactivated: agent.deactivated_at !== null,
  };
}
