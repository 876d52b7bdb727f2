// The intake: two short forms, for offers and needs, with a preview of the best matches. With one side only, the listings stay
// unpublished until the person is verified.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MeshworkError } from '../../../client/error.ts';
import { Button } from '../../parts/button.tsx';
import { Check, Field, Form, LabelsField } from '../../parts/field.tsx';
import { centsOf, count } from '../../parts/format.ts';
import { FoundList, usePreview } from '../../parts/preview.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import type { Input, Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type Side = 'offers' | 'seeks';

interface Item {
  readonly key: number;
  readonly headline: string;
  readonly labels: readonly string[];
  readonly amount: string;
}

interface Place {
  readonly text: string;
  readonly remote: boolean;
}

const ITEMS_MAX = 20;
const SHOWN_MAX = 5;
/** Shorter texts are too vague for matching. */
const HEADLINE_MIN = 3;
const BLANK = { headline: '', labels: [], amount: '' } as const;
const FIRST: readonly Item[] = [{ ...BLANK, key: 0 }];

/** The location as typed. */
const geoOf = ({ text, remote }: Place): string => [text.trim(), remote ? 'Remote' : ''].filter(Boolean).join(', ');

/** An entry as a listing. */
function listingOf(side: Side, { headline, labels, amount }: Item, place: Place): Input<'match.preview'> {
  const cents = centsOf(amount);
  const geo = geoOf(place);
  return {
    ...(side === 'offers'
      ? { card_type: 'selling', direction: 'offer', ...(cents && { price_cents: cents }) }
      : { card_type: 'buying', direction: 'seek', ...(cents && { budget_cents: cents }) }),
    headline: headline.trim(),
    labels: [...labels],
    ...(geo !== '' && { geo }),
  };
}

/** The best matches of the draft; a failed preview does not block the form. */
function Live({ of }: { of: Input<'match.preview'> }): JSX.Element {
  const { onboarding } = words;
  const begun = (of.headline ?? '').length >= HEADLINE_MIN;
  const { preview, shown } = usePreview(begun ? of : null);
  const matches = shown?.matches.slice(0, SHOWN_MAX) ?? [];
  return (
    <aside
      class="live"
      aria-label={onboarding.live}
      aria-live="polite"
      aria-busy={begun && preview.state === 'loading'}
    >
      <h3>{onboarding.live}</h3>
      {matches.length > 0 ? (
        <FoundList of={matches} />
      ) : (
        <p class="quiet">{begun && preview.state !== 'loading' ? onboarding.liveNone : onboarding.liveLead}</p>
      )}
    </aside>
  );
}

interface ItemProps {
  side: Side;
  at: number;
  item: Item;
  change: (part: Partial<Item>) => void;
  error: MeshworkError | null;
}

function ItemFields({ side, at, item, change, error }: ItemProps): JSX.Element {
  const { onboarding } = words;
  const offers = side === 'offers';
  return (
    <>
      <Field
        label={onboarding.itemTitle}
        name={`${side}.${at}.headline`}
        value={item.headline}
        onInput={(headline) => change({ headline })}
        error={error}
        maxLength={140}
        required
      />
      <LabelsField
        label={onboarding.itemLabels}
        name={`${side}.${at}.labels`}
        chosen={item.labels}
        choose={(labels) => change({ labels })}
        error={error}
        required
      />
      <Field
        label={offers ? onboarding.price : onboarding.budget}
        hint={offers ? onboarding.priceHint : onboarding.budgetHint}
        name={`${side}.${at}.${offers ? 'price_cents' : 'budget_cents'}`}
        value={item.amount}
        onInput={(amount) => change({ amount })}
        error={error}
        mode="decimal"
      />
    </>
  );
}

