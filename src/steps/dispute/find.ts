// Finds the dispute of an escrow with everything its rules need. A stranger gets 403 `not_a_party`, as for the escrow itself.
import { disputeById, evidenceOf, latestDispute } from '../../../db/queries/dispute.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import type { DisputeRole, Side } from '../../domain/escrow/dispute.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import type { DisputeNames } from '../../schemas/dispute.ts';
import { type LoadedEscrow, loadEscrow, sideIn } from '../escrow/find.ts';

/** A dispute, its escrow and what was said in it. */
export interface LoadedDispute {
  readonly state: LoadedEscrow;
  readonly dispute: Row<'disputes'>;
  readonly evidence: readonly Row<'dispute_evidence'>[];
}

/** The same as one of its sides has it. */
export interface OwnDispute extends LoadedDispute {
  readonly role: DisputeRole;
  readonly side: Side;
}

/** The parties as views show them; `your_side` is null for a caller who is neither side. */
export function namesIn(
  { escrow, buyer, seller, seller_plan }: Pick<LoadedEscrow, 'escrow' | 'buyer' | 'seller' | 'seller_plan'>,
  your_side: Side | null,
): DisputeNames {
  return { buyer, seller, seller_plan, your_side, escrow_status: escrow.status };
}

export function openerSide({ dispute, state }: LoadedDispute): Side {
  return dispute.opened_by === state.escrow.buyer_id ? 'buyer' : 'seller';
}

/** The live or latest dispute of an escrow of the acting agent's: 404 where there is no such escrow or no dispute. */
export async function loadDispute(
  read: Read,
  escrow_id: string,
  ctx: Ctx,
): Promise<OwnDispute | Fault<'not_found' | 'not_a_party'>> {
  const state = await loadEscrow(read, escrow_id, ctx);
  if (isFault(state)) return state;
  // The live one is the one that the escrow names: ids follow the clock of the node that made them and do not decide.
  const { dispute_id } = state.escrow;
  const dispute = await (dispute_id === null
    ? read(latestDispute, { escrow_id })
    : read(disputeById, { id: dispute_id }));
  const side = sideIn(state.escrow, actor(ctx).id);
  if (!dispute || side === null) return fault('not_found', 'This escrow has no dispute.');
  const evidence = await read(evidenceOf, { dispute_id: dispute.id });
  const role = dispute.opened_by === actor(ctx).id ? 'opener' : 'respondent';
  return { state, dispute, evidence, role, side };
}

/** Whether a key may act in a role: the opener spends money, which needs `payments:write`; the respondent needs `deals:write` (Q99).
 * Conceding and accepting give money away, and need `payments:write` on either side. */
export function roleScopeFault(ctx: Ctx, role: DisputeRole): Fault<'insufficient_scope'> | null {
  const { kind, scopes } = ctx.principal;
  const required_scope = role === 'opener' ? 'payments:write' : 'deals:write';
  if (kind !== 'key' || scopes.has(required_scope)) return null;
  return fault('insufficient_scope', undefined, { required_scope });
}
