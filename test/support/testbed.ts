// A whole service in the test's own process: a real store (support/store.ts), a virtual clock, mail and SMS kept in
// memory by behaving doubles, every reply and event checked against its declared shape. Requests go through the real REST door.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MovableClock } from '../../actors/clock.ts';
import { withSharedSecrets } from '../../db/postgres/shared-secrets.ts';
import type { Patience } from '../../db/postgres/silence.ts';
import type { Role, Store } from '../../db/store.ts';
import type { Assembled } from '../../src/compose/assembly.ts';
import { assemble } from '../../src/compose/assembly.ts';
import type { Parts, ServiceSettings } from '../../src/compose/parts.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { INSTANCE } from '../../src/domain/instance.ts';
import { KEEPS_ALL } from '../../src/domain/retention.ts';
import { createLog, type Log } from '../../src/log.ts';
import type { AccountHosts } from '../../src/outbound/account-host/account-host.ts';
import { createOauthSite } from '../../src/outbound/account-host/oauth-site.ts';
import type { OidcClient } from '../../src/outbound/account-host/oidc-client.ts';
import type { ChainRail } from '../../src/outbound/chain/chain.ts';
import { createSandboxChain } from '../../src/outbound/chain/sandbox.ts';
import { sealer } from '../../src/outbound/deliver.ts';
import { createDns, type Dns } from '../../src/outbound/dns.ts';
import { builtInEmbedder } from '../../src/outbound/embedder/built-in.ts';
import type { Embedder } from '../../src/outbound/embedder/embedder.ts';
import type { Mail } from '../../src/outbound/mailer/mail.ts';
import { createOutboxMailer } from '../../src/outbound/mailer/outbox.ts';
import type { Negotiator } from '../../src/outbound/negotiator/negotiator.ts';
import type { Processor } from '../../src/outbound/processor/processor.ts';
import { createSandbox, type SandboxOptions } from '../../src/outbound/processor/sandbox.ts';
import { createSafeHttp, type SafeHttp, type SafeHttpOptions } from '../../src/outbound/safe-http/safe-http.ts';
import { loadSecrets, type Secrets, secretsFrom } from '../../src/outbound/secrets.ts';
import { createSessionIssuer } from '../../src/outbound/session/issuer.ts';
import { createCardSigner, createDocumentSigner } from '../../src/outbound/signature.ts';
import type { Sms } from '../../src/outbound/sms/sms.ts';
import type { Tracer } from '../../src/outbound/traces.ts';
import { createWebPush } from '../../src/outbound/web-push.ts';
import { sandboxBooks } from '../../src/steps/money/sandbox-books.ts';
import { a2aRoutes } from '../../src/transports/a2a/routes.ts';
import { buildApp } from '../../src/transports/app.ts';
import { dashboardRoutes } from '../../src/transports/dashboard/routes.ts';
import { corsFor, systemRoutes } from '../../src/transports/listen.ts';
import { type McpExtras, mcpRoutes } from '../../src/transports/mcp/door.ts';
import { peopleRoutes } from '../../src/transports/pages/routes.ts';
import { checkEvents } from './checked-events.ts';
import { createSenderDouble, type SenderDouble } from './sender-double.ts';
import { withServing } from './serving.ts';
import { dropStore, openStore } from './store.ts';
import { withToolDoors } from './tools.ts';
import { virtualClock } from './virtual-clock.ts';
import { createZone, type Zone } from './zone.ts';

/** Where every test's clock starts: a Monday, in the middle of a month. */
export const START_MS = Date.UTC(2026, 5, 15, 12);

export interface TestRequest {
  readonly key?: string;
  readonly token?: string;
  readonly agent?: string;
  readonly body?: unknown;
  /** A body that is not JSON, one character for each byte. */
  readonly raw?: { readonly type: string; readonly text: string };
  readonly headers?: Record<string, string>;
  /** The client's address; 127.0.0.1 unless said. */
  readonly ip?: string;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
  readonly body: any;
}

