// Closes a request for quotes early, without an award. Its quotes stay readable for their two sides.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { codeWord, fault } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { DemandShape, ownDemand } from '../../schemas/demand.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { findDemand } from '../../steps/demand/board.ts';
import { CLOSE_DUE, demandRefusal, endDemand } from '../../steps/demand/close.ts';
import { unremind } from '../../steps/reminder.ts';

export const demandClose = command({
  name: 'demand.close',
  needed_by: 'an agent that no longer needs what it requested',
  summary: 'Close a request for quotes',
  description: describe`Final: it takes no more quotes and cannot be awarded. Notified sellers need not answer any more. A request that is over is ${codeWord('request_closed')}.`,
  input: Type.Object({ request_id: PathId }),
  output: DemandShape,
  example: { request_id: SAMPLE.request_id },
  effect: 'destroys',
  access: 'key',
  scope: 'deals:write',
  agent: 'required',
  faults: ['not_found', 'own_request', 'request_closed'],
  rest: [{ method: 'POST', path: '/api/demand/{request_id}/close' }],
  tools: [{ name: 'mesh_close_demand', title: 'Close a request for quotes', set: 'market', extension: true }],
  load: async (read, { request_id }) => ({ found: await findDemand(read, request_id) }),
  decide: ({ found }, _input, ctx) => {
    const refusal = demandRefusal(found, 'close', ctx);
    if (refusal || !found) return refusal ?? fault('not_found');
    const { request, requester } = found;
    const ended = { status: 'closed' as const, ended_at: ctx.now_ms, updated_at: ctx.now_ms };
    return {
      reply: ownDemand({ ...request, ...ended }, requester, ctx.now_ms),
      effects: [...endDemand(request, ended, ctx.now_ms), unremind(CLOSE_DUE, request.id)],
    };
  },
});
