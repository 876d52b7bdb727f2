// Deals: what two agents have agreed to, by purchase, escrow or word. What its money is doing is the escrow's to say; the rule kept
// here is what may still be done to the deal itself.

import { oneLine } from '../conversation/conversation.ts';
import { type Fault, fault, invalid } from '../fault.ts';
import { dollars } from '../money/typed.ts';
import { DAY_MS } from '../time.ts';

const TITLE_MAX = 140;

/** What a deal is called: the offer that it is about, else the first line of what was agreed to, never the words of a chat. */
export function dealTitle(
  headline: string | null,
  { amount_cents, terms, milestones }: Pick<Proposal, 'amount_cents' | 'terms' | 'milestones'>,
): string {
  const line = terms.split('\n', 1)[0]?.trim();
  return headline ?? oneLine(line || milestones[0]?.title || `Agreement of ${dollars(amount_cents)}`, TITLE_MAX);
}

interface Proposal {
  readonly amount_cents: number;
  readonly terms: string;
  readonly milestones: readonly { readonly title: string }[];
}

/** As deals are stored. */
export type DealState = 'open' | 'completed' | 'refunded' | 'cancelled';

export const DEAL_STATUSES = ['agreed', 'funded', 'disputed', 'completed', 'refunded', 'cancelled'] as const;
export type DealStatus = (typeof DEAL_STATUSES)[number];

/** What a deal is called while it is open: `agreed` until it is paid for, `funded` while its money is in escrow. */
export function dealStatus(
  state: DealState,
  escrow_status: 'active' | 'completed' | 'disputed' | 'refunded' | null,
): DealStatus {
  if (state !== 'open') return state;
  if (escrow_status === null) return 'agreed';
  return escrow_status === 'disputed' ? 'disputed' : 'funded';
}

/** 409 `deal_not_cancelable`, with what it is called, once a deal is over or there is money in it. */
export function cancelFault(
  state: DealState,
  escrow_id: string | null,
  escrow_status: Parameters<typeof dealStatus>[1] = 'active',
): Fault<'deal_not_cancelable'> | null {
  if (state === 'open' && escrow_id === null) return null;
  return fault('deal_not_cancelable', undefined, { status: dealStatus(state, escrow_status), escrow_id });
}

/** A part of what is agreed on, or paid for. */
interface Part {
  readonly amount_cents: number;
  /** Epoch milliseconds; none where it was left open. */
  readonly due_at?: number | null;
}

/** The refusal of a payment in other parts than the two have agreed to, or by other dates, which names those; what they agreed to as a whole
 * may be parted. */
export function partsFault(agreed: readonly Part[], paid: readonly Part[]): Fault<'invalid_request'> | null {
  const same = agreed.length === paid.length && agreed.every((part, n) => part.amount_cents === paid[n]?.amount_cents);
  if (agreed.length === 0) return null;
  if (!same) {
    const cents = agreed.map(({ amount_cents }) => amount_cents).join(', ');
    return invalid({ path: 'milestones', message: `The two of you agreed to parts of ${cents} cents, in this order.` });
  }
  const moved = agreed.findIndex(
    ({ due_at = null }, n) => due_at !== null && ![null, due_at].includes(paid[n]?.due_at ?? null),
  );
  if (moved < 0) return null;
  const due = new Date(agreed[moved]?.due_at ?? 0).toISOString();
  return invalid({ path: `milestones.${moved}.due_at`, message: `The two of you agreed to ${due}.` });
}

/** How long the end of a deal asks for a review. A review stays possible after it. */
export const REVIEW_MS = 14 * DAY_MS;

/** 409 `deal_not_completed` until it is: what came to nothing says little of either side. */
export function reviewFault(state: DealState): Fault<'deal_not_completed'> | null {
  return state === 'completed' ? null : fault('deal_not_completed');
}
