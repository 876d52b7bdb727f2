// The quote of a choice and its checkout: states what leaves the wallet, and what happens to it, before the payment.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { MeshworkError } from '../../../client/error.ts';
import type { Yes } from '../../final.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field } from '../../parts/field.tsx';
import { count, date, money } from '../../parts/format.ts';
import { Badge, Facts, Section, Sums } from '../../parts/show.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { agent } from '../../session.ts';
import { words } from '../../words/words.ts';
import { BOUNDS_PLACE } from '../agent/own.ts';
import { periodText } from './parts.tsx';

// Why a purchase is not possible, in the app's texts, and the page that resolves it.

interface Bought {
  readonly handle: string;
  readonly listing_id: string;
}

/** A refusal, of the quote or of the purchase. */
interface Refusal {
  readonly error: string;
  readonly message: string;
  /** The amount missing in the wallet. */
  readonly shortfall_cents?: number | undefined;
}

/** The page that resolves a refusal; after adding money one comes back to `here`. */
function nextOf(
  { error, shortfall_cents = 0 }: Refusal,
  { handle, listing_id }: Bought,
  here: string,
): readonly [href: string, text: string] | null {
  const { next } = words.checkout;
  const back = `back=${encodeURIComponent(here)}`;
  const fund = [`/wallet?${shortfall_cents > 0 ? `amount_cents=${shortfall_cents}&` : ''}${back}`, next.fund] as const;
  const seller = [`/people/${handle}`, next.seller] as const;
  const others = ['/market', next.others] as const;
  const own = [`/listings/${listing_id}`, next.own] as const;
  const ways: Readonly<Record<string, readonly [string, string]>> = {
    payment_required: fund,
    account_restricted: fund,
    verification_required: ['/onboarding#verification', next.verify],
    spending_limit: ['/payouts', next.limit],
    outside_bounds: [`/agents/${agent.value ?? ''}#${BOUNDS_PLACE}`, next.bounds],
    own_listing: own,
    own_agent: own,
    no_fixed_price: seller,
    blocked: seller,
    seller_cannot_be_paid: others,
    not_found: others,
    plan_limit: ['/billing', next.plan],
  };
  return ways[error] ?? null;
}

/** The refusal; `charged` says that a purchase was attempted and nothing was paid. */
function Refused({ of, bought, tried }: { of: Refusal; bought: Bought; tried?: boolean }): JSX.Element {
  const { checkout } = words;
  const { error, message, shortfall_cents } = of;
  const [here] = useLocation();
  const next = nextOf(of, bought, here);
  return (
    <div class={tried ? 'failure' : 'notice'} role={tried ? 'alert' : 'status'}>
      <p>
        <strong>{checkout.refusals[error] ?? message}</strong>
      </p>
      {shortfall_cents !== undefined && <p>{checkout.short(money(shortfall_cents))}</p>}
      {tried && <p>{checkout.nothingCharged}</p>}
      {next && (
        <p>
          <Link class="button main" href={next[0]}>
            {next[1]}
          </Link>
        </p>
      )}
    </div>
  );
}

type Quote = Output<'marketplace.quote'>;

const NOTE_MAX = 2_000;
const PERIODS = { one_time: 'once', weekly: 'week', monthly: 'month' } as const;

/** A refused purchase in the service's own words; any other error is displayed as a failure. */
export function RefusedBy({ error, of, tried }: { error: MeshworkError; of: Bought; tried?: boolean }): JSX.Element {
  if (words.checkout.refusals[error.code] === undefined) return <Failure error={error} />;
  const { shortfall_cents } = (error.body['payment_required'] ?? {}) as { readonly shortfall_cents?: number };
  const refusal = { error: error.code, message: error.message, shortfall_cents };
  return <Refused of={refusal} bought={of} tried={tried ?? false} />;
}

/** Gross, fee and net. */
function sumOf({ price_cents, fee_cents, net_cents }: Quote) {
  return { amount_cents: price_cents, fee_cents, net_cents };
}

