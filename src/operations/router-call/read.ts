// One routed call: its attempts, its signed receipt, and its answer while that is stored.
import { Type } from 'typebox';
import { routerCallById } from '../../../db/queries/router.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { authored, byField, words } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { CallReceipt, callView } from '../../schemas/router.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { readHandles } from '../../steps/agent/load.ts';
import { receiptedBy, receiptOf } from '../../steps/money/receipt.ts';
import { keptResult } from '../../steps/router/offered.ts';

export const routerCallRead = query({
  name: 'router_call.read',
  summary: 'Read a routed call',
  description: 'With its signed receipt. The result of a charged call is kept for 24 hours, up to 1 MiB.',
  input: Type.Object({ call_id: PathId }),
  output: authored(
    byField('provider_handle'),
    namedObject('CallWithResult', 'a routed call, with its result while that is kept', {
      ...CallReceipt.properties,
      result: words(Type.Unknown({ description: 'null if there is none, or it was deleted' })),
    }),
  ),
  example: { call_id: SAMPLE.call_id },
  access: 'key',
  scope: 'router:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/router/calls/{call_id}' }],
  tools: [
    {
      name: 'mesh_list_router_calls',
      title: 'Read your routed calls',
      set: 'market',
      when: { argument: 'call_id', given: true },
    },
  ],
  run: async (read, { call_id }, ctx, { documents }) => {
    const { id: agent_id } = actor(ctx);
    const call = await read(routerCallById, { id: call_id });
    if (call?.agent_id !== agent_id) return fault('not_found');
    const handles = await readHandles(
      read,
      call.attempts.map((tried) => tried.agent_id),
    );
    const found = call.price_cents > 0 ? await receiptedBy(read, `hold_settle:${call.hold_id}`, agent_id) : null;
    const { capability, usage } = call;
    const receipt =
      found &&
      (await receiptOf(read, documents, found, ctx.settings.base_url, { call: { id: call_id, capability, usage } }));
    const kept = await keptResult(read, ctx, call_id, ctx.now_ms);
    return { ...callView(call, handles), receipt, result: kept?.result ?? null };
  },
});
