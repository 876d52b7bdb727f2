// What an agent compares for one of its listings: the open proposals that it holds, and its deals about the listing.
import { boughtFor, soldOf } from '../../../db/queries/deal.ts';
import { comparedAsBuyer, comparedAsSeller, rankedAsBuyer, rankedAsSeller } from '../../../db/queries/negotiation.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { medianSeconds } from '../../domain/agent/presence.ts';
import { decideWithinHours } from '../../domain/listing/conditions.ts';
import { COMPARED_MAX, type Compared, ranked } from '../../domain/negotiation/compare.ts';
import { type Preferences, packageOf, scoreOf } from '../../domain/negotiation/package.ts';
import type { DealSide } from '../../domain/negotiation/proposal.ts';
import type { Comparing } from '../../domain/negotiation/turn.ts';
import { HOUR_MS } from '../../domain/time.ts';

type Listing = Pick<Row<'listings'>, 'id' | 'agent_id' | 'direction' | 'conditions'>;

/** A proposal that an agent holds. */
export interface Rival extends Compared {
  readonly decides_at: number | null;
  /** When the comparing side agreed to it; null while it did not. */
  readonly chosen_at: number | null;
}

/** The same with its row. */
export interface Held extends Rival {
  readonly row: Row<'proposals'>;
  /** Of the counterparty. */
  readonly handle: string;
  readonly plan: Row<'accounts'>['plan'];
}

/** The side that a listing's owner has in deals about it. */
export function sideOf({ direction }: Pick<Listing, 'direction'>): DealSide {
  return direction === 'seek' ? 'buyer' : 'seller';
}

/** The one that it agreed to, or null. */
export function chosenOf<R extends Rival>(held: readonly R[]): R | null {
  return held.find(({ chosen_at }) => chosen_at !== null) ?? null;
}

const askedFor = ({ id: listing_id, agent_id }: Listing, now_ms: number) => ({
  ...{ listing_id, agent_id, now_ms },
  limit: COMPARED_MAX,
});

/** The proposals that stand, best first by the owner's scale, or by price without one. */
export async function readRivals(
  read: Read,
  listing: Listing,
  scale: Preferences | null,
  now_ms: number,
): Promise<Rival[]> {
  const side = sideOf(listing);
  const rows = await read.peek(side === 'buyer' ? rankedAsBuyer : rankedAsSeller, askedFor(listing, now_ms));
  const held = rows.map(({ samples, ...row }) => ({ ...row, answers_in_seconds: medianSeconds(samples ?? []) }));
  return ranked(side, held, scale);
}

/** The same with their rows. */
export async function readHeld(
  read: Read,
  listing: Listing,
  scale: Preferences | null,
  now_ms: number,
): Promise<Held[]> {
  const side = sideOf(listing);
  const rows = await read.peek(side === 'buyer' ? comparedAsBuyer : comparedAsSeller, askedFor(listing, now_ms));
  const held = rows.map(({ proposal, handle, plan, trust_score, samples }): Held => {
    const { id, conversation_id, amount_cents, issues, created_at, decides_at } = proposal;
    return {
      ...{ id, conversation_id, amount_cents, issues, created_at, decides_at },
      ...{ row: proposal, handle, plan, trust_score },
      chosen_at: side === 'buyer' ? proposal.buyer_at : proposal.seller_at,
      answers_in_seconds: medianSeconds(samples ?? []),
    };
  });
  return ranked(side, held, scale);
}

/** When the agent decides on what it holds. */
export function decidesAt(held: readonly Rival[]): number | null {
  const times = held.flatMap(({ decides_at }) => decides_at ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

/** The talk in which a turn is taken, and the scale of its owner. */
interface Asked {
  readonly conversation_id: string;
  readonly scale: Preferences | null;
  readonly now_ms: number;
}

/** What a turn in a conversation has to be compared with; null where the listing gives no time to compare and nothing is held. */
export function comparingIn(
  listing: Listing,
  held: readonly Rival[],
  { conversation_id, scale, now_ms }: Asked,
): Comparing | null {
  const hours = decideWithinHours(listing);
  if (hours === 0 && held.length === 0) return null;
  const side = sideOf(listing);
  const others = held.filter((each) => each.conversation_id !== conversation_id);
  const amounts = others.map(({ amount_cents }) => amount_cents);
  const at = decidesAt(held);
  return {
    decides_at: at ?? now_ms + hours * HOUR_MS,
    due: at !== null && at <= now_ms,
    elsewhere_score:
      scale && others.length > 0 ? Math.max(...others.map((each) => scoreOf(scale, packageOf(each)))) : null,
    elsewhere_cents: amounts.length === 0 ? null : side === 'buyer' ? Math.min(...amounts) : Math.max(...amounts),
    is_best: held[0]?.conversation_id === conversation_id,
    chosen_elsewhere: chosenOf(others) !== null,
  };
}

/** Far more than a listing gets. */
export const DEALS_MAX = 1_000;

/** The deals about a listing that were made and not taken back, and whether one of them is not paid for. */
export async function readDealsAbout(
  read: Read,
  listing: Listing,
): Promise<{ readonly made: number; readonly all: number; readonly unpaid: boolean }> {
  const deals =
    listing.direction === 'seek'
      ? await read.peek(boughtFor, { buyer_id: listing.agent_id, seek_id: listing.id, looked_at: DEALS_MAX })
      : await read.peek(soldOf, { listing_id: listing.id, limit: DEALS_MAX });
  const made = deals.filter(({ status }) => status === 'open' || status === 'completed');
  return {
    made: made.length,
    all: deals.length,
    unpaid: made.some(({ status, escrow_id }) => status === 'open' && escrow_id === null),
  };
}
