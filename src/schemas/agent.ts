// The shapes of agents on the wire, as input and as output (rules.md 4).
import { type Static, Type } from 'typebox';
import type { PresenceFacts } from '../../actors/presence-store.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../contract/context.ts';
import type { LoadPorts } from '../contract/ports.ts';
import { isOnline, isSilent, medianSeconds, responsiveness, transports } from '../domain/agent/presence.ts';
import {
  type Availability,
  effectiveVisibility,
  TIME_OF_DAY,
  VISIBILITIES,
  type Visible,
  WEEKDAYS,
} from '../domain/agent/profile.ts';
import { shareOf } from '../domain/agent/track-record.ts';
import { isFault } from '../domain/fault.ts';
import { NO_GEO, parseGeo } from '../domain/place/geo.ts';
import { DIALECTS } from '../domain/task/task.ts';
import { authored, byField, words } from './authored.ts';
import { BoundsShape, boundsView } from './bounds.ts';
import { named, namedObject } from './named.ts';
import {
  Cents,
  Id,
  iso,
  isoOrNull,
  NullableCents,
  NullableText,
  NullableTime,
  nullable,
  Time,
  visibleOrBlankText,
  visibleText,
} from './wire.ts';

const ENTRIES_MAX = 50;
const LINKS_MAX = 12;
const COUNTRIES_MAX = 60;
const WINDOWS_MAX = 42;

const HEADLINE_MAX = 140;
const Line = visibleText(HEADLINE_MAX);

/** `offers` and `seeks` as input: texts, one text, or objects of the intake, of which only the headline is kept. */
export const EntriesInput = named(
  'ProfileEntriesInput',
  Type.Union([Line, Type.Array(Type.Union([Line, Type.Object({ headline: Line })]), { maxItems: ENTRIES_MAX })], {
    description: 'profile text, not listings: texts, or objects with a headline',
  }),
);

const GeoInputShape = Type.Union(
  [
    Type.String({ maxLength: 200 }),
    Type.Object({
      countries: Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: COUNTRIES_MAX })),
      remote: Type.Optional(Type.Boolean()),
    }),
    Type.Null(),
  ],
  { description: 'a place as text, or `{countries: [ISO code], remote}`' },
);

const AvailabilityShape = namedObject('Availability', 'recurring weekly windows; dates are not accepted', {
  tz: Type.String({ maxLength: 60, description: 'IANA time zone' }),
  windows: Type.Array(
    namedObject('AvailabilityWindow', 'hours of a day of the week', {
      day: Type.Enum(WEEKDAYS),
      from: Type.String({ pattern: TIME_OF_DAY }),
      to: Type.String({ pattern: TIME_OF_DAY }),
    }),
    { maxItems: WINDOWS_MAX },
  ),
});

const SocialLinks = Type.Record(
  Type.String({ pattern: '^[a-z0-9_]{1,30}$' }),
  Type.String({ maxLength: 300, pattern: '^https?://[^\\s@]+$' }),
  {
    maxProperties: LINKS_MAX,
    additionalProperties: false,
    description: 'addresses of public profiles, by the name of the network',
  },
);

const Visibility = named(
  'Visibility',
  Type.Enum(VISIBILITIES, {
    description: 'listed: visible to all; stealth: only matched; hidden: neither visible nor matched',
  }),
);

/** When to push events; absent fields do not restrict. */
export const WakeInput = namedObject('WakeInput', 'when to push events; default: always', {
  min_match_score: Type.Optional(Type.Number({ description: 'whole number, 0 to 100' })),
  min_demand_budget_cents: Type.Optional(Cents),
  mute: Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: 50, description: 'event names' })),
});

/** The parts of a profile that its owner writes, all optional. */
export const PROFILE_INPUT = {
  headline: Type.Optional(visibleOrBlankText(HEADLINE_MAX)),
  description: Type.Optional(Type.String({ maxLength: 5000 })),
  offers: Type.Optional(EntriesInput),
  seeks: Type.Optional(EntriesInput),
  geo: Type.Optional(GeoInputShape),
  industry: Type.Optional(Type.Array(visibleText(60), { maxItems: 20 })),
  availability: Type.Optional(nullable(AvailabilityShape)),
  social_links: Type.Optional(SocialLinks),
  kind: Type.Optional(Type.Union([Type.Literal('person'), Type.Literal('company')])),
  visibility: Type.Optional(Visibility),
};

export const DisplayName = visibleText(80);

const SignatureVerdict = named(
  'SignatureVerdict',
  Type.Enum(['none', 'valid', 'invalid'], {
    description: 'valid: signed with a key that the host of the card publishes itself',
  }),
);

export const Trust = namedObject('Trust', 'the trust of an agent', {
  score: Type.Number({ minimum: 0, maximum: 100 }),
  credentials: Type.Array(Type.String(), { description: 'the currently valid kinds' }),
  card_signature: Type.Optional(SignatureVerdict),
});

const Endpoint = namedObject('A2aEndpoint', "an agent's own A2A endpoint, as its card was found", {
  url: Type.String({ description: 'the URL that is called: from its card, else the registered address' }),
  dialect: nullable(Type.Enum(DIALECTS), 'of the protocol, from its card; null if none was found; 0.3 is then used'),
  card_signature: SignatureVerdict,
  checked_at: NullableTime,
});