export interface TestService {
  readonly service: Assembled;
  readonly clock: MovableClock;
  readonly mails: readonly Mail[];
  readonly texts: readonly Sms[];
  /** The DNS that the service asks; empty until the test writes into it. */
  readonly zone: Zone;
  readonly internal_token: string;
  /** One request through the REST door; `body` is sent as JSON. */
  call(method: string, path: string, request?: TestRequest): Promise<TestAnswer>;
  /** The raw response, for streams and odd bodies. */
  fetch(request: Request): Promise<Response>;
  /** Moves the clock, running every reminder on the way. */
  advance(ms: number): Promise<void>;
  /** Resolves when nothing is under way: what was due has run, events are carried on, letters are sent. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** How the door of a test learns the client's address. */
const IP_HEADER = 'x-test-ip';
const ipOf = (request: Request): string => request.headers.get(IP_HEADER) ?? '127.0.0.1';

/** What a test may bring along in place of what is made for it. */
export interface TestParts {
  /** A folder that outlives the service, so that a second one can be opened on it. */
  readonly data_dir?: string;
  /** The PostgreSQL database that this service shares with other nodes, and with it their secrets. */
  readonly database_url?: string;
  /** How long a database may keep silent, or be held; as in production unless said. */
  readonly patience?: Patience;
  /** What this node does of matching; all unless said. */
  readonly role?: Role;
  readonly clock?: MovableClock;
  /** The clock of a database, beside this one. */
  readonly shared_time?: () => Promise<number>;
  readonly mailer?: SenderDouble<Mail>;
  readonly sms?: SenderDouble<Sms>;
  readonly embedder?: Embedder;
  /** The model that writes turns; none unless given. */
  readonly negotiator?: Negotiator;
  readonly log?: Log;
  readonly tracer?: Tracer;
  readonly id?: () => string;
  readonly random?: (bytes: number) => Uint8Array;
  /** In place of the sandbox; null for a service that takes no money. */
  readonly processor?: ((sandbox: SandboxOptions) => Processor) | null;
  /** In place of the sandbox's chain; null for a service without one. */
  readonly chain?: ((sandbox: ChainRail) => ChainRail) | null;
  /** In place of the real client for what leaves the house. */
  readonly http?: SafeHttp;
  /** The sites on which accounts are proven, in place of a GitHub that is nowhere. */
  readonly hosts?: (http: SafeHttp) => AccountHosts;
  /** An identity provider elsewhere; it takes `outside_issuer` among the settings, too. */
  readonly identity?: (http: SafeHttp) => OidcClient;
  /** What the real client may reach, and whom it trusts: the test's own receivers. */
  readonly outside?: Partial<Pick<SafeHttpOptions, 'allow' | 'ca'>>;
  /** What stands before the store, such as one that counts. */
  readonly before_store?: (store: Store) => Store;
  /** A zone that outlives the service. */
  readonly zone?: Zone;
  /** Real DNS servers (`ip:port`) in place of `zone`. */
  readonly dns_servers?: readonly string[];
  /** What lies over the door of tools, and operations that are there alone. */
  readonly mcp?: McpExtras & { readonly operations?: readonly AnyOperation[] };
  /** Whether the web app is served too. */
  readonly app?: boolean;
}

const BASE_URL = 'http://localhost';

/** A GitHub at which nobody is: a proof can be begun there, and never ends. */
function nowhere(http: SafeHttp): AccountHosts {
  const at = { url: 'https://code.example', api_url: 'https://code-api.example' };
  return { github: createOauthSite({ http, kind: 'github', ...at, client_id: 'meshwork', client_secret: 'hush' }) };
}

function settingsOf(data_dir: string, internal_token: string): ServiceSettings {
  return {
    base_url: BASE_URL,
    app_url: `${BASE_URL}/app`,
    profile_url: `${BASE_URL}/u`,
    mail_domain: 'agents.localhost',
    key_prefix: 'mesh',
    platform_handle: 'concierge',
    admin_emails: [],
    security_contact: 'mailto:security@localhost',
    rate_limits: false,
    test_clock: true,
    refusals_once: false,
    outside_issuer: null,
    data_dir,
    retention: KEEPS_ALL,
    instance: INSTANCE,
    default_plan: 'free',
    joining: { signup: 'open', domains: [], administrators: [], members_invite: true },
    outbox: true,
    text_outbox: true,
    shown: [],
    internal_token,
  };
}

type Fetch = TestService['fetch'];

/** The doors of a service that HTTP leads to, without a socket. */
function doorOf(service: Assembled, { mcp = {}, app: served = false }: TestParts): Fetch {
  const { settings, addresses } = service.world;
  const cors = corsFor(served ? settings.app_url : `${BASE_URL}/app`);
  const { base_url, instance } = settings;
  const secure = base_url.startsWith('https:');
  const ways = { cors, secure, base_url, instance, addresses, prepareStream: () => {}, observe: () => {} };
  const door = { pipeline: service.pipeline, ip: ipOf, ...ways };
  const operations = [...service.operations, ...(mcp.operations ?? [])];
  const { doors } = service;
  const ofMcp = mcpRoutes({ ...doors, operations }, door, mcp);
  const people = [...peopleRoutes(doors, door), ...(served ? dashboardRoutes(doors, door) : [])];
  const plain = [...systemRoutes(doors), ...ofMcp, ...a2aRoutes(doors, door), ...people];
  const app = buildApp(withToolDoors(service.operations), plain, door, () => {});
  return async (request) => app.fetch(request);
}

async function request(fetch: Fetch, method: string, path: string, request: TestRequest = {}): Promise<TestAnswer> {
  const headers = new Headers(request.headers);
  if (request.key) headers.set('X-API-Key', request.key);
  if (request.token) headers.set('Authorization', `Bearer ${request.token}`);
  if (request.ip) headers.set(IP_HEADER, request.ip);
  if (request.agent) headers.set('X-Agent-Handle', request.agent);
  let body: string | Uint8Array<ArrayBuffer> | undefined;
  if (request.body !== undefined) {
    headers.set('Content-Type', 'application/json');
    body = JSON.stringify(request.body);
  }
  if (request.raw) {
    headers.set('Content-Type', request.raw.type);
    body = Uint8Array.from(Buffer.from(request.raw.text, 'latin1'));
  }
  const response = await fetch(new Request(`${BASE_URL}${path}`, { method, headers, body }));
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

/** The secrets of a service that is alone, or of one of many. */
function secretsOf(data_dir: string, database_url: string | undefined): Promise<Secrets> {
  if (database_url === undefined) return loadSecrets(data_dir);
  return withSharedSecrets({ url: database_url }, START_MS, (secret) => secretsFrom(secret));
}

/** Removes what a service has stored. */
async function remove(data_dir: string): Promise<void> {
  rmSync(data_dir, { recursive: true, force: true });
  await dropStore(data_dir);
}

/** What signs for the service, each with keys of its own. */
function signers(secrets: Secrets, base_url: string): Pick<Parts, 'sessions' | 'card_signer' | 'documents' | 'pushes'> {
  return {
    sessions: createSessionIssuer(secrets.sessionKeys, base_url, base_url),
    card_signer: createCardSigner(secrets.cardKeys, `${base_url}/.well-known/jwks.json`),
    documents: createDocumentSigner(secrets.documentKeys),
    pushes: createWebPush(secrets.pushKey, 'mailto:security@localhost'),
  };
}

/** Where money comes in and goes out. */
function moneyPorts(
  { processor = createSandbox, chain = (sandbox) => sandbox }: TestParts,
  { secrets, store, clock, base_url }: { secrets: Secrets; store: Store; clock: MovableClock; base_url: string },
): Pick<Parts, 'processor' | 'chain'> {
  const sandbox = {
    base_url,
    key: secrets.sealKey,
    hold_ms: 0,
    books: sandboxBooks(store.read),
    now: () => clock.now(),
  };
  return {
    processor: processor?.(sandbox) ?? null,
    chain: chain?.(createSandboxChain(sandbox)) ?? null,
  };
}

/** How the service reaches what lies outside. */
function waysOut(parts: TestParts, dns: Dns): Pick<Parts, 'http' | 'hosts' | 'identity' | 'dns' | 'tracer'> {
  const http = parts.http ?? withServing(createSafeHttp({ dns, allow: [], ...parts.outside }));
  const { tracer = null } = parts;
  return { http, hosts: (parts.hosts ?? nowhere)(http), identity: parts.identity?.(http) ?? null, dns, tracer };
}

/** Opens a fresh service; `settings` replaces single settings. Rate limits are off unless asked for. With `letters` set
 * to `files`, mail goes to the real outbox in the data directory instead of `mails`. `parts` replaces what a test would
 * otherwise not see: the simulation brings its own randomness and unreliable senders. */
export async function openTestService(
  settings: Partial<ServiceSettings> = {},
  letters: 'memory' | 'files' = 'memory',
  parts: TestParts = {},
): Promise<TestService> {
  const data_dir = parts.data_dir ?? mkdtempSync(join(tmpdir(), 'meshwork-test-'));
  const {
    database_url,
    clock = virtualClock(START_MS),
    mailer = createSenderDouble<Mail>(),
    sms = createSenderDouble<Sms>(),
    embedder = builtInEmbedder,
  } = parts;
  const secrets = await secretsOf(data_dir, database_url);
  const { zone = createZone(), patience, role } = parts;
  const dns: Dns = parts.dns_servers ? createDns(parts.dns_servers) : zone;
  const opened = { dimensions: 256, model: embedder.model, now_ms: clock.now(), database_url, patience, role };
  const options = { data_dir, ...opened };
  const { store: checked, problems } = checkEvents(await openStore({ ...options, sealer: sealer(secrets.sealKey) }));
  const store = parts.before_store?.(checked) ?? checked;
  const { base_url = BASE_URL } = settings;
  const service = assemble({
    settings: { ...settingsOf(data_dir, secrets.internalToken), ...settings },
    ...{ clock, store, shared_time: parts.shared_time },
    seal_key: secrets.sealKey,
    ...signers(secrets, base_url),
    ...moneyPorts(parts, { secrets, store, clock, base_url }),
    embedder,
    negotiator: parts.negotiator ?? null,
    ...waysOut(parts, dns),
    mailer: letters === 'files' ? createOutboxMailer(data_dir, 'no-reply@agents.localhost') : mailer,
    sms,
    log: parts.log ?? createLog(process.env['TEST_LOG'] ? 'debug' : 'silent', 'text'),
    id: parts.id ?? (() => Bun.randomUUIDv7('hex', clock.now())),
    random: parts.random ?? ((bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
    check_replies: true,
  });
  await service.prepare().catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  const fetch = doorOf(service, parts);
  return {
    service,
    clock,
    mails: mailer.delivered,
    texts: sms.delivered,
    zone,
    internal_token: secrets.internalToken,
    fetch,
    call: (method, path, wanted) => request(fetch, method, path, wanted),
    advance: (ms) => service.supervisor.advance(clock, clock.now() + ms),
    rest: () => service.world.advance(0),
    close: async () => {
      await service.stop();
      if (!parts.data_dir) await remove(data_dir);
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  };
}

/** The code in the newest mail (or text message) to an address that holds one; throws when there is none. */
export function codeFor(test: TestService, to: string): string {
  const own = [...test.mails, ...test.texts].filter((message) => message.to.toLowerCase() === to.toLowerCase());
  // Letters about events come between; their codes, if any, do not stand alone on a line.
  const code = own.map(({ text }) => text.match(/^\s*(\d{6})\s*$/m)?.[1]).findLast((found) => found !== undefined);
  if (!code) throw new Error(`no code was sent to ${to}`);
  return code;
}

/** Signs an address up and answers its API key. */
export async function signUp(test: TestService, email: string): Promise<string> {
  await test.call('POST', '/api/auth/signup/start', { body: { email } });
  const code = codeFor(test, email);
  const answer = await test.call('POST', '/api/auth/signup/verify', { body: { email, code } });
  if (answer.status !== 200)
    throw new Error(`signing up ${email} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.api_key;
}