/** Editable templates. */
function Examples({ side, take }: { side: Side; take: (part: Partial<Item>) => void }): JSX.Element {
  const { onboarding } = words;
  const all = side === 'offers' ? onboarding.offerExamples : onboarding.seekExamples;
  return (
    <div class="examples">
      <p class="quiet">{onboarding.examples}</p>
      <ul class="chips" aria-label={onboarding.examples}>
        {all.map(({ title, ...item }) => (
          <li key={title}>
            <Button onClick={() => take(item)}>{title}</Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface SideProps {
  side: Side;
  items: readonly Item[];
  change: (items: readonly Item[]) => void;
  place: Place;
  error: MeshworkError | null;
}

/** One side's entries, with matches of the last edited one. */
function Items({ side, items, change, place, error }: SideProps): JSX.Element {
  const { onboarding } = words;
  const [touched, setTouched] = useState(0);
  const now = Math.min(touched, items.length - 1);
  const set = (at: number, part: Partial<Item>): void => {
    setTouched(at);
    change(items.map((item, n) => (n === at ? { ...item, ...part } : item)));
  };
  const add = (): void => {
    setTouched(items.length);
    change([...items, { ...BLANK, key: Math.max(...items.map(({ key }) => key)) + 1 }]);
  };
  return (
    <div class="beside">
      <div>
        <Examples side={side} take={(part) => set(now, part)} />
        {items.map((item, at) => (
          <div key={item.key} class="item">
            <ItemFields side={side} at={at} item={item} change={(part) => set(at, part)} error={error} />
            {items.length > 1 && (
              <Button
                label={item.headline.trim() === '' ? onboarding.removeBlank : onboarding.removeItem(item.headline)}
                onClick={() => change(items.filter((_, n) => n !== at))}
              >
                {onboarding.removeBlank}
              </Button>
            )}
          </div>
        ))}
        {items.length < ITEMS_MAX && (
          <Button onClick={add}>{side === 'offers' ? onboarding.addOffer : onboarding.addSeek}</Button>
        )}
      </div>
      <Live of={listingOf(side, items[now] ?? { ...BLANK, key: 0 }, place)} />
    </div>
  );
}

interface PlaceProps {
  place: Place;
  change: (place: Place) => void;
  error: MeshworkError | null;
}

function PlaceFields({ place, change, error }: PlaceProps): JSX.Element {
  const { onboarding } = words;
  return (
    <>
      <Field
        label={onboarding.place}
        hint={onboarding.placeHint}
        name="geo"
        value={place.text}
        onInput={(text) => change({ ...place, text })}
        error={error}
        maxLength={180}
      />
      <Check label={onboarding.remote} checked={place.remote} onChange={(remote) => change({ ...place, remote })} />
    </>
  );
}

/** The published listings and their matches. */
export type Told = Pick<Output<'onboarding.intake'>, 'listings' | 'matches'>;

/** Submits both sides, or one, whose listings are stored until they may be published. */
function usePublish(verified: boolean) {
  const intake = useAct('onboarding.intake');
  const create = useAct('listing.create', { quiet: true });
  const both = (offers: readonly Item[], seeks: readonly Item[], place: Place): Promise<Told | null> => {
    const item = (side: Side) => (each: Item) => {
      const { card_type: _type, direction: _side, headline = '', labels = [], ...rest } = listingOf(side, each, place);
      return { ...rest, headline, labels };
    };
    const geo = geoOf(place);
    return intake.run({
      offers: offers.map(item('offers')),
      seeks: seeks.map(item('seeks')),
      ...(geo !== '' && { geo }),
    });
  };
  const one = async (side: Side, items: readonly Item[], place: Place): Promise<Told | null> => {
    const listings: Told['listings'] = [];
    for (const item of items) {
      const made = await create.run({ ...listingOf(side, item, place), active: verified });
      if (!made) return null;
      listings.push(made);
    }
    return { listings, matches: [] };
  };
  return { both, one, busy: intake.busy || create.busy, error: intake.error ?? create.error };
}

interface IntakeProps {
  verified: boolean;
  told: (result: Told) => void;
}

export function IntakeForms({ verified, told }: IntakeProps): JSX.Element {
  const { onboarding } = words;
  const [side, setSide] = useState<Side>('offers');
  const [skipped, setSkipped] = useState(false);
  const [offers, setOffers] = useState(FIRST);
  const [seeks, setSeeks] = useState(FIRST);
  const [place, setPlace] = useState<Place>({ text: '', remote: true });
  const publishing = usePublish(verified);
  const { error, busy } = publishing;
  const finish = async (result: Promise<Told | null>): Promise<void> => {
    const made = await result;
    if (made) told(made);
  };
  const skip = (is: boolean): void => {
    setSkipped(is);
    setSide('seeks');
  };
  if (side === 'offers') {
    return (
      <Form key="offers" onSubmit={() => skip(false)}>
        <h3>{onboarding.offers}</h3>
        <p class="quiet">{onboarding.part(count(1), count(2))}</p>
        <Items side="offers" items={offers} change={setOffers} place={place} error={error} />
        <PlaceFields place={place} change={setPlace} error={error} />
        <div class="buttons">
          <Button main submit>
            {onboarding.next}
          </Button>
          <Button onClick={() => skip(true)}>{onboarding.onlySeek}</Button>
        </div>
      </Form>
    );
  }
  const publish = (): Promise<void> =>
    finish(skipped ? publishing.one('seeks', seeks, place) : publishing.both(offers, seeks, place));
  return (
    <Form key="seeks" onSubmit={publish}>
      <h3>{onboarding.seeks}</h3>
      <p class="quiet">{onboarding.part(count(2), count(2))}</p>
      <Items side="seeks" items={seeks} change={setSeeks} place={place} error={error} />
      {skipped && <PlaceFields place={place} change={setPlace} error={error} />}
      <div class="buttons">
        <Button main submit busy={busy}>
          {onboarding.publish}
        </Button>
        <Button onClick={() => setSide('offers')}>{onboarding.back}</Button>
        {!skipped && (
          <Button onClick={() => finish(publishing.one('offers', offers, place))}>{onboarding.onlyOffer}</Button>
        )}
      </div>
      {error && <Failure error={error} />}
    </Form>
  );
}
