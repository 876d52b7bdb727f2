// The places of the app, in the groups in which the way around and the palette show them.
import type { IconName } from './parts/icon.tsx';
import { words } from './words/words.ts';

/** A place of the app: its name, which is that of its icon too, and its address. */
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
/** What is the person's, whichever agent acts. */
export const PERSON: readonly Place[] = [
  ['account', '/account'],
  ['passkeys', '/passkeys'],
  ['billing', '/billing'],
  ['notifications', '/account/notifications'],
];
/** Of a phone's five tabs those that are one page each; More is the fifth. */
export const TABS: readonly Place[] = [
  HOME,
  ['matches', '/matches'],
  ['conversations', '/conversations'],
  ['wallet', '/wallet'],
];
/** A tab may stand for its whole group. */
export const TAB_TEXTS: Partial<Record<Place[0], string>> = {
  wallet: words.nav.money,
  conversations: words.nav.talks,
};

// Which place one is at.

export const PLACES: readonly Place[] = [
  HOME,
  ...NEWS,
  ...GROUPS.flatMap(({ places }) => places),
  ADMIN,
  INVITATIONS,
  ...PERSON,
];

/** The place that an address belongs to: the longest that it begins with. */
export function placeOf(address: string): Place | undefined {
  const at = PLACES.filter(([, path]) => address === path || (path !== '/' && address.startsWith(`${path}/`)));
  return at.toSorted(([, a], [, b]) => b.length - a.length)[0];
}
