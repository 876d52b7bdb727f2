// What keys that hold no `payments:write` may spend in routed calls as long as no person has said what a wallet may spend: such a key
// is given out at sign-up and to any program, and a call pays whoever serves it.

/** Enough for a day's work of common calls, and what a person can bear to lose to a stolen key. */
export const DEFAULT_KEY_LIMIT = { per_transaction_cents: 1_000, per_day_cents: 2_000 } as const;

export type KeyLimit = typeof DEFAULT_KEY_LIMIT;

/** The limit for a wallet; null where a session has set the limits that hold for everybody. */
export function keyLimitOf(wallet: { readonly limit_set_at: number | null } | null): KeyLimit | null {
  return (wallet?.limit_set_at ?? null) === null ? DEFAULT_KEY_LIMIT : null;
}

/** Whether it bounds what a credential of these scopes spends. */
export function isBoundByDefault(kind: string, scopes: ReadonlySet<string>): boolean {
  return kind === 'key' && !scopes.has('payments:write');
}
