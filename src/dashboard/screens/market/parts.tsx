// The parts of the marketplace: what others sell, what one sells oneself, and what that brought in.
import type { JSX } from 'preact';
import { Link, useLocation } from 'wouter-preact';
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
