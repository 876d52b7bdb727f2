// The tiers of an offer, as they are written: each has a name, a price, and says how it is billed.
import type { JSX } from 'preact';
import type { MeshworkError } from '../../../client/error.ts';
import { MAX_TIERS } from '../../../domain/listing/conditions.ts';
import { BILLINGS } from '../../../domain/listing/price.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Field, problemOf } from '../../parts/field.tsx';
import { words } from '../../words/words.ts';
import type { TierDraft } from './draft.ts';

interface TiersProps {
  tiers: readonly TierDraft[];
  change: (tiers: readonly TierDraft[]) => void;
  error: MeshworkError | null;
}

const NAME_MAX = 80;
const BLANK: TierDraft = { id: undefined, name: '', amount: '', billing: 'one_time' };

export function Tiers({ tiers, change, error }: TiersProps): JSX.Element {
  const { market, selling } = words;
  const problem = problemOf(error, 'conditions.tiers');
  const set = (at: number, part: Partial<TierDraft>): void =>
    change(tiers.map((tier, n) => (n === at ? { ...tier, ...part } : tier)));
  return (
    <fieldset class="side">
      <legend>{selling.tiers}</legend>
      <p class="quiet">{selling.tiersWhy}</p>
      {tiers.map(({ name, amount, billing }, at) => (
        // Tiers are told apart by their places: what is typed may be alike, and new ones have no id yet.
        <div key={at} class="row item tier-row">
          <Field
            label={selling.tierName}
            value={name}
            onInput={(text) => set(at, { name: text })}
            maxLength={NAME_MAX}
          />
          <Field
            label={selling.tierPrice}
            value={amount}
            onInput={(text) => set(at, { amount: text })}
            mode="decimal"
          />
          <Choice
            label={selling.tierBilling}
            value={billing}
            options={BILLINGS.map((each) => [each, market.billings[each]] as const)}
            onChange={(each) => set(at, { billing: each })}
          />
          <Button label={selling.removeTier(name)} onClick={() => change(tiers.filter((_, n) => n !== at))}>
            {selling.remove}
          </Button>
        </div>
      ))}
      {problem !== null && <p class="problem">{problem}</p>}
      {tiers.length < MAX_TIERS && <Button onClick={() => change([...tiers, BLANK])}>{selling.addTier}</Button>}
    </fieldset>
  );
}
