// Withdraws an undecided action: the person is no longer asked, and the program may ask for the same again.
import { Type } from 'typebox';
import { actionById } from '../../../db/queries/action.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { decidedFault } from '../../domain/negotiation/action.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';
import { withdrawAction } from '../../steps/negotiation/action.ts';
import { mayFollow } from '../../steps/negotiation/program.ts';

export const actionWithdraw = command({
  name: 'action.withdraw',
  needed_by: 'clients of MCP that cancel a task',
  summary: 'Withdraw an action',
  input: Type.Object({ action_id: PathId }),
  output: Type.Object({ action_id: Id }),
  example: { action_id: SAMPLE.action_id },
  effect: 'changes',
  access: 'key',
  scope: 'any',
  agent: 'required',
  faults: ['not_found', 'already_answered', 'expired'],
  load: async (read, { action_id }, ctx) => {
    const action = await read(actionById, { id: action_id });
    if (action?.agent_id !== actor(ctx).id) return null;
    return (await mayFollow(read, ctx.principal, action, 'agents:write')) ? action : null;
  },
  decide: (action, _input, ctx) => {
    if (!action) return fault('not_found');
    const decided = decidedFault(action, ctx.now_ms);
    return decided ?? { reply: { action_id: action.id }, effects: withdrawAction(ctx, action) };
  },
});
