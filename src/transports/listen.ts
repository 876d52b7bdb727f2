// Binds the port and serves. The port is bound before the service is assembled, because with PORT=0 every link depends
// on it; until then requests get 503.

import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Server } from 'bun';
import type { ClockState } from '../../actors/clock-watch.ts';
import type { Restored } from '../../actors/restore-watch.ts';
import type { Config } from '../config.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { fault } from '../domain/fault.ts';
import { DAY_MS } from '../domain/time.ts';
import { errorFields, type Log } from '../log.ts';
import type { Certificate } from '../outbound/certificate.ts';
import { type CertificateSource, endOf } from '../outbound/tls-certificate.ts';
import { type BackupStanding, readBackup } from '../steps/backup/standing.ts';
import { type FileCheckNote, readFileCheck } from '../steps/file-checked.ts';
import { a2aRoutes } from './a2a/routes.ts';
import { buildApp, type PlainRoute } from './app.ts';
import { unreadBodies } from './body.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { documentRoutes } from './docs.ts';
import type { DoorPorts } from './door-ports.ts';
import { foundRoutes } from './found.ts';
import { guideRoute } from './guide.ts';
import { guidePages } from './guide-pages.ts';
import { mcpRoutes } from './mcp/door.ts';
import { createMetrics } from './metrics.ts';
import { peopleRoutes } from './pages/routes.ts';
import type { Observe, RestDoor } from './rest.ts';
import { closeStreams } from './sse.ts';
import { refuseBare } from './wire.ts';

// CORS: open for the discovery routes without credentials, closed for the rest except the web app's own origin.

type Headers = Readonly<Record<string, string>>;

const CLOSED: Headers = {};
const EXPOSED = 'X-Request-Id, X-Next-Cursor, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, ETag';
// The web app's own origin gets other headers, so caches must vary by origin.
const OPEN: Headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
  Vary: 'Origin',
};

export function corsFor(app_url: string): (request: Request, operation: AnyOperation) => Headers {
  const { origin } = new URL(app_url);
  const own: Headers = {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED,
    Vary: 'Origin',
  };
  return (request, operation) => {
    const is_own = request.headers.get('origin') === origin;
    const headers = is_own ? own : operation.any_origin ? OPEN : CLOSED;
    const { vary, cache_seconds } = operation;
    if (cache_seconds === undefined) return headers;
    // Strict handling may refuse a request that is otherwise answered from a cache (RFC 7240, 2).
    return { ...headers, Vary: vary === undefined ? 'Origin, Prefer' : `Origin, Prefer, ${vary}` };
  };
}

// Warns when this process runs short of descriptors: each connection takes one, and without a free one no connection is accepted, not
// even a health check. Idle connections are closed then.

const LOOK_MS = 1_000;
/** The share of the limit above which descriptors are short. */
const SHORT_SHARE = 0.9;
/** The interval of repeated warnings. */
const AGAIN_MS = 60_000;

/** The limit of this process; infinite when unknown. */
function limitOf(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The lowest free descriptor, which is about the number in use; null when there is none. */
function lowestFree(): number | null {
  try {
    const descriptor = openSync('/dev/null', 'r');
    closeSync(descriptor);
    return descriptor;
  } catch {
    return null;
  }
}

export class DescriptorWatch {
  readonly #log: Log;
  readonly #closeIdle: () => void;
  readonly #limit: number;
  #told_at = Number.NEGATIVE_INFINITY;
  #short = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  /** `closeIdle` closes idle connections. */
  constructor(log: Log, closeIdle: () => void, limit = limitOf()) {
    this.#log = log;
    this.#closeIdle = closeIdle;
    this.#limit = limit;
  }

  /** The number of checks that found them short. */
  get short(): number {
    return this.#short;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  look(): void {
    const free = lowestFree();
    if (free !== null && free < SHORT_SHARE * this.#limit) return;
    this.#short += 1;
    this.#closeIdle();
    const now_ms = performance.now();
    if (now_ms - this.#told_at < AGAIN_MS) return;
    this.#told_at = now_ms;
    this.#log.warn('descriptors run short: idle connections are closed; raise LimitNOFILE', {
      count: free ?? this.#limit,
    });
  }
}

// The routes that are not operations: health, readiness, and security.txt.

function json(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'X-Request-Id': Bun.randomUUIDv7() } });
}

