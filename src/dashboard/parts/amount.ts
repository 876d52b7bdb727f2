// Amounts that may be left out: a line of dollars, as cents.
import { readAmount } from './format.ts';

/** Null for nothing said; undefined for what is no amount. Zero is one here. */
export function amountOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  return readAmount(text) ?? undefined;
}

/** Cents as one types them again. */
export function dollarsOf(cents: number | null): string {
  return cents === null ? '' : (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2);
}
