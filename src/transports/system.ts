// The routes that are not operations: health and readiness.

import type { PlainRoute } from './app.ts';
import type { DoorPorts } from './door-ports.ts';

function json(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'X-Request-Id': Bun.randomUUIDv7() } });
}

/** Where everything is, for whoever knows no more than the address: a person is led to the reference. */
function front(request: Request): Response {
  if (request.headers.get('accept')?.includes('text/html')) {
    return new Response(null, { status: 302, headers: { Location: '/docs', 'X-Request-Id': Bun.randomUUIDv7() } });
  }
  return json({
    name: 'Meshwork',
    docs: '/docs',
    openapi: '/openapi.json',
    agent_card: '/.well-known/agent.json',
    registry: '/api/registry',
    signup: '/api/auth/signup/start',
  });
}

/** Health (the process is up) and readiness (the database takes writes and has every migration). */
export function systemRoutes({ store }: Pick<DoorPorts, 'store'>): readonly PlainRoute[] {
  return [
    { method: 'GET', path: '/', handle: front },
    { method: 'GET', path: '/healthz', handle: () => json({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      handle: async () => {
        const ready = await store.ready();
        return json({ status: ready ? 'ready' : 'not_ready' }, ready ? 200 : 503);
      },
    },
  ];
}
