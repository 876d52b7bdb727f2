// What the acting agent sells: each service with its price, its tiers and what it lacks; and offering another.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/field.tsx';
import { money } from '../../parts/format.ts';
import { PlanFees } from '../../parts/plan-fees.tsx';
import { More } from '../../parts/show.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { useAct, usePages } from '../../resource.ts';
import { words } from '../../words/words.ts';
import { ListingDeeds } from '../listing/deeds.tsx';
import { BLANK, hasAmount, inputOf, type OwnListing } from '../listing/draft.ts';
import { ListingFields } from '../listing/form.tsx';
import { Lacks } from '../listing/gates.tsx';
import { PreviewPart } from '../listing/preview.tsx';
import { ListingBadges, priceText } from '../listings.tsx';
import { MarketParts } from './parts.tsx';

const SHOWN = 30;

function ServiceCard({ own }: { own: OwnListing }): JSX.Element {
  const { listings, market, selling } = words;
  const { id, handle, headline, status, completeness, conditions } = own;
  return (
    <li class="card service">
      <h2>
        <Link href={`/listings/${id}`} dir="auto">
          {headline === '' ? listings.untitled : headline}
        </Link>
      </h2>
      <p class="marks">
        <ListingBadges of={own} />
        <strong>{priceText(own)}</strong>
      </p>
      {conditions.tiers.length > 0 && (
        <ul class="clauses" aria-label={selling.tiers}>
          {conditions.tiers.map((tier) => (
            <li key={tier.id}>
              <span dir="auto">{tier.name}</span>{' '}
              <span class="quiet">
                {money(tier.price_cents)} {market.billings[tier.billing]}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Lacks of={completeness} />
      {status === 'live' && (
        <p>
          <Link href={`/market/${handle}/${id}`}>{selling.asSeen}</Link>
        </p>
      )}
      <ListingDeeds own={own}>
        <Link class="button" href={`/listings/${id}`}>
          {selling.change}
        </Link>
      </ListingDeeds>
    </li>
  );
}

/** The services of the acting agent. */
export function SellingScreen(): JSX.Element {
  const { selling } = words;
  const pages = usePages('marketplace.my_listings', { limit: SHOWN }, ({ id }) => id);
  return (
    <>
      <h1 tabIndex={-1}>{selling.title}</h1>
      <MarketParts />
      <div class="lead">
        <p>{selling.lead}</p>
        <Link class="button main" href="/market/selling/new">
          {words.market.offer}
        </Link>
      </div>
      <Loaded of={pages}>
        {(of) => {
          const sold = of.items.filter(({ direction }) => direction === 'offer');
          return (
            <>
              {sold.length === 0 && of.more === null && (
                <Empty text={selling.none} href="/market/selling/new" action={words.market.offer} />
              )}
              <ul class="cards">
                {sold.map((own) => (
                  <ServiceCard key={own.id} own={own} />
                ))}
              </ul>
              <More of={of} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Where somebody goes who may not sell yet, or no more. */
function WayOn({ code }: { code: string }): JSX.Element | null {
  const { agents, checkout } = words;
  if (code === 'verification_required') {
    return (
      <p>
        <Link href="/onboarding#verification">{agents.verify}</Link>
      </p>
    );
  }
  if (code === 'plan_limit') {
    return (
      <p>
        <Link href="/billing">{checkout.next.plan}</Link>
      </p>
    );
  }
  return null;
}

/** Another service, with whom it would meet beside it. */
export function NewServiceScreen(): JSX.Element {
  const { market, selling } = words;
  const create = useAct('marketplace.create');
  const [draft, setDraft] = useState(BLANK);
  const [, go] = useLocation();
  const make = async (): Promise<void> => {
    if (await create.run(inputOf(draft))) go('/market/selling');
  };
  return (
    <>
      <p>
        <Link href="/market/selling">{words.common.back}</Link>
      </p>
      <h1 tabIndex={-1}>{market.offer}</h1>
      <div class="beside">
        <section class="card" aria-label={market.offer}>
          <p class="quiet">{selling.newWhy}</p>
          <PlanFees />
          <Form onSubmit={make}>
            <ListingFields sells draft={draft} change={setDraft} error={create.error} />
            <Button main submit busy={create.busy} disabled={!hasAmount(draft)}>
              {selling.go}
            </Button>
            {create.error && (
              <>
                <Failure error={create.error} />
                <WayOn code={create.error.code} />
              </>
            )}
          </Form>
        </section>
        <PreviewPart draft={draft} />
      </div>
    </>
  );
}
