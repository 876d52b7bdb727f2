// When a wallet counts as low. Its person is told once, and again only after it was above the threshold in between, so that many small
// payments do not send a letter each.

/** The default threshold: five dollars. */
export const LOW_BALANCE_CENTS = 500;

export interface Balances {
  readonly before_cents: number;
  readonly after_cents: number;
  /** The person's own threshold; null is the default, 0 none. */
  readonly low_cents: number | null;
  /** Whether a letter was already sent. */
  readonly told: boolean;
}

/** Whether this payment causes a letter. */
export function isToTell({ before_cents, after_cents, low_cents, told }: Balances): boolean {
  const low = low_cents ?? LOW_BALANCE_CENTS;
  if (after_cents < 0 || after_cents >= low) return false;
  return !told || before_cents >= low;
}
