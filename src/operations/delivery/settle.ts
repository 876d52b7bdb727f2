// What outcomes leave behind: a log of each attempt, the count of failures of each webhook, the next attempt where one
// was asked for. Many outcomes are settled in one turn.
import { apply, type Effect, insert } from '../../../db/effects.ts';
import { webhookById } from '../../../db/queries/webhook.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { afterAttempt, LOG_LIFE_MS, retryPause } from '../../domain/webhook.ts';
import type { World } from '../world.ts';
import type { Attempt } from './attempt.ts';
import type { Outcome } from './rung.ts';
import { trimAt } from './trim.ts';

function logged(made: Attempt): Effect<never> {
  const { id, webhook_id, event_id, event, payload, http_status, response_ms, error, at } = made;
  const times = { created_at: at, expires_at: at + LOG_LIFE_MS };
  return insert('webhook_logs', {
    id,
    webhook_id,
    event_id,
    event,
    payload,
    http_status,
    response_ms,
    error,
    ...times,
  });
}

/** The webhook after attempts, in their order. */
function after(row: Row<'webhooks'>, attempts: readonly Attempt[]): Partial<Omit<Row<'webhooks'>, 'id' | 'version'>> {
  let state = { active: row.active === 1, failure_count: row.failure_count };
  for (const { http_status, accepted, retry } of attempts) {
    state = accepted ? { ...state, failure_count: 0 } : afterAttempt(state, http_status, retry);
  }
  const last_delivery_at = attempts.at(-1)?.at ?? row.last_delivery_at;
  const { active, failure_count } = state;
  return { failure_count, last_delivery_at, ...(active !== (row.active === 1) && { active: active ? 1 : 0 }) };
}

/** The next attempt at an event, where the webhook asked for more than one; each has an id of its own, since the reminder
 * that led to this one stands until now (webhook/retry.ts). */
function retried(world: World, made: Attempt): Effect<never>[] {
  const { accepted, retry, number, webhook_id, event_id, at, retry_after } = made;
  if (number === null) return [];
  const done: Effect<never>[] = number > 1 ? [{ do: 'unremind', id: retryId(webhook_id, event_id, number) }] : [];
  const luck = (world.random(1)[0] ?? 0) / 255;
  const pause_ms = accepted || !retry ? null : retryPause(number, luck, retry_after);
  if (pause_ms === null) return done;
  const input = { webhook_id, event_id, number: number + 1 };
  const id = retryId(webhook_id, event_id, number + 1);
  return [
    ...done,
    { do: 'remind', id, at: at + pause_ms, operation: 'webhook.retry', input, now: false, created_at: at },
  ];
}

/** The reminder of one attempt. */
export function retryId(webhook_id: string, event_id: string, number: number): string {
  return `webhook.retry:${webhook_id}:${event_id}:${number}`;
}

async function present(webhook_ids: readonly string[], read: Read): Promise<Set<string>> {
  const rows = await Promise.all(webhook_ids.map((id) => read.peek(webhookById, { id })));
  return new Set(rows.flatMap((row) => (row ? [row.id] : [])));
}

/** The effects of outcomes; with `read`, only about webhooks that are still there. */
export async function settle(world: World, outcomes: readonly Outcome[], read: Read | null): Promise<Effect<never>[]> {
  const byHook = Map.groupBy(
    outcomes.flatMap(({ attempts }) => attempts),
    ({ webhook_id }) => webhook_id,
  );
  const there = read && (await present([...byHook.keys()], read));
  const effects: Effect<never>[] = outcomes.flatMap((outcome) => [...outcome.effects]);
  for (const [webhook_id, attempts] of byHook) {
    if (there && !there.has(webhook_id)) continue;
    effects.push(
      apply('webhooks', webhook_id, (row) => after(row, attempts), null, ['failure_count', 'last_delivery_at']),
      ...attempts.flatMap((made) => [logged(made), ...retried(world, made), ...trimAt(made)]),
    );
  }
  return effects;
}
