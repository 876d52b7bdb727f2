// The four steps to an activated account, each with its requirements (interface.md item 6). It works without an agent,
// since claiming a handle is one of the steps.
import { Type } from 'typebox';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { isOwner } from '../../schemas/agent.ts';
import { OnboardingStatus, progressOf } from '../../steps/onboarding/progress.ts';

export const onboardingStatus = query({
  name: 'onboarding.status',
  summary: 'Read the onboarding status',
  description: 'The steps to an activated account; `next_step` is the first one not done, null if all are done.',
  input: Type.Object({}),
  output: OnboardingStatus,
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'optional',
  faults: ['agent_required'],
  rest: [{ method: 'GET', path: '/api/onboarding/status' }],
  tools: [{ name: 'mesh_onboarding_status', title: 'Read the onboarding status', set: 'agents' }],
  run: async (read, _input, ctx) => {
    const [account, agents] = await Promise.all([
      read(accountById, { id: ctx.account_id }),
      read(agentsOfAccount, { account_id: ctx.account_id }),
    ]);
    const own = agents.filter((agent) => isOwner(ctx, agent));
    if (!ctx.agent && own.length > 0) {
      return fault('agent_required', undefined, { handles: own.map(({ handle }) => handle) });
    }
    const agent = agents.find(({ id }) => id === ctx.agent?.id) ?? null;
    return progressOf(account, agent, ctx.settings.app_url);
  },
});
