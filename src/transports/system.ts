// The routes that are not operations: health and readiness.
import type { MovableClock } from '../../actors/clock.ts';
import type { Assembled } from '../operations/assembled.ts';
import type { PlainRoute } from './app.ts';

function json(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'X-Request-Id': Bun.randomUUIDv7() } });
}

/** Health (the process is up) and readiness (the database takes writes and has every migration). */
export function systemRoutes(
  service: Assembled,
  _clock: MovableClock,
  _ip: (request: Request) => string,
): readonly PlainRoute[] {
  return [
    { method: 'GET', path: '/healthz', handle: () => json({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      handle: async () => {
        const ready = await service.world.store.ready();
        return json({ status: ready ? 'ready' : 'not_ready' }, ready ? 200 : 503);
      },
    },
  ];
}
