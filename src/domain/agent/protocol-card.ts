// The card of an agent for A2A clients (protocols.md 4): one document for clients of 1.0 and of 0.3, with the members of
// both, and `x-mesh` as in the card of 0.2.0. It changes only when its owner changes something: presence is left out, so
// that a copy and its signature stay valid.
import type { Skill } from './card.ts';

/** The facts of an agent that its card shows. */
export interface CardFacts {
  readonly handle: string;
  readonly name: string;
  readonly description: string;
  readonly documentation_url: string;
  readonly skills: readonly Pick<Skill, 'id' | 'name' | 'description' | 'tags'>[];
  readonly mesh: Record<string, unknown>;
}

/** Media types of parts that agents of the network receive and send. */
const MODES = ['text/plain', 'application/json'] as const;

/** The scope that a caller's key needs to send to an agent. */
const SCOPE = 'messages:write';
const SCOPE_MEANS = 'send messages and tasks to other agents';

/** The supported protocol versions, newest first. */
const VERSIONS = ['1.0', '0.3'] as const;

/** The version of the card, not of the protocol; its ETag distinguishes contents. */
const CARD_VERSION = '1.0.0';

/** The authentication of callers, in the forms of both 0.3 and 1.0. */
function securitySchemes(base_url: string): UnsignedCard['securitySchemes'] {
  const flows = {
    clientCredentials: { tokenUrl: `${base_url}/oauth/token`, scopes: { [SCOPE]: SCOPE_MEANS } },
  };
  const oauth2MetadataUrl = `${base_url}/.well-known/oauth-authorization-server`;
  const bearer = { scheme: 'Bearer', bearerFormat: 'API key or JWT' };
  return {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' },
    },
    bearer: { type: 'http', ...bearer, httpAuthSecurityScheme: bearer },
    oauth2: { type: 'oauth2', flows, oauth2MetadataUrl, oauth2SecurityScheme: { flows, oauth2MetadataUrl } },
  };
}

/** The addresses of an agent. The one for JSON-RPC ends in a slash, so that relative paths resolve below it. */
function interfaces(base_url: string, handle: string) {
  const address = `${base_url}/a2a/agents/${handle}`;
  return [
    { url: `${address}/`, protocolBinding: 'JSONRPC' },
    { url: address, protocolBinding: 'HTTP+JSON' },
  ] as const;
}

/** Removes all empty members. Signers disagree on whether they are signed, so a card holds none. */
function withoutEmpty(value: unknown): unknown {
  if (value === '' || value === null || value === undefined) return undefined;
  if (typeof value !== 'object') return value;
  const kept = Array.isArray(value)
    ? value.map(withoutEmpty).filter((each) => each !== undefined)
    : Object.fromEntries(
        Object.entries(value)
          .map(([name, each]) => [name, withoutEmpty(each)] as const)
          .filter(([, each]) => each !== undefined),
      );
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** The skill of an agent without listings; clients refuse a card without a skill. */
function talkSkill({ handle, name }: CardFacts): CardFacts['skills'][number] {
  const description = `Talks with other agents on behalf of ${name}.`;
  return { id: 'talk', name: `Talk with @${handle}`, description, tags: ['talk'] };
}

type Binding = 'JSONRPC' | 'HTTP+JSON';

/** The unsigned card; schemas/agent-card.ts explains its members. */
export interface UnsignedCard {
  protocolVersion: '0.3.0';
  name: string;
  description: string;
  url: string;
  preferredTransport: Binding;
  additionalInterfaces: { url: string; transport: Binding }[];
  supportedInterfaces: { url: string; protocolBinding: Binding; protocolVersion: (typeof VERSIONS)[number] }[];
  provider: { organization: string; url: string };
  version: string;
  documentationUrl: string;
  capabilities: {
    streaming: true;
    pushNotifications: true;
    extendedAgentCard: true;
    extensions: { uri: string; description: string; params: Record<string, unknown> }[];
  };
  supportsAuthenticatedExtendedCard: true;
  securitySchemes: Record<string, Record<string, unknown>>;
  security: Record<string, string[]>[];
  securityRequirements: { schemes: Record<string, { list: string[] }> }[];
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: {
    id: string;
    name: string;
    description: string;
    tags: string[];
    inputModes: string[];
    outputModes: string[];
  }[];
  'x-mesh': Record<string, unknown>;
}

/** The card of an agent of the service at `base_url`. */
export function protocolCard(
  facts: CardFacts,
  { base_url, organization }: { readonly base_url: string; readonly organization: string },
): UnsignedCard {
  const { handle, name, description, documentation_url, mesh } = facts;
  const [rpc, http] = interfaces(base_url, handle);
  const skills = facts.skills.length > 0 ? facts.skills : [talkSkill(facts)];
  const schemes = securitySchemes(base_url);
  const names = Object.keys(schemes);
  return {
    protocolVersion: '0.3.0',
    name,
    description: description || name,
    url: rpc.url,
    preferredTransport: rpc.protocolBinding,
    additionalInterfaces: [{ url: http.url, transport: http.protocolBinding }],
    supportedInterfaces: VERSIONS.flatMap((protocolVersion) => [
      { ...rpc, protocolVersion },
      { ...http, protocolVersion },
    ]),
    provider: { organization, url: base_url },
    version: CARD_VERSION,
    documentationUrl: documentation_url,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
      extensions: [
        {
          uri: `${base_url}/ext/x-mesh/v1`,
          description: 'What the network knows of the agent: its trust, labels and modes.',
          params: withoutEmpty(mesh) as Record<string, unknown>,
        },
      ],
    },
    supportsAuthenticatedExtendedCard: true,
    securitySchemes: schemes,
    security: names.map((scheme) => ({ [scheme]: scheme === 'oauth2' ? [SCOPE] : [] })),
    // Includes the scope, since an empty list would be an empty member.
    securityRequirements: names.map((scheme) => ({ schemes: { [scheme]: { list: [SCOPE] } } })),
    defaultInputModes: [...MODES],
    defaultOutputModes: [...MODES],
    skills: skills.map((skill) => ({
      id: skill.id,
      name: skill.name,
      description: skill.description || skill.name,
      tags: skill.tags.filter((tag) => tag !== ''),
      inputModes: [...MODES],
      outputModes: [...MODES],
    })),
    'x-mesh': mesh,
  };
}
