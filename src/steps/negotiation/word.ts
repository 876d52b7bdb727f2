// What the other side of a proposal has said to it before, as it counts now. A person's word stands; a program's only as long as its key does
// and the bounds and policies of its person let it agree alone; the service's only while it would say it again.
import { decisionOn, turnAt } from '../../../db/queries/negotiation.ts';
import type { BudgetColumn } from '../../../db/schema/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { isLet } from '../../domain/agent/policy.ts';
import { isWithin, limitOf } from '../../domain/negotiation/bargain.ts';
import { askingBound, type DealSide } from '../../domain/negotiation/proposal.ts';
import { readAlone } from './alone.ts';
import type { Talk } from './find.ts';
import { listedFor } from './listed.ts';
import { programOf } from './program.ts';

export interface Word {
  /** Whether it still counts. */
  readonly stands: boolean;
  /** Whether a program said it, and not its person. */
  readonly by_program: boolean;
  /** Whether its wallet may pay for it at once, as far as it is a buyer's. */
  readonly may_pay: boolean;
  /** What the key that said it may spend; null where it has no budget. */
  readonly budget: BudgetColumn | null;
  /** What keeps the service from buying the same twice for it. */
  readonly once: string | null;
}

const otherSide = (side: DealSide | null): DealSide | null => side && (side === 'buyer' ? 'seller' : 'buyer');

/** Whether both listings, as they are now, let the service agree to an amount for the other side. */
function isListed({ other, mine, theirs }: Talk, side: DealSide, amount_cents: number): boolean {
  const { own, asked } = listedFor(theirs, side === 'buyer' ? mine : null);
  return isWithin({ side, limit: limitOf(side, other.bounds, own), asked }, amount_cents);
}

/** Reads it; null where the other side has not agreed. */
export async function readWord(read: Read, ctx: Ctx, talk: Talk, row: Row<'proposals'> | null): Promise<Word | null> {
  const { me, other, my_side, theirs } = talk;
  const side = row?.buyer_id === other.id ? 'buyer' : 'seller';
  const at = row && (side === 'buyer' ? row.buyer_at : row.seller_at);
  if (!row || at === null) return null;
  const { conversation_id } = row;
  const { id: agent_id, account_id } = other;
  const said = await read.peek(decisionOn, { agent_id, subject_id: row.id, at });
  if (said?.by === 'person') return { stands: true, by_program: false, may_pay: true, budget: null, once: null };
  const asked_by = said?.credential_id ?? null;
  // Who answers on autopilot has no key.
  const program = asked_by === null ? { budget: null } : await programOf(read, ctx, { asked_by, account_id });
  const is_asked = askingBound(other.bounds, side, row.amount_cents, me.id) !== null;
  // What the service agreed to by itself, told to take the turn or not, may have been bought elsewhere meanwhile, or its listing changed.
  const turn = await read.peek(turnAt, { conversation_id, agent_id, at });
  const about = { conversation_id, side: otherSide(my_side), listing: theirs };
  const alone = turn && (await readAlone(read, agent_id, about));
  const would_still = alone === null || (alone.allowed && isListed(talk, side, row.amount_cents));
  const flies_still = asked_by !== null || other.autopilot === 1;
  const stands = said !== null && program !== null && !is_asked && would_still && flies_still;
  const may_pay = isLet(other.bounds.policies, 'escrow.create', me.id);
  return { stands, by_program: true, may_pay, budget: program?.budget ?? null, once: alone?.once ?? null };
}
