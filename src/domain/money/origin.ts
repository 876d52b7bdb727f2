// Whose money the wallets of a service hold. One ledger holds money of one processor alone, since in a wallet one cent looks like any
// other: what a sandbox made of nothing would else be paid out by a bank.

/** Where money comes from; in Stripe's test mode none is real. */
export type MoneyOrigin = 'sandbox' | 'stripe_test' | 'stripe';

/** As people who run a service know them. */
export const ORIGIN_WORDS: Readonly<Record<MoneyOrigin, string>> = {
  sandbox: 'the sandbox',
  stripe_test: 'the test mode of Stripe',
  stripe: 'Stripe',
};

export function originOf({
  name,
  livemode,
}: {
  readonly name: 'sandbox' | 'stripe';
  readonly livemode: boolean;
}): MoneyOrigin {
  if (name === 'sandbox') return 'sandbox';
  return livemode ? 'stripe' : 'stripe_test';
}

/** What was paid by a page: Stripe names those of its test mode so. */
export function originOfPage({
  processor,
  external_id,
}: {
  readonly processor: string;
  readonly external_id: string | null;
}): MoneyOrigin {
  if (processor === 'sandbox') return 'sandbox';
  return external_id?.startsWith('cs_test_') ? 'stripe_test' : 'stripe';
}
