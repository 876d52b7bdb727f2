// What the other side of a proposal has said to it before, as it counts now. A person's word stands; a program's only as long as its key does
// and the bounds and policies of its person let it agree alone.
import { decisionOn } from '../../../db/queries/negotiation.ts';
import type { BudgetColumn } from '../../../db/schema/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { boundsTowards, type DealSide, isAutomatic } from '../../domain/negotiation/proposal.ts';
import type { Ctx } from '../../operations/context.ts';
import { readAlone } from './alone.ts';
import type { Talk } from './find.ts';
import { programOf } from './program.ts';

/** The other side's yes. */
export interface Word {
  /** Whether it still counts. */
  readonly stands: boolean;
  /** What the key that said it may spend; null where it has no budget. */
  readonly budget: BudgetColumn | null;
  /** What keeps the service from buying the same twice for it. */
  readonly once: string | null;
}

const otherSide = (side: DealSide | null): DealSide | null => side && (side === 'buyer' ? 'seller' : 'buyer');

/** Reads it; null where the other side has not agreed. */
export async function readWord(
  read: Read,
  ctx: Ctx,
  { me, other, my_side, theirs }: Talk,
  row: Row<'proposals'> | null,
): Promise<Word | null> {
  const buys = row?.buyer_id === other.id;
  if (!row || (buys ? row.buyer_at : row.seller_at) === null) return null;
  const said = await read.peek(decisionOn, { agent_id: other.id, subject_id: row.id });
  if (!said || said.by === 'person') return { stands: true, budget: null, once: null };
  const { account_id } = other;
  const { credential_id: asked_by } = said;
  // Who answers on autopilot has no key.
  const program = asked_by === null ? { budget: null } : await programOf(read, ctx, { asked_by, account_id });
  const lets = isAutomatic(boundsTowards(other.bounds, me.id), buys ? 'buyer' : 'seller', row.amount_cents);
  // What the service agreed to by itself may have been bought elsewhere meanwhile.
  const alone =
    asked_by === null ? await readAlone(read, other.id, { side: otherSide(my_side), listing: theirs }) : null;
  const stands = program !== null && lets && alone?.allowed !== false;
  return { stands, budget: program?.budget ?? null, once: alone?.once ?? null };
}
