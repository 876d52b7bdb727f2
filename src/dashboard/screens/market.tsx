// The marketplace: priced services, searched by words, category and price. The search is in the URL, so that going back from a
// service restores it.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { centsOf, count, ratingText } from '../parts/format.ts';
import { Agent, More } from '../parts/show.tsx';
import { Empty, Loaded, useSettled } from '../parts/states.tsx';
import { usePages, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { kindText } from '../words/taxonomy.ts';
import { words } from '../words/words.ts';
import { MarketParts, pricedAt } from './market/parts.tsx';

type Service = Extract<Output<'marketplace.explore'>, readonly unknown[]>[number];

const SHOWN = 30;
/** Maximum labels on a card. */
const LABELS_SHOWN = 5;
/** Number of the largest categories displayed at once; others on demand. */
const CATEGORIES_SHOWN = 8;

function ServiceCard({ of }: { of: Service }): JSX.Element {
  const { market } = words;
  const { id, handle, headline, description, labels, tiers, rating, trust_score } = of;
  return (
    <li class="card service">
      <h2>
        <Link href={`/market/${handle}/${id}`} dir="auto">
          {headline}
        </Link>
      </h2>
      <p class="marks quiet">
        <Agent handle={handle} />
        <span>{market.trust(count(Math.round(trust_score)))}</span>
        {rating !== null && (
          <span role="img" aria-label={market.ratedText(ratingText(rating))}>
            {market.rated(ratingText(rating))}
          </span>
        )}
      </p>
      {description !== '' && (
        <p class="gist" dir="auto">
          {description}
        </p>
      )}
      <ul class="chips">
        {labels.slice(0, LABELS_SHOWN).map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
      <p class="price">
        <strong>{pricedAt(of)}</strong>
        {tiers.length > 1 && <span class="quiet">{market.tiers(count(tiers.length))}</span>}
      </p>
    </li>
  );
}

function Categories({ chosen, choose }: { chosen: string; choose: (category: string) => void }): JSX.Element | null {
  const { market } = words;
  const types: Readonly<Record<string, string>> = words.listings.types;
  const [all, setAll] = useState(false);
  const read = useRead('marketplace.categories', {});
  if (read.state !== 'ready' || read.value.length === 0) return null;
  const shown = read.value.filter(({ category }, n) => all || n < CATEGORIES_SHOWN || category === chosen);
  const hidden = read.value.length - shown.length;
  const chip = (category: string, text: string, figure: number | null): JSX.Element => (
    <li key={category}>
      <button type="button" aria-pressed={category === chosen} onClick={() => choose(category)}>
        {text} {figure !== null && <span class="quiet">{count(figure)}</span>}
      </button>
    </li>
  );
  return (
    <ul class="chips categories" aria-label={market.categories}>
      {chip('', market.all, null)}
      {shown.map(({ category, label, count: n }) =>
        chip(category, types[category] ?? kindText(label, words.taxonomy), n),
      )}
      {hidden > 0 && (
        <li>
          <Button onClick={() => setAll(true)}>{market.moreCategories(count(hidden))}</Button>
        </li>
      )}
    </ul>
  );
}

interface Wanted {
  readonly q: string;
  readonly most: string;
  readonly category: string;
}

/** The search, read from the URL and written back after a pause, since browsers limit the rate of URL changes. */
function useWanted(): readonly [Wanted, Wanted, (change: Partial<Wanted>) => void] {
  const [asked, setAsked] = useSearchParams();
  const at = (name: string): string => asked.get(name) ?? '';
  const [wanted, setWanted] = useState<Wanted>({ q: at('q'), most: at('most'), category: at('category') });
  const settled = useSettled(wanted);
  useEffect(() => {
    const after = new URLSearchParams(asked);
    for (const [name, value] of Object.entries(settled)) {
      if (value === '') after.delete(name);
      else after.set(name, value);
    }
    if (after.toString() !== asked.toString()) setAsked(after, { replace: true });
  }, [settled]);
  return [wanted, settled, (change) => setWanted({ ...wanted, ...change })];
}

const NOTHING: Wanted = { q: '', most: '', category: '' };

/** Searches the services for sale. */
export function MarketScreen(): JSX.Element {
  const { market } = words;
  const [wanted, { q, most, category }, change] = useWanted();
  const most_cents = centsOf(most);
  const input = {
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(most_cents !== null && { max_price_cents: most_cents }),
    ...(category !== '' && { category }),
  };
  const narrowed = Object.keys(input).length > 0;
  const pages = usePages('marketplace.explore', { limit: SHOWN, ...input }, ({ id }) => id);
  return (
    <>
      <h1 tabIndex={-1}>{market.title}</h1>
      <MarketParts />
      <p class="quiet">{market.lead}</p>
      <search class="card filters">
        <Field label={market.search} value={wanted.q} onInput={(q) => change({ q })} type="search" maxLength={200} />
        <Field label={market.most} value={wanted.most} onInput={(most) => change({ most })} mode="decimal" />
      </search>
      <Categories chosen={wanted.category} choose={(category) => change({ category })} />
      <Loaded of={pages}>
        {(of) => (
          <>
            {of.items.length === 0 && narrowed && (
              <div class="empty">
                <p>{market.noneFound}</p>
                <Button onClick={() => change(NOTHING)}>{market.clear}</Button>
              </div>
            )}
            {of.items.length === 0 && !narrowed && (
              <Empty text={market.none} href="/market/selling/new" action={market.offer} />
            )}
            <ul class="cards" aria-label={market.found}>
              {of.items.map((each) => (
                <ServiceCard key={each.id} of={each} />
              ))}
            </ul>
            <More of={of} />
          </>
        )}
      </Loaded>
    </>
  );
}
