// The open or latest dispute of an escrow, as its sides see it: evidence, proposal and deadline.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { DisputeShape, disputeView } from '../../schemas/dispute.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { loadDispute, namesIn } from '../../steps/dispute/find.ts';

export const disputeRead = query({
  name: 'dispute.read',
  summary: 'Read the dispute of an escrow',
  description:
    'The open dispute, else the latest, with all evidence and your side. Only for the two sides of the escrow.',
  input: Type.Object({ escrow_id: PathId }),
  output: DisputeShape,
  example: { escrow_id: SAMPLE.disputed_escrow_id },
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  faults: ['not_found', 'not_a_party'],
  rest: [{ method: 'GET', path: '/api/wallet/escrow/{escrow_id}/dispute' }],
  tools: [{ name: 'mesh_get_dispute', title: 'Read the dispute of an escrow', set: 'wallet', extension: true }],
  run: async (read, { escrow_id }, ctx) => {
    const found = await loadDispute(read, escrow_id, ctx);
    if (isFault(found)) return found;
    return disputeView(found.dispute, found.evidence, namesIn(found.state, found.side), ctx.now_ms);
  },
});
