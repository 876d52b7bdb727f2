// Keeps the newest logs of a webhook and lets the pruner have the rest. It is looked at once in so many deliveries, told
// by the seq of the event: counting would cost a row.
import type { Effect } from '../../../db/effects.ts';
import { remind } from '../reminder.ts';
import { webhookTrim } from '../webhook/trim.ts';
import type { Attempt } from './attempt.ts';

const EVERY = 256;
/** Later, so that many deliveries of one moment ask for it once. */
const AFTER_MS = 60_000;

/** The reminder to trim a webhook's logs, if it is time for that. */
export function trimAt({ seq, at, webhook_id }: Attempt): Effect<never>[] {
  if (seq % EVERY !== 0) return [];
  return [remind(webhookTrim, { webhook_id }, { at: at + AFTER_MS, key: webhook_id, now_ms: at })];
}
