// The person's decision on an action beyond the bounds. A routed call takes time, so the decision is recorded and the action marked
// first; a claim under its id makes it one call, however often and through whichever transport it is decided.
import { type Static, Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { actionById } from '../../../db/queries/action.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Outcome, Read } from '../../../db/store.ts';
import { actor, type FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { codeWord, type Fault, fault, isFault } from '../../domain/fault.ts';
import { decidedFault } from '../../domain/negotiation/action.ts';
import { describe } from '../../domain/next-step.ts';
import { actionView, DecidedAction } from '../../schemas/action.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { beginAction, endAction } from '../../steps/negotiation/action.ts';
import { routerCallMake } from '../router-call/make.ts';
import { actionPerform } from './perform.ts';

type Answer = Outcome<Static<typeof DecidedAction>>;
type Action = Row<'actions'>;

/** The action to decide; a routed call in progress may be requested again. */
async function found(
  read: Read,
  action_id: string,
  ctx: FlowCtx,
): Promise<Action | Fault<'not_found' | 'already_answered' | 'expired'>> {
  const action = await read(actionById, { id: action_id });
  if (action?.agent_id !== actor(ctx).id) return fault('not_found');
  const under_way = action.status === 'approved' && action.result === null && ctx.now_ms <= action.respond_by;
  return (under_way ? null : decidedFault(action, ctx.now_ms)) ?? action;
}

/** Marks it before the provider is called. */
async function mark(
  read: Read,
  action_id: string,
  ctx: FlowCtx,
): Promise<Decision<Action, 'not_found' | 'already_answered' | 'expired'>> {
  const action = await found(read, action_id, ctx);
  if (isFault(action)) return action;
  if (action.status === 'approved') return { reply: action };
  const { row, effects } = beginAction(ctx, action);
  return { reply: row, effects };
}

/** Returns an action to `pending` after its call was refused, or sets it to `failed` where the outcome is unknown. */
async function unmark(read: Read, action_id: string, refused: Fault): Promise<Decision<null, never>> {
  const action = await read(actionById, { id: action_id });
  // Another run is in progress.
  if (refused.fault === 'idempotency_in_flight' || action?.status !== 'approved' || action.result !== null)
    return { reply: null };
  const status = refused.fault === 'outcome_unknown' ? 'failed' : 'pending';
  return { reply: null, effects: [patch('actions', action, { status })] };
}

/** Records the result, unless another run already has. */
async function finish(
  read: Read,
  action_id: string,
  result: object,
  ctx: FlowCtx,
): Promise<Decision<Static<typeof DecidedAction>, 'not_found'>> {
  const action = await read(actionById, { id: action_id });
  if (!action) return fault('not_found');
  const sides = { payee: null, own_plan: ctx.principal.plan };
  if (action.result !== null) return { reply: { action: actionView(action, sides, ctx.now_ms), result } };
  const { row, effects } = endAction(ctx, action, 'approve', { ...result });
  return { reply: { action: actionView(row, sides, ctx.now_ms), result }, effects };
}

async function routed(action_id: string, ctx: FlowCtx, ports: FlowPorts): Promise<Answer> {
  const marked = await ctx.turn({ attempt: (read) => mark(read, action_id, ctx) });
  if (isFault(marked)) return marked;
  const { id, input, amount_cents, to_id, respond_by } = marked.reply;
  const called: FlowCtx = {
    ...ctx,
    approved: { amount_cents, to_id },
    claim: { id: `action:${id}`, request_hash: id, now_ms: ctx.now_ms, expires_at: respond_by },
    // A repeated request replays the answer of this flow.
    turn: ({ attempt, agent_id }) => ctx.turn({ attempt, ...(agent_id !== undefined && { agent_id }) }),
  };
  // The input was validated when the action was made, and is stored unchanged.
  const done = await routerCallMake.run(input as Static<typeof routerCallMake.input>, called, ports);
  if (isFault(done)) {
    const unmarked = await ctx.turn({ attempt: (read) => unmark(read, action_id, done) });
    return isFault(unmarked) ? unmarked : done;
  }
  const result = { ...done.reply };
  return ctx.turn({ final: true, attempt: (read) => finish(read, action_id, result, ctx) });
}

export const actionDecide = flow({
  name: 'action.decide',
  needed_by: 'a person who decides on a request of a program',
  summary: 'Approve or reject an action',
  description: describe`Signed-in people only. Approving performs the requested operation once, without its bounds check, but with all other rules. If the operation refuses, that error is returned and the action stays open. If the price or the payee has changed since, the error is ${codeWord('outside_bounds')}. After 72 hours it is ${codeWord('expired')}; a second decision is ${codeWord('already_answered')}.`,
  input: namedObject('ActionDecisionInput', 'a decision on an action', {
    action_id: PathId,
    decision: Type.Enum(['approve', 'reject']),
  }),
  output: DecidedAction,
  example: { action_id: SAMPLE.action_id, decision: 'reject' },
  effect: 'spends',
  open_world: true,
  access: 'session',
  agent: 'required',
  faults: [...new Set([...actionPerform.faults, ...routerCallMake.faults])],
  rest: [{ method: 'POST', path: '/api/actions/{action_id}/decide' }],
  run: async (input, ctx, ports) => {
    if (input.decision === 'approve') {
      const action = await ctx.read(actionById, { id: input.action_id });
      const { id } = actor(ctx);
      if (action?.operation === routerCallMake.name && action.agent_id === id) return routed(action.id, ctx, ports);
    }
    const decided = await ctx.turn({
      final: true,
      attempt: async (read) => actionPerform.decide(await actionPerform.load(read, input, ctx, ports), input, ctx),
    });
    // The answer is never rendered JSON or a page.
    return decided as Answer;
  },
});
