// Push configs: where a party of a task is told that it moved (A2A, push notifications), in its order, at least once. What is
// said of a receiver that fails is said of webhooks: the same pauses, and then no more.

import { type Fault, fault } from '../fault.ts';
import { MINUTE_MS } from '../time.ts';
import type { Dialect } from './task.ts';

/** Of one task: each update is as many deliveries. */
export const PUSH_CONFIGS_MAX = 4;

/** To one host, for one account: a program that asks for more would have the service load somebody else's machine. */
export const PUSHES_A_MINUTE = 120;

/** The counter of an account's deliveries to a host, and when it is over. */
export function pushesKey(account_id: string, host: string, now_ms: number): { key: string; ends_at: number } {
  const minute = Math.floor(now_ms / MINUTE_MS);
  return { key: `pushes:${account_id}:${host}:${minute}`, ends_at: (minute + 1) * MINUTE_MS };
}

/** Why a task takes no further config. */
export function pushConfigsFullFault(): Fault<'plan_limit'> {
  const data = { limit: PUSH_CONFIGS_MAX, used: PUSH_CONFIGS_MAX, resets_at: null };
  return fault('plan_limit', `A task has ${PUSH_CONFIGS_MAX} push configs at most; delete one.`, data);
}

/** How a receiver knows that it is the service that calls. */
export interface PushSecret {
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

/** The headers of a delivery: 1.0 names the token's header no longer, and asks for the scheme as it was registered. */
export function pushHeaders(dialect: Dialect, delivery_id: string, secret: PushSecret): Record<string, string> {
  const { token, authentication } = secret;
  const { scheme, credentials } = authentication ?? {};
  return {
    'content-type': dialect === '1.0' ? 'application/a2a+json' : 'application/json',
    'x-meshwork-delivery': delivery_id,
    ...(dialect === '1.0' && { 'a2a-version': '1.0' }),
    ...(token !== undefined && { 'x-a2a-notification-token': token }),
    ...(scheme !== undefined && { authorization: credentials ? `${scheme} ${credentials}` : scheme }),
  };
}

/** The id of the delivery of an update to a config: the same at each attempt. */
export function deliveryId(config_id: string, n: number): string {
  return `${config_id}:${n}`;
}
