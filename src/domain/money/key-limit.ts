// The default limit for routed calls by keys without `payments:write`, until a person sets the limits of the wallet: such keys are issued
// at sign-up and to any program, and a call pays its provider.

/** Enough for a day of common calls, and a tolerable loss to a stolen key. */
export const DEFAULT_KEY_LIMIT = { per_transaction_cents: 1_000, per_day_cents: 2_000 } as const;

export type KeyLimit = typeof DEFAULT_KEY_LIMIT;

/** The limit for a wallet; null where a session has set limits for all credentials. */
export function keyLimitOf(wallet: { readonly limit_set_at: number | null } | null): KeyLimit | null {
  return (wallet?.limit_set_at ?? null) === null ? DEFAULT_KEY_LIMIT : null;
}

/** Whether the default limit applies to a credential with these scopes. */
export function isBoundByDefault(kind: string, scopes: ReadonlySet<string>): boolean {
  return kind === 'key' && !scopes.has('payments:write');
}
