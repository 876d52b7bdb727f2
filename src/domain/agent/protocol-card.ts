// The card of an agent for programs of the A2A protocol (protocols.md 4): one document that clients of 1.0 and of 0.3 both
// read. The members of 1.0 stand in it, beside them those of 0.3, and `x-mesh` as in the card of 0.2.0. It says what holds
// until its owner changes something: presence stands elsewhere, so that a copy and its signature stay good.
import type { Skill } from './card.ts';

/** What an agent is known by, and what its card tells of it. */
export interface CardFacts {
  readonly handle: string;
  readonly name: string;
  readonly description: string;
  readonly documentation_url: string;
  readonly skills: readonly Pick<Skill, 'id' | 'name' | 'description' | 'tags'>[];
  readonly mesh: Record<string, unknown>;
}

/** Parts that agents of the network take and send: texts, and data as JSON. */
const MODES = ['text/plain', 'application/json'] as const;

/** What a caller's key must hold to send something to an agent. */
const SCOPE = 'messages:write';
const SCOPE_MEANS = 'send messages and tasks to other agents';

/** The versions of the protocol that are spoken, the newest first. */
const VERSIONS = ['1.0', '0.3'] as const;

/** Of the card, not of the protocol: what it says is told apart by its ETag. */
const CARD_VERSION = '1.0.0';

/** How a caller of an agent proves who it is, as 0.3 and 1.0 write it, one beside the other. */
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

/** Where an agent is spoken with. The address for JSON-RPC ends in a slash, so that what stands below is found from it. */
function interfaces(base_url: string, handle: string) {
  const address = `${base_url}/a2a/agents/${handle}`;
  return [
    { url: `${address}/`, protocolBinding: 'JSONRPC' },
    { url: address, protocolBinding: 'HTTP+JSON' },
  ] as const;
}

/** A value without anything empty in it. Signers disagree on whether an empty member is signed, so a card holds none. */
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

/** What an agent without listings is there for; clients take no card without a skill. */
function talkSkill({ handle, name }: CardFacts): CardFacts['skills'][number] {
  const description = `Talks with other agents on behalf of ${name}.`;
  return { id: 'talk', name: `Talk with @${handle}`, description, tags: ['talk'] };
}

type Binding = 'JSONRPC' | 'HTTP+JSON';

/** The card, not signed yet; what its members mean stands in schemas/agent-card.ts. */
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

/** The card of an agent of the service at `base_url`, by the name that it has there. */
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
    // With the scope, since a requirement without one is an empty member.
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
