// An agent that was claimed by a link fetches the full key that replaces its provisional one: once, within ten minutes.
import { Type } from 'typebox';
import { remove } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { codeById } from '../../../db/queries/identity.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SIGNUP_SCOPES } from '../../domain/identity/scope.ts';
import { ClaimedAgent } from '../../schemas/account.ts';
import { iso } from '../../schemas/wire.ts';
import { mintApiKey } from '../../steps/key.ts';
import { FOR_A_PERSON, successorId } from '../../steps/provision/claim.ts';

export const provisionSuccessor = command({
  name: 'provision.successor',
  needed_by: 'the program of a provisional agent, which fetches its full key once a person has claimed the agent',
  summary: 'Fetch the full key of an agent claimed by a link',
  description:
    'Once, with the provisional key, within the ten minutes for which that stays valid. Until a person has claimed the ' +
    'agent it is 409 `pending`.',
  input: Type.Object({}),
  output: ClaimedAgent,
  effect: 'adds',
  access: 'key',
  scope: 'any',
  provisional: true,
  agent: 'required',
  secret: true,
  faults: ['pending', 'gone'],
  rest: [{ method: 'POST', path: '/api/auth/provision/successor' }],
  no_tool: FOR_A_PERSON,
  load: async (read, _input, ctx) => {
    const { id } = actor(ctx);
    const [agent, granted] = await Promise.all([read(agentById, { id }), read(codeById, { id: successorId(id) })]);
    return { agent, granted };
  },
  decide: ({ agent, granted }, _input, ctx) => {
    if (agent?.provisional === 1) return fault('pending', 'This agent is not claimed yet.');
    const stands = ctx.principal.provisional && granted !== null && granted.expires_at > ctx.now_ms;
    if (!agent || !stands) return fault('gone', 'There is no key to fetch, or it was fetched.');
    const { id: agent_id, account_id } = agent;
    const key = mintApiKey(ctx, { account_id, agent_id, name: 'claim', kind: 'signup', scopes: SIGNUP_SCOPES });
    return {
      reply: {
        status: 'claimed' as const,
        api_key: key.api_key,
        expires_at: iso(key.row.expires_at),
        scopes: [...SIGNUP_SCOPES],
        previous_key_valid_until: iso(granted.expires_at),
        agent_handle: agent.handle,
      },
      effects: [remove('codes', granted), ...key.effects],
    };
  },
});
