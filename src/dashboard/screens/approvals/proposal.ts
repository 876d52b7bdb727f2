// Reads of a proposal: its owner, whether it waits for the reader, and the previous one.
import type { Item, Output } from '../../server.ts';

export type Proposal = Item<'proposal.list'>;
export type Answer = Output<'proposal.approve'>;

export type Issue = Proposal['issues'][number];

export function otherOf({ your_side, buyer_handle, seller_handle }: Proposal): string {
  return your_side === 'buyer' ? seller_handle : buyer_handle;
}

/** Whether it is the reader's own. */
function selfOf({ your_side, buyer_handle, seller_handle }: Proposal): string {
  return your_side === 'buyer' ? buyer_handle : seller_handle;
}

/** Whether it waits for the reader's answer. */
export function waitsForMe(of: Proposal): boolean {
  return (of.status === 'open' || of.status === 'withheld') && !of.approved_by.includes(selfOf(of));
}

/** The previous proposal in its conversation, among those that the reader can see. */
export function previousOf(all: readonly Proposal[], of: Proposal): Proposal | null {
  // The page may have read this one before its owner approved it.
  const earlier = all.filter(
    (each) => each.conversation_id === of.conversation_id && each.id !== of.id && each.created_at < of.created_at,
  );
  return earlier.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))[0] ?? null;
}
