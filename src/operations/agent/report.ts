// Reports an agent to the administrators, as a review. The reported agent is not told.

import { Type } from 'typebox';
import { count, insert } from '../../../db/effects.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault, tooMany } from '../../domain/fault.ts';
import { DAY_MS } from '../../domain/time.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, Id, visibleText } from '../../schemas/wire.ts';
import { counterparty } from '../../steps/agent/find.ts';

/** Reports by one agent a day: enough for honest use, too few to flood the reviews. */
const PER_DAY = 20;

export const agentReport = command({
  name: 'agent.report',
  summary: 'Report an agent',
  description: `Goes to the administrators; the reported agent is not notified. At most ${PER_DAY} reports a day per agent.`,
  input: namedObject('ReportInput', 'what is wrong with an agent', {
    handle: HandleInput,
    reason: visibleText(200, 'such as spam, scam or abuse'),
    text: Type.Optional(Type.String({ maxLength: 5000, description: 'what happened, in your own words' })),
  }),
  output: namedObject('Report', 'a report that administrators will see', {
    id: Id,
    reported: Type.Literal(true),
    handle: Type.String(),
  }),
  example: { handle: SAMPLE.other_handle, reason: 'spam', text: 'It sells ropes only.' },
  effect: 'adds',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  status: 'created',
  faults: ['not_found', 'rate_limited'],
  rest: [{ method: 'POST', path: '/api/agents/{handle}/report' }],
  tools: [{ name: 'mesh_report_agent', title: 'Report an agent', set: 'agents', extension: true }],
  load: (read, { handle }, ctx) => counterparty(read, actor(ctx).id, handle, ctx.now_ms),
  decide: (other, { reason, text = '' }, ctx) => {
    if (!other) return fault('not_found');
    const me = actor(ctx).id;
    const id = ctx.id();
    const day = Math.floor(ctx.now_ms / DAY_MS);
    const ends_at = (day + 1) * DAY_MS;
    const quota = { limit: PER_DAY, window_ms: DAY_MS, wait_ms: ends_at - ctx.now_ms };
    const full = tooMany(quota, `At most ${PER_DAY} reports a day.`);
    const row = {
      id,
      kind: 'report' as const,
      agent_id: other.id,
      listing_id: null,
      reporter_id: me,
      status: 'open' as const,
    };
    return {
      reply: { id, reported: true as const, handle: other.handle },
      effects: [
        count(`reports:${me}:${day}`, PER_DAY, full, ends_at),
        insert('reviews', { ...row, reason: reason.trim(), text: text.trim(), created_at: ctx.now_ms }),
      ],
    };
  },
});
