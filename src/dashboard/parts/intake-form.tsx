// The intake: what the agent offers and what it looks for, as short entries that become listings.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MeshworkError } from '../../client/error.ts';
import { useAct } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Check, Field, Form } from './field.tsx';
import { centsOf } from './format.ts';
import { LabelsField } from './labels-field.tsx';
import { Failure } from './states.tsx';

export type IntakeResult = Output<'onboarding.intake'>;

type Side = 'offers' | 'seeks';

interface Item {
  readonly key: number;
  readonly headline: string;
  readonly labels: readonly string[];
  readonly amount: string;
}

const ITEMS_MAX = 20;
const BLANK = { headline: '', labels: [], amount: '' } as const;

const isWhole = ({ headline, labels, amount }: Item): boolean =>
  headline.trim() !== '' && labels.length > 0 && (amount.trim() === '' || centsOf(amount) !== null);

interface ItemsProps {
  side: Side;
  items: readonly Item[];
  change: (items: readonly Item[]) => void;
  error: MeshworkError | null;
}

function Items({ side, items, change, error }: ItemsProps): JSX.Element {
  const { onboarding } = words;
  const offers = side === 'offers';
  const set = (at: number, part: Partial<Item>): void =>
    change(items.map((item, n) => (n === at ? { ...item, ...part } : item)));
  const add = (): void => change([...items, { ...BLANK, key: Math.max(...items.map(({ key }) => key)) + 1 }]);
  return (
    <fieldset class="side">
      <legend>{onboarding[side]}</legend>
      {items.map(({ key, headline, labels, amount }, at) => (
        <div key={key} class="item">
          <Field
            label={onboarding.itemTitle}
            name={`${side}.${at}.headline`}
            value={headline}
            onInput={(text) => set(at, { headline: text })}
            error={error}
            maxLength={140}
            required
          />
          <LabelsField
            label={onboarding.itemLabels}
            name={`${side}.${at}.labels`}
            chosen={labels}
            choose={(chosen) => set(at, { labels: chosen })}
            error={error}
            required
          />
          <Field
            label={offers ? onboarding.price : onboarding.budget}
            hint={onboarding.amountHint}
            name={`${side}.${at}.${offers ? 'price_cents' : 'budget_cents'}`}
            value={amount}
            onInput={(text) => set(at, { amount: text })}
            error={error}
            mode="decimal"
          />
          {items.length > 1 && (
            <Button
              label={headline.trim() === '' ? onboarding.removeBlank : onboarding.removeItem(headline)}
              onClick={() => change(items.filter((_, n) => n !== at))}
            >
              {onboarding.removeBlank}
            </Button>
          )}
        </div>
      ))}
      {items.length < ITEMS_MAX && <Button onClick={add}>{offers ? onboarding.addOffer : onboarding.addSeek}</Button>}
    </fieldset>
  );
}

const countriesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((each) => each !== '');

/** An entry as the service takes it. */
function stated({ headline, labels, amount }: Item): { headline: string; labels: string[]; cents: number | null } {
  return { headline: headline.trim(), labels: [...labels], cents: centsOf(amount) };
}

export function IntakeForm({ onPublished }: { onPublished: (result: IntakeResult) => void }): JSX.Element {
  const { onboarding } = words;
  const intake = useAct('onboarding.intake');
  const [offers, setOffers] = useState<readonly Item[]>([{ ...BLANK, key: 0 }]);
  const [seeks, setSeeks] = useState<readonly Item[]>([{ ...BLANK, key: 0 }]);
  const [countries, setCountries] = useState('');
  const [remote, setRemote] = useState(true);
  const publish = async (): Promise<void> => {
    const result = await intake.run({
      offers: offers.map(stated).map(({ cents, ...rest }) => ({ ...rest, ...(cents && { price_cents: cents }) })),
      seeks: seeks.map(stated).map(({ cents, ...rest }) => ({ ...rest, ...(cents && { budget_cents: cents }) })),
      geo: { countries: countriesOf(countries), remote },
    });
    if (result) onPublished(result);
  };
  return (
    <Form onSubmit={publish}>
      <div class="sides">
        <Items side="offers" items={offers} change={setOffers} error={intake.error} />
        <Items side="seeks" items={seeks} change={setSeeks} error={intake.error} />
      </div>
      <Field
        label={onboarding.countries}
        name="geo"
        value={countries}
        onInput={setCountries}
        error={intake.error}
        maxLength={200}
      />
      <Check label={onboarding.remote} checked={remote} onChange={setRemote} />
      <Button main submit busy={intake.busy} disabled={![...offers, ...seeks].every(isWhole)}>
        {onboarding.publish}
      </Button>
      {intake.error && <Failure error={intake.error} />}
    </Form>
  );
}
