// A person approves or denies a program that waits with a code. Opening an address that contains the code never approves it.
import { Type } from 'typebox';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { programLetInLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { UserCode } from '../../schemas/account.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { decideGrant, guessCounters, NO_SUCH_CODE } from '../../steps/device/grant.ts';
import { sendLetter } from '../../steps/letter.ts';
import { readTyped } from '../../steps/session/find.ts';

export const deviceApprove = command({
  name: 'device.approve',
  summary: 'Approve or refuse a program that waits with a code',
  description:
    'Approve only a sign-in that you started yourself. `agent_handle` binds the key to one of your agents. A code can be decided on once.',
  input: namedObject('DeviceDecision', 'what a person decided about a program that waits with a code', {
    user_code: UserCode,
    approve: Type.Boolean(),
    agent_handle: Type.Optional(HandleInput),
  }),
  output: Type.Object({ approved: Type.Boolean(), client_name: Type.String() }),
  example: { user_code: SAMPLE.user_code, approve: true },
  effect: 'changes',
  access: 'session',
  faults: ['not_found', 'rate_limited'],
  rest: [{ method: 'POST', path: '/api/auth/device/approve' }],
  load: async (read, { user_code, agent_handle }, ctx) => {
    const found = await readTyped(read, user_code, ctx);
    const wanted = agent_handle === undefined ? null : parseHandle(agent_handle, 'agent_handle');
    const own = wanted === null ? [] : await read(agentsOfAccount, { account_id: ctx.account_id });
    const account = await read.peek(accountById, { id: ctx.account_id });
    return { found, agent: own.find(({ handle }) => handle === wanted) ?? null, account };
  },
  decide: ({ found, agent, account }, { approve, agent_handle }, ctx) => {
    const counted = guessCounters(ctx);
    if (!found) return { ...NO_SUCH_CODE, effects: counted };
    if (approve && agent_handle !== undefined && !agent) {
      return { ...fault('not_found', 'You have no agent with that handle.'), effects: counted };
    }
    const by = approve ? { account_id: ctx.account_id, agent_id: agent?.id ?? null } : null;
    const client_name = found.grant.data['client_name'] ?? '';
    const letter = programLetInLetter(
      { name: client_name, host: null, handle: agent?.handle ?? null },
      null,
      `${ctx.settings.app_url}/keys`,
      letterWordsFor(account),
    );
    const told = approve && account?.email ? [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] : [];
    return {
      reply: { approved: approve, client_name },
      effects: [...counted, ...decideGrant(found, by, ctx), ...told],
    };
  },
});