/** The validity of security.txt, so that an abandoned service's contact expires; the RFC recommends less than a year. */
const CONTACT_MS = 180 * DAY_MS;

/** RFC 9116. It expires at a midnight, so that the text changes once a day. */
function securityText({ base_url, security_contact }: DoorPorts['settings'], now_ms: number): string {
  const expires_at = Math.floor((now_ms + CONTACT_MS) / DAY_MS) * DAY_MS;
  return [
    `Contact: ${security_contact}`,
    `Expires: ${new Date(expires_at).toISOString()}`,
    `Canonical: ${base_url}/.well-known/security.txt`,
    `Policy: ${base_url}/docs/guide/security`,
    '',
  ].join('\n');
}

/** The clock in `?verbose`. */
function clockView({ now_ms, doubt, until_ms, apart_ms }: ClockState): object {
  const until = until_ms === null ? null : new Date(until_ms).toISOString();
  return {
    now: new Date(now_ms).toISOString(),
    believed: doubt === null && apart_ms === null,
    doubt,
    sealing_and_pruning_wait_until: until,
    ahead_of_database_seconds: apart_ms === null ? null : Math.round(apart_ms) / 1_000,
  };
}

/** The last backup in `?verbose`, which is public: without its content. */
function backupView(standing: BackupStanding | null): object | null {
  if (standing === null) return null;
  const { last, proof, failure } = standing;
  const time = (ms: number): string => new Date(ms).toISOString();
  return {
    made_at: last && time(last.made_at),
    bytes: last?.bytes ?? null,
    encrypted: last?.encrypted ?? null,
    proof: proof && { result: proof.result, at: time(proof.at_ms) },
    failed_at: failure && time(failure.at_ms),
  };
}

/** The last check of every page of the database file. */
function fileView({ at_ms, problems }: FileCheckNote): object {
  return { checked_at: new Date(at_ms).toISOString(), problems };
}

/** The state after a restore in `?verbose`. */
function restoredView({ epoch, restored_at, backup_at, held }: Restored): object {
  const shown = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
  return { epoch, restored_at: shown(restored_at), backup_at: shown(backup_at), work_waits: held };
}

