// Renames an agent. Everything stays with it; the old handle leads to it for 90 days and stays reserved meanwhile (Q25).
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { handleById } from '../../../db/queries/agent.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { handleFault } from '../../domain/disclosure/disclosure.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { ALIAS_MS, parseHandle } from '../../domain/identity/handle.ts';
import { Agent, ownAgent } from '../../schemas/agent.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { loadOwn } from '../../steps/agent/load.ts';
import { changeAgent } from '../../steps/agent/own.ts';
import { claimHandle } from '../../steps/handle/claim.ts';

export const agentRename = command({
  name: 'agent.rename',
  summary: 'Rename an agent',
  description: 'The old handle redirects to the new one for 90 days. You can rename back.',
  input: Type.Object({ handle: HandleInput }),
  output: Agent,
  example: { handle: SAMPLE.free_handle },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: ['invalid_request', 'disclosure_refused', 'not_found', 'handle_taken'],
  rest: [{ method: 'PATCH', path: '/api/agents/rename' }],
  tools: [{ name: 'mesh_rename_agent', title: 'Rename your agent', set: 'agents', extension: true }],
  load: async (read, input, ctx, ports) => {
    const handle = parseHandle(input.handle);
    const own = await loadOwn(read, ctx, ports);
    const taken = isFault(handle) ? null : await read(handleById, { id: handle });
    const old = await read(handleById, { id: own.agent?.handle ?? actor(ctx).handle });
    return { ...own, handle, taken, old };
  },
  decide: ({ agent, account, facts, handle, taken, old }, _input, ctx) => {
    if (isFault(handle)) return handle;
    if (!agent || !old) return fault('not_found');
    if (handle === agent.handle) return { reply: ownAgent(agent, facts.presence, ctx) };
    const told = handleFault(handle);
    if (told) return told;
    const claim = claimHandle(ctx, handle, taken, { agent_id: agent.id, email: account?.email ?? null });
    if (isFault(claim)) return claim;
    const { row, effects } = changeAgent(ctx, agent, { handle }, facts, ['handle']);
    const alias = patch('handles', old, { kind: 'alias', expires_at: ctx.now_ms + ALIAS_MS });
    return { reply: ownAgent(row, facts.presence, ctx), effects: [claim, alias, ...effects] };
  },
});
