// Shows an administrator the account of a person, for a reason that is written down with their name. A command behind a read: who
// looked is on disk before anything is told.
import { Type } from 'typebox';
import { agentsOfAccount, deactivatedAgents } from '../../../db/queries/agent.ts';
import { accountByEmail, accountById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { PlanName } from '../../schemas/account.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email, Id, iso, isoOrNull, NullableTime, Time } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';

export const adminAccount = command({
  name: 'admin.account',
  needed_by: 'an administrator whom a person asks about the account',
  summary: 'Look at the account of a person',
  description:
    'By its id, address or the handle of one of its agents. The reason is kept with your name for other administrators.',
  input: Type.Object({
    reason: Type.String({ minLength: 5, maxLength: 500, description: 'why it has to be looked at' }),
    id: Type.Optional(Id),
    email: Type.Optional(Email),
    handle: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  output: namedObject('AccountLookup', 'what an administrator sees of an account', {
    id: Id,
    email: Type.Union([Type.String(), Type.Null()]),
    plan: PlanName,
    provisional: Type.Boolean(),
    admin: Type.Boolean({ description: 'whether it is stored as an administrator' }),
    created_at: Time,
    deleted_at: NullableTime,
    agents: Type.Array(
      namedObject('AccountAgent', 'an agent of an account', {
        id: Id,
        handle: Type.String(),
        visibility: Type.String(),
        verified_at: NullableTime,
        deactivated_at: NullableTime,
      }),
    ),
  }),
  example: { email: SAMPLE.email, reason: 'asked for help by mail' },
  effect: 'adds',
  safe: true,
  access: 'admin',
  faults: ['invalid_request', 'not_found'],
  rest: [{ method: 'GET', path: '/api/admin/accounts' }],
  load: async (read, input, ctx) => {
    const email = input.email === undefined ? null : parseEmail(input.email);
    const named = input.handle === undefined ? null : await agentByHandle(read, input.handle, ctx.now_ms);
    const id = input.id ?? named?.account_id ?? null;
    if (isFault(email)) return { email, account: null, agents: [] };
    const account = id === null ? email && (await read(accountByEmail, { email })) : await read(accountById, { id });
    if (!account) return { email, account: null, agents: [] };
    const asked = { account_id: account.id };
    const agents = [...(await read.peek(agentsOfAccount, asked)), ...(await read.peek(deactivatedAgents, asked))];
    return { email, account, agents };
  },
  decide: ({ email, account, agents }, input) => {
    if (isFault(email)) return email;
    if ([input.id, input.email, input.handle].filter((name) => name !== undefined).length !== 1) {
      return invalid({ path: 'id', message: 'Name the account by its id, its email or a handle: one of them.' });
    }
    if (!account) return fault('not_found');
    const { id, plan, provisional, admin_at, created_at, deleted_at } = account;
    return {
      reply: {
        ...{ id, plan, email: account.email, provisional: provisional === 1, admin: admin_at !== null },
        ...{ created_at: iso(created_at), deleted_at: isoOrNull(deleted_at) },
        agents: agents.map(({ id: agent_id, handle, visibility, verified_at, deactivated_at }) => ({
          ...{ id: agent_id, handle, visibility },
          verified_at: isoOrNull(verified_at),
          deactivated_at: isoOrNull(deactivated_at),
        })),
      },
    };
  },
});