/** What happens to the money under the quote's terms. */
function Terms({ of: { handle, billing, terms } }: { of: Quote }): JSX.Element {
  const { checkout } = words;
  const { auto_release_after_days: days, expires_at } = terms;
  const seller = `@${handle}`;
  const said =
    billing === 'one_time'
      ? [
          checkout.held(seller),
          days === null ? checkout.heldForEver : checkout.heldDays(count(days)),
          expires_at !== null && checkout.heldUntil(date(expires_at)),
        ]
      : [checkout.first, checkout.direct(seller)];
  return (
    <>
      <h3>{checkout.terms}</h3>
      <ul class="clauses">
        {said.filter(Boolean).map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </>
  );
}

/** The wallet before and after. */
function Leaves({ cents }: { cents: number }): JSX.Element | null {
  const { checkout } = words;
  const wallet = useRead('wallet.read', {});
  if (wallet.state !== 'ready') return null;
  const { balance_cents } = wallet.value;
  const facts: (readonly [string, ComponentChildren])[] = [
    [checkout.payer, `@${agent.value}`],
    [checkout.has, money(balance_cents)],
  ];
  if (balance_cents >= cents) facts.push([checkout.left, money(balance_cents - cents)]);
  return <Facts of={facts} />;
}

/** Pays once into an escrow and opens it; never more than quoted. After a refusal the quote is read again. */
function Buy({ of, again }: { of: Quote; again: () => void }): JSX.Element {
  const { checkout } = words;
  const buy = useAct('marketplace.call');
  const [note, setNote] = useState('');
  const [, go] = useLocation();
  const { listing_id: service_id, tier_id, price_cents } = of;
  const seller = `@${of.handle}`;
  const press = async (yes: Yes): Promise<void> => {
    const said = note.trim();
    const agreed = { max_price_cents: price_cents, ...(said !== '' && { note: said }) };
    const bought = await buy.run({ service_id, tier_id, ...agreed }, yes);
    if (bought) go(`/escrows/${bought.escrow_id}`);
    else again();
  };
  return (
    <>
      <Field
        label={checkout.note(seller)}
        hint={checkout.noteHint}
        name="note"
        value={note}
        onInput={setNote}
        error={buy.error}
        rows={2}
        maxLength={NOTE_MAX}
      />
      <ConfirmButton
        main
        busy={buy.busy}
        question={checkout.ask(money(price_cents), `@${agent.value}`, seller)}
        sum={{ ...sumOf(of), to: of.handle }}
        onClick={press}
      >
        {checkout.buy(money(price_cents))}
      </ConfirmButton>
      {buy.error && <RefusedBy error={buy.error} of={of} tried />}
    </>
  );
}

/** Starts a subscription and opens it. */
function Subscribe({
  of,
  interval,
  again,
}: {
  of: Quote;
  interval: 'weekly' | 'monthly';
  again: () => void;
}): JSX.Element {
  const { checkout } = words;
  const subscribe = useAct('subscription.create');
  const [, go] = useLocation();
  const { handle, listing_id, tier_id, price_cents } = of;
  const press = async (yes: Yes): Promise<void> => {
    const agreed = { interval, max_price_cents: price_cents };
    const begun = await subscribe.run({ seller_handle: handle, listing_id, tier_id, ...agreed }, yes);
    if (begun) go(`/subscriptions/${begun.id}`);
    else again();
  };
  return (
    <>
      <ConfirmButton
        main
        busy={subscribe.busy}
        question={checkout.askSubscribe(money(price_cents), `@${agent.value}`, `@${handle}`)}
        sum={{ ...sumOf(of), to: handle }}
        onClick={press}
      >
        {checkout.subscribe(periodText(price_cents, PERIODS[interval]))}
      </ConfirmButton>
      {subscribe.error && <RefusedBy error={subscribe.error} of={of} tried />}
    </>
  );
}

/** What the purchase would run into now, and the next step. */
function Way({ of, again }: { of: Quote; again: () => void }): JSX.Element {
  const { checkout } = words;
  const { billing, gate } = of;
  if (billing !== 'one_time') return <Subscribe of={of} interval={billing} again={again} />;
  if (gate.refusal) {
    const { error, shortfall_cents } = gate.refusal;
    return <Refused of={{ error, message: String(gate.refusal.message), shortfall_cents }} bought={of} />;
  }
  return (
    <>
      <p>
        <Badge tone="good">{checkout.passes}</Badge>
      </p>
      <Buy of={of} again={again} />
    </>
  );
}

/** The quote of a choice, and its checkout. */
export function Checkout({ bought, tier_id }: { bought: Bought; tier_id: string }): JSX.Element {
  const { checkout } = words;
  const { handle, listing_id } = bought;
  const quote = useRead('marketplace.quote', { handle, slug: listing_id, tier_id });
  return (
    <Section title={checkout.title}>
      {quote.state === 'failed' ? (
        <RefusedBy error={quote.error} of={bought} />
      ) : (
        <Loaded of={quote}>
          {(of) => (
            <>
              <p class="figure-big">{periodText(of.price_cents, PERIODS[of.billing])}</p>
              {of.tier_name !== null && <p dir="auto">{of.tier_name}</p>}
              <Sums {...sumOf(of)} />
              <Terms of={of} />
              <Leaves cents={of.price_cents} />
              <Way key={of.tier_id} of={of} again={quote.retry} />
            </>
          )}
        </Loaded>
      )}
    </Section>
  );
}
