// The acting agent's services with prices, tiers and missing fields; and a form for another.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { LISTED_TIER_ID } from '../../../domain/listing/conditions.ts';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/field.tsx';
import { money } from '../../parts/format.ts';
import { Facts, More, PlanFees, Section } from '../../parts/show.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { useAct, usePages, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { agent } from '../../session.ts';
import { kindText } from '../../words/taxonomy.ts';
import { words } from '../../words/words.ts';
import { Standing } from '../agents.tsx';
import { BLANK, hasAmount, inputOf, type OwnListing } from '../listing/draft.ts';
import { ListingFields } from '../listing/form.tsx';
import { Lacks, ListingDeeds } from '../listing/gates.tsx';
import { PreviewPart } from '../listing/preview.tsx';
import { ListingBadges, priceText } from '../listings.tsx';
import { RecordPart } from '../people.tsx';
import { Checkout } from './checkout.tsx';
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

/** The page that resolves why an agent may not sell. */
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

/** A new service with a preview of its matches. */
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

// A service: description, seller, tiers, and the price for the reader.

type Listing = Output<'listing.read'>;

function About({ of }: { of: Listing }): JSX.Element {
  const { market, listings } = words;
  const { description, labels, geo, card_type, subcategory } = of;
  const taxonomy = useRead('listing.taxonomy', {});
  const entries = taxonomy.state === 'ready' ? taxonomy.value : [];
  const label = entries.find((each) => each.subcategory === subcategory)?.label;
  const kind = label === undefined ? listings.types[card_type] : kindText(label, words.taxonomy);
  return (
    <Section title={market.about}>
      {description !== '' && (
        <p class="said-plain" dir="auto">
          {description}
        </p>
      )}
      <ul class="chips">
        {labels.map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
      <Facts of={[[listings.subcategory, kind] as const, ...(geo === null ? [] : [[listings.place, geo] as const])]} />
    </Section>
  );
}

/** The first quote: a tier with a fixed price, else the listing itself. */
function firstOf({ conditions }: Listing): string {
  const talked = new Set(['hourly', 'per_unit']);
  return conditions.tiers.find(({ billing }) => !talked.has(billing))?.id ?? LISTED_TIER_ID;
}

/** The choice of its tiers and, if any, its own price. */
function Choices({
  of,
  chosen,
  choose,
}: {
  of: Listing;
  chosen: string;
  choose: (tier_id: string) => void;
}): JSX.Element | null {
  const { market } = words;
  const { handle, id: slug } = of;
  const quote = useRead('marketplace.quote', { handle, slug, tier_id: firstOf(of) });
  const fixed = quote.state === 'ready' ? quote.value.choices : [];
  const own = fixed
    .filter(({ tier_id }) => tier_id === LISTED_TIER_ID)
    .map(({ tier_id, price_cents, billing }) => ({ id: tier_id, name: market.listed, price_cents, billing }));
  return (
    <Section title={market.choose}>
      <fieldset class="choices tiers">
        <legend class="hidden">{market.chooseOne}</legend>
        {[...own, ...of.conditions.tiers].map(({ id, name, price_cents, billing }) => (
          <label key={id} class="check">
            <input type="radio" name="tier" value={id} checked={id === chosen} onChange={() => choose(id)} />
            <span class="tier-name" dir="auto">
              {name}
            </span>
            <span class="tier-price">
              <strong>{money(price_cents)}</strong> <span class="quiet">{market.billings[billing]}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Section>
  );
}

function Seller({ handle }: { handle: string }): JSX.Element {
  const { market } = words;
  const read = useRead('agent.public', { handle });
  return (
    <Section title={market.seller}>
      <Loaded of={read}>
        {({ display_name, headline, verified, trust }) => (
          <>
            <p>
              <strong dir="auto">{display_name}</strong> <span class="handle">@{handle}</span>
            </p>
            {headline !== '' && <p dir="auto">{headline}</p>}
            <p>
              <Standing verified={verified} score={trust.score} />
            </p>
            <p>
              <Link href={`/people/${handle}`}>{market.profile}</Link>
            </p>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Whole({ of }: { of: Listing }): JSX.Element {
  const { market, home } = words;
  const { tiers } = of.conditions;
  const [chosen, setChosen] = useState(firstOf(of));
  return (
    <div class="stall">
      <div>
        <About of={of} />
        {tiers.length > 0 && agent.value !== undefined && <Choices of={of} chosen={chosen} choose={setChosen} />}
      </div>
      <div class="till">
        {agent.value === undefined ? (
          <Empty text={market.nobody} href="/onboarding#handle" action={home.createAgent} />
        ) : (
          <Checkout bought={{ handle: of.handle, listing_id: of.id }} tier_id={chosen} />
        )}
      </div>
      <div>
        <Seller handle={of.handle} />
        <RecordPart handle={of.handle} />
      </div>
    </div>
  );
}

/** The service in the URL, by seller and listing id. */
export function ServiceScreen({
  params: { handle = '', id = '' },
}: {
  params: { handle?: string | undefined; id?: string | undefined };
}): JSX.Element {
  const { market, common } = words;
  const read = useRead('listing.read', { handle, cardId: id });
  return (
    <>
      <p>
        <Link href="/market">{common.back}</Link>
      </p>
      <h1 tabIndex={-1} dir="auto">
        {read.state === 'ready' ? read.value.headline : market.service}
      </h1>
      <Loaded of={read}>{(of) => <Whole key={of.id} of={of} />}</Loaded>
    </>
  );
}
