// Creates a provisional agent with handle, wallet and key in one call, for an installation without a person. The same installation
// gets the same agent again with a new key, until a person has claimed it (rules.md 3).
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { accountById, installById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { fault } from '../../domain/fault.ts';
import { isOpenToAll, signupClosed } from '../../domain/identity/join.ts';
import { provisionalHandle, provisionLimits, UNCLAIMED_LIFE_MS } from '../../domain/identity/key.ts';
import { PROVISIONAL_SCOPES } from '../../domain/identity/scope.ts';
import { sha256Hex } from '../../outbound/hash.ts';
import { NEXT_CLAIM, Provisioned, ProvisionInput, tellTheUser } from '../../schemas/account.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { iso } from '../../schemas/wire.ts';
import { newAccount } from '../../steps/account/join.ts';
import { blankAgent } from '../../steps/agent/blank.ts';
import { readLiveKeys } from '../../steps/agent/load.ts';
import { mintApiKey, revokeKeys } from '../../steps/key.ts';
import { walletView } from '../../steps/money/wallet-view.ts';
import { CLEANUP } from '../../steps/provision/claim.ts';
import { remind } from '../../steps/reminder.ts';
import { sendCounters } from '../../steps/session/code.ts';

const HANDLE_BYTES = 10;
const TOO_MANY = 'Too many agents were set up from here; wait before setting up another.';

/** A new agent of a new account, and the effects that create both. */
function newAgent(install_id: string, ctx: Ctx): { agent: Row<'agents'>; born: Effect<'conflict'>[] } {
  const { now_ms } = ctx;
  const account = newAccount(null, ctx);
  const account_id = account.id;
  const handle = provisionalHandle(ctx.random(HANDLE_BYTES));
  const blank = blankAgent(ctx, { account_id, handle, display_name: handle });
  const agent: Row<'agents'> = { ...blank, provisional: 1, visibility: 'hidden' };
  const named = { id: handle, kind: 'current' as const, agent_id: agent.id, email: null, expires_at: null };
  const born = [
    insert('accounts', { ...account, provisional: 1 }),
    insert('handles', named, fault('conflict')),
    insert('agents', agent),
    remind(CLEANUP, { account_id, install_id }, { at: now_ms + UNCLAIMED_LIFE_MS, key: account_id, now_ms }),
  ];
  return { agent, born };
}

export const provisionCreate = command({
  name: 'provision.create',
  noun: 'Agents set up without a person, and claiming them.',
  summary: 'Get a provisional agent with a key',
  description:
    'Store `install_id` with the key: it gets a new key for the same agent if the key is lost, and the old key ends. A ' +
    'provisional agent is hidden, cannot move money and cannot list; it can read, talk and be paid. Unclaimed, unused ' +
    'and never funded, it is deleted after 30 days.',
  input: ProvisionInput,
  output: Provisioned,
  example: { install_id: SAMPLE.install_id, client_name: 'Ada on a server' },
  effect: 'adds',
  access: 'public',
  secret: true,
  faults: ['already_claimed', 'rate_limited', 'signup_closed', 'conflict'],
  rest: [{ method: 'POST', path: '/api/auth/provision' }],
  no_tool: BEFORE_A_KEY,
  load: async (read, input, ctx, ports) => {
    const install_id = sha256Hex(`install:${input.install_id}`);
    const install = await read(installById, { id: install_id });
    const agent = install && (await read(agentById, { id: install.agent_id }));
    const account = agent && (await read(accountById, { id: agent.account_id }));
    const keys = agent ? await readLiveKeys(read, agent.account_id, ctx.now_ms) : [];
    const whose = agent ?? { id: '', handle: '', account_id: '' };
    const wallet = await walletView(read, whose, ports, ctx.now_ms);
    return { install_id, install, agent, account, keys, wallet };
  },
  decide: ({ install_id, install, agent: known, account, keys, wallet }, { client_name = '' }, ctx) => {
    if (install && (known?.provisional !== 1 || account?.deleted_at !== null)) return fault('already_claimed');
    // Its person is unknown, so it may join only where everyone may.
    if (!known && !isOpenToAll(ctx.settings.joining)) return signupClosed(ctx.settings.joining);
    const { agent, born } = known ? { agent: known, born: [] } : newAgent(install_id, ctx);
    const { id: agent_id, account_id, handle } = agent;
    const name = client_name.trim() === '' ? 'provisional' : client_name.trim();
    const key = mintApiKey(ctx, { account_id, agent_id, name, kind: 'provisional', scopes: PROVISIONAL_SCOPES });
    const row = { id: install_id, agent_id, key_id: key.row.id, created_at: ctx.now_ms };
    const kept = install
      ? patch('installs', install, { key_id: key.row.id })
      : insert('installs', row, fault('conflict', 'Another call is setting up this installation; try again.'));
    return {
      reply: {
        status: 'provisioned' as const,
        provisional: true as const,
        handle,
        api_key: key.api_key,
        expires_at: iso(key.row.expires_at),
        scopes: [...PROVISIONAL_SCOPES],
        wallet: { ...wallet, handle },
        tell_the_user: tellTheUser(ctx.settings.instance.name),
        upgrade: NEXT_CLAIM,
      },
      effects: [
        ...sendCounters(provisionLimits(ctx.ip), ctx, TOO_MANY),
        kept,
        ...born,
        ...revokeKeys(keys, ctx.now_ms),
        ...key.effects,
      ],
    };
  },
});
