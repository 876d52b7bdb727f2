// The receipts of routed calls, newest first: of the calls that an agent made, or of the dispatches to it as a provider.
import { Type } from 'typebox';
import { attemptsServedBy, routerCallsOf } from '../../../db/queries/router.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { CallReceipt, callView } from '../../schemas/router.ts';
import { Cents, iso, NullableText, PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { readHandles } from '../../steps/agent/load.ts';
import { cutPage } from '../../steps/page.ts';
import { readMonth } from '../../steps/router/month.ts';

/** A dispatch as its provider sees it: its outcome, and its earnings. */
function earnedView(row: Row<'router_attempts'>, handle: string) {
  const { outcome, reason, http_status, latency_ms, price_cents, fee_cents } = row;
  const isCharged = price_cents > 0;
  return {
    id: row.call_id,
    capability: row.capability,
    provider_handle: handle,
    status: isCharged ? ('charged' as const) : outcome === 'unknown' ? ('unknown' as const) : ('not_charged' as const),
    ...{ price_cents, fee_cents, net_cents: price_cents - fee_cents, usage: null, latency_ms },
    attempts: [{ provider_handle: handle, outcome, reason, http_status, latency_ms }],
    created_at: iso(row.created_at),
    receipt: null,
  };
}

export const routerCallList = query({
  name: 'router_call.list',
  summary: 'List routed calls',
  description:
    'Every call with all its attempts, charged or not, newest first; with `role=provider` the dispatches to you. Uncharged ' +
    'ones are deleted after 90 days. A call read by its id has the signed receipt and, for a day, the result.',
  input: Type.Object({ role: Type.Optional(Type.Enum(['caller', 'provider'])), ...PAGE }),
  output: namedObject('CallReceipts', 'routed calls, and what they cost this month', {
    calls: Type.Array(CallReceipt),
    month_to_date: Type.Object({ charged_calls: Type.Integer({ minimum: 0 }), spent_cents: Cents }),
    next_cursor: NullableText,
  }),
  access: 'key',
  scope: 'router:read',
  provisional: true,
  agent: 'required',
  rest: [{ method: 'GET', path: '/api/router/calls' }],
  tools: [
    {
      name: 'mesh_list_router_calls',
      title: 'Read your routed calls',
      set: 'market',
      when: { argument: 'call_id', given: false },
    },
  ],
  run: async (read, { role = 'caller', limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const { id: agent_id, handle } = actor(ctx);
    const month_to_date = await readMonth(read, agent_id, ctx.now_ms);
    const page = { agent_id, before: cursor, limit: limit + 1 };
    if (role === 'provider') {
      const { shown, next_cursor } = cutPage(await read(attemptsServedBy, page), limit, ({ id }) => id);
      return { calls: shown.map((row) => earnedView(row, handle)), month_to_date, next_cursor };
    }
    const { shown, next_cursor } = cutPage(await read(routerCallsOf, page), limit, ({ id }) => id);
    const handles = await readHandles(
      read,
      shown.flatMap(({ attempts }) => attempts.map((tried) => tried.agent_id)),
    );
    return { calls: shown.map((call) => ({ ...callView(call, handles), receipt: null })), month_to_date, next_cursor };
  },
});
