// What a signature of an A2A agent card covers (A2A 1.0, 8.4): the members of protocol 1.0, however deep, without the
// signatures and without what holds no more than a default, in canonical form (RFC 8785). Libraries in use drop empty members
// that the specification keeps, so a card of ours has none, and all ways lead to one text.
import { isObject } from '../json.ts';
import { canonicalJson } from './canonical-json.ts';

/** How the protocol's messages nest: a text, number or flag, JSON as it is, a message, a list or a map of one. */
type Form = 'value' | 'json' | Message | { readonly list: Form } | { readonly map: Form };

/** Members by name. `!` behind a name: required, so always there; `?`: told even when it is a default. */
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

/** A value with the members that its form knows, those that are defaults left out where the form says so. */
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

/** The text that a signature of the card is over by the specification; null where a card nests too deep to have one. */
export function cardPayload(card: object): string | null {
  // Whether it can be written at all is asked first: what follows walks as deep as it is nested.
  return canonicalJson(card) === null ? null : canonicalJson(normalized(card, CARD));
}
