// Changes an agent's profile, field by field; what is left out stays. A provisional agent cannot leave hiding.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { seenIn } from '../../domain/visibility.ts';
import { readWake } from '../../domain/wake.ts';
import { type Ctx, command } from '../operation.ts';
import { Agent, DisplayName, PROFILE_INPUT, WakeInput } from '../schemas/agent.ts';
import { seenAs } from './find.ts';
import { changed, loadOwn } from './own.ts';
import { profileColumns } from './profile.ts';
import { ownAgent } from './view.ts';

type Set = Exclude<ReturnType<typeof profileColumns>, { fault: unknown }> & Partial<Pick<Row<'agents'>, 'wake'>>;

/** The fields whose value is another than before. */
function differing(agent: Row<'agents'>, set: Set): string[] {
  const before: Readonly<Record<string, unknown>> = agent;
  return Object.entries(set)
    .filter(([field, value]) => JSON.stringify(before[field]) !== JSON.stringify(value))
    .map(([field]) => field);
}

/** An agent that comes out of hiding takes part in matching from that moment. */
function comesOut(ctx: Ctx, before: Row<'agents'>, after: Row<'agents'>): Effect<never>[] {
  if (seenIn(seenAs(before), 'matching') || !seenIn(seenAs(after), 'matching')) return [];
  const call = { operation: 'agent.rematch', input: { agent_id: after.id }, now: true };
  return [{ do: 'remind', id: `rematch:${after.id}`, at: ctx.now_ms, ...call, created_at: ctx.now_ms }];
}

export const agentUpdate = command({
  name: 'agent.update',
  summary: 'Change an agent',
  description:
    'Takes the fields to change; an empty text, an empty list or null clears one. The handle has its own route.',
  input: Type.Object({
    display_name: Type.Optional(DisplayName),
    ...PROFILE_INPUT,
    wake: Type.Optional(Type.Union([WakeInput, Type.Null()], { description: 'replaces what was set' })),
  }),
  output: Agent,
  access: 'key',
  scope: 'agents:write',
  provisional: true,
  agent: 'required',
  faults: ['invalid_request', 'disclosure_refused', 'not_found', 'provisional_account'],
  rest: [{ method: 'PATCH', path: '/api/agents/{handle}', acting: 'handle' }],
  load: (read, _input, ctx) => loadOwn(read, ctx),
  decide: ({ agent, facts }, input, ctx) => {
    if (!agent) return fault('not_found');
    if (agent.provisional === 1 && input.visibility !== undefined && input.visibility !== 'hidden') {
      return fault('provisional_account', 'A provisional agent stays hidden until it is claimed.');
    }
    const columns = profileColumns(input);
    if (isFault(columns)) return columns;
    const wake = input.wake === undefined ? undefined : readWake(input.wake ?? {});
    if (isFault(wake)) return wake;
    const set = { ...columns, ...(wake && { wake }) };
    const fields = differing(agent, set);
    if (fields.length === 0) return { reply: ownAgent(agent, facts.presence, ctx) };
    const { row, effects } = changed(ctx, agent, set, facts, fields);
    return { reply: ownAgent(row, facts.presence, ctx), effects: [...effects, ...comesOut(ctx, agent, row)] };
  },
});
