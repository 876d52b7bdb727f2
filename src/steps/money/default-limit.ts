// The limit of routed calls by keys that hold no `payments:write`, while no session has set what the wallet may spend.

import type { Ctx } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { isBoundByDefault, type KeyLimit, keyLimitOf } from '../../domain/money/key-limit.ts';

/** The limit of a payment that the caller makes; null where there is none. */
export function defaultLimitOf(
  { principal }: Pick<Ctx, 'principal'>,
  payer: { readonly limit_set_at: number | null } | null,
  operation: string,
): KeyLimit | null {
  const bound = operation === 'router_call.make' && isBoundByDefault(principal.kind, principal.scopes);
  return bound ? keyLimitOf(payer) : null;
}

/** The refusal, with where a person lifts it. */
export function overDefault(
  { settings }: Pick<Ctx, 'settings'>,
  limit: `default_key_limit.${keyof KeyLimit}`,
  limit_cents: number,
): Fault<'spending_limit'> {
  const how =
    'Its person sets the spending limit of the wallet, signed in; until then keys without payments:write have this one.';
  const data = { limit, limit_cents, how, url: `${settings.app_url}/payouts` };
  return fault('spending_limit', `This is above ${limit}, which is ${limit_cents} cents.`, data);
}
