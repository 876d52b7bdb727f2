// Extends the closing time of an open request. Its other fields cannot change, since sellers quoted for them.
import { Type } from 'typebox';
import { apply, patch } from '../../../db/effects.ts';
import { awaitedAbout } from '../../../db/queries/inbox.ts';
import type { KeyOf } from '../../../db/schema/keys.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { command } from '../../contract/operation.ts';
import { extendFault } from '../../domain/demand/demand.ts';
import { codeWord, fault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { DemandShape, ownDemand } from '../../schemas/demand.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { iso, PathId } from '../../schemas/wire.ts';
import { findDemand } from '../../steps/demand/board.ts';
import { closeLater, demandRefusal } from '../../steps/demand/close.ts';

/** The events that notified sellers have not yet answered. */
async function awaited(read: Read, { id: subject_id, woken }: Row<'demand_requests'>): Promise<KeyOf<'events'>[]> {
  const events = await Promise.all(woken.map((agent_id) => read.peek(awaitedAbout, { agent_id, subject_id })));
  return events.flat();
}

export const demandUpdate = command({
  name: 'demand.update',
  summary: 'Extend a request for quotes',
  description: describe`Moves \`closes_at\` to a later time, 90 days ahead at most, also in the events of notified sellers. A request that is over is ${codeWord('request_closed')}; ${step('demand.close')} ends one early.`,
  input: namedObject('DemandExtension', 'the new end of a request', {
    request_id: PathId,
    closes_at: Type.String({ format: 'date-time', description: 'later than the current value, 90 days ahead at most' }),
  }),
  output: DemandShape,
  example: { request_id: SAMPLE.request_id, closes_at: SAMPLE.later_closes_at },
  effect: 'changes',
  access: 'key',
  scope: 'deals:write',
  gate: 'verified',
  agent: 'required',
  faults: ['invalid_request', 'not_found', 'own_request', 'request_closed'],
  rest: [{ method: 'PATCH', path: '/api/demand/{request_id}' }],
  tools: [{ name: 'mesh_extend_demand', title: 'Extend a request for quotes', set: 'market', extension: true }],
  load: async (read, { request_id }) => {
    const found = await findDemand(read, request_id);
    return { found, events: found ? await awaited(read, found.request) : [] };
  },
  decide: ({ found, events }, given, ctx) => {
    const refusal = demandRefusal(found, 'extend', ctx);
    if (refusal || !found) return refusal ?? fault('not_found');
    const { request, requester } = found;
    const closes_at = Date.parse(given.closes_at);
    const wrong = extendFault(closes_at, request.closes_at, ctx.now_ms);
    if (wrong) return wrong;
    const set = { closes_at, updated_at: ctx.now_ms };
    const after = { ...request, ...set };
    return {
      reply: ownDemand(after, requester, ctx.now_ms),
      effects: [
        patch('demand_requests', request, set),
        closeLater(after, ctx.now_ms),
        // The notified sellers may answer until the new time.
        ...events.map((event) =>
          apply('events', event, ({ data }) => ({
            respond_by: closes_at,
            data: { ...data, closes_at: iso(closes_at) },
          })),
        ),
      ],
    };
  },
});
