// The form of a listing. What may be said depends on its kind: the service tells which kinds there are and what each may say.
import type { JSX } from 'preact';
import type { MeshworkError } from '../../../client/error.ts';
import { MAX_TIERS } from '../../../domain/listing/conditions.ts';
import { CARD_TYPES, directionsOf } from '../../../domain/listing/listing.ts';
import { BILLINGS, PRICE_PERIODS } from '../../../domain/listing/price.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Field, LabelsField } from '../../parts/field.tsx';
import { count } from '../../parts/format.ts';
import { problemOf } from '../../parts/refused.ts';
import { SchemaFields } from '../../parts/schema-fields.tsx';
import { useRead } from '../../resource.ts';
import { kindText } from '../../words/taxonomy.ts';
import { words } from '../../words/words.ts';
import { type Draft, decideTime, decideTimes, type Preference, type TierDraft } from './draft.ts';

// What one would like to find on the other side: labels, and how much each matters to the matches.

interface PreferencesProps {
  preferences: readonly Preference[];
  change: (preferences: readonly Preference[]) => void;
  error: MeshworkError | null;
}

/** What can be chosen; a weight that was given elsewhere stays what it is. */
const WEIGHTS = [0.25, 0.5, 0.75, 1] as const;
const USUAL = 0.5;

