// Deletes a provisional agent thirty days after its creation, unless it was claimed, left something that others keep, or its wallet
// ever held money. It is erased as people's accounts are. An agent that only read gets thirty more days from its last read.
import { Type } from 'typebox';
import { patch, remove } from '../../../db/effects.ts';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { threadsJoined, threadsOpened } from '../../../db/queries/conversation.ts';
import { accountById, installById } from '../../../db/queries/identity.ts';
import { guardedBalance } from '../../../db/queries/ledger.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { command } from '../../contract/operation.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { fateOf, type Unclaimed } from '../../domain/identity/key.ts';
import { eraseLater, withoutName } from '../../steps/account/leave.ts';
import { CLEANUP } from '../../steps/provision/claim.ts';
import { remind } from '../../steps/reminder.ts';

async function lifeOf(
  read: Read,
  { id: agent_id, created_at }: Row<'agents'>,
  ports: Pick<LoadPorts, 'presence'>,
): Promise<Unclaimed> {
  const page = { agent_id, before: HIGHEST_ID, limit: 1 };
  const [opened, joined, wallet, held, presence] = await Promise.all([
    read.peek(threadsOpened, page),
    read.peek(threadsJoined, page),
    read.peek(guardedBalance, { id: `wallet:${agent_id}` }),
    read.peek(guardedBalance, { id: `held:${agent_id}` }),
    ports.presence(agent_id),
  ]);
  return {
    talked: opened.length + joined.length > 0,
    funded: wallet !== null || held !== null,
    last_seen_at: presence.last_seen_at ?? created_at,
  };
}

export const provisionCleanup = command({
  name: CLEANUP.name,
  summary: 'Delete an unclaimed, unused provisional agent',
  input: CLEANUP.input,
  output: Type.Object({ deleted: Type.Boolean() }),
  effect: 'destroys',
  access: 'internal',
  load: async (read, { account_id, install_id }, _ctx, ports) => {
    const [account, install, [agent]] = await Promise.all([
      read(accountById, { id: account_id }),
      read(installById, { id: install_id }),
      read(agentsOfAccount, { account_id }),
    ]);
    return { account, install, agent, life: agent ? await lifeOf(read, agent, ports) : null };
  },
  decide: ({ account, install, agent, life }, input, { now_ms }) => {
    const unclaimed = account?.provisional === 1 && account.deleted_at === null;
    if (!unclaimed || !agent || !life) return { reply: { deleted: false } };
    const fate = fateOf(life, now_ms);
    if (fate === 'stays') return { reply: { deleted: false } };
    const { account_id } = input;
    if (fate !== 'goes') {
      const again = remind(CLEANUP, input, { at: fate, key: account_id, now_ms });
      return { reply: { deleted: false }, effects: [again] };
    }
    return {
      reply: { deleted: true },
      effects: [
        patch('accounts', account, { deleted_at: now_ms }),
        ...withoutName(agent, now_ms),
        ...(install ? [remove('installs', install)] : []),
        eraseLater(account_id, now_ms),
      ],
    };
  },
});
