// The public market: how a search is compared with listings, and what is shown of them. And one listing as its buyer sees it.

import { agentById } from '../../../db/queries/agent.ts';
import { matchBetween } from '../../../db/queries/block.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { listingById } from '../../../db/queries/listing.ts';
import { endOfBite, listingBySlug, ratingOfListing, serviceCounts } from '../../../db/queries/market.ts';
import { counterById } from '../../../db/queries/turn.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import type { Page } from '../../contract/reply.ts';
import { isListingSeenOn } from '../../domain/agent/profile.ts';
import { fault } from '../../domain/fault.ts';
import { effectivePrice } from '../../domain/listing/price.ts';
import { hasFixedPrice } from '../../domain/listing/purchase.ts';
import { subcategoryNamed } from '../../domain/listing/taxonomy.ts';
import { seenAs } from '../../schemas/agent.ts';
import { agentByHandle } from '../agent/find.ts';
import { canBePaid } from '../agent/payable.ts';
import { readReached } from '../message/thread.ts';
import { readSpending } from '../money/budget.ts';
import { siftedPage } from '../page.ts';
import { type Address, type Counter, type CounterFault, lettersKey } from './purchase.ts';

/** Listings counted at once: some milliseconds of work that block the thread. */
const BITE = 1_000;

/** A listing with its agent. */
interface OnSale {
  readonly listing: Row<'listings'>;
  readonly agent: Row<'agents'>;
}

interface Wanted {
  readonly category?: string;
  readonly q?: string;
  readonly max_price_cents?: number;
}

/** The category of a listing: its subcategory, else its card type. */
function categoryOf({ card_type, subcategory }: Pick<Row<'listings'>, 'card_type' | 'subcategory'>): string {
  return subcategory ?? card_type;
}

function categoryLabel(category: string): string {
  const said = subcategoryNamed(category)?.label;
  if (said !== undefined) return said;
  const words = category.replaceAll(/[._]/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function textOf({ listing, agent }: OnSale): string {
  return `${listing.headline} ${listing.description} ${listing.labels.join(' ')} ${agent.handle} ${agent.display_name}`;
}

/** The filter of a search; null when it lets all listings pass. */
function fitsOf({ category, q, max_price_cents }: Wanted): ((sold: OnSale) => boolean) | null {
  const words = (q ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (category === undefined && words.length === 0 && max_price_cents === undefined) return null;
  return (sold) => {
    const { listing } = sold;
    if (category !== undefined && category !== listing.card_type && category !== listing.subcategory) return false;
    const price = effectivePrice(listing);
    if (max_price_cents !== undefined && (price === null || price.cents > max_price_cents)) return false;
    const text = words.length > 0 ? textOf(sold).toLowerCase() : '';
    return words.every((word) => text.includes(word));
  };
}

export function explorePage(
  read: (before: string, limit: number) => Promise<readonly OnSale[]>,
  wanted: Wanted,
  { from, limit }: { readonly from: string; readonly limit: number },
): Promise<Page<OnSale>> {
  return siftedPage({ from, limit, read, cursorOf: ({ listing }) => listing.id, textOf, fits: fitsOf(wanted) });
}

/** A listing's average rating by buyers, to a tenth of a star; null without ratings. */
export async function readRating(read: Read, { id, agent_id }: Row<'listings'>): Promise<number | null> {
  const { rating } = (await read(ratingOfListing, { listing_id: id, seller_id: agent_id })) ?? { rating: null };
  return rating === null ? null : Math.round(rating * 10) / 10;
}

/** Whether a listing can be bought without negotiation. */
export function isBuyable({ listing }: OnSale): boolean {
  return hasFixedPrice(listing);
}

/**
 * The categories of what is for sale, the largest first. Listings are counted in the order of ids, in batches between which other
 * requests run. Ids never change, so none is counted twice; a listing that changes meanwhile counts as it was when read.
 */
export async function readCategories(read: Read): Promise<{ category: string; label: string; count: number }[]> {
  const counts = new Map<string, number>();
  for (let after = ''; after !== HIGHEST_ID; ) {
    const until = (await read(endOfBite, { after, offset: BITE - 1 }))?.id ?? HIGHEST_ID;
    for (const { n, ...kind } of await read(serviceCounts, { after, until })) {
      const category = categoryOf(kind);
      counts.set(category, (counts.get(category) ?? 0) + n);
    }
    after = until;
    if (after !== HIGHEST_ID) await new Promise((resolve) => setImmediate(resolve));
  }
  return [...counts]
    .map(([category, found]) => ({ category, label: categoryLabel(category), count: found }))
    .sort((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1));
}

/** How many such letters an account has sent today. */
async function lettersSent(peek: Read['peek'], account_id: string, now_ms: number): Promise<number> {
  return (await peek(counterById, { id: lettersKey(account_id, now_ms) }))?.n ?? 0;
}

/** Whether the buyer may see the listing: it is public, or the two were matched. */
async function isKnown(read: Read, listing: Row<'listings'>, seller: Row<'agents'>, buyer_id: string) {
  if (listing.direction !== 'offer') return false;
  if (isListingSeenOn(listing.status, seenAs(seller), 'profile')) return true;
  if (!isListingSeenOn(listing.status, seenAs(seller), 'matching')) return false;
  return (await read.peek(matchBetween, { a: buyer_id, b: seller.id })) !== null;
}

async function readCounter(
  read: Read,
  seller: Row<'agents'> | null,
  find: () => Promise<Row<'listings'> | null>,
  ctx: Ctx,
): Promise<Counter | CounterFault> {
  const me = actor(ctx);
  if (!seller) return fault('not_found', 'There is no such seller.');
  const found = await find();
  const listing = found?.agent_id === seller.id ? found : null;
  if (seller.account_id === me.account_id) return fault(listing ? 'own_listing' : 'not_found');
  if (!canBePaid(seller)) return fault('seller_cannot_be_paid');
  if (!listing || !(await isKnown(read, listing, seller, me.id))) {
    return fault('not_found', 'The seller has no such listing.');
  }
  const [buyer, reached, spending, letters_sent, account] = await Promise.all([
    // Read, not peeked: a deactivation at the same time makes this turn decide again.
    read(agentById, { id: me.id }),
    readReached(read, me.id, seller.handle, ctx.now_ms),
    readSpending(read, me.id, ctx.now_ms),
    lettersSent(read.peek, me.account_id, ctx.now_ms),
    read.peek(accountById, { id: seller.account_id }),
  ]);
  if (buyer?.deactivated_at !== null || !reached) return fault('not_found');
  return { listing, reached, buyer, seller_plan: account?.plan ?? 'free', spending, letters_sent };
}

/** Reads the listing at an address. */
export async function counterAt(read: Read, { handle, slug }: Address, ctx: Ctx): Promise<Counter | CounterFault> {
  const seller = await agentByHandle(read, handle, ctx.now_ms);
  const find = async (): Promise<Row<'listings'> | null> =>
    (await read(listingBySlug, { agent_id: seller?.id ?? '', slug })) ?? (await read(listingById, { id: slug }));
  return readCounter(read, seller, find, ctx);
}

/** The same of a listing by its id alone. */
export async function counterOf(read: Read, listing_id: string, ctx: Ctx): Promise<Counter | CounterFault> {
  const listing = await read(listingById, { id: listing_id });
  const seller = listing && (await read(agentById, { id: listing.agent_id }));
  return readCounter(read, seller, async () => listing, ctx);
}
