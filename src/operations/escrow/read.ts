// An escrow as its sides see it; others are refused. The buyer's read marks deliveries as seen, and the seller is shown when.
import { Type } from 'typebox';
import { apply, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { EscrowShape, escrowView } from '../../schemas/escrow.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId, PeekInput } from '../../schemas/wire.ts';
import { handlesOf, loadEscrow, sideIn } from '../../steps/escrow/find.ts';

export const escrowRead = command({
  name: 'escrow.read',
  summary: 'Read an escrow',
  description:
    'With its milestones, their deliverables and its terms. Reading by the buyer marks ' +
    'deliverables as seen (`seen_at`), unless `peek` is set.',
  input: Type.Object({ escrow_id: PathId, peek: PeekInput }),
  output: EscrowShape,
  example: { escrow_id: SAMPLE.escrow_id },
  effect: 'changes',
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  faults: ['not_found', 'not_a_party'],
  safe: true,
  rest: [{ method: 'GET', path: '/api/wallet/escrow/{escrow_id}' }],
  tools: [
    {
      name: 'mesh_get_escrow',
      title: 'Read an escrow',
      set: 'wallet',
      description: 'With its milestones, their deliverables and its terms. Marks no deliverable as seen.',
      fixed: { peek: true },
      effect: 'reads',
    },
  ],
  load: (read, { escrow_id }, ctx) => loadEscrow(read, escrow_id, ctx),
  decide: (state, { peek = false }, ctx) => {
    if (isFault(state)) return state;
    const { escrow, milestones, earlier } = state;
    const seen_at = ctx.now_ms;
    const sees = !peek && sideIn(escrow, actor(ctx).id) === 'buyer';
    const isNew = ({ deliverable }: Pick<Row<'milestones'>, 'deliverable'>): boolean =>
      sees && deliverable !== null && (deliverable.seen_at ?? null) === null;
    const seen = <T extends Pick<Row<'milestones'>, 'deliverable'>>(row: T): T =>
      isNew(row) ? { ...row, deliverable: { ...row.deliverable, seen_at } } : row;
    const rows = milestones.map(seen);
    const before = earlier.map(seen);
    return {
      reply: escrowView(escrow, rows, handlesOf({ ...state, earlier: before })),
      effects: [
        ...milestones.filter(isNew).map((row) => patch('milestones', row, { deliverable: seen(row).deliverable })),
        ...earlier
          .filter(isNew)
          .map(({ id }) =>
            apply('earlier_deliverables', id, ({ deliverable }) => ({ deliverable: { ...deliverable, seen_at } })),
          ),
      ],
    };
  },
});