/** The labels, and a weight for each. */
function Preferences({ preferences, change, error }: PreferencesProps): JSX.Element {
  const { listings } = words;
  const choose = (labels: readonly string[]): void =>
    change(labels.map((label) => preferences.find((each) => each.label === label) ?? { label, weight: USUAL }));
  return (
    <fieldset class="group">
      <legend>{listings.preferences}</legend>
      <p class="quiet">{listings.preferencesHint}</p>
      <LabelsField
        label={listings.preferred}
        name="conditions.preferences"
        chosen={preferences.map(({ label }) => label)}
        choose={choose}
        error={error}
      />
      <div class="columns">
        {preferences.map(({ label, weight }) => (
          <Choice
            key={label}
            label={listings.weightOf(label)}
            value={String(weight)}
            options={[...new Set([...WEIGHTS, weight])]
              .toSorted((a, b) => a - b)
              .map((each) => [String(each), listings.weights[String(each)] ?? count(each)] as const)}
            onChange={(text) =>
              change(preferences.map((each) => (each.label === label ? { label, weight: Number(text) } : each)))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

// The tiers of an offer, as they are written: each has a name, a price, and says how it is billed.

interface TiersProps {
  tiers: readonly TierDraft[];
  change: (tiers: readonly TierDraft[]) => void;
  error: MeshworkError | null;
}

const NAME_MAX = 80;
const BLANK: TierDraft = { id: undefined, name: '', amount: '', billing: 'one_time' };

function Tiers({ tiers, change, error }: TiersProps): JSX.Element {
  const { market, selling } = words;
  const problem = problemOf(error, 'conditions.tiers');
  const set = (at: number, part: Partial<TierDraft>): void =>
    change(tiers.map((tier, n) => (n === at ? { ...tier, ...part } : tier)));
  return (
    <fieldset class="group">
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

interface FormProps {
  draft: Draft;
  change: (draft: Draft) => void;
  error: MeshworkError | null;
  /** Only what can be sold may be said. */
  sells?: boolean;
}

/** The amount has a line of its own. */
const ELSEWHERE = ['price_cents'];

function Kind({ draft, change, sells = false }: FormProps): JSX.Element {
  const { listings } = words;
  const taxonomy = useRead('listing.taxonomy', {});
  const entries = taxonomy.state === 'ready' ? taxonomy.value : [];
  const { card_type, direction, subcategory } = draft;
  const sides = sells ? (['offer'] as const) : directionsOf(card_type);
  const types = CARD_TYPES.filter((each) => !sells || directionsOf(each).includes('offer'));
  const kinds = entries.filter((each) => each.card_type === card_type);
  return (
    <div class="columns">
      <Choice
        label={listings.type}
        value={card_type}
        options={types.map((each) => [each, listings.types[each]] as const)}
        onChange={(type) =>
          change({
            ...draft,
            card_type: type,
            direction: sells ? 'offer' : directionsOf(type)[0],
            subcategory: '',
            fields: {},
          })
        }
      />
      {sides.length > 1 && (
        <Choice
          label={listings.direction}
          value={direction}
          options={sides.map((each) => [each, listings.directions[each]] as const)}
          onChange={(side) => change({ ...draft, direction: side })}
        />
      )}
      <Choice
        label={listings.subcategory}
        value={subcategory}
        options={[
          ['', listings.subcategoryNone],
          ...kinds.map((each) => [each.subcategory, kindText(each.label, words.taxonomy)] as const),
        ]}
        onChange={(kind) => change({ ...draft, subcategory: kind, fields: {} })}
      />
    </div>
  );
}

function Details({ draft, change, error }: FormProps): JSX.Element | null {
  const { listings } = words;
  const taxonomy = useRead('listing.taxonomy', {});
  const entry = taxonomy.state === 'ready' && taxonomy.value.find((each) => each.subcategory === draft.subcategory);
  if (!entry) return null;
  return (
    <fieldset class="group">
      <legend>{listings.details}</legend>
      <p class="quiet">{listings.detailsHint}</p>
      <SchemaFields
        schema={entry.fields}
        said={draft.fields}
        say={(fields) => change({ ...draft, fields })}
        error={error}
        without={ELSEWHERE}
      />
    </fieldset>
  );
}

/** How long the agent compares offers. */
function DecideWithin({ draft, change }: Pick<FormProps, 'draft' | 'change'>): JSX.Element {
  const { listings } = words;
  return (
    <Choice
      label={listings.decideWithin}
      value={decideTime(draft)}
      options={decideTimes(draft).map((hours) => [hours, listings.decideHours(Number(hours))] as const)}
      onChange={(decide_within) => change({ ...draft, decide_within })}
    />
  );
}

function Amount({ draft, change, error }: FormProps): JSX.Element {
  const { listings } = words;
  const offers = draft.direction === 'offer';
  return (
    <>
      <div class="columns">
        <Field
          label={offers ? listings.price : listings.budget}
          name={offers ? 'price_cents' : 'budget_cents'}
          value={draft.amount}
          onInput={(amount) => change({ ...draft, amount })}
          error={error}
          mode="decimal"
        />
        <Choice
          label={listings.period}
          value={draft.price_period}
          options={PRICE_PERIODS.map((each) => [each, listings.periods[each]] as const)}
          onChange={(price_period) => change({ ...draft, price_period })}
        />
      </div>
      <DecideWithin draft={draft} change={change} />
    </>
  );
}

export function ListingFields({ draft, change, error, sells = false }: FormProps): JSX.Element {
  const { listings } = words;
  return (
    <>
      <Kind draft={draft} change={change} error={error} sells={sells} />
      <Field
        label={listings.headline}
        name="headline"
        value={draft.headline}
        onInput={(headline) => change({ ...draft, headline })}
        error={error}
        maxLength={140}
      />
      <LabelsField
        label={listings.labels}
        name="labels"
        chosen={draft.labels}
        choose={(labels) => change({ ...draft, labels })}
        error={error}
      />
      <Amount draft={draft} change={change} error={error} />
      {draft.direction === 'offer' && (
        <Tiers tiers={draft.tiers} change={(tiers) => change({ ...draft, tiers })} error={error} />
      )}
      <Field
        label={listings.description}
        name="description"
        value={draft.description}
        onInput={(description) => change({ ...draft, description })}
        error={error}
        rows={5}
        maxLength={5000}
      />
      <Field
        label={listings.place}
        hint={listings.placeHint}
        name="geo"
        value={draft.geo}
        onInput={(geo) => change({ ...draft, geo })}
        error={error}
        maxLength={200}
      />
      <Field
        label={listings.dealbreakers}
        hint={listings.dealbreakersHint}
        name="conditions"
        value={draft.dealbreakers}
        onInput={(dealbreakers) => change({ ...draft, dealbreakers })}
        error={error}
        rows={2}
      />
      <Preferences
        preferences={draft.preferences}
        change={(preferences) => change({ ...draft, preferences })}
        error={error}
      />
      <Details draft={draft} change={change} error={error} />
    </>
  );
}
