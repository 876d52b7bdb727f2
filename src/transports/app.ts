// The listener: Elysia routes every binding of the registry to its handler. A known path with another method is 405 with
// Allow, an unknown one 404, and two Host headers are refused before anything looks at the path.
import { Elysia } from 'elysia';
import type { AnyOperation, Method } from '../contract/operation.ts';
import { fault } from '../domain/fault.ts';
import { absentPage, readsPages, showPage } from './pages/page.ts';
import { tongueFor } from './pages/tongue.ts';
import { type RestDoor, restHandler } from './rest.ts';
import { refuseBare } from './wire.ts';

/** A route that is not an operation: health, documents, pages. */
export interface PlainRoute {
  readonly method: Method;
  readonly path: string;
  readonly handle: Handle;
}

type Handle = (request: Request, params: Readonly<Record<string, string>>) => Response | Promise<Response>;

interface Handler {
  readonly handle: Handle;
  /** Null for plain routes. */
  readonly operation: AnyOperation | null;
}

const SERVER_PREFIX = '/api/v1';
/** How long a browser may keep what a preflight said. */
const PREFLIGHT_SECONDS = '600';
/** A host name or address with a port (RFC 9110, 7.2). Bun joins repeated headers with a comma, which none holds. */
const HOST = /^[\w.~%!$&'()*+;=:[\]-]*$/;

/** `/api/agents/{handle}` as Elysia writes it. */
function pattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Paths that differ only in their parameters' names are one route. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}').replace(/(?<=.)\/$/, '');
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** A handler that finds its parameters under its own names, on a route that another binding named. */
function underNames(handle: Handle, routed: string, own: string): Handle {
  const theirs = namesIn(routed);
  const mine = namesIn(own);
  if (theirs.join() === mine.join()) return handle;
  return (request, params) =>
    handle(request, Object.fromEntries(mine.map((name, at) => [name, params[theirs[at] ?? ''] ?? ''])));
}

interface Route {
  readonly path: string;
  readonly methods: Map<string, Handler>;
}

/** OPTIONS: what the path takes, and for a page of another origin whether it may send the request that it announces. */
function preflight(request: Request, allow: string, door: RestDoor, route: Route): Response {
  const announced = request.headers.get('access-control-request-method') ?? 'GET';
  const operation = route.methods.get(announced)?.operation;
  const cors = operation ? door.cors(request, operation) : {};
  const open = 'Access-Control-Allow-Origin' in cors;
  const headers = request.headers.get('access-control-request-headers');
  return new Response(null, {
    status: 204,
    headers: {
      Allow: allow,
      'X-Request-Id': Bun.randomUUIDv7(),
      ...cors,
      ...(open ? { 'Access-Control-Allow-Methods': allow, 'Access-Control-Max-Age': PREFLIGHT_SECONDS } : {}),
      ...(open && headers !== null ? { 'Access-Control-Allow-Headers': headers } : {}),
    },
  });
}

/** The second path of an operation for keys: all operations for keys are also under a prefix of their own (interface.md,
 * Versioning 3; Q160). Null for operations without keys, and for those already there. */
function serverPath({ access, scope }: AnyOperation, path: string): string | null {
  const reached = access === 'public' || (access === 'key' && scope !== undefined);
  if (!reached || !path.startsWith('/api/') || path.startsWith(`${SERVER_PREFIX}/`)) return null;
  return `${SERVER_PREFIX}${path.slice('/api'.length)}`;
}

function collectRoutes(operations: readonly AnyOperation[], plain: readonly PlainRoute[], door: RestDoor): Route[] {
  const routes = new Map<string, Route>();
  const add = (method: Method, path: string, handler: Handler): void => {
    const shape = shapeOf(path);
    const route = routes.get(shape) ?? { path, methods: new Map<string, Handler>() };
    if (route.methods.has(method)) throw new Error(`two bindings of ${method} ${path}`);
    route.methods.set(method, { ...handler, handle: underNames(handler.handle, route.path, path) });
    routes.set(shape, route);
  };
  for (const operation of operations) {
    for (const binding of operation.rest) {
      add(binding.method, binding.path, { handle: restHandler(door, operation, binding), operation });
    }
  }
  for (const operation of operations) {
    for (const binding of operation.rest) {
      const path = serverPath(operation, binding.path);
      if (path === null || routes.get(shapeOf(path))?.methods.has(binding.method)) continue;
      add(binding.method, path, { handle: restHandler(door, operation, { ...binding, path }), operation });
    }
  }
  for (const { method, path, handle } of plain) add(method, path, { handle, operation: null });
  return [...routes.values()];
}

/** The handler of HEAD: that of GET for safe reads. Reading an inbox marks events; a stream is not opened. */
function headOf(route: Route): Handler | null {
  const get = route.methods.get('GET');
  const kind = get?.operation?.kind;
  return get && (get.operation === null || kind === 'query' || kind === 'stream') ? get : null;
}

function allowedMethods(route: Route): string {
  return [...route.methods.keys(), ...(headOf(route) ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

/** The answer of an unknown path: a page for people, the usual refusal for programs. */
function absent(request: Request, { instance }: Pick<RestDoor, 'instance'>): Response {
  if (request.method === 'GET' && readsPages(request)) {
    const tongue = tongueFor(request, null, instance);
    return showPage(absentPage(tongue), { request_id: Bun.randomUUIDv7(), tongue });
  }
  return refuseBare(fault('not_found', 'There is no such path; see /docs.'));
}

/** The Elysia application with every route; listening is main's. */
export function buildApp(
  operations: readonly AnyOperation[],
  plain: readonly PlainRoute[],
  door: RestDoor,
  report: (error: unknown) => void,
  over_tls = false,
): Elysia {
  // Elysia searches the path from the eighth character of an address on, which is within `https://`, or from the twelfth, which is the
  // fifth of a host name after `http://`: names may be shorter.
  const handler = { standardHostname: over_tls };
  const app = new Elysia({ normalize: false, systemRouter: false, handler });
  app.onRequest(({ request }) => {
    if (HOST.test(request.headers.get('host') ?? '')) return undefined;
    return refuseBare(fault('invalid_request', 'Send exactly one Host header, with the name of a host.'));
  });
  for (const route of collectRoutes(operations, plain, door)) {
    const allow = allowedMethods(route);
    const head = headOf(route);
    const refuse = (): Response =>
      refuseBare(fault('method_not_allowed', `This path takes ${allow}.`), { Allow: allow });
    for (const [method, handler] of route.methods) {
      // Elysia hands over params only when the handler names them; parsing is the door's own. HEAD comes to GET's handler.
      app.route(
        method,
        pattern(route.path),
        ({ request, params }) => (request.method === 'HEAD' && !head ? refuse() : handler.handle(request, params)),
        { parse: 'none' },
      );
    }
    app.all(
      pattern(route.path),
      ({ request, params }) => {
        if (request.method === 'HEAD' && head) return head.handle(request, params);
        return request.method === 'OPTIONS' ? preflight(request, allow, door, route) : refuse();
      },
      { parse: 'none' },
    );
  }
  app.all('*', ({ request }) => absent(request, door), { parse: 'none' });
  app.onError(({ code, error, request }) => {
    if (code === 'NOT_FOUND') return absent(request, door);
    report(error);
    return refuseBare(fault('internal'));
  });
  return app;
}
