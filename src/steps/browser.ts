// Browsers that a person subscribed to push messages. Their push addresses are stored encrypted, because anyone who knows one can
// push to it. And the durable requests for pushes about an agent's events.
import { Type } from 'typebox';
import { count, type Effect, remove } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { InboxEvent } from '../../db/store.ts';
import { fault } from '../domain/fault.ts';
import { BROWSERS_MAX } from '../domain/inbox/push.ts';
import { open, seal } from '../outbound/seal.ts';
import type { PushAddress } from '../outbound/web-push.ts';
import { Id } from '../schemas/wire.ts';
import { remind } from './reminder.ts';

type Browser = Row<'push_subscriptions'>;

const secretContext = (id: string): string => `push_subscription:${id}`;

/** Encrypts a browser's push address for storage. */
export function sealAddress(seal_key: Uint8Array, id: string, address: PushAddress): string {
  return seal(seal_key, JSON.stringify(address), secretContext(id));
}

/** Decrypts it; null when it cannot be decrypted, for example after the seal key was lost. */
export function openAddress(seal_key: Uint8Array, { id, secret }: Pick<Browser, 'id' | 'secret'>): PushAddress | null {
  const text = open(seal_key, secret, secretContext(id));
  // Our own turn wrote it.
  return text === null ? null : (JSON.parse(text) as PushAddress);
}

/** Adds `by` to the account's number of browsers; refused above the maximum. */
export function countBrowsers(account_id: string, by: number): Effect<'plan_limit'> {
  const refusal = fault('plan_limit', `An account can have at most ${BROWSERS_MAX} browsers; remove one first.`);
  return count(`browsers:${account_id}`, BROWSERS_MAX, refusal, null, by);
}

/** Removes some of an account's browsers. */
export function removeBrowsers(account_id: string, rows: readonly Browser[]): Effect<never>[] {
  if (rows.length === 0) return [];
  // A count downwards is never refused.
  const counted = countBrowsers(account_id, -rows.length) as Effect<never>;
  return [...rows.map((row) => remove('push_subscriptions', row)), counted];
}

/** The call that pushes the events of a span of seqs, both ends included: to all browsers, or to those that did not take them
 * before. */
export const PUSH_EVENTS = {
  name: 'browser.push',
  input: Type.Object({
    agent_id: Id,
    from: Type.Integer({ minimum: 1 }),
    through: Type.Integer({ minimum: 1 }),
    attempts: Type.Integer({ minimum: 0 }),
    browser_ids: Type.Optional(Type.Array(Id, { maxItems: BROWSERS_MAX })),
  }),
} as const;

/** One reminder for all attempts at a span. */
export function pushKey(agent_id: string, through: number): string {
  return `${agent_id}:${through}`;
}

/** Requests pushes about events, if any browser is subscribed. The person's settings are applied when the push is made. */
export function askForPush(
  { agent, browser_ids }: { readonly agent: { readonly id: string }; readonly browser_ids: readonly string[] },
  events: readonly InboxEvent[],
  now_ms: number,
): Effect<never>[] {
  const [first, last] = [events[0], events.at(-1)];
  if (browser_ids.length === 0 || !first || !last) return [];
  const input = { agent_id: agent.id, from: first.seq, through: last.seq, attempts: 0 };
  return [remind(PUSH_EVENTS, input, { at: now_ms, key: pushKey(agent.id, last.seq), now_ms })];
}
