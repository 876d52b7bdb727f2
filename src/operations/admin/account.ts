// Shows an administrator a person's account, for a reason that is recorded with their name. A command behind a GET: the audit entry
// is on disk before the answer.
import { Type } from 'typebox';
import { agentsOfAccount, deactivatedAgents } from '../../../db/queries/agent.ts';
import { accountByEmail, accountById, keysOfAccount, sessionsOfAccount } from '../../../db/queries/identity.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { command } from '../../contract/operation.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { ACCOUNT_FACTS, accountFacts } from '../../schemas/admin.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email, Id, iso, isoOrNull, NullableText, NullableTime, Time } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';

/** Keys and sessions shown of one account. */
const SHOWN_MAX = 50;

/** The account's keys and sessions. */
async function readAccess({ peek }: Pick<Read, 'peek'>, account_id: string, now_ms: number) {
  const page = { account_id, now_ms, before: HIGHEST_ID, limit: SHOWN_MAX };
  const [keys, sessions] = await Promise.all([peek(keysOfAccount, page), peek(sessionsOfAccount, page)]);
  return { keys, sessions };
}

const NONE = { account: null, agents: [], keys: [], sessions: [] };

function agentView({ id, handle, visibility, verified_at, deactivated_at }: Row<'agents'>) {
  const times = { verified_at: isoOrNull(verified_at), deactivated_at: isoOrNull(deactivated_at) };
  return { id, handle, visibility, ...times };
}

function keyView({ key, agent_handle, last_used_at }: Awaited<ReturnType<typeof readAccess>>['keys'][number]) {
  const { id, kind, name, prefix, scopes, created_at, expires_at, used_at } = key;
  return {
    ...{ id, kind, name, prefix, scopes: [...scopes], agent_handle, created_at: iso(created_at) },
    last_used_at: isoOrNull(last_used_at ?? used_at),
    expires_at: iso(expires_at),
  };
}

export const adminAccount = command({
  name: 'admin.account',
  needed_by: 'an administrator who answers a question about an account',
  summary: 'Read the account of a person',
  description:
    'By its id, address or the handle of one of its agents: its agents, keys without their secrets, and sessions. Your name and the reason are stored for other administrators.',
  input: Type.Object({
    reason: Type.String({ minLength: 5, maxLength: 500, description: 'why you read it' }),
    id: Type.Optional(Id),
    email: Type.Optional(Email),
    handle: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  output: namedObject('AccountLookup', 'an account as administrators see it', {
    ...ACCOUNT_FACTS,
    provisional: Type.Boolean(),
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
    keys: Type.Array(
      namedObject('AccountKey', 'an API key of an account, without its secret', {
        id: Id,
        kind: Type.String(),
        name: Type.String(),
        prefix: Type.String({ description: 'the prefix of the key' }),
        scopes: Type.Array(Type.String()),
        agent_handle: NullableText,
        created_at: Time,
        last_used_at: NullableTime,
        expires_at: Time,
      }),
      { description: `valid ones, newest first, ${SHOWN_MAX} at most` },
    ),
    sessions: Type.Array(
      namedObject('AccountSession', 'an open session of its person', {
        id: Id,
        created_at: Time,
        expires_at: Time,
      }),
      { description: `newest first, ${SHOWN_MAX} at most` },
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
    if (isFault(email)) return { email, ...NONE };
    const account = id === null ? email && (await read(accountByEmail, { email })) : await read(accountById, { id });
    if (!account) return { email, ...NONE };
    const asked = { account_id: account.id };
    const agents = [...(await read.peek(agentsOfAccount, asked)), ...(await read.peek(deactivatedAgents, asked))];
    return { email, account, agents, ...(await readAccess(read, account.id, ctx.now_ms)) };
  },
  decide: ({ email, account, agents, keys, sessions }, input) => {
    if (isFault(email)) return email;
    if ([input.id, input.email, input.handle].filter((name) => name !== undefined).length !== 1) {
      return invalid({ path: 'id', message: 'Give exactly one of id, email or handle.' });
    }
    if (!account) return fault('not_found');
    return {
      reply: {
        ...accountFacts(account),
        provisional: account.provisional === 1,
        deleted_at: isoOrNull(account.deleted_at),
        agents: agents.map(agentView),
        keys: keys.map(keyView),
        sessions: sessions.map(({ id, created_at, expires_at }) => ({
          ...{ id, created_at: iso(created_at), expires_at: iso(expires_at) },
        })),
      },
    };
  },
});