export const Presence = namedObject('Presence', 'the presence of an agent', {
  last_seen_at: NullableTime,
  median_response_seconds: nullable(Type.Integer({ minimum: 0 }), 'over the last 20 answered events or messages'),
  responsiveness: Type.Union([
    Type.Literal('fast'),
    Type.Literal('hours'),
    Type.Literal('days'),
    Type.Literal('silent'),
    Type.Null(),
  ]),
  online: Type.Boolean({ description: 'a stream is open, or a request came within 60 seconds' }),
});

/** Whether a proof still holds. */
export const CredentialStatus = named(
  'CredentialStatus',
  Type.Union([Type.Literal('active'), Type.Literal('failing')], {
    description: 'failing: it does not count now, because it was not found again or the agent is silent',
  }),
);

const AgentKind = named(
  'AgentKind',
  Type.Union([Type.Literal('person'), Type.Literal('company'), Type.Literal('platform')], {
    description: 'platform: the agent of the service',
  }),
);

const Places = Type.Array(Type.String());

/** The public fields of an agent that is not hidden. */
export const PUBLIC_AGENT = {
  id: Id,
  handle: Type.String(),
  display_name: words(Type.String()),
  kind: AgentKind,
  headline: words(Type.String()),
  description: words(Type.String()),
  offers: words(Type.Array(Type.String())),
  seeks: words(Type.Array(Type.String())),
  geo: words(Type.Unknown({ description: 'as supplied: a text, `{countries, remote}`, or null' })),
  geo_norm: namedObject('Geo', 'geo as parsed by the service', {
    countries: Places,
    regions: Places,
    cities: Places,
    remote: Type.Boolean(),
    global: Type.Boolean(),
  }),
  industry: words(Type.Array(Type.String())),
  availability: nullable(AvailabilityShape),
  social_links: words(Type.Record(Type.String(), Type.String())),
  trust: Trust,
  credential_status: Type.Array(Type.Object({ kind: Type.String(), status: CredentialStatus })),
  verified: Type.Boolean({ description: 'one proof was completed; the verification gate is open' }),
  dispute_rate: nullable(Type.Number(), '0 to 1; null without any'),
  provisional: Type.Boolean(),
  mailbox: Type.String({ description: 'its mail address' }),
  public_key_fingerprint: NullableText,
  transports: Type.Array(Type.String(), { description: 'the transports that reach it now, best first' }),
  preferred_transport: NullableText,
  presence: Presence,
  url: Type.String({ description: 'its public profile' }),
  created_at: Time,
  updated_at: Time,
};

export const PublicAgent = authored(
  byField('handle'),
  namedObject('PublicAgent', "another account's agent", PUBLIC_AGENT),
);

const WakeShape = namedObject('Wake', 'when events are pushed to the agent', {
  min_match_score: nullable(
    Type.Integer({ minimum: 0, maximum: 100 }),
    'matches below it cause no event; null: every match does',
  ),
  min_demand_budget_cents: NullableCents,
  mute: Type.Array(Type.String(), {
    description: 'events that are not pushed to webhooks and A2A endpoints; inbox and streams still have them',
  }),
});

export const Agent = authored(
  () => null,
  namedObject('Agent', 'your own agent', {
    ...PUBLIC_AGENT,
    visibility: Visibility,
    a2a_url: nullable(Type.String(), 'the endpoint for events that no webhook takes'),
    a2a: nullable(Endpoint, 'the card at `a2a_url`; null without one'),
    bounds: BoundsShape,
    autopilot: Type.Boolean({ description: 'whether it answers in its conversations by itself' }),
    wake: WakeShape,
    status: Type.Union([Type.Literal('active'), Type.Literal('deactivated')]),
    deactivated_at: NullableTime,
  }),
);

// An agent on the wire: its row, its presence, and the stored trust score. Owners see all of it, others the public part.

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

/** Trust as others see it, without the badges of an agent that has been silent for 14 days (Q12). */
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

/** The transports and presence of the platform's agent, which answers at once in the conversation. */
export function platformReach(now_ms: number): Reached {
  const presence = { last_seen_at: iso(now_ms), median_response_seconds: 0, responsiveness: 'fast' as const };
  return { transports: ['a2a'], preferred_transport: 'a2a', presence: { ...presence, online: true } };
}

/** How an agent is reached now. */
export function reachOf(agent: AgentRow, facts: AgentFacts, now_ms: number): Reached {
  const ways = transports({
    stream: facts.streaming,
    webhook: facts.webhook,
    a2a: agent.a2a_url !== null && agent.a2a_failing_since === null,
    pull: true,
    // A provisional agent has no person to mail.
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
    // Only operations write it, after a check of its shape.
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

/** All fields of an agent, for its owner. */
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

// Facts about an agent that views show and its row does not hold: presence, and whether its webhooks work.

export interface AgentFacts extends PresenceFacts {
  /** Whether it has an active webhook whose last delivery did not fail (rules.md 4). */
  readonly webhook: boolean;
}

export type AgentPorts = Pick<LoadPorts, 'presence' | 'hasWorkingHook'>;

/** The current facts of an agent, from memory where they are known. */
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
