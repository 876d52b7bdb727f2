// An amount with what the service takes of it, what arrives, and with whom: the same lines before a payment and after it.
import type { JSX } from 'preact';
import { words } from '../words/words.ts';
import { money } from './format.ts';
import { Facts } from './show.tsx';

export interface SumsProps {
  /** What leaves whoever pays. */
  readonly amount_cents: number;
  readonly fee_cents?: number | undefined;
  /** What arrives at whoever is paid. */
  readonly net_cents?: number | undefined;
  /** The handle of whoever gets it. */
  readonly to?: string | undefined;
}

/** Gross, fee, net and receiver, as far as they are known. */
export function Sums({ amount_cents, fee_cents, net_cents, to }: SumsProps): JSX.Element {
  const { sums } = words;
  const facts = [
    [sums.amount, money(amount_cents)] as const,
    fee_cents !== undefined && ([sums.fee, money(fee_cents)] as const),
    net_cents !== undefined && ([sums.net, money(net_cents)] as const),
    to !== undefined && ([sums.to, `@${to}`] as const),
  ];
  return <Facts of={facts.filter((each) => each !== false)} />;
}
