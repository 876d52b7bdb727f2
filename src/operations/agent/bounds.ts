// Sets the limits of what an agent may agree to by itself (interface.md item 12). Null lifts one; what is left out stays.
import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { NO_BOUNDS, patchBounds, setByPerson, widenedBound } from '../../domain/agent/bounds.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { BoundsShape } from '../../schemas/agent.ts';
import { namedObject } from '../../schemas/named.ts';
import { changeAgent, loadOwn } from '../../steps/agent/own.ts';
import { command } from '../operation.ts';

const Bound = Type.Optional(
  Type.Union([Type.Integer(), Type.Null()], { description: 'integer cents, or null for none' }),
);

export const agentBounds = command({
  name: 'agent.bounds',
  summary: 'Set the bounds of an agent',
  description:
    'Amounts outside them go to the human; amounts below auto_approve_below_cents need no approval. What a person has set, signed in, a key may narrow and not widen.',
  input: namedObject('BoundsInput', 'the amounts to change', {
    max_pay_cents: Bound,
    min_charge_cents: Bound,
    auto_approve_below_cents: Bound,
  }),
  output: Type.Object({ handle: Type.String(), bounds: BoundsShape }),
  example: { max_pay_cents: 10_000, min_charge_cents: 100, auto_approve_below_cents: 500 },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: ['invalid_request', 'not_found', 'session_required'],
  rest: [{ method: 'PATCH', path: '/api/agents/bounds' }],
  tools: [{ name: 'mesh_set_bounds', title: 'Set the bounds of your agent', set: 'agents', extension: true }],
  load: (read, _input, ctx, ports) => loadOwn(read, ctx, ports),
  decide: ({ agent, facts }, input, ctx) => {
    if (!agent) return fault('not_found');
    const before = { ...NO_BOUNDS, ...agent.bounds };
    const bounds = patchBounds(before, input);
    if (isFault(bounds)) return bounds;
    const reply = { handle: agent.handle, bounds };
    const { set_by_person: known = [] } = agent.bounds;
    const by_person = ctx.principal.kind === 'session';
    const widened = by_person ? null : widenedBound(before, bounds, known);
    if (widened) {
      return fault('session_required', `Its person set ${widened}: a key may narrow it, a session alone widen it.`);
    }
    const set_by_person = by_person ? setByPerson(known, input) : known;
    const kept = { ...bounds, ...(set_by_person.length > 0 && { set_by_person }) };
    if (isDeepStrictEqual(kept, { ...NO_BOUNDS, ...agent.bounds })) return { reply };
    return { reply, effects: changeAgent(ctx, agent, { bounds: kept }, facts, ['bounds']).effects };
  },
});
