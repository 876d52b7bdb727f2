// The agent card of protocol 0.2.0 on the wire (interface.md, "Agent card"), and what is the same on every card.
import { type Static, Type } from 'typebox';
import type { Settings } from '../contract/context.ts';
import { CARD_PROTOCOL, CARD_TAXONOMY, type Skill } from '../domain/agent/card.ts';
import { PLATFORM_DESCRIPTION } from '../domain/agent/platform.ts';
import { isTableLabel } from '../domain/listing/label.ts';
import { CARD_TYPES, DIRECTIONS } from '../domain/listing/listing.ts';
import { type Guidance, guide, step } from '../domain/next-step.ts';
import { Presence, platformReach, Trust } from './agent.ts';
import { authored, byField, textsWithin, words, wordsUnless } from './authored.ts';
import { Direction } from './listing-input.ts';
import { namedObject } from './named.ts';
import { guidanceShape } from './next-step.ts';
import { NullableText, nullable } from './wire.ts';

const Text = Type.String();
const Said = words(Type.Union([Text, Type.Number(), Type.Null()], { description: 'as stated by its owner' }));

const Pricing = namedObject('SkillPricing', 'the price of a skill, in the format of the protocol', {
  model: words(Type.String({ description: 'fixed, hourly, monthly, free, …' })),
  amount: nullable(Type.Number(), 'dollars'),
  amount_cents: nullable(Type.Integer()),
  currency: Text,
});

const SkillShape = namedObject('AgentSkill', 'a live listing, in the format of the protocol', {
  id: Type.String({ description: 'the listing' }),
  name: words(Text),
  description: words(guidanceShape()),
  tags: wordsUnless(isTableLabel, Type.Array(Text, { description: 'the labels of the listing' })),
  metadata: Type.Object({
    type: Type.String({ description: 'the card type of the listing' }),
    direction: Direction,
    pricing: nullable(Pricing, 'a price for an offer, a budget for a seek'),
    capacity: Said,
    geo: words(NullableText),
    stage: Said,
    dealbreakers: words(Type.Array(Text)),
  }),
});

export const AgentCard = authored(
  ({ 'x-mesh': mesh }) => byField('handle')(mesh as Record<string, unknown>),
  namedObject('AgentCard', 'the discovery card of an agent; protocol 0.2.0', {
    name: words(Text),
    description: words(Text),
    url: Type.String({ description: 'the public profile' }),
    version: Type.Literal(CARD_PROTOCOL, { description: 'of the protocol' }),
    capabilities: Type.Object({
      streaming: Type.Literal(true),
      pushNotifications: Type.Literal(true),
      stateTransitionHistory: Type.Literal(true),
    }),
    skills: Type.Array(SkillShape, { description: 'the newest 100 live listings' }),
    authentication: Type.Object({
      schemes: Type.Array(
        Type.Object({ type: Type.Enum(['apiKey', 'bearer']), in: Type.Literal('header'), name: Text }),
      ),
    }),
    transports: Type.Array(Text, { description: 'the transports that reach it now, best first' }),
    preferred_transport: NullableText,
    presence: Presence,
    'x-mesh': Type.Object({
      handle: Text,
      trust: Trust,
      payment_rails: Type.Array(Type.Enum(['wallet', 'bank', 'chain', 'x402']), {
        description: 'the current methods to pay it; empty while its sales cannot be paid',
      }),
      protocol_version: Type.Literal(CARD_PROTOCOL),
      service_count: Type.Integer({ minimum: 0, description: 'live offers with an amount' }),
      labels: wordsUnless(isTableLabel, Type.Array(Text)),
      card_types: Type.Array(Text),
      taxonomy: Type.Literal(CARD_TAXONOMY),
      social_links: words(Type.Object({ website: NullableText, twitter: NullableText, linkedin: NullableText })),
      active_modes: Type.Array(Type.Enum(['offer', 'seek', 'router_provider'])),
      public_key_fingerprint: NullableText,
    }),
  }),
);

type Card = Static<typeof AgentCard>;

