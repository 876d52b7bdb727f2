// The taxonomy of paid links. An offer names its site, proven by DNS before it is public; a seek names its payment for a
// link and its requirements on the site (interface.md "Typed link_building").

import { Type } from 'typebox';
import { COMMON_FIELDS, choice, count, domain, entries, flag, list } from './subcategory.ts';

const entry = entries({
  card_type: 'link_building',
  directions: ['offer', 'seek'],
  pricing: ['fixed', 'per_unit', 'monthly', 'quote'],
  gates: ['domain_verified'],
});

/** Fields of both sides of a link trade; amounts are for one link. */
export const LINK_FIELDS = {
  price_cents: COMMON_FIELDS.price_cents,
  site_domain: domain('The site that links; the same as domain'),
  domain: domain('The site that links; the same as site_domain'),
  budget_cents_per_link: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The planned, public budget per link, USD cents',
    }),
  ),
  min_dr: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Least domain rating wanted' })),
  dr: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Domain rating, as the owner says' })),
  quantity: count('Links wanted or offered'),
  niche: list('Topics'),
  dofollow: flag('The link passes rank'),
};

/** Subcategories of `link_building`. */
export const LINK_BUILDING = [
  entry('links.guest_post', 'Guest post', {
    ...LINK_FIELDS,
    words: count('Words'),
    written_by: choice('Author', 'site', 'guest'),
  }),
  entry('links.link_insertion', 'Link in an existing page', {
    ...LINK_FIELDS,
    monthly_visits: count('Visits of the page'),
  }),
  entry('links.homepage_link', 'Link on the home page', { ...LINK_FIELDS, months: count('Months it stays') }),
  entry('links.directory', 'Directory entry', LINK_FIELDS),
  entry('links.press_mention', 'Mention in the press', LINK_FIELDS),
] as const;
