// Why something cannot be bought, in the words of this app, and where to go to change that.
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { agent } from '../../acting.ts';
import { money } from '../../parts/format.ts';
import { words } from '../../words/words.ts';
import { BOUNDS_PLACE } from '../agent/own.ts';

export interface Bought {
  readonly handle: string;
  readonly listing_id: string;
}

/** A refusal: by the quote, or by the purchase itself. */
export interface Refusal {
  readonly error: string;
  readonly message: string;
  /** What the wallet lacks. */
  readonly shortfall_cents?: number | undefined;
}

/** Where somebody goes from a refusal. */
function nextOf(error: string, { handle, listing_id }: Bought): readonly [href: string, text: string] | null {
  const { next } = words.checkout;
  const fund = ['/wallet', next.fund] as const;
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

/** The refusal; `charged` says that something was tried, and that nothing came of it. */
export function Refused({ of, bought, tried }: { of: Refusal; bought: Bought; tried?: boolean }): JSX.Element {
  const { checkout } = words;
  const { error, message, shortfall_cents } = of;
  const next = nextOf(error, bought);
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
