// When a wallet counts as low. Its person is told once, and again only after it was above in between: an agent that spends its
// last cents in small steps sends no letter for each.

/** Five dollars, unless its person says another amount. */
export const LOW_BALANCE_CENTS = 500;

export interface Balances {
  readonly before_cents: number;
  readonly after_cents: number;
  /** The person's own threshold; null is the usual one, 0 none. */
  readonly low_cents: number | null;
  /** Whether a letter went out earlier. */
  readonly told: boolean;
}

/** Whether this spending is the one to tell of. */
export function isToTell({ before_cents, after_cents, low_cents, told }: Balances): boolean {
  const low = low_cents ?? LOW_BALANCE_CENTS;
  if (after_cents < 0 || after_cents >= low) return false;
  return !told || before_cents >= low;
}
