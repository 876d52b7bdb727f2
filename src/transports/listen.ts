// Binds the port and serves. The port is bound before the service is assembled, because with PORT=0 every link depends
// on it; until then requests are told to come back.
import type { Server } from 'bun';
import type { Config } from '../config.ts';
import { fault } from '../domain/fault.ts';
import { errorFields, type Log } from '../log.ts';
import { a2aRoutes } from './a2a/routes.ts';
import { buildApp } from './app.ts';
import { unreadBodies } from './body.ts';
import { corsFor } from './cors.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { DescriptorWatch } from './descriptors.ts';
import { documentRoutes } from './docs.ts';
import type { DoorPorts } from './door-ports.ts';
import { guideRoute } from './guide.ts';
import { mcpRoutes } from './mcp/door.ts';
import { createMetrics } from './metrics.ts';
import { peopleRoutes } from './pages/routes.ts';
import type { RestDoor } from './rest.ts';
import { closeStreams } from './sse.ts';
import { systemRoutes } from './system.ts';
import { refuseBare } from './wire.ts';

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
  readonly host: string;
  readonly port: number;
  /** Opens the doors to a service. */
  serve(service: DoorPorts): void;
  stop(): Promise<void>;
}

function clientIp(server: Server<undefined>, trust_proxy: boolean): (request: Request) => string {
  return (request) => {
    // The last entry is what our own proxy saw; what stands before it is anybody's claim.
    const forwarded = trust_proxy ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
    return forwarded || (server.requestIP(request)?.address ?? '');
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

/** Closes idle connections of a server when descriptors run short. */
function watchDescriptors(server: Server<undefined>, log: Log): DescriptorWatch {
  // Bun's types do not have it yet.
  const closing = server as unknown as { closeIdleConnections(): void };
  const descriptors = new DescriptorWatch(log, () => closing.closeIdleConnections());
  descriptors.start();
  return descriptors;
}

/** No browser takes an answer for anything but what its Content-Type says. */
function unsniffed(answer: Response): Response {
  answer.headers.set('X-Content-Type-Options', 'nosniff');
  return answer;
}

/** Binds HOST:PORT; throws the system's error when that cannot be. */
export function listen(config: Config, log: Log): Listener {
  let handle: Handle = () => refuseBare(fault('overloaded', 'The service is starting.'));
  const server: Server<undefined> = Bun.serve({
    hostname: config.host,
    port: config.port,
    idleTimeout: UNASKED_SECONDS,
    maxRequestBodySize: BODY_BYTES_MAX,
    fetch: (request) => {
      server.timeout(request, IDLE_SECONDS);
      const answer = handle(request);
      return answer instanceof Response ? unsniffed(answer) : answer.then(unsniffed);
    },
    error: (error) => {
      log.error('a request failed outside every operation', errorFields(error));
      return refuseBare(fault('internal'));
    },
  });
  const descriptors = watchDescriptors(server, log);
  const port = server.port ?? config.port;
  return {
    host: config.host,
    port,
    serve: (service) => {
      const peer = (request: Request): string => server.requestIP(request)?.address ?? '';
      // What came through a trusted proxy did not come from this machine, although its socket did.
      const nearest = (request: Request): string =>
        config.trustProxy && request.headers.has('x-forwarded-for') ? '' : peer(request);
      const metrics = createMetrics(service, nearest, () => descriptors.short);
      const door: RestDoor = {
        pipeline: service.pipeline,
        addresses: service.addresses,
        observe: metrics.observe,
        ip: clientIp(server, config.trustProxy),
        cors: corsFor(service.settings.app_url),
        secure: service.settings.base_url.startsWith('https:'),
        base_url: service.settings.base_url,
        prepareStream: (request) => server.timeout(request, 0),
      };
      const plain = [
        ...systemRoutes(service),
        ...documentRoutes(service.operations, service.settings.base_url),
        guideRoute(service.operations, service.settings.base_url),
        ...a2aRoutes(service, door),
        metrics.route,
        ...peopleRoutes(service, door),
        ...mcpRoutes(service, door),
        ...dashboardRoutes(service, door),
      ];
      const app = buildApp(service.operations, plain, door, (error) => {
        log.error('a request failed outside every operation', errorFields(error));
      });
      handle = app.fetch;
    },
    stop: () => {
      descriptors.stop();
      return stopServing(server);
    },
  };
}
