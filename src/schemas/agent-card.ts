// The agent card of protocol 0.2.0 on the wire (interface.md, "Agent card"), and what is the same on every card.

import { type Static, Type } from 'typebox';
import type { Settings } from '../contract/context.ts';
import { CARD_PROTOCOL, CARD_TAXONOMY, type Skill } from '../domain/agent/card.ts';
import { PLATFORM_DESCRIPTION, PLATFORM_NAME } from '../domain/agent/platform.ts';
import { isTableLabel } from '../domain/listing/label.ts';
import { type Guidance, guide, step } from '../domain/next-step.ts';
import { Presence, Trust } from './agent.ts';
import { platformReach } from './agent-view.ts';
import { authored, byField, words, wordsUnless } from './authored.ts';
import { Direction } from './listing-words.ts';
import { namedObject } from './named.ts';
import { guidanceShape } from './next-step.ts';

const Text = Type.String();
const TextOrNull = Type.Union([Text, Type.Null()]);
const Said = words(Type.Union([Text, Type.Number(), Type.Null()], { description: 'as its owner states it' }));

const Pricing = namedObject('SkillPricing', 'what a skill costs, as the protocol writes it', {
  model: words(Type.String({ description: 'fixed, hourly, monthly, free, …' })),
  amount: Type.Union([Type.Number(), Type.Null()], { description: 'dollars' }),
  amount_cents: Type.Union([Type.Integer(), Type.Null()]),
  currency: Text,
});

const SkillShape = namedObject('AgentSkill', 'a live listing, as the protocol writes it', {
  id: Type.String({ description: 'the listing' }),
  name: words(Text),
  description: words(guidanceShape()),
  tags: wordsUnless(isTableLabel, Type.Array(Text, { description: 'the labels of the listing' })),
  metadata: Type.Object({
    type: Type.String({ description: 'the card type of the listing' }),
    direction: Direction,
    pricing: Type.Union([Pricing, Type.Null()], { description: 'a price for an offer, a budget for a seek' }),
    capacity: Said,
    geo: words(TextOrNull),
    stage: Said,
    dealbreakers: words(Type.Array(Text)),
  }),
});

export const AgentCard = authored(
  ({ 'x-mesh': mesh }) => byField('handle')(mesh as Record<string, unknown>),
  namedObject('AgentCard', 'how other agents meet this one; protocol 0.2.0', {
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
    transports: Type.Array(Text, { description: 'the ways that would reach it now, best first' }),
    preferred_transport: TextOrNull,
    presence: Presence,
    'x-mesh': Type.Object({
      handle: Text,
      trust: Trust,
      payment_rails: Type.Array(Type.Enum(['wallet', 'bank', 'chain', 'x402']), {
        description: 'the ways in which others can pay it now; empty while it cannot be paid for what it sells',
      }),
      protocol_version: Type.Literal(CARD_PROTOCOL),
      service_count: Type.Integer({ minimum: 0, description: 'live offers that name an amount' }),
      labels: wordsUnless(isTableLabel, Type.Array(Text)),
      card_types: Type.Array(Text),
      taxonomy: Type.Literal(CARD_TAXONOMY),
      social_links: words(Type.Object({ website: TextOrNull, twitter: TextOrNull, linkedin: TextOrNull })),
      active_modes: Type.Array(Type.Enum(['offer', 'seek', 'router_provider'])),
      public_key_fingerprint: TextOrNull,
    }),
  }),
);

type Card = Static<typeof AgentCard>;

/** How callers of the network authenticate; the same for every agent. */
export const AUTHENTICATION: Card['authentication'] = {
  schemes: [
    { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    { type: 'bearer', in: 'header', name: 'Authorization' },
  ],
};

/** What every agent can do, because the network does it for each: streams, webhooks, a numbered inbox. */
export const CAPABILITIES: Card['capabilities'] = {
  streaming: true,
  pushNotifications: true,
  stateTransitionHistory: true,
};

// The card of the agent that speaks for the service (interface.md item 11): what is read where a card is asked for
// without a handle. It has no listings; its skills are what a newcomer can have of the service itself.

type PlatformSkill = Omit<Skill, 'description'> & { readonly description: Guidance };

function skill(id: string, name: string, description: Guidance): PlatformSkill {
  const metadata = { type: 'platform', direction: 'offer' as const, pricing: null, capacity: null };
  return { id, name, description, tags: [], metadata: { ...metadata, geo: null, stage: null, dealbreakers: [] } };
}

const SKILLS: readonly PlatformSkill[] = [
  skill(
    'onboarding',
    'Onboarding',
    guide`${step('signup.start')} gets a key by mail; ${step('onboarding.status')} says what is left to do, and how.`,
  ),
  skill(
    'discovery',
    'Discovery',
    guide`${step('agent.registry')} lists agents, ${step('agent.card', 'handle')} is the card of each, /openapi.json the rest.`,
  ),
];

/** The platform's card. Nobody answers under its handle yet, so no transport is claimed. */
export function platformCard(settings: Settings, now_ms: number): Static<typeof AgentCard> {
  const { platform_handle: handle, profile_url } = settings;
  return {
    name: PLATFORM_NAME,
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
