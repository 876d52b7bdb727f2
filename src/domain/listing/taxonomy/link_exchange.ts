// The taxonomy of links for links: nothing is paid, so no price is needed; a named site is proven as for paid links.

import { LINK_FIELDS } from './link_building.ts';
import { count, entries } from './subcategory.ts';

const entry = entries({
  card_type: 'link_exchange',
  directions: ['offer', 'seek'],
  pricing: ['exchange', 'free'],
  gates: ['domain_verified'],
});

/** Subcategories of `link_exchange`. */
export const LINK_EXCHANGE = [
  entry('links.exchange', 'Link exchange', LINK_FIELDS),
  entry('links.three_way_exchange', 'Three-way exchange', LINK_FIELDS),
  entry('links.newsletter_swap', 'Newsletter swap', { ...LINK_FIELDS, subscribers: count('Subscribers') }),
  entry('links.content_swap', 'Guest posts in exchange', { ...LINK_FIELDS, words: count('Words') }),
] as const;
