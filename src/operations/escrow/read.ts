// An escrow as its sides see it. Who is no party to it is told so.
import { Type } from 'typebox';
import { isFault } from '../../domain/fault.ts';
import { EscrowShape, escrowView } from '../../schemas/escrow.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { handlesOf, loadEscrow } from '../../steps/escrow/find.ts';
import { query } from '../operation.ts';

export const escrowRead = query({
  name: 'escrow.read',
  summary: 'Read an escrow',
  description: 'With its milestones, what was delivered for each, and the terms that it was opened with.',
  input: Type.Object({ escrow_id: PathId }),
  output: EscrowShape,
  example: { escrow_id: SAMPLE.escrow_id },
  effect: 'reads',
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  faults: ['not_found', 'not_a_party'],
  rest: [{ method: 'GET', path: '/api/wallet/escrow/{escrow_id}' }],
  tools: [{ name: 'mesh_get_escrow', title: 'Read an escrow', set: 'wallet' }],
  run: async (read, { escrow_id }, ctx) => {
    const state = await loadEscrow(read, escrow_id, ctx);
    return isFault(state) ? state : escrowView(state.escrow, state.milestones, handlesOf(state));
  },
});
