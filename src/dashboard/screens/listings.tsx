// The listings of the acting agent, in every state, with what each still lacks.
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { money } from '../parts/format.ts';
import { Badge, More, Time } from '../parts/show.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { usePages } from '../resource.ts';
import { words } from '../words/words.ts';
import type { OwnListing } from './listing/draft.ts';
import { Lacks } from './listing/gates.tsx';

const SHOWN = 30;

const TONES = {
  draft: 'plain',
  live: 'good',
  inactive: 'plain',
  pending_verification: 'wait',
  pending_review: 'wait',
} as const;

export function ListingBadges({ of: { direction, status } }: { of: OwnListing }): JSX.Element {
  const { listings } = words;
  return (
    <>
      <Badge>{listings.directions[direction]}</Badge>
      <Badge tone={TONES[status]}>{listings.statuses[status]}</Badge>
    </>
  );
}

export function priceText({ direction, price_cents, budget_cents, price_period }: OwnListing): string {
  const { listings } = words;
  const cents = direction === 'offer' ? price_cents : budget_cents;
  if (cents === null) return listings.noPrice;
  return price_period === 'once' ? money(cents) : listings.perPeriod(money(cents), listings.periods[price_period]);
}

function ListingCard({ of }: { of: OwnListing }): JSX.Element {
  const { listings } = words;
  const { id, headline, labels, completeness, updated_at } = of;
  return (
    <li class="card">
      <h2>
        <Link href={`/listings/${id}`} dir="auto">
          {headline === '' ? listings.untitled : headline}
        </Link>
      </h2>
      <p class="marks">
        <ListingBadges of={of} />
        <strong>{priceText(of)}</strong>
      </p>
      <Lacks of={completeness} />
      {labels.length > 0 && (
        <ul class="chips">
          {labels.map((label) => (
            <li key={label}>{label}</li>
          ))}
        </ul>
      )}
      <p class="quiet">
        {listings.changed} <Time at={updated_at} />
      </p>
    </li>
  );
}

export function ListingsScreen(): JSX.Element {
  const { listings } = words;
  const pages = usePages('listing.mine', { limit: SHOWN }, ({ id }) => id);
  return (
    <>
      <h1 tabIndex={-1}>{listings.title}</h1>
      <div class="lead">
        <p>{listings.lead}</p>
        <Link class="button main" href="/listings/new">
          {listings.make}
        </Link>
      </div>
      <Loaded of={pages}>
        {(of) =>
          of.items.length === 0 ? (
            <Empty text={listings.none} href="/listings/new" action={listings.make} />
          ) : (
            <>
              <ul class="cards">
                {of.items.map((each) => (
                  <ListingCard key={each.id} of={each} />
                ))}
              </ul>
              <More of={of} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
