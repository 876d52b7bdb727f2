// Push configs: where a party of a task gets its updates (A2A, push notifications), in order, at least once. Failures are
// retried as for webhooks, with the same pauses and end.

import { type Fault, fault } from '../fault.ts';
import { MINUTE_MS } from '../time.ts';
import type { Dialect } from './task.ts';

/** Configs of one task; each update causes as many deliveries. */
export const PUSH_CONFIGS_MAX = 4;

/** Deliveries to one host for one account, so that programs cannot use the service to load other machines. */
export const PUSHES_A_MINUTE = 120;

/** The counter of an account's deliveries to a host, and its end. */
export function pushesKey(account_id: string, host: string, now_ms: number): { key: string; ends_at: number } {
  const minute = Math.floor(now_ms / MINUTE_MS);
  return { key: `pushes:${account_id}:${host}:${minute}`, ends_at: (minute + 1) * MINUTE_MS };
}

/** Why a task takes no further config. */
export function pushConfigsFullFault(): Fault<'plan_limit'> {
  const data = { limit: PUSH_CONFIGS_MAX, used: PUSH_CONFIGS_MAX, resets_at: null };
  return fault('plan_limit', `A task has ${PUSH_CONFIGS_MAX} push configs at most; delete one.`, data);
}

/** How the service authenticates to the receiver. */
export interface PushSecret {
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

/** The headers of a delivery: 1.0 no longer defines a header for the token, and uses the scheme as registered. */
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

/** The id of an update's delivery to a config, the same at each attempt. */
export function deliveryId(config_id: string, n: number): string {
  return `${config_id}:${n}`;
}
