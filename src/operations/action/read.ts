// Reads one action. The program that asked for it may read it whatever its scopes, since it waits for the answer.
import { Type } from 'typebox';
import { actionById } from '../../../db/queries/action.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { ActionShape, actionView } from '../../schemas/action.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { payeesOf } from '../../steps/negotiation/find.ts';
import { mayFollow } from '../../steps/negotiation/program.ts';

export const actionRead = query({
  name: 'action.read',
  needed_by: 'clients of MCP that hold their request as a task',
  summary: 'Read an action',
  input: Type.Object({ action_id: PathId }),
  output: ActionShape,
  example: { action_id: SAMPLE.action_id },
  access: 'key',
  scope: 'any',
  agent: 'required',
  faults: ['not_found'],
  run: async (read, { action_id }, ctx) => {
    const action = await read(actionById, { id: action_id });
    if (action?.agent_id !== actor(ctx).id) return fault('not_found');
    if (!(await mayFollow(read, ctx.principal, action, 'agents:read'))) return fault('not_found');
    const payee = (await payeesOf(read, [action]))(action);
    return actionView(action, { payee, own_plan: ctx.principal.plan }, ctx.now_ms);
  },
});
