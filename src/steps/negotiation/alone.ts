// Whether the service may agree for an agent without its person, within its bounds. It may where the agent listed what the talk is about: who
// is written to by a stranger, about nothing that it sells or seeks, has asked for none of it; nor has who has taken the listing down. What an
// agent seeks is bought once by itself: several talks about one listing each end within the bounds, and would together buy it several
// times. And after a deal that was called off its person is asked: agreeing and cancelling costs nothing, and would tell how far it goes.

import { count, type Effect } from '../../../db/effects.ts';
import { boughtFor, cancelledDealIn } from '../../../db/queries/deal.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { isActive } from '../../domain/listing/state.ts';
import type { DealSide } from '../../domain/negotiation/proposal.ts';
import { DAY_MS } from '../../domain/time.ts';

/** A side of a talk, as far as its program decides. */
interface Side {
  readonly conversation_id: string;
  readonly side: DealSide | null;
  /** What of its own the talk is about. */
  readonly listing: Pick<Row<'listings'>, 'id' | 'status'> | null;
}

/** Whether it may. */
export interface Alone {
  readonly allowed: boolean;
  /** What only one of the deals counts that are made in the same moment; null where there may be several. */
  readonly once: string | null;
}

/** Nobody buys more between two talks about one listing; each turn looks at as many. */
const DEALS_MAX = 1_000;

export async function readAlone(read: Read, agent_id: string, about: Side): Promise<Alone> {
  const { conversation_id, side, listing } = about;
  if (listing === null || !isActive(listing.status)) return { allowed: false, once: null };
  if (await read.peek(cancelledDealIn, { conversation_id })) return { allowed: false, once: null };
  if (side === 'seller') return { allowed: true, once: null };
  const deals = await read.peek(boughtFor, { buyer_id: agent_id, seek_id: listing.id, looked_at: DEALS_MAX });
  const has_it = deals.some(({ status }) => status === 'open' || status === 'completed');
  return { allowed: !has_it, once: `bought:${listing.id}:${deals.length}` };
}

/** Longer than two turns that look at the same deals lie apart. */
const MOMENT_MS = DAY_MS;

/** Of two deals that were decided on before either was made, has the second decided on again. */
export function onlyOnce(once: string | null, now_ms: number): Effect<never>[] {
  return once === null ? [] : [count(once, 1, 'again', now_ms + MOMENT_MS)];
}
