// Names attempts and draws their luck out of what they are, not out of the service's randomness: pushes go on beside
// calls, and a seed of the simulation must draw the same for each whichever of them comes first.
import { hmac } from '../../outbound/hash.ts';

/** What tells an attempt from any other. */
interface Named {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly seq: number;
  readonly at: number;
  readonly number: number;
}

function digest({ webhook_id, event_id, at, number }: Named): string {
  return hmac(webhook_id, `${event_id}:${number}:${at}`);
}

/** The id of the attempt's log, a UUID of version 7: ordered by time, and within a millisecond by the inbox. */
export function attemptId(named: Named): string {
  const time = named.at.toString(16).padStart(12, '0');
  const place = (named.seq % 4096).toString(16).padStart(3, '0');
  const rest = digest(named);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${place}-8${rest.slice(0, 3)}-${rest.slice(3, 15)}`;
}

/** From 0 to 1, by how much the pause after an attempt is stretched. */
export function attemptLuck(named: Named): number {
  return Number.parseInt(digest(named).slice(15, 19), 16) / 0xffff;
}