/** How callers authenticate; the same for every agent. */
export const AUTHENTICATION: Card['authentication'] = {
  schemes: [
    { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    { type: 'bearer', in: 'header', name: 'Authorization' },
  ],
};

/** The network provides these for every agent: streams, webhooks, a numbered inbox. */
export const CAPABILITIES: Card['capabilities'] = {
  streaming: true,
  pushNotifications: true,
  stateTransitionHistory: true,
};

// The card of the platform's agent (interface.md item 11), answered where a card is requested without a handle. It has no
// listings; its skills are what the service itself offers newcomers.

type PlatformSkill = Omit<Skill, 'description'> & { readonly description: Guidance };

function skill(id: string, name: string, description: Guidance): PlatformSkill {
  const metadata = { type: 'platform', direction: 'offer' as const, pricing: null, capacity: null };
  return { id, name, description, tags: [], metadata: { ...metadata, geo: null, stage: null, dealbreakers: [] } };
}

const SKILLS: readonly PlatformSkill[] = [
  skill(
    'onboarding',
    'Onboarding',
    guide`${step('signup.start')} gets a key by mail; ${step('onboarding.status')} lists the remaining steps.`,
  ),
  skill(
    'discovery',
    'Discovery',
    guide`${step('agent.registry')} lists agents, ${step('agent.card', 'handle')} is the card of each, /openapi.json the rest.`,
  ),
];

/** The platform's card. It claims no transport. */
export function platformCard(settings: Settings, now_ms: number): Static<typeof AgentCard> {
  const { platform_handle: handle, profile_url, instance } = settings;
  return {
    name: instance.name,
    description: PLATFORM_DESCRIPTION,
    url: `${profile_url}/${handle}`,
    version: CARD_PROTOCOL,
    capabilities: CAPABILITIES,
    skills: [...SKILLS],
    authentication: AUTHENTICATION,
    ...platformReach(now_ms),
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

// The card that A2A clients of protocol 1.0 and 0.3 read, on the wire (protocols.md 4).

const Url = Type.String({ description: 'an address' });
const Binding = Type.Enum(['JSONRPC', 'HTTP+JSON']);
const Modes = Type.Array(Text, { description: 'media types of parts' });
const JsonObject = Type.Record(Text, Type.Unknown());

/** Tags that the service itself writes, in addition to labels. */
const CARD_WORDS: ReadonlySet<string> = new Set([...DIRECTIONS, ...CARD_TYPES]);

const CardSkill = namedObject('CardSkill', 'a live listing, in the format of A2A', {
  id: Type.String({ description: 'the listing' }),
  name: words(Text),
  description: words(Text),
  tags: wordsUnless(
    (tag) => CARD_WORDS.has(tag) || isTableLabel(tag),
    Type.Array(Text, { description: 'offer or seek, the card type, then the labels of the listing' }),
  ),
  inputModes: Modes,
  outputModes: Modes,
});

const CardInterface = namedObject('CardInterface', 'an endpoint of an agent, and its protocol', {
  url: Url,
  protocolBinding: Binding,
  protocolVersion: Type.Enum(['1.0', '0.3']),
});

const CardSignature = namedObject('CardSignature', 'a signature of a card: a JWS whose payload is the card', {
  protected: Type.String({ description: 'its header in base64url; `jku` in it is the URL of the key' }),
  signature: Text,
});

export const ProtocolCard = authored(
  ({ 'x-mesh': mesh }) => byField('handle')(mesh as Record<string, unknown>),
  namedObject('ProtocolCard', 'the A2A card of an agent; protocol 1.0, with the members of 0.3', {
    protocolVersion: Type.Literal('0.3.0', { description: 'of the members of 0.3' }),
    name: words(Text),
    description: words(Text),
    url: Url,
    preferredTransport: Binding,
    additionalInterfaces: Type.Array(Type.Object({ url: Url, transport: Binding })),
    supportedInterfaces: Type.Array(CardInterface),
    provider: Type.Object({ organization: Text, url: Url }),
    version: Type.String({ description: 'of the card' }),
    documentationUrl: Type.String({ description: 'the public profile' }),
    capabilities: Type.Object({
      streaming: Type.Literal(true),
      pushNotifications: Type.Literal(true),
      extendedAgentCard: Type.Literal(true),
      extensions: Type.Array(Type.Object({ uri: Url, description: Text, params: textsWithin(JsonObject) })),
    }),
    supportsAuthenticatedExtendedCard: Type.Literal(true),
    securitySchemes: Type.Record(Text, JsonObject, { description: 'in the format of 1.0, with the members of 0.3' }),
    security: Type.Array(Type.Record(Text, Type.Array(Text))),
    securityRequirements: Type.Array(
      Type.Object({ schemes: Type.Record(Text, Type.Object({ list: Type.Array(Text) })) }),
    ),
    defaultInputModes: Modes,
    defaultOutputModes: Modes,
    skills: Type.Array(CardSkill, { description: 'the newest 100 live listings' }),
    'x-mesh': textsWithin(Type.Record(Text, Type.Unknown(), { description: 'as in the card of protocol 0.2.0' })),
    signatures: Type.Optional(
      Type.Array(CardSignature, { description: 'over the members of protocol 1.0 (A2A 1.0, 8.4); RFC 8785, EdDSA' }),
    ),
  }),
);
