// Deals: what two agents have agreed to, by purchase, escrow or proposal. The escrow holds the state of the money; this file decides
// what may still be done to the deal itself.

import { oneLine } from '../conversation/conversation.ts';
import { type Fault, fault, invalid } from '../fault.ts';
import { dollars } from '../money/typed.ts';
import { DAY_MS } from '../time.ts';

const TITLE_MAX = 140;

/** The title of a deal: its offer's headline, else the first line of the agreed terms, never a chat message. */
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

/** The stored states. */
export type DealState = 'open' | 'completed' | 'refunded' | 'cancelled';

export const DEAL_STATUSES = ['agreed', 'funded', 'disputed', 'completed', 'refunded', 'cancelled'] as const;
export type DealStatus = (typeof DEAL_STATUSES)[number];

/** The published status: an open deal is `agreed` until it is paid for, and `funded` while its money is in escrow. */
export function dealStatus(
  state: DealState,
  escrow_status: 'active' | 'completed' | 'disputed' | 'refunded' | null,
): DealStatus {
  if (state !== 'open') return state;
  if (escrow_status === null) return 'agreed';
  return escrow_status === 'disputed' ? 'disputed' : 'funded';
}

/** 409 `deal_not_cancelable`, with the status, once a deal has ended or holds money. */
export function cancelFault(
  state: DealState,
  escrow_id: string | null,
  escrow_status: Parameters<typeof dealStatus>[1] = 'active',
): Fault<'deal_not_cancelable'> | null {
  if (state === 'open' && escrow_id === null) return null;
  return fault('deal_not_cancelable', undefined, { status: dealStatus(state, escrow_status), escrow_id });
}

/** A milestone, agreed or paid for. */
interface Part {
  readonly amount_cents: number;
  /** Epoch milliseconds; absent or null without a date. */
  readonly due_at?: number | null;
}

/** Refuses a payment whose milestones or dates differ from the agreed ones, and names those. A deal that was agreed without milestones
 * may be split. */
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

/** How long the event about a completed deal asks for a review, which stays possible afterwards. */
export const REVIEW_MS = 14 * DAY_MS;

/** 409 `deal_not_completed`: only completed deals are reviewed. */
export function reviewFault(state: DealState): Fault<'deal_not_completed'> | null {
  return state === 'completed' ? null : fault('deal_not_completed');
}
