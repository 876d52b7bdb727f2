// Records that a request for quotes has reached its closing time, from which it already counts as closed, and cancels the pending
// answers of the notified sellers.
import { Type } from 'typebox';
import { demandById } from '../../../db/queries/demand.ts';
import { command } from '../../contract/operation.ts';
import { demandStatusAt } from '../../domain/demand/demand.ts';
import { CLOSE_DUE, closeLater, endDemand } from '../../steps/demand/close.ts';

export const demandCloseDue = command({
  ...CLOSE_DUE,
  summary: 'Close a request for quotes at its time',
  output: Type.Object({ closed: Type.Boolean() }),
  effect: 'changes',
  access: 'internal',
  load: async (read, { request_id }) => ({ request: await read(demandById, { id: request_id }) }),
  decide: ({ request }, _input, ctx) => {
    if (request?.status !== 'open') return { reply: { closed: false } };
    // The request was extended, or this node's clock is behind.
    if (demandStatusAt(request, ctx.now_ms) === 'open') {
      return { reply: { closed: false }, effects: [closeLater(request, ctx.now_ms)] };
    }
    return { reply: { closed: true }, effects: endDemand(request, { status: 'closed' }, ctx.now_ms) };
  },
});
