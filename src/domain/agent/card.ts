// Listings on an agent card of protocol 0.2.0: each live one is a skill, with the price that a reader of the card would
// pay (interface.md, "Agent card"). Amounts on a card are dollars, with the cents beside them (Q4).

import { isObject } from '../json.ts';
import type { Direction } from '../listing/listing.ts';
import { effectivePrice, type Priced, type PricePeriod } from '../listing/price.ts';
import { canonicalJson } from './canonical-json.ts';

/** The protocol that the card speaks, and the name of its taxonomy (interface.md, Versioning 2). */
export const CARD_PROTOCOL = '0.2.0';
export const CARD_TAXONOMY = 'hybrid-v3';

/** A skill is an announcement: the listing itself holds the rest. */
const DESCRIPTION_MAX = 500;

interface Pricing {
  readonly model: string;
  readonly amount: number | null;
  readonly amount_cents: number | null;
  readonly currency: string;
}

export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: string[];
  readonly metadata: {
    readonly type: string;
    readonly direction: Direction;
    /** Null where the listing names no amount. */
    readonly pricing: Pricing | null;
    readonly capacity: string | number | null;
    readonly geo: string | null;
    readonly stage: string | number | null;
    readonly dealbreakers: string[];
  };
}

/** The parts of a listing that make its skill. */
export interface Advertised extends Priced {
  readonly id: string;
  readonly headline: string;
  readonly description: string;
  readonly geo: string | null;
  readonly labels: readonly string[];
  readonly direction: Direction;
  readonly currency: string;
  readonly conditions: { readonly dealbreakers: readonly string[] } & NonNullable<Priced['conditions']>;
  readonly fields: Readonly<Record<string, unknown>>;
}

const MODELS: Readonly<Record<PricePeriod | 'unit', string>> = {
  once: 'fixed',
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  year: 'yearly',
  unit: 'per_unit',
};

function pricingOf(listing: Advertised): Pricing | null {
  const price = effectivePrice(listing);
  const { pricing_model } = listing.fields;
  const said = typeof pricing_model === 'string' ? pricing_model : null;
  const { currency } = listing;
  if (price) {
    const { cents, period } = price;
    return { model: said ?? MODELS[period], amount: cents / 100, amount_cents: cents, currency };
  }
  return said === null ? null : { model: said, amount: null, amount_cents: null, currency };
}

/** Shortens a text at a character boundary. */
function shorten(text: string): string {
  if (text.length <= DESCRIPTION_MAX) return text;
  return `${[...text.slice(0, DESCRIPTION_MAX)].slice(0, -1).join('')}…`;
}

