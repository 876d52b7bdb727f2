// What a payment is made of (gross, fee, net), as its reader stands to it: the same before it and after it, on pages, in dialogs and in
// tables.
import type { JSX } from 'preact';
import { words } from '../words/words.ts';
import { money } from './format.ts';
import { Facts } from './show.tsx';
import type { Column } from './table.tsx';

/** Which side the reader is; `either` in lists of both. */
type Side = 'buyer' | 'seller' | 'either';

interface Sum {
  /** What leaves whoever pays. */
  readonly amount_cents: number;
  /** Both are left out, or null, where there is no fee, or where nobody knows it yet. */
  readonly fee_cents?: number | null | undefined;
  /** What arrives at whoever is paid. */
  readonly net_cents?: number | null | undefined;
}

export interface SumsProps extends Sum {
  /** Who pays, unless said. */
  readonly side?: Side | undefined;
  /** The handle of whoever gets it. */
  readonly to?: string | undefined;
}

const PARTS = ['gross', 'fee', 'net'] as const;

/** The parts in words. From what a seller gets the fee is taken off; for whoever pays it is within what they pay. */
function partsOf({ amount_cents, fee_cents, net_cents }: Sum, side: Side): Record<(typeof PARTS)[number], string> {
  const fee = fee_cents ?? 0;
  return {
    gross: money(amount_cents),
    fee: money(side === 'seller' ? 0 - fee : fee),
    net: money(net_cents ?? amount_cents),
  };
}

/** Gross, fee, net and receiver, as far as they are known. */
export function Sums({ side = 'buyer', to, ...sum }: SumsProps): JSX.Element {
  const { [side]: names, amount, to: goesTo } = words.sums;
  const parts = partsOf(sum, side);
  const known = typeof sum.fee_cents === 'number' && typeof sum.net_cents === 'number';
  const facts = known ? PARTS.map((part) => [names[part], parts[part]] as const) : [[amount, parts.gross] as const];
  return <Facts of={to === undefined ? facts : [...facts, [goesTo, `@${to}`]]} />;
}

/** The same as columns of a table. */
export function sumColumns<T>(sumOf: (row: T) => Sum, side: Side): readonly Column<T>[] {
  const names = words.sums[side];
  return PARTS.map((part) => ({ name: names[part], figure: true, cell: (row) => partsOf(sumOf(row), side)[part] }));
}
