// The form of a listing. What may be said depends on its kind: the service tells which kinds there are and what each may say.
import type { JSX } from 'preact';
import type { MeshworkError } from '../../../client/error.ts';
import { CARD_TYPES, directionsOf } from '../../../domain/listing/listing.ts';
import { PRICE_PERIODS } from '../../../domain/listing/price.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { LabelsField } from '../../parts/labels-field.tsx';
import { SchemaFields } from '../../parts/schema-fields.tsx';
import { useRead } from '../../resource.ts';
import { words } from '../../words/words.ts';
import type { Draft } from './draft.ts';
import { Preferences } from './preferences.tsx';
import { Tiers } from './tiers.tsx';

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
        options={[['', listings.subcategoryNone], ...kinds.map((each) => [each.subcategory, each.label] as const)]}
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
    <fieldset class="side">
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

function Amount({ draft, change, error }: FormProps): JSX.Element {
  const { listings } = words;
  const offers = draft.direction === 'offer';
  return (
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