/** Health (the process is up) and readiness (the database takes writes and has every migration), security.txt. */
export function systemRoutes({
  store,
  settings,
  clock,
  clock_watch,
  restored,
}: Pick<DoorPorts, 'store' | 'settings' | 'clock' | 'clock_watch' | 'restored'>): readonly PlainRoute[] {
  return [
    { method: 'GET', path: '/healthz', handle: () => json({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      handle: async (request) => {
        const { ready, ...why } = await store.ready();
        const told = { status: ready ? 'ready' : 'not_ready', ...why };
        const verbose = ready && new URL(request.url).searchParams.has('verbose');
        if (!verbose) return json(told, ready ? 200 : 503);
        const [clock, file, backup] = await Promise.all([
          clock_watch.look(),
          readFileCheck(store.read),
          readBackup(store.read),
        ]);
        const database_file = file && fileView(file);
        const since = restoredView(restored.state);
        return json({
          ...told,
          role: store.role,
          clock: clockView(clock),
          backup: backupView(backup),
          database_file,
          restored: since,
        });
      },
    },
    {
      method: 'GET',
      path: '/.well-known/security.txt',
      handle: () =>
        new Response(securityText(settings, clock.now()), {
          headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Request-Id': Bun.randomUUIDv7() },
        }),
    },
  ];
}

/** The idle timeout of a connection without a request, in seconds: each holds a descriptor. */
const UNASKED_SECONDS = 10;
/** The same after a request: above the 25 seconds of heartbeats and of blocking calls. */
const IDLE_SECONDS = 60;
/** Turns off Bun's own limit, whose 413 has no body: each route has its limit, and unread bytes are discarded on arrival
 * (measured: 200 MB sent to a waiting handler do not stay in memory). */
const BODY_BYTES_MAX = Number.MAX_SAFE_INTEGER;

/** The time at a stop for open requests to arrive, and to be answered: supervisors kill a process after ten seconds, and the
 * store needs some of them. */
const ARRIVED_MS = 100;
const ANSWERED_MS = 5_000;

type Handle = (request: Request) => Response | Promise<Response>;

export interface Listener {
  readonly port: number;
  /** Its address on this machine. */
  readonly address: string;
  /** Whether requests came through a proxy that is not configured. */
  forwarded(): boolean;
  /** Starts serving a service. */
  serve(service: DoorPorts): void;
  stop(): Promise<void>;
}

interface Callers extends Pick<Listener, 'forwarded'> {
  /** The caller's address for rate limits. */
  ip(request: Request): string;
  /** The address of the socket; empty through a trusted proxy, whose requests are not this machine's although its socket is. */
  nearest(request: Request): string;
}

function callersOf(door: Door, trust_proxy: boolean): Callers {
  let untold = false;
  const peer = (request: Request): string => door.server.requestIP(request)?.address ?? '';
  return {
    forwarded: () => untold,
    nearest: (request) => (trust_proxy && request.headers.has('x-forwarded-for') ? '' : peer(request)),
    ip: (request) => {
      const forwarded = request.headers.get('x-forwarded-for');
      if (!trust_proxy) {
        untold ||= forwarded !== null;
        return peer(request);
      }
      // Our own proxy added the last entry; callers can forge those before it.
      return forwarded?.split(',').at(-1)?.trim() || peer(request);
    },
  };
}

/** Stops listening, waits for requests in progress, and cuts the rest: a half-sent request may be completed in a minute, or
 * never. */
async function stopServing(server: Server<undefined>): Promise<void> {
  const began = performance.now();
  // Streams never end by themselves.
  closeStreams();
  void server.stop();
  for (let ms = 0; ms < ANSWERED_MS && server.pendingRequests > 0; ms = performance.now() - began) {
    if (ms >= ARRIVED_MS && server.pendingRequests <= unreadBodies()) break;
    await Bun.sleep(5);
  }
  await server.stop(true);
}

/** Counts requests, and notes each as a span if traces are collected. */
function tracing(observe: Observe, tracer: DoorPorts['tracer']): Observe {
  if (tracer === null) return observe;
  return (door, operation, status, started_ms, from) => {
    observe(door, operation, status, started_ms, from);
    tracer.note({
      name: operation,
      kind: 'server',
      trace: from.trace ?? null,
      took_ms: performance.now() - started_ms,
      failed: status >= 500,
      attributes: { 'meshwork.door': door, 'http.response.status_code': status },
    });
  };
}

/** Closes idle connections of a server when descriptors run short. */
function watchDescriptors(door: Door, log: Log): DescriptorWatch {
  // Bun's types lack it.
  const closing = () => door.server as unknown as { closeIdleConnections(): void };
  const descriptors = new DescriptorWatch(log, () => closing().closeIdleConnections());
  descriptors.start();
  return descriptors;
}

/** Forbids browsers to guess another content type. */
function unsniffed(answer: Response): Response {
  answer.headers.set('X-Content-Type-Options', 'nosniff');
  return answer;
}

// HOST:PORT. Bun cannot change the certificate of a bound port, so a renewed one gets another server on the same port: that accepts new
// connections, and the previous server ends after its open requests.

interface Door {
  /** The server that accepts connections; it also answers for requests of an older one. */
  server: Server<undefined>;
  stop(): Promise<void>;
}

interface Serving {
  fetch(request: Request, server: Server<undefined>): Response | Promise<Response>;
  error(error: Error): Response;
}

interface Shown {
  readonly tls?: Certificate;
  readonly reusePort?: true;
}

/** Binds it; throws the system's error. */
function openDoor({ host: hostname, port }: Config, serving: Serving, certificates: CertificateSource | null): Door {
  const limits = { idleTimeout: UNASKED_SECONDS, maxRequestBodySize: BODY_BYTES_MAX };
  const bind = (at: number, more: Shown): Server<undefined> =>
    Bun.serve({ hostname, port: at, ...limits, ...serving, ...more });
  if (!certificates) {
    const server = bind(port, {});
    return { server, stop: () => stopServing(server) };
  }
  // A bind with reusePort would share another service's port, so bind without it first to detect one.
  const alone = bind(port, {});
  const own = alone.port ?? port;
  void alone.stop(true);
  const older = new Set<Server<undefined>>();
  const door: Door = {
    server: bind(own, { tls: certificates.current, reusePort: true }),
    stop: async () => {
      await certificates.stop();
      await Promise.all([door.server, ...older].map(stopServing));
    },
  };
  certificates.start((renewed) => {
    const before = door.server;
    door.server = bind(own, { tls: renewed, reusePort: true });
    older.add(before);
    void before.stop().then(() => older.delete(before));
  });
  return door;
}

/** Routes with an address of their own, besides the operations. */
function plainRoutes(service: DoorPorts, door: RestDoor): readonly PlainRoute[] {
  const { operations, settings } = service;
  return [
    ...systemRoutes(service),
    ...documentRoutes(operations, settings.base_url, settings.instance),
    ...guidePages(service),
    guideRoute(operations, settings.base_url, settings.instance.name),
    ...foundRoutes(service),
    ...a2aRoutes(service, door),
    ...peopleRoutes(service, door),
    ...mcpRoutes(service, door),
    ...dashboardRoutes(service, door),
  ];
}

/** Opens HOST:PORT. */
export function listen(config: Config, certificates: CertificateSource | null, log: Log): Listener {
  let handle: Handle = () => refuseBare(fault('overloaded', 'The service is starting.'));
  const serving: Serving = {
    fetch: (request, server) => {
      server.timeout(request, IDLE_SECONDS);
      const answer = handle(request);
      return answer instanceof Response ? unsniffed(answer) : answer.then(unsniffed);
    },
    error: (error) => {
      log.error('a request failed outside every operation', errorFields(error));
      return refuseBare(fault('internal'));
    },
  };
  const open = openDoor(config, serving, certificates);
  const descriptors = watchDescriptors(open, log);
  const port = open.server.port ?? config.port;
  const { ip, forwarded, nearest } = callersOf(open, config.trustProxy);
  return {
    port,
    address: `http${certificates ? 's' : ''}://${config.host}:${port}`,
    forwarded,
    serve: (service) => {
      const metrics = createMetrics(service, {
        peer: nearest,
        short: () => descriptors.short,
        certificate_ends: certificates && (() => endOf(certificates.current)),
      });
      const door: RestDoor = {
        pipeline: service.pipeline,
        addresses: service.addresses,
        observe: tracing(metrics.observe, service.tracer),
        ip,
        cors: corsFor(service.settings.app_url),
        secure: service.settings.base_url.startsWith('https:'),
        base_url: service.settings.base_url,
        instance: service.settings.instance,
        prepareStream: (request) => open.server.timeout(request, 0),
      };
      const plain = [metrics.route, ...plainRoutes(service, door)];
      const report = (error: unknown): void =>
        log.error('a request failed outside every operation', errorFields(error));
      const app = buildApp(service.operations, plain, door, report, certificates !== null);
      handle = app.fetch;
    },
    stop: () => {
      descriptors.stop();
      return open.stop();
    },
  };
}
