// The parts in which the built-in negotiator proposes that an amount is paid: the more it is, the less of it hangs on one delivery.
import type { Proposed } from './proposal.ts';

/** From how many cents on there are such parts, with their shares in hundredths; the rest goes to the last. */
const PLANS: readonly { readonly from_cents: number; readonly parts: readonly (readonly [string, number])[] }[] = [
  {
    from_cents: 1_000_000,
    parts: [
      ['A plan and a first version', 30],
      ['A version that works', 40],
      ['The whole, as agreed', 30],
    ],
  },
  {
    from_cents: 100_000,
    parts: [
      ['A first version', 50],
      ['The whole, as agreed', 50],
    ],
  },
];

/** The parts of an amount, which make the whole; none where it is paid in one. */
export function partsOf(amount_cents: number): Proposed[] {
  const plan = PLANS.find(({ from_cents }) => amount_cents >= from_cents);
  if (!plan) return [];
  let left = amount_cents;
  return plan.parts.map(([title, share], at) => {
    const is_last = at === plan.parts.length - 1;
    const cents = is_last ? left : Math.floor((amount_cents * share) / 100);
    left -= cents;
    return { title, amount_cents: cents };
  });
}
