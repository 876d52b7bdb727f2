// The card that A2A clients of protocol 1.0 and 0.3 read, on the wire (protocols.md 4).

import { Type } from 'typebox';
import { isTableLabel } from '../domain/listing/label.ts';
import { CARD_TYPES, DIRECTIONS } from '../domain/listing/listing.ts';
import { authored, byField, textsWithin, words, wordsUnless } from './authored.ts';
import { namedObject } from './named.ts';

const Text = Type.String();
const Url = Type.String({ description: 'an address' });
const Binding = Type.Enum(['JSONRPC', 'HTTP+JSON']);
const Modes = Type.Array(Text, { description: 'media types of parts' });
const JsonObject = Type.Record(Text, Type.Unknown());

/** What the service writes beside the labels. */
const CARD_WORDS: ReadonlySet<string> = new Set([...DIRECTIONS, ...CARD_TYPES]);

const CardSkill = namedObject('CardSkill', 'a live listing, as A2A writes it', {
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

const CardInterface = namedObject('CardInterface', 'an address of an agent, and what is spoken there', {
  url: Url,
  protocolBinding: Binding,
  protocolVersion: Type.Enum(['1.0', '0.3']),
});

const CardSignature = namedObject('CardSignature', 'a signature of a card: a JWS whose payload is the card', {
  protected: Type.String({ description: 'its header in base64url; `jku` in it is where the key stands' }),
  signature: Text,
});

export const ProtocolCard = authored(
  ({ 'x-mesh': mesh }) => byField('handle')(mesh as Record<string, unknown>),
  namedObject('ProtocolCard', 'how A2A clients meet an agent; of protocol 1.0, with the members of 0.3', {
    protocolVersion: Type.Literal('0.3.0', { description: 'of the members that are of 0.3' }),
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
    securitySchemes: Type.Record(Text, JsonObject, { description: 'as 1.0 writes them, with the members of 0.3' }),
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
