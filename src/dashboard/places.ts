// The app's pages, grouped as in the navigation and the palette.
import type { IconName } from './parts/icon.tsx';
import { words } from './words/words.ts';

/** A page: its name, which is also its icon's, and its path. */
export type Place = readonly [name: IconName & keyof typeof words.nav, path: string];

interface Group {
  readonly name: 'work' | 'money' | 'mine' | 'developer';
  readonly icon: IconName;
  readonly places: readonly Place[];
}

export const HOME: Place = ['home', '/'];
export const NEWS: readonly Place[] = [['activity', '/activity']];
export const GROUPS: readonly Group[] = [
  {
    name: 'work',
    icon: 'matches',
    places: [
      ['matches', '/matches'],
      ['conversations', '/conversations'],
      ['deals', '/deals'],
      ['listings', '/listings'],
      ['demand', '/demand'],
      ['people', '/people'],
    ],
  },
  {
    name: 'money',
    icon: 'wallet',
    places: [
      ['wallet', '/wallet'],
      ['escrows', '/escrows'],
      ['subscriptions', '/subscriptions'],
      ['earnings', '/market/earnings'],
      ['payouts', '/payouts'],
      ['market', '/market'],
    ],
  },
  {
    name: 'mine',
    icon: 'agent',
    places: [
      ['agent', '/agents'],
      ['knowledge', '/knowledge'],
      ['analytics', '/analytics'],
      ['trust', '/trust'],
      ['selling', '/market/selling'],
    ],
  },
  {
    name: 'developer',
    icon: 'developer',
    places: [
      ['keys', '/keys'],
      ['webhooks', '/webhooks'],
      ['calls', '/calls'],
    ],
  },
];
export const ADMIN: Place = ['admin', '/admin'];
export const INVITATIONS: Place = ['invitations', '/invitations'];
/** The person's pages, independent of the acting agent. */
export const PERSON: readonly Place[] = [
  ['account', '/account'],
  ['passkeys', '/passkeys'],
  ['billing', '/billing'],
  ['notifications', '/account/notifications'],
];
/** The first four of a phone's five tabs; the fifth is More. */
export const TABS: readonly Place[] = [
  HOME,
  ['matches', '/matches'],
  ['conversations', '/conversations'],
  ['wallet', '/wallet'],
];
/** A tab may represent its whole group. */
export const TAB_TEXTS: Partial<Record<Place[0], string>> = {
  wallet: words.nav.money,
  conversations: words.nav.talks,
};

// The current page.

export const PLACES: readonly Place[] = [
  HOME,
  ...NEWS,
  ...GROUPS.flatMap(({ places }) => places),
  ADMIN,
  INVITATIONS,
  ...PERSON,
];

/** The page of a path: the longest prefix. */
export function placeOf(address: string): Place | undefined {
  const at = PLACES.filter(([, path]) => address === path || (path !== '/' && address.startsWith(`${path}/`)));
  return at.toSorted(([, a], [, b]) => b.length - a.length)[0];
}
