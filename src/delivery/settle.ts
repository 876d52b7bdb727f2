// Stores the results of deliveries: a log of each attempt, each webhook's count of failures, the next attempt if the webhook wants
// retries. One turn settles many deliveries.
import { Type } from 'typebox';
import { apply, type Effect, insert } from '../../db/effects.ts';
import { webhookById } from '../../db/queries/webhook.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import { type Attempt, afterAttempt, type HookState, LOG_LIFE_MS, retryPause } from '../domain/inbox/webhook.ts';
import { Id } from '../schemas/wire.ts';
import { remind, unremind } from '../steps/reminder.ts';
import { attemptLuck } from './attempt.ts';
import type { Delivered } from './channel.ts';

/** From this many failures on the webhook's state is read, because other attempts may have failed meanwhile. */
const NEAR_END = 7;
/** Later than the end of any running attempt, so that an end is told once. */
const TOLD_AFTER_MS = 60_000;

function insertLog(made: Attempt): Effect<never> {
  const { id, webhook_id, event_id, event, payload, http_status, response_ms, response_body, error, at } = made;
  const answer = { http_status, response_ms, response_body, error };
  const row = { id, webhook_id, event_id, event, payload, ...answer, created_at: at, expires_at: at + LOG_LIFE_MS };
  // A crash can report the same attempt twice.
  return insert('webhook_logs', row, 'ignore');
}

function stateAfter(before: HookState, attempts: readonly Attempt[]): HookState {
  return attempts.reduce(afterAttempt, before);
}

/** The columns of a webhook that attempts change, in their order. */
function columnsAfter(
  row: Row<'webhooks'>,
  attempts: readonly Attempt[],
): Partial<Omit<Row<'webhooks'>, 'id' | 'version'>> {
  const state = stateAfter({ active: row.active === 1, failure_count: row.failure_count }, attempts);
  const last_delivery_at = attempts.at(-1)?.at ?? row.last_delivery_at;
  const { active, failure_count } = state;
  return {
    last_delivery_at,
    ...(failure_count !== row.failure_count && { failure_count }),
    ...(active !== (row.active === 1) && { active: active ? 1 : 0 }),
  };
}

/** The calls that tell of a disabled webhook, and that trim its logs. */
export const ENDED = { name: 'webhook.ended', input: Type.Object({ webhook_id: Id }) } as const;
export const TRIM = { name: 'webhook.trim', input: Type.Object({ webhook_id: Id }) } as const;

/** The call of the next attempt at an event; `number` counts them from 1. */
export const RETRY = {
  name: 'webhook.retry',
  input: Type.Object({ webhook_id: Id, event_id: Id, number: Type.Integer({ minimum: 2 }) }),
} as const;

/** One reminder for all attempts at an event: each failure moves it on. */
export function retryKey(webhook_id: string, event_id: string): string {
  return `${webhook_id}:${event_id}`;
}

/** The next attempt at an event, if the webhook wants retries. */
function retryEffects(made: Attempt): Effect<never>[] {
  const { accepted, retry, number, webhook_id, event_id, at, retry_after } = made;
  if (number === null) return [];
  const key = retryKey(webhook_id, event_id);
  const done = number > 1 ? [unremind(RETRY, key)] : [];
  if (accepted || !retry) return done;
  const luck = attemptLuck({ webhook_id, event_id, at, number });
  const pause_ms = retryPause(number, luck, retry_after);
  if (pause_ms === null) return done;
  return [remind(RETRY, { webhook_id, event_id, number: number + 1 }, { at: at + pause_ms, key, now_ms: at })];
}

/** The reminder to tell the human, if these attempts may have disabled the webhook. */
function remindEnded(attempts: readonly Attempt[]): Effect<never>[] {
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (!first?.before.active || !last) return [];
  const { active, failure_count } = stateAfter(first.before, attempts);
  if (active && failure_count < NEAR_END) return [];
  const { webhook_id, at } = last;
  return [remind(ENDED, { webhook_id }, { at: at + TOLD_AFTER_MS, key: webhook_id, now_ms: at })];
}

async function presentIds(webhook_ids: readonly string[], read: Read): Promise<Set<string>> {
  const rows = await Promise.all(webhook_ids.map((id) => read.peek(webhookById, { id })));
  return new Set(rows.flatMap((row) => (row ? [row.id] : [])));
}

/** The effects of deliveries; with `read`, only about webhooks that are still there. */
export async function settle(deliveries: readonly Delivered[], read: Read | null): Promise<Effect<never>[]> {
  const byHook = Map.groupBy(
    deliveries.flatMap(({ attempts }) => attempts),
    ({ webhook_id }) => webhook_id,
  );
  const there = read && (await presentIds([...byHook.keys()], read));
  const effects: Effect<never>[] = deliveries.flatMap((delivered) => [...delivered.effects]);
  for (const [webhook_id, attempts] of byHook) {
    if (there && !there.has(webhook_id)) continue;
    effects.push(
      apply('webhooks', webhook_id, (row) => columnsAfter(row, attempts), null, ['last_delivery_at']),
      ...attempts.flatMap((made) => [insertLog(made), ...retryEffects(made), ...remindTrim(made)]),
      ...remindEnded(attempts),
    );
  }
  return effects;
}

// Keeps the newest logs of a webhook; the pruner deletes the rest. Checked once in a number of deliveries, by the event's seq, because
// a counter would cost a row.

const EVERY = 256;
/** Later, so that many deliveries of one moment ask for it once. */
const AFTER_MS = 60_000;

/** The reminder to trim a webhook's logs, if it is time for that. */
function remindTrim({ seq, at, webhook_id }: Attempt): Effect<never>[] {
  if (seq % EVERY !== 0) return [];
  return [remind(TRIM, { webhook_id }, { at: at + AFTER_MS, key: webhook_id, now_ms: at })];
}
