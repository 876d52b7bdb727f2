// What the screens ask of a proposal: whose it is, whether it waits for the reader, what stood before it.
import type { Item, Output } from '../../server.ts';

export type Proposal = Item<'proposal.list'>;
export type Answer = Output<'proposal.approve'>;

/** The other side's handle. */
export function otherOf({ your_side, buyer_handle, seller_handle }: Proposal): string {
  return your_side === 'buyer' ? seller_handle : buyer_handle;
}

/** The reader's own. */
function selfOf({ your_side, buyer_handle, seller_handle }: Proposal): string {
  return your_side === 'buyer' ? buyer_handle : seller_handle;
}

/** Whether it waits for the reader's word. */
export function waitsForMe(of: Proposal): boolean {
  return (of.status === 'open' || of.status === 'withheld') && !of.approved_by.includes(selfOf(of));
}

/** Whether one is what another was before its person let it go: that is put anew, and nothing new is asked. The page may have read it before. */
function isLetGoAs({ status, replaced_by, by, amount_cents }: Proposal, of: Proposal): boolean {
  return (replaced_by === of.id || status === 'withheld') && by === of.by && amount_cents === of.amount_cents;
}

/** The one before it in its conversation, as far as the reader has seen it. */
export function previousOf(all: readonly Proposal[], of: Proposal): Proposal | null {
  const { conversation_id } = of;
  const earlier = all.filter(
    (each) => each.conversation_id === conversation_id && each.id < of.id && !isLetGoAs(each, of),
  );
  return earlier.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0] ?? null;
}
