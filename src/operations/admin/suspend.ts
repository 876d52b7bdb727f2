// Suspends an account: from this commit on sign-in and its keys are refused, and its agents are hidden. Money stays where it is, and
// open business with others goes on by its own rules.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { command } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { AdministeredAccount, accountFacts } from '../../schemas/admin.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { markRevoked } from '../../steps/account/revoked.ts';
import { ActReason, removableOf } from '../../steps/admin/allowed.ts';
import { readSubject } from '../../steps/admin/subject.ts';
import { activeOffers } from '../../steps/agent/load.ts';
import { withdrawn } from '../../steps/agent/withdraw.ts';
import { readRevoked } from '../../steps/session/find.ts';
import { revokeSlice } from '../account/revoke-all/slice.ts';

export const adminSuspend = command({
  name: 'admin.suspend',
  needed_by: 'an administrator who has to suspend an account',
  summary: 'Suspend an account',
  description:
    'Ends its sessions and streams, refuses its keys with 403 `account_suspended`, and hides its agents. Its money stays, ' +
    'and its open escrows and payouts continue. Its subscriptions are not charged; its paid plan is, until it is changed. Suspending ' +
    'it again also hides agents created since.',
  input: Type.Object({ id: PathId, reason: ActReason }),
  output: AdministeredAccount,
  example: { id: SAMPLE.account_id, reason: 'sends spam to strangers' },
  effect: 'changes',
  access: 'admin',
  faults: ['not_found', 'conflict'],
  rest: [{ method: 'POST', path: '/api/admin/accounts/{id}/suspend' }],
  load: async (read, { id: account_id }, ctx) => {
    const [subject, live, sessions, mark] = await Promise.all([
      readSubject(read, account_id),
      read(agentsOfAccount, { account_id }),
      revokeSlice(read, { account_id, until: ctx.now_ms, only: 'sessions' }, ctx),
      readRevoked(read, account_id),
    ]);
    const agents = await Promise.all(
      live.map(async (agent) => ({ agent, offers: await activeOffers(read, agent.id) })),
    );
    return { subject, agents, sessions, mark };
  },
  decide: ({ subject, agents, sessions, mark }, { id }, ctx) => {
    const account = removableOf(subject, ctx);
    if (isFault(account)) return account;
    if (account.suspended_at !== null && agents.length === 0) return { reply: accountFacts(account) };
    const set = { suspended_at: account.suspended_at ?? ctx.now_ms };
    return {
      reply: accountFacts({ ...account, ...set }),
      effects: [
        patch('accounts', account, set),
        ...agents.flatMap(({ agent, offers }) => withdrawn(ctx, agent, offers)),
        ...sessions.effects,
        markRevoked(mark, id, ctx.now_ms),
      ],
    };
  },
});
