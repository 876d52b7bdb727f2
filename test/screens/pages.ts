// What pictures are taken of: each page of the app, in each state that it can be in, and in each look.
import type { Who, World } from './world.ts';

/** How a page stands: as it is, while its answers are held back, and where they fail. */
export type State = 'filled' | 'loading' | 'failed' | 'empty';

export interface Shot {
  readonly name: string;
  readonly path: string;
  readonly who: Who;
  readonly state: State;
}

export interface Look {
  readonly name: string;
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

export const LOOKS: readonly Look[] = [
  { name: 'desktop-light', scheme: 'light', width: 1280, height: 800 },
  { name: 'desktop-dark', scheme: 'dark', width: 1280, height: 800 },
  { name: 'phone-light', scheme: 'light', width: 390, height: 844 },
  { name: 'phone-dark', scheme: 'dark', width: 390, height: 844 },
];

/** Pages that load something of one's own, which may be empty, late or refused. */
const LISTS = [
  ...['', 'matches', 'conversations', 'deals', 'escrows', 'listings', 'demand', 'people', 'market'],
  ...['market/selling', 'market/earnings', 'wallet', 'subscriptions', 'payouts', 'agents', 'knowledge'],
  ...['analytics', 'trust', 'keys', 'webhooks', 'calls', 'passkeys', 'inbox', 'notifications', 'approvals'],
] as const;

const OTHERS = [
  ...['onboarding', 'agents/new', 'agents/ann', 'people/bob', 'market/selling/new', 'listings/new'],
  ...['billing', 'account'],
] as const;

const nameOf = (path: string): string => (path === '' ? 'home' : path.replaceAll('/', '-'));

/** All pictures of a world, looks apart. */
export function shotsOf({ ids }: World): readonly Shot[] {
  const own = { who: 'full', state: 'filled' } as const;
  const deep: readonly Shot[] = [
    { name: 'match', path: `matches/${ids.match}`, ...own },
    { name: 'room-proposed', path: `conversations/${ids.talk}`, ...own },
    { name: 'room-delivered', path: `conversations/${ids.running}`, ...own },
    { name: 'room-disputed', path: `conversations/${ids.quarrel}`, ...own },
    { name: 'listing', path: `listings/${ids.listing}`, ...own },
    { name: 'request', path: `demand/${ids.request}`, ...own },
  ];
  const rooms = deep.filter(({ name }) => name === 'room-proposed' || name === 'match');
  const of = (paths: readonly string[], who: Who, state: State): Shot[] =>
    paths.map((path) => ({ name: `${nameOf(path)}-${state}`, path, who, state }));
  return [
    ...of([...LISTS, ...OTHERS], 'full', 'filled'),
    ...deep,
    ...of(LISTS, 'fresh', 'empty'),
    ...of(['', 'onboarding', 'matches'], 'nobody', 'empty').map((each) => ({ ...each, name: `${each.name}-no-agent` })),
    ...(['loading', 'failed'] as const).flatMap((state) => [
      ...of(LISTS, 'full', state),
      ...rooms.map((each) => ({ ...each, name: `${each.name}-${state}`, state })),
    ]),
  ];
}
