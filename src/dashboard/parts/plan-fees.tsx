// What the service takes of a price, by the plan of the seller: said where a price is named.
import type { JSX } from 'preact';
import { useRead } from '../resource.ts';
import { words } from '../words/words.ts';
import { feePercent, listed } from './format.ts';

export function PlanFees(): JSX.Element | null {
  const plans = useRead('billing.plans', {});
  if (plans.state !== 'ready') return null;
  const { sums, billing } = words;
  const fees = plans.value.map(({ plan, outcome_fee_bps }) =>
    sums.planFee(feePercent(outcome_fee_bps), billing.names[plan]),
  );
  return <p class="quiet">{sums.byPlan(listed(fees))}</p>;
}