function plainValue(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

export function skillOf(listing: Advertised): Skill {
  const { id, headline, description, geo, labels, card_type, direction, fields, conditions } = listing;
  return {
    id,
    name: headline,
    description: shorten(description || headline),
    tags: [...labels],
    metadata: {
      type: card_type,
      direction,
      pricing: pricingOf(listing),
      capacity: plainValue(fields.capacity),
      geo,
      stage: plainValue(fields.stage),
      dealbreakers: [...conditions.dealbreakers],
    },
  };
}

/** The modes of an agent: `offer` and `seek` by its live listings, and the serving of calls (Q73). */
export function activeModes(
  listings: readonly { readonly direction: Direction }[],
  serves: boolean,
): (Direction | 'router_provider')[] {
  const sides = (['offer', 'seek'] as const).filter((side) => listings.some(({ direction }) => direction === side));
  return serves ? [...sides, 'router_provider'] : sides;
}

// The payload of a signature of an A2A agent card (A2A 1.0, 8.4): the members of protocol 1.0 at all depths, without
// signatures and default values, in canonical form (RFC 8785). Libraries in use drop empty members that the specification
// keeps, so cards made here have none, and all of them compute the same text.

/** The form of a member: a scalar, arbitrary JSON, a message, or a list or map of a form. */
type Form = 'value' | 'json' | Message | { readonly list: Form } | { readonly map: Form };

/** Members by name. `!` after a name: required, so always present; `?`: present even when it is a default. */
interface Message {
  readonly members: Readonly<Record<string, Form>>;
}

const message = (members: Message['members']): Message => ({ members });
const list = (form: Form): Form => ({ list: form });
const map = (form: Form): Form => ({ map: form });
const text: Form = 'value';

const REQUIREMENTS = list(message({ schemes: map(message({ list: list(text) })) }));
const FLOW = { 'tokenUrl!': text, refreshUrl: text, 'scopes!': map(text) };
const AUTHORIZED = { 'authorizationUrl!': text, refreshUrl: text, 'scopes!': map(text) };
const SCHEME = message({
  'apiKeySecurityScheme?': message({ description: text, 'location!': text, 'name!': text }),
  'httpAuthSecurityScheme?': message({ description: text, 'scheme!': text, bearerFormat: text }),
  'oauth2SecurityScheme?': message({
    description: text,
    'flows!': message({
      'authorizationCode?': message({ ...AUTHORIZED, 'tokenUrl!': text, pkceRequired: text }),
      'clientCredentials?': message(FLOW),
      'implicit?': message(AUTHORIZED),
      'password?': message(FLOW),
      'deviceCode?': message({ 'deviceAuthorizationUrl!': text, ...FLOW }),
    }),
    oauth2MetadataUrl: text,
  }),
  'openIdConnectSecurityScheme?': message({ description: text, 'openIdConnectUrl!': text }),
  'mtlsSecurityScheme?': message({ description: text }),
});

/** The card of protocol 1.0, without its signatures. */
const CARD = message({
  'name!': text,
  'description!': text,
  'supportedInterfaces!': list(
    message({ 'url!': text, 'protocolBinding!': text, tenant: text, 'protocolVersion!': text }),
  ),
  'provider?': message({ 'url!': text, 'organization!': text }),
  'version!': text,
  'documentationUrl?': text,
  'capabilities!': message({
    'streaming?': text,
    'pushNotifications?': text,
    extensions: list(message({ uri: text, description: text, required: text, 'params?': 'json' })),
    'extendedAgentCard?': text,
  }),
  securitySchemes: map(SCHEME),
  securityRequirements: REQUIREMENTS,
  'defaultInputModes!': list(text),
  'defaultOutputModes!': list(text),
  'skills!': list(
    message({
      'id!': text,
      'name!': text,
      'description!': text,
      'tags!': list(text),
      examples: list(text),
      inputModes: list(text),
      outputModes: list(text),
      securityRequirements: REQUIREMENTS,
    }),
  ),
  'iconUrl?': text,
});

function isDefault(value: unknown): boolean {
  if (value === '' || value === false || value === 0 || value === null || value === undefined) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A value reduced to the members of its form, without defaults where the form says so. */
function normalized(value: unknown, form: Form): unknown {
  if (typeof form === 'string') return value;
  if ('list' in form) return Array.isArray(value) ? value.map((each) => normalized(each, form.list)) : value;
  if (!isObject(value)) return value;
  if ('map' in form) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, normalized(each, form.map)]));
  }
  const kept: [string, unknown][] = [];
  for (const [spelled, member] of Object.entries(form.members)) {
    const always = /[!?]$/.test(spelled);
    const name = always ? spelled.slice(0, -1) : spelled;
    const held = Object.hasOwn(value, name) ? value[name] : undefined;
    if (held === undefined || held === null) continue;
    if (always || !isDefault(held)) kept.push([name, normalized(held, member)]);
  }
  return Object.fromEntries(kept);
}

/** The signed text of the card by the specification; null where a card nests too deep. */
export function cardPayload(card: object): string | null {
  // Checks the depth first, since `normalized` recurses as deep as the card nests.
  return canonicalJson(card) === null ? null : canonicalJson(normalized(card, CARD));
}
