// The routes that are not operations: health and readiness, and where to report a flaw.

import type { ClockState } from '../../actors/clock-watch.ts';
import { DAY_MS } from '../domain/time.ts';
import type { PlainRoute } from './app.ts';
import type { DoorPorts } from './door-ports.ts';

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

/** Health (the process is up) and readiness (the database takes writes and has every migration), security.txt. */
export function systemRoutes({
  store,
  settings,
  clock,
  clock_watch,
}: Pick<DoorPorts, 'store' | 'settings' | 'clock' | 'clock_watch'>): readonly PlainRoute[] {
  return [
    { method: 'GET', path: '/healthz', handle: () => json({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      handle: async (request) => {
        const { ready, ...why } = await store.ready();
        const told = { status: ready ? 'ready' : 'not_ready', ...why };
        const verbose = ready && new URL(request.url).searchParams.has('verbose');
        return json(verbose ? { ...told, clock: clockView(await clock_watch.look()) } : told, ready ? 200 : 503);
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
