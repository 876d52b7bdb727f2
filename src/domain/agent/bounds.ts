// Bounds: the limits that a human sets on what an agent may agree to. The rule kept here is that an amount outside them
// is never agreed by the agent alone: it goes to the human (interface.md item 12, Q23).
import { type Fault, invalid } from '../fault.ts';

/** Integer cents; null is no limit, and for `auto_approve_below_cents` no automatic approval. */
export interface Bounds {
  readonly max_pay_cents: number | null;
  readonly min_charge_cents: number | null;
  readonly auto_approve_below_cents: number | null;
}

export type BoundName = keyof Bounds;

/** The bounds of a new agent: none. */
export const NO_BOUNDS: Bounds = { max_pay_cents: null, min_charge_cents: null, auto_approve_below_cents: null };

/** A hundred billion dollars: above any deal, and sums of many stay exact integers. */
const CENTS_MAX = 10_000_000_000_000;

/** `current` with what `input` sets (a number) or lifts (null); absent fields stay. 400 names each wrong field. */
export function patchBounds(current: Bounds, input: Partial<Bounds>): Bounds | Fault<'invalid_request'> {
  const names: readonly BoundName[] = ['max_pay_cents', 'min_charge_cents', 'auto_approve_below_cents'];
  const wrong = names.filter((name) => {
    const value = input[name];
    return value !== undefined && value !== null && !(Number.isInteger(value) && value >= 0 && value <= CENTS_MAX);
  });
  if (wrong.length > 0) {
    return invalid(...wrong.map((path) => ({ path, message: 'Use whole cents from 0 up, or null for no limit.' })));
  }
  const pick = (name: BoundName): number | null => (input[name] === undefined ? current[name] : input[name]);
  return {
    max_pay_cents: pick('max_pay_cents'),
    min_charge_cents: pick('min_charge_cents'),
    auto_approve_below_cents: pick('auto_approve_below_cents'),
  };
}
