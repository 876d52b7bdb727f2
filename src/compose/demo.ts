// How the persons of the demo world act: by the ordinary operations, as signed-in persons without a credential. Whoever is not in the note
// of the world cannot be acted for.
import { agentById, agentsOfAccount } from '../../db/queries/agent.ts';
import { accountById } from '../../db/queries/identity.ts';
import type { FlowPorts } from '../contract/ports.ts';
import { sideNamed } from '../domain/demo.ts';
import { fault } from '../domain/fault.ts';
import { type Call, type Caller, NO_CREDENTIALS } from '../pipeline/call.ts';
import { NOBODY } from '../pipeline/principals.ts';
import { readDemo } from '../steps/demo/find.ts';
import type { World } from './world.ts';

export function demoPort({ store, id, perform }: Pick<World, 'store' | 'id' | 'perform'>): FlowPorts['demo'] {
  const callerOf = async (account_id: string): Promise<Caller> => {
    const [found, account] = await Promise.all([readDemo(store.read), store.read(accountById, { id: account_id })]);
    const isDemo = found !== null && sideNamed(found.world, account_id) !== null;
    if (!isDemo || !account || account.deleted_at !== null) throw new Error(`${account_id} is no account of the demo`);
    const { plan, language } = account;
    return {
      principal: { ...NOBODY, kind: 'session', account_id, plan, language },
      token_ends_at: Number.POSITIVE_INFINITY,
      ends_at: Number.POSITIVE_INFINITY,
      agents: () => store.read(agentsOfAccount, { account_id }),
    };
  };
  return {
    act: async ({ account_id, agent_id }, operation, input) => {
      const entered = await callerOf(account_id);
      const agent = agent_id === null ? null : await store.read(agentById, { id: agent_id });
      const call: Omit<Call, 'operation'> = {
        input: { ...input },
        bytes: 0,
        credential: NO_CREDENTIALS,
        acting: agent?.handle ?? null,
        origin: { ip: '', browser: false },
        idempotency_key: null,
        request_id: id(),
        entered,
      };
      const ended = await perform(operation, call);
      if ('refusal' in ended) return ended.refusal;
      return 'reply' in ended ? { reply: ended.reply.value } : fault('internal');
    },
  };
}
