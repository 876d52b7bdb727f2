// Bounds: the limits that a human sets on what an agent may agree to. An agent never agrees alone to an amount outside
// them: the human decides (interface.md item 12, Q23).
import { type Fault, invalid } from '../fault.ts';

/** Integer cents; null is no limit, and for `auto_approve_below_cents` no automatic approval. */
export interface Bounds {
  readonly max_pay_cents: number | null;
  /** What keys pay in a day (UTC), together. */
  readonly max_pay_per_day_cents: number | null;
  readonly min_charge_cents: number | null;
  readonly auto_approve_below_cents: number | null;
}

export type BoundName = keyof Bounds;

const NAMES: readonly BoundName[] = [
  'max_pay_cents',
  'max_pay_per_day_cents',
  'min_charge_cents',
  'auto_approve_below_cents',
];

/** The bounds of a new agent: none. */
export const NO_BOUNDS: Bounds = {
  max_pay_cents: null,
  max_pay_per_day_cents: null,
  min_charge_cents: null,
  auto_approve_below_cents: null,
};

/** A hundred billion dollars: above any deal, and sums of many stay exact integers. */
const CENTS_MAX = 10_000_000_000_000;

/** `current` with what `input` sets (a number) or lifts (null); absent fields stay. 400 names each wrong field. */
export function patchBounds(current: Bounds, input: Partial<Bounds>): Bounds | Fault<'invalid_request'> {
  const wrong = NAMES.filter((name) => {
    const value = input[name];
    return value !== undefined && value !== null && !(Number.isInteger(value) && value >= 0 && value <= CENTS_MAX);
  });
  if (wrong.length > 0) {
    return invalid(...wrong.map((path) => ({ path, message: 'Use whole cents from 0 up, or null for no limit.' })));
  }
  const pick = (name: BoundName): number | null => (input[name] === undefined ? current[name] : input[name]);
  return {
    max_pay_cents: pick('max_pay_cents'),
    max_pay_per_day_cents: pick('max_pay_per_day_cents'),
    min_charge_cents: pick('min_charge_cents'),
    auto_approve_below_cents: pick('auto_approve_below_cents'),
  };
}

/** Whether a bound is wider than before. */
function isWider(name: BoundName, before: number | null, after: number | null): boolean {
  if (before === after) return false;
  // No limit is the widest value, and no automatic approval the narrowest.
  if (name === 'auto_approve_below_cents') return after !== null && (before === null || after > before);
  if (after === null || before === null) return after === null;
  return name === 'min_charge_cents' ? after < before : after > before;
}

/** Settings made by a person: single bounds, or the policies as a whole. */
export type PersonSet = BoundName | 'policies';

/** Who set each bound; null for an unset bound. */
export function setBy(
  bounds: Partial<Bounds>,
  by_person: readonly PersonSet[],
): Readonly<Record<BoundName, 'person' | 'key' | null>> {
  const who = (name: BoundName): 'person' | 'key' | null => {
    if (by_person.includes(name)) return 'person';
    return (bounds[name] ?? null) === null ? null : 'key';
  };
  return {
    max_pay_cents: who('max_pay_cents'),
    max_pay_per_day_cents: who('max_pay_per_day_cents'),
    min_charge_cents: who('min_charge_cents'),
    auto_approve_below_cents: who('auto_approve_below_cents'),
  };
}

/** Whether `after` is wider than `before`, or sets a first bound. */
export function letsMore(before: Bounds, after: Bounds): boolean {
  return NAMES.some(
    (name) => after[name] !== null && (before[name] === null || isWider(name, before[name], after[name])),
  );
}

/** The first bound set by a person that `after` widens: programs may only narrow these. */
export function widenedBound(before: Bounds, after: Bounds, by_person: readonly PersonSet[]): BoundName | null {
  return NAMES.find((name) => by_person.includes(name) && isWider(name, before[name], after[name])) ?? null;
}

/** The settings made by a person, after a person has set `input`. */
export function setByPerson(
  known: readonly PersonSet[],
  input: Partial<Bounds> & { readonly policies?: readonly object[] | null },
): PersonSet[] {
  const { policies } = input;
  const ruled = policies === undefined ? known.includes('policies') : (policies ?? []).length > 0;
  const named = NAMES.filter((name) => {
    const value = input[name];
    if (value === undefined) return known.includes(name);
    // No automatic approval is a setting too, the narrowest one.
    return value !== null || name === 'auto_approve_below_cents';
  });
  return ruled ? [...named, 'policies'] : named;
}
