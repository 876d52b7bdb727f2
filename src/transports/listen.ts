// Binds the port and serves. The port is bound before the service is assembled, because with PORT=0 every link depends
// on it; until then requests are told to come back.

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

// CORS: open for the credential-less discovery routes, closed for the rest save the web app's own origin.

type Headers = Readonly<Record<string, string>>;

const CLOSED: Headers = {};
const EXPOSED = 'X-Request-Id, X-Next-Cursor, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, ETag';
// The web app's own origin gets another answer, so a cache must tell them apart.
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
    // Of what caches keep, strict handling may refuse what was answered otherwise (RFC 7240, 2).
    return { ...headers, Vary: vary === undefined ? 'Origin, Prefer' : `Origin, Prefer, ${vary}` };
  };
}

// Tells when the descriptors of this process run short: each connection takes one, and without a free one nobody is let in, not even
// who asks whether the service is well. Connections that wait for nothing are closed then.

const LOOK_MS = 1_000;
/** Of the limit: when more are taken they run short. */
const SHORT_SHARE = 0.9;
/** While they stay short it is told again this often. */
const AGAIN_MS = 60_000;

/** The limit of this process; none where the system does not tell it. */
function limitOf(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The number of the lowest descriptor that is free: so many are taken below it. Null when there is none. */
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

  /** `closeIdle` closes connections on which nothing is under way. */
  constructor(log: Log, closeIdle: () => void, limit = limitOf()) {
    this.#log = log;
    this.#closeIdle = closeIdle;
    this.#limit = limit;
  }

  /** How many looks found them short. */
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

// The routes that are not operations: health and readiness, and where to report a flaw.

function json(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'X-Request-Id': Bun.randomUUIDv7() } });
}

/** So long what security.txt says may be believed: an operator who went away is not written to for ever, and the RFC asks for
 * less than a year. */
const CONTACT_MS = 180 * DAY_MS;

/** RFC 9116. It expires at a midnight, so that all of a day is one text. */
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

/** The clock as `?verbose` tells it. */
function clockView({ now_ms, doubt, until_ms }: ClockState): object {
  const until = until_ms === null ? null : new Date(until_ms).toISOString();
  return {
    now: new Date(now_ms).toISOString(),
    believed: doubt === null,
    doubt,
    sealing_and_pruning_wait_until: until,
  };
}

/** The last backup as `?verbose` tells it to anybody: not what is in it. */
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

/** What a restore from a backup has left, as `?verbose` tells it. */
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
        return json({ ...told, clock: clockView(clock), backup: backupView(backup), database_file, restored: since });
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

/** Seconds without a byte before a connection on which nobody has asked for anything is cut: each holds a descriptor. */
const UNASKED_SECONDS = 10;
/** The same once somebody has: above the 25 seconds of the keep-alive, and of what calls wait for. */
const IDLE_SECONDS = 60;
/** None of Bun's own, whose 413 has no body: each route has its limit, and what it does not read is thrown away as it
 * comes (measured: 200 MB sent to a waiting handler leave no trace in memory). */
const BODY_BYTES_MAX = Number.MAX_SAFE_INTEGER;

/** What is on its way when the service stops has so long to arrive, and so long to be answered: supervisors kill what takes
 * longer than ten seconds, and the store wants some of them. */
const ARRIVED_MS = 100;
const ANSWERED_MS = 5_000;

type Handle = (request: Request) => Response | Promise<Response>;

export interface Listener {
  readonly port: number;
  /** Where this machine reaches it. */
  readonly address: string;
  /** Whether requests came through a proxy that nobody told of. */
  forwarded(): boolean;
  /** Opens the doors to a service. */
  serve(service: DoorPorts): void;
  stop(): Promise<void>;
}

interface Callers extends Pick<Listener, 'forwarded'> {
  /** Who calls, as far as limits count them. */
  ip(request: Request): string;
  /** The address of the socket; none for what came through a trusted proxy, which is not of this machine although its socket is. */
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
      // The last entry is what our own proxy saw; what stands before it is anybody's claim.
      return forwarded?.split(',').at(-1)?.trim() || peer(request);
    },
  };
}

/** Stops listening, lets requests in progress be answered, and cuts the rest: a connection on which half a request came may
 * bring the other half in a minute, or never. */
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

/** Counts requests, and notes each as a span where traces are collected. */
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
  // Bun's types do not have it yet.
  const closing = () => door.server as unknown as { closeIdleConnections(): void };
  const descriptors = new DescriptorWatch(log, () => closing().closeIdleConnections());
  descriptors.start();
  return descriptors;
}

/** No browser takes an answer for anything but what its Content-Type says. */
function unsniffed(answer: Response): Response {
  answer.headers.set('X-Content-Type-Options', 'nosniff');
  return answer;
}

// HOST:PORT. Bun takes no other certificate on a bound port, so that a renewed one comes with another server on the same port: new
// connections are its own, and the one before ends when what is under way there has ended.

interface Door {
  /** The server that takes connections; requests of an older one may be asked for by it too. */
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

/** Binds it; throws the system's error when that cannot be. */
function openDoor({ host: hostname, port }: Config, serving: Serving, certificates: CertificateSource | null): Door {
  const limits = { idleTimeout: UNASKED_SECONDS, maxRequestBodySize: BODY_BYTES_MAX };
  const bind = (at: number, more: Shown): Server<undefined> =>
    Bun.serve({ hostname, port: at, ...limits, ...serving, ...more });
  if (!certificates) {
    const server = bind(port, {});
    return { server, stop: () => stopServing(server) };
  }
  // A port that may be shared is shared with whoever asks, so that only a bind that does not ask finds another service there.
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

/** Whatever is reached by an address of its own, beside the operations. */
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
