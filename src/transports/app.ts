// The listener: Elysia routes every binding of the registry to its handler. A known path with another method is 405 with
// Allow, an unknown one 404, and two Host headers are refused before anything looks at the path.
import { Elysia } from 'elysia';
import { fault } from '../domain/fault.ts';
import type { AnyOperation, Method } from '../operations/operation.ts';
import { type RestDoor, restHandler } from './rest.ts';
import { refuseBare } from './wire.ts';

/** A route that is not an operation: health, documents, pages. */
export interface PlainRoute {
  readonly method: Method;
  readonly path: string;
  readonly handle: (request: Request) => Response | Promise<Response>;
}

type Handler = (request: Request, params: Readonly<Record<string, string>>) => Response | Promise<Response>;

/** `/api/agents/{handle}` as Elysia writes it. */
function pattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Paths that differ only in their parameters' names are one route. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}').replace(/(?<=.)\/$/, '');
}

function preflight(request: Request, allow: string, door: RestDoor, operation: AnyOperation | null): Response {
  const cors = operation ? door.cors(request, operation) : {};
  const asked = request.headers.get('access-control-request-headers') ?? '';
  return new Response(null, {
    status: 204,
    headers: {
      Allow: allow,
      'X-Request-Id': Bun.randomUUIDv7(),
      ...cors,
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': asked,
    },
  });
}

interface Route {
  readonly path: string;
  readonly methods: Map<Method, Handler>;
  readonly operation: AnyOperation | null;
}

function collect(operations: readonly AnyOperation[], plain: readonly PlainRoute[], door: RestDoor): Route[] {
  const routes = new Map<string, Route>();
  const add = (method: Method, path: string, handler: Handler, operation: AnyOperation | null): void => {
    const shape = shapeOf(path);
    const route = routes.get(shape) ?? { path, methods: new Map<Method, Handler>(), operation };
    if (route.methods.has(method)) throw new Error(`two bindings of ${method} ${path}`);
    route.methods.set(method, handler);
    routes.set(shape, route);
  };
  for (const operation of operations) {
    for (const binding of operation.rest) {
      add(binding.method, binding.path, restHandler(door, operation, binding), operation);
    }
  }
  for (const route of plain) add(route.method, route.path, (request) => route.handle(request), null);
  return [...routes.values()];
}

/** The Elysia application with every route; listening is main's. */
export function buildApp(
  operations: readonly AnyOperation[],
  plain: readonly PlainRoute[],
  door: RestDoor,
  report: (error: unknown) => void,
): Elysia {
  const app = new Elysia({ normalize: false, systemRouter: false });
  app.onRequest(({ request }) => {
    // Bun joins repeated headers with a comma, which no host name holds.
    if (request.headers.get('host')?.includes(',')) {
      return refuseBare(fault('invalid_request', 'Send exactly one Host header.'));
    }
    return undefined;
  });
  for (const route of collect(operations, plain, door)) {
    const allow = [...route.methods.keys(), ...(route.methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    for (const [method, handler] of route.methods) {
      // Elysia hands over params only when the handler names them; parsing is the door's own.
      app.route(method, pattern(route.path), ({ request, params }) => handler(request, params), { parse: 'none' });
    }
    app.all(
      pattern(route.path),
      ({ request, params }) => {
        const get = route.methods.get('GET');
        if (request.method === 'HEAD' && get) return get(request, params);
        if (request.method === 'OPTIONS') return preflight(request, allow, door, route.operation);
        return refuseBare(fault('method_not_allowed', `This path takes ${allow}.`), { Allow: allow });
      },
      { parse: 'none' },
    );
  }
  app.all('*', () => refuseBare(fault('not_found', 'There is no such path; see /docs.')), { parse: 'none' });
  app.onError(({ code, error }) => {
    if (code === 'NOT_FOUND') return refuseBare(fault('not_found', 'There is no such path; see /docs.'));
    report(error);
    return refuseBare(fault('internal'));
  });
  return app;
}
