// The demo world: twenty buyers and twenty sellers on autopilot, and how far each pair of them has come. Nobody real is in it: their
// addresses end in a domain that no mail reaches (RFC 2606).

/** The domain of the addresses of demo persons; letters to it always stay in the outbox. */
export const DEMO_DOMAIN = 'demo.invalid';

export function isDemoAddress(email: string | null): boolean {
  return email?.endsWith(`@${DEMO_DOMAIN}`) ?? false;
}

/** A traded service: the label, the offer, the seek, and in dollars the seller's price and the buyer's maximum. */
type Trade = readonly [label: string, offer: string, seek: string, asks: number, pays: number];

export const TRADES: readonly Trade[] = [
  ['seo-audit', 'SEO audits for small shops', 'SEO audit of my shop wanted', 580, 640],
  ['logo-design', 'Logos in three drafts', 'A logo for a bakery wanted', 420, 500],
  ['product-photography', 'Product photography on white', 'Pictures of autumn knitwear wanted', 600, 720],
  ['translation', 'English to Danish translations', 'A manual into Danish wanted', 310, 380],
  ['bookkeeping', 'Monthly bookkeeping for freelancers', 'Somebody for our books wanted', 240, 300],
  ['copywriting', 'Texts for landing pages', 'Text of a landing page wanted', 350, 400],
  ['video-editing', 'Editing of product videos', 'Cut of a two minute video wanted', 450, 560],
  ['illustration', 'Illustrations for children’s books', 'Twelve illustrations wanted', 880, 980],
  ['data-cleaning', 'Cleaning of customer lists', 'Our customer list cleaned', 190, 240],
  ['podcast-editing', 'Editing of podcasts', 'Episodes edited each month', 260, 330],
  ['interior-design', 'Plans of small flats', 'Plan of a flat of 40 m² wanted', 520, 640],
  ['web-accessibility', 'Accessibility audits of web sites', 'Accessibility audit wanted', 700, 820],
  ['tax-advice', 'Tax returns of small firms', 'Tax return of a small firm wanted', 480, 520],
  ['garden-planning', 'Plans of city gardens', 'Plan of a roof garden wanted', 330, 410],
  ['newsletter-writing', 'Newsletters each month', 'Somebody for our newsletter wanted', 290, 340],
  ['bicycle-repair', 'Repairs of cargo bicycles', 'Our cargo bicycles looked after', 150, 210],
  ['voice-over', 'Voices for explainer videos', 'A calm voice for a video wanted', 370, 450],
  ['catering', 'Lunches for meetings', 'Lunch for thirty people wanted', 540, 600],
  ['map-design', 'Printed maps of hiking trails', 'A trail map wanted', 410, 520],
  ['sound-design', 'Sounds for small games', 'Sounds for a puzzle game wanted', 390, 480],
];

/** The play money of each buyer. */
export const DEMO_FUNDS_CENTS = 500_000;

/** What a pair has come to, in order; `stopped` where a step was refused or nothing was agreed. */
export const PAIR_STATES = ['new', 'ready', 'listed', 'matched', 'funded', 'delivered', 'released', 'stopped'] as const;
export type PairState = (typeof PAIR_STATES)[number];

/** A demo person and its agent, whose id is null until it is made. */
export interface DemoSide {
  readonly account_id: string;
  readonly agent_id: string | null;
  readonly handle: string;
}

export interface DemoPair {
  /** Its place in TRADES. */
  readonly trade: number;
  readonly seller: DemoSide;
  readonly buyer: DemoSide;
  readonly state: PairState;
  /** When that began. */
  readonly at: number;
  /** Of the deal, once there is one. */
  readonly amount_cents: number;
  readonly escrow_id: string | null;
}

/** The service's note of the demo world; none while there is no such world. */
export interface DemoWorld {
  readonly state: 'trading' | 'done' | 'removing';
  readonly started_at: number;
  readonly pairs: readonly DemoPair[];
  /** Accounts of the world that are deleted. */
  readonly removed: number;
}

/** The time between two steps of the world. */
export const DEMO_STEP_MS = 3_000;
/** A pair that has agreed on nothing by then stops. */
const TALK_MAX_MS = 15 * 60_000;
/** The time between payment, delivery and release, so that each can be seen. */
const PACE_MS = 15_000;
/** The money of the first pair waits so long for whoever watches to release it. */
const WATCHER_MS = 10 * 60_000;
/** Pairs that are made, and pairs that publish, in one step. */
const MADE_A_STEP = 2;

const isOver = ({ state }: DemoPair): boolean => state === 'released' || state === 'stopped';

export function sidesOf({ pairs }: Pick<DemoWorld, 'pairs'>): readonly DemoSide[] {
  return pairs.flatMap(({ seller, buyer }) => [seller, buyer]);
}

export function sideNamed(world: DemoWorld, account_id: string | null): DemoSide | null {
  return sidesOf(world).find((side) => side.account_id === account_id) ?? null;
}

/** The name of a side, out of which its handle and its address are made. */
export function demoName(trade: number, side: 'seller' | 'buyer'): string {
  return `${(TRADES[trade]?.[0] ?? 'trade').replaceAll('-', '_').slice(0, 20)}_${side}`;
}

/** The pairs that a step works on, at most: those to be made first, one that publishes, all that have a deal to follow. */
export function dueOf({ pairs }: Pick<DemoWorld, 'pairs'>): readonly DemoPair[] {
  const fresh = pairs.filter(({ state }) => state === 'new').slice(0, MADE_A_STEP);
  const ready = pairs.filter(({ state }) => state === 'ready').slice(0, 1);
  return [
    ...fresh,
    ...ready,
    ...pairs.filter((pair) => !isOver(pair) && pair.state !== 'new' && pair.state !== 'ready'),
  ];
}

/** Whether the money of a delivered pair is released by the world itself now. */
export function releasesItself({ trade, at }: DemoPair, now_ms: number): boolean {
  return now_ms - at >= (trade > 0 ? PACE_MS : WATCHER_MS);
}

export function deliversNow({ at }: DemoPair, now_ms: number): boolean {
  return now_ms - at >= PACE_MS;
}

export function talksTooLong({ state, at }: DemoPair, now_ms: number): boolean {
  return (state === 'listed' || state === 'matched') && now_ms - at >= TALK_MAX_MS;
}

/** The world after a step: done once each pair has ended. */
export function afterStep(world: DemoWorld, changed: readonly DemoPair[]): DemoWorld {
  const pairs = world.pairs.map((pair) => changed.find(({ trade }) => trade === pair.trade) ?? pair);
  return { ...world, pairs, state: pairs.every(isOver) ? 'done' : 'trading' };
}

export interface DemoFigures {
  readonly agents: number;
  readonly matches: number;
  readonly deals: number;
  readonly completed: number;
  readonly held_cents: number;
  readonly released_cents: number;
}

const total = (pairs: readonly DemoPair[]): number => pairs.reduce((sum, pair) => sum + pair.amount_cents, 0);

export function figuresOf({ pairs }: Pick<DemoWorld, 'pairs'>): DemoFigures {
  const held = pairs.filter(({ state }) => state === 'funded' || state === 'delivered');
  const released = pairs.filter(({ state }) => state === 'released');
  const deals = pairs.filter(({ escrow_id }) => escrow_id !== null);
  return {
    agents: sidesOf({ pairs }).filter(({ agent_id }) => agent_id !== null).length,
    matches: deals.length + pairs.filter(({ state }) => state === 'matched').length,
    deals: deals.length,
    completed: released.length,
    held_cents: total(held),
    released_cents: total(released),
  };
}
