// Runs an action whose person did not answer in time, where a policy allows that. The program then acts within the bounds, with the
// key that asked, if that is still valid. A failure is recorded and answered as success: a refused reminder would be retried for ever.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { actionById } from '../../../db/queries/action.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts, LoadPorts } from '../../contract/ports.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { programOf } from '../../steps/negotiation/program.ts';
import { TIME_OUT } from '../../steps/negotiation/timeout.ts';
import { actionPerform } from './perform.ts';

/** Runs the action as its agent and key; refused where one of them has ended. */
async function happen(read: Read, action_id: string, ctx: Ctx, ports: LoadPorts): Promise<Decision<unknown>> {
  const action = await read(actionById, { id: action_id });
  if (!action) return fault('not_found');
  const [agent, account, principal] = await Promise.all([
    read(agentById, { id: action.agent_id }),
    read(accountById, { id: action.account_id }),
    programOf(read, ctx, action),
  ]);
  if (agent?.deactivated_at !== null || account?.deleted_at !== null) return fault('not_found');
  if (!principal) return fault('unauthorized', 'The key that asked for this has ended.');
  const { amount_cents, to_id } = action;
  const acting = { ...ctx, agent, account_id: account.id, principal, approved: { amount_cents, to_id } };
  const input = { action_id, decision: 'approve' as const };
  return actionPerform.decide(await actionPerform.load(read, input, acting, ports), input, acting);
}

/** Records why it did not happen, where it is still pending. */
async function note(read: Read, action_id: string, refused: Fault): Promise<Decision<null, never>> {
  const action = await read(actionById, { id: action_id });
  if (action?.status !== 'pending') return { reply: null };
  const result = { error: refused.fault, message: refused.message };
  return { reply: null, effects: [patch('actions', action, { result })] };
}

async function run({ action_id }: { readonly action_id: string }, ctx: FlowCtx, ports: FlowPorts) {
  const done = await ctx.turn({ attempt: (read) => happen(read, action_id, ctx, ports) });
  if (!isFault(done)) return { reply: { outcome: 'done' as const } };
  const noted = await ctx.turn({ attempt: (read) => note(read, action_id, done) });
  return isFault(noted) ? noted : { reply: { outcome: 'refused' as const } };
}

export const actionTimeOut = flow({
  ...TIME_OUT,
  summary: 'Apply the default of an action that was not answered',
  output: Type.Object({ outcome: Type.Enum(['done', 'refused']) }),
  effect: 'spends',
  access: 'internal',
  faults: [...actionPerform.faults, 'unauthorized'],
  run,
});
