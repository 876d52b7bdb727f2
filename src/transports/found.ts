// Discovery for programs that know only the service's host: the AI Catalog, the card of the tool server, its DID document, the file
// for agent registries, robots.txt. Each is constant, made from the settings.
import manifest from '../../package.json' with { type: 'json' };
import type { PlainRoute } from './app.ts';
import type { DoorPorts } from './door-ports.ts';
import { RESOURCE, VERSIONS } from './mcp/exchange.ts';
import { appPath } from './pages/door.ts';
import { fixedReply } from './wire.ts';

export const CATALOG_PATH = '/.well-known/ai-catalog.json';
/** Its link in the front page and the guide (RFC 8288). */
export const CATALOG_LINK = { Link: `<${CATALOG_PATH}>; rel="ai-catalog"` };

const CARD_PATH = `${RESOURCE}/server-card`;
const CARD_TYPE = 'application/mcp-server-card+json';
const CATALOG_TYPE = 'application/ai-catalog+json';
const LEAD = 'A network in which software agents trade for people and businesses.';

type Addressed = Pick<DoorPorts['settings'], 'base_url' | 'app_url' | 'instance'>;

/** The service's names in the documents. */
interface Place {
  readonly name: string;
  readonly base_url: string;
  readonly host: string;
  /** did:web: the host, its colon written as %3A, and the path of the address with colons for slashes. */
  readonly did: string;
}

function placeOf({ base_url, instance: { name } }: Addressed): Place {
  const { host, hostname, pathname } = new URL(base_url);
  const path = pathname.split('/').filter(Boolean);
  return { name, base_url, host: hostname, did: ['did:web', encodeURIComponent(host), ...path].join(':') };
}

const airName = ({ host }: Place, name: string): string => `urn:air:${host}:${name}`;

/** The AI Catalog, version 0.9. Agents have a catalog of their own, read from the database (agent.catalog). */
function aiCatalog(place: Place): object {
  const { name: service, base_url, did } = place;
  const entry = (name: string, type: string, path: string): object => ({
    identifier: airName(place, name),
    type,
    url: base_url + path,
  });
  return {
    specVersion: '0.9',
    host: { displayName: service, identifier: did, documentationUrl: `${base_url}/docs` },
    entries: [
      entry('agent', 'application/a2a-agent-card+json', '/.well-known/agent-card.json'),
      entry('tools', CARD_TYPE, CARD_PATH),
      {
        ...entry('agents', CATALOG_TYPE, '/.well-known/ai-catalog/agents.json'),
        displayName: 'Agents of the public registry, the newest first',
      },
    ],
  };
}

/** The card of the tool server (SEP-2127); the server itself lists its tools. */
function serverCard({ name, base_url, host }: Place): object {
  const reversed = /^[\d.]+$|:/.test(host) ? host : host.split('.').reverse().join('.');
  const credential = {
    name: 'Authorization',
    description: 'Bearer and an API key or an access token.',
    isRequired: true,
    isSecret: true,
  };
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json',
    name: `${reversed}/meshwork`,
    title: name,
    version: manifest.version,
    description: LEAD,
    websiteUrl: base_url,
    remotes: [
      {
        type: 'streamable-http',
        url: base_url + RESOURCE,
        headers: [credential],
        supportedProtocolVersions: VERSIONS,
      },
    ],
  };
}

function serverCatalog(place: Place): object {
  const url = place.base_url + CARD_PATH;
  const entry = { identifier: airName(place, 'tools'), displayName: place.name, type: CARD_TYPE, url };
  return { specVersion: 'draft', entries: [entry] };
}

/** The keys for the service's statements to third parties. */
function didDocument({ did, base_url }: Place, { documents }: Pick<DoorPorts, 'documents'>): object {
  const methods = documents.jwks().map((key) => ({
    id: `${did}#${key.kid}`,
    type: 'JsonWebKey2020',
    controller: did,
    publicKeyJwk: key,
  }));
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: did,
    alsoKnownAs: [base_url],
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
  };
}

/** An ERC-8004 registration file. The service is in no on-chain registry and accepts no x402. */
function registration({ name, base_url, did }: Place, app_url: string): object {
  return {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name,
    description: LEAD,
    image: `${app_url}/icon.svg`,
    services: [
      { name: 'web', endpoint: `${base_url}/` },
      { name: 'A2A', endpoint: `${base_url}/.well-known/agent-card.json`, version: '1.0' },
      { name: 'MCP', endpoint: base_url + RESOURCE, version: VERSIONS[0] },
      { name: 'DID', endpoint: did, version: 'v1' },
    ],
    x402Support: false,
    active: true,
    registrations: [],
  };
}

/** Crawlers may read public pages, but not the app, sign-in and API calls. An app at the root of its host has no path of its own to
 * exclude. */
function robots(app: string): string {
  const own = app === '' ? [] : [`${app}/`];
  const closed = [...own, '/api/', '/oauth/', '/sandbox/'].map((path) => `Disallow: ${path}`);
  return ['User-agent: *', 'Allow: /api/registry', ...closed, ''].join('\n');
}

function fixed(path: string, type: string, text: () => string): PlainRoute {
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'public, max-age=3600',
    'Access-Control-Allow-Origin': '*',
  };
  return { method: 'GET', path, handle: fixedReply(async () => new TextEncoder().encode(text()), headers) };
}

/** Their routes. A service whose address has a path has its DID document there (did:web, 3.2). */
export function foundRoutes(
  service: { readonly settings: Addressed } & Pick<DoorPorts, 'documents'>,
): readonly PlainRoute[] {
  const place = placeOf(service.settings);
  const app = appPath(service.settings);
  const document = (path: string, type: string, body: () => object): PlainRoute =>
    fixed(path, type, () => JSON.stringify(body()));
  const at_root = new URL(place.base_url).pathname === '/';
  return [
    document(CATALOG_PATH, CATALOG_TYPE, () => aiCatalog(place)),
    document(CARD_PATH, CARD_TYPE, () => serverCard(place)),
    document('/.well-known/mcp/catalog.json', 'application/json', () => serverCatalog(place)),
    document(at_root ? '/.well-known/did.json' : '/did.json', 'application/did+json', () =>
      didDocument(place, service),
    ),
    document('/.well-known/agent-registration.json', 'application/json', () =>
      registration(place, service.settings.app_url),
    ),
    fixed('/robots.txt', 'text/plain; charset=utf-8', () => robots(app)),
  ];
}
