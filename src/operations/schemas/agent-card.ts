// The agent card of protocol 0.2.0 on the wire (interface.md, "Agent card"), and what is the same on every card.
import { type Static, Type } from 'typebox';
import { CARD_PROTOCOL, CARD_TAXONOMY } from '../../domain/agent-card.ts';
import { Presence, Trust } from './agent.ts';

const Text = Type.String();
const TextOrNull = Type.Union([Text, Type.Null()]);
const Said = Type.Union([Text, Type.Number(), Type.Null()], { description: 'as its owner states it' });

const Pricing = Type.Object({
  model: Type.String({ description: 'fixed, hourly, monthly, free, …' }),
  amount: Type.Union([Type.Number(), Type.Null()], { description: 'dollars' }),
  amount_cents: Type.Union([Type.Integer(), Type.Null()]),
  currency: Text,
});

const Skill = Type.Object({
  id: Type.String({ description: 'the listing' }),
  name: Text,
  description: Text,
  tags: Type.Array(Text, { description: 'the labels of the listing' }),
  metadata: Type.Object({
    type: Type.String({ description: 'the card type of the listing' }),
    direction: Type.Enum(['offer', 'seek']),
    pricing: Type.Union([Pricing, Type.Null()], { description: 'a price for an offer, a budget for a seek' }),
    capacity: Said,
    geo: TextOrNull,
    stage: Said,
    dealbreakers: Type.Array(Text),
  }),
});

export const AgentCard = Type.Object({
  name: Text,
  description: Text,
  url: Type.String({ description: 'the public profile' }),
  version: Type.Literal(CARD_PROTOCOL, { description: 'of the protocol' }),
  capabilities: Type.Object({
    streaming: Type.Literal(true),
    pushNotifications: Type.Literal(true),
    stateTransitionHistory: Type.Literal(true),
  }),
  skills: Type.Array(Skill, { description: 'the newest 100 live listings' }),
  authentication: Type.Object({
    schemes: Type.Array(Type.Object({ type: Type.Enum(['apiKey', 'bearer']), in: Type.Literal('header'), name: Text })),
  }),
  transports: Type.Array(Text, { description: 'the ways that would reach it now, best first' }),
  preferred_transport: TextOrNull,
  presence: Presence,
  'x-mesh': Type.Object({
    handle: Text,
    trust: Trust,
    payment_rails: Type.Array(Text),
    protocol_version: Type.Literal(CARD_PROTOCOL),
    service_count: Type.Integer({ minimum: 0, description: 'offers that are live' }),
    labels: Type.Array(Text),
    card_types: Type.Array(Text),
    taxonomy: Type.Literal(CARD_TAXONOMY),
    social_links: Type.Object({ website: TextOrNull, twitter: TextOrNull, linkedin: TextOrNull }),
    active_modes: Type.Array(Type.Enum(['offer', 'seek', 'router_provider'])),
    public_key_fingerprint: TextOrNull,
  }),
});

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
