// Sections of the marketplace: others' services, own services, and earnings.
import type { JSX } from 'preact';
import { Link, useLocation } from 'wouter-preact';
import { money } from '../../parts/format.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

export function MarketParts(): JSX.Element {
  const { market, selling, earnings } = words;
  const [here] = useLocation();
  const parts = [
    ['/market', market.explore],
    ['/market/selling', selling.title],
    ['/market/earnings', earnings.title],
  ] as const;
  return (
    <ul class="tabs" aria-label={market.parts}>
      {parts.map(([path, text]) => (
        <li key={path}>
          <Link href={path} aria-current={here === path ? 'page' : undefined}>
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}

// A service's price as text.

type Service = Extract<Output<'marketplace.explore'>, readonly unknown[]>[number];

/** An amount with its billing unit; a one-time price is the amount alone. */
export function periodText(cents: number, period: keyof typeof words.market.periods): string {
  const { market } = words;
  return period === 'once' ? money(cents) : market.each(money(cents), market.periods[period]);
}

/** The tier billing that matches each price period. */
const BILLED: Readonly<Record<string, string>> = {
  once: 'one_time',
  hour: 'hourly',
  week: 'weekly',
  month: 'monthly',
  unit: 'per_unit',
};

/** The price on a card: the only one, or the lowest with the same billing. */
export function pricedAt({ price_cents, price_period, tiers }: Service): string {
  const { market } = words;
  if (price_cents === null || price_period === null) return market.byTalk;
  const alike = tiers.filter(({ billing }) => billing === BILLED[price_period]).map((tier) => tier.price_cents);
  const text = periodText(Math.min(price_cents, ...alike), price_period);
  return tiers.length > 1 ? market.from(text) : text;
}
