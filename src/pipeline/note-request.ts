// Logs the requests of keys and programs with their results, for their person.
import type { Principal } from '../contract/context.ts';
import { FAULTS } from '../domain/fault.ts';
import { STATUSES } from '../domain/notes.ts';
import type { Call, Ended } from './call.ts';
import type { Core } from './core.ts';

function statusOf(ended: Ended): number {
  if ('refusal' in ended) return FAULTS[ended.refusal.fault].status;
  return STATUSES['status' in ended ? ended.status : 'ok'];
}

/** Looking at what is kept is not kept. */
export function noteRequest(
  { clock, requests }: Pick<Core, 'clock' | 'requests'>,
  { operation, origin, request_id }: Call,
  { guard }: Principal,
  ended: Ended,
  began_ms: number,
): void {
  const is_logged = guard?.table === 'api_keys' || guard?.table === 'oauth_grants';
  if (!is_logged || operation.name === 'key.requests') return;
  requests.note(guard.id, {
    request_id,
    at_ms: clock.now(),
    method: origin.method ?? '',
    path: origin.path ?? '',
    operation: operation.name,
    status: statusOf(ended),
    duration_ms: Math.round(performance.now() - began_ms),
  });
}
