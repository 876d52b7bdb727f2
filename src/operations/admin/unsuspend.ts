// Ends a suspension and restores the agents that it deactivated. Their listings stay paused, as after any restore.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { deactivatedAgents } from '../../../db/queries/agent.ts';
import { command } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { AdministeredAccount, accountFacts } from '../../schemas/admin.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { ActReason, personOf } from '../../steps/admin/allowed.ts';
import { readSubject } from '../../steps/admin/subject.ts';
import { broughtBack } from '../../steps/agent/withdraw.ts';

export const adminUnsuspend = command({
  name: 'admin.unsuspend',
  needed_by: 'an administrator who ends a suspension',
  summary: 'End the suspension of an account',
  description:
    'Its keys work and its agents are visible again; their listings stay paused. The person has to sign in again. An account that is not ' +
    'suspended is unchanged.',
  input: Type.Object({ id: PathId, reason: ActReason }),
  output: AdministeredAccount,
  example: { id: SAMPLE.account_id, reason: 'it was a mistake' },
  effect: 'changes',
  access: 'admin',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/admin/accounts/{id}/unsuspend' }],
  load: async (read, { id: account_id }) => ({
    subject: await readSubject(read, account_id),
    agents: await read(deactivatedAgents, { account_id }),
  }),
  decide: ({ subject, agents }, _input, ctx) => {
    const account = personOf(subject);
    if (isFault(account)) return account;
    const { suspended_at } = account;
    if (suspended_at === null) return { reply: accountFacts(account) };
    const gone_with_it = agents.filter(({ deactivated_at }) => deactivated_at === suspended_at);
    return {
      reply: accountFacts({ ...account, suspended_at: null }),
      effects: [
        patch('accounts', account, { suspended_at: null }),
        ...gone_with_it.flatMap((agent) => broughtBack(ctx, agent)),
      ],
    };
  },
});
