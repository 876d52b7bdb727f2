// A person grants or denies a program access. The request is read again from the address, so that exactly what was shown is granted;
// the program gets a code for itself alone, valid for a minute. A letter tells the person, in case another used their session.
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { accountById, oauthClientById } from '../../../db/queries/identity.ts';
import type { Read } from '../../../db/store.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { CODE_SECONDS, GRANT_DAYS, grantEnd } from '../../domain/identity/grant.ts';
import { DAY_MS } from '../../domain/time.ts';
import { programLetInLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { ASKING_QUERY, AskedProgram } from '../../schemas/oauth.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { sendLetter } from '../../steps/letter.ts';
import { grantCode } from '../../steps/oauth/grant-secret.ts';
import { type OpenAsking, readAsking } from './authorize/asking.ts';

/** How long a registered client is kept after a grant, so that it can ask again with its id. */
const USED_CLIENT_MS = 180 * DAY_MS;

/** Extends the life of the client's row, where it is registered here. */
async function kept(read: Read, client_id: string, now_ms: number) {
  const row = await read(oauthClientById, { id: client_id });
  return row?.kind === 'registered' ? [patch('oauth_clients', row, { expires_at: now_ms + USED_CLIENT_MS })] : [];
}

/** Stores the grant, and answers its code. */
function granted({ program, redirect_uri, asked }: OpenAsking, handle: string | undefined, days: number, ctx: FlowCtx) {
  const { account_id, now_ms } = ctx;
  const id = ctx.id();
  const { code, code_hash } = grantCode(id, ctx);
  return ctx.turn<string, 'not_found'>({
    attempt: async (read) => {
      const agents = await read(agentsOfAccount, { account_id });
      const agent = handle === undefined ? null : agents.find((each) => each.handle === handle);
      if (agent === undefined) return fault('not_found', 'You have no agent with that handle.');
      const client = { client_id: program.client_id, client_kind: program.kind, client_name: program.name };
      const owner = { account_id, agent_id: agent?.id ?? null };
      const life = { created_at: now_ms, expires_at: now_ms + CODE_SECONDS * 1000, ends_at: grantEnd(days, now_ms) };
      const { resource, scopes, challenge } = asked;
      const row = { id, ...owner, ...client, ...life, redirect_uri, resource, scopes, challenge, code_hash };
      const account = await read.peek(accountById, { id: account_id });
      const letter = programLetInLetter(
        {
          name: program.name,
          host: program.kind === 'document' ? new URL(program.client_id).host : null,
          handle: agent?.handle ?? null,
        },
        life.ends_at,
        `${ctx.settings.app_url}/account`,
        letterWordsFor(account),
      );
      const effects: Effect<never>[] = [
        insert('oauth_grants', row),
        ...(await kept(read, program.client_id, now_ms)),
        ...(account?.email ? [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] : []),
      ];
      return { reply: code, effects };
    },
  });
}

export const oauthDecide = flow({
  name: 'oauth.decide',
  needed_by: 'the consent page',
  summary: 'Approve or deny a program',
  input: Type.Object({
    query: ASKING_QUERY,
    allow: Type.Boolean(),
    agent_handle: Type.Optional(
      Type.String({ maxLength: 64, description: 'the agent it acts as; default: any of yours' }),
    ),
    days: Type.Optional(Type.Union(GRANT_DAYS.map((days) => Type.Literal(days)))),
  }),
  output: AskedProgram,
  example: { query: SAMPLE.asking_query, allow: true, agent_handle: SAMPLE.handle },
  effect: 'adds',
  open_world: true,
  access: 'session',
  secret: true,
  faults: ['rate_limited', 'not_found'],
  run: async ({ query, allow, agent_handle, days = GRANT_DAYS[0] }, ctx, ports) => {
    const asking = await readAsking(query, ctx, ports);
    if (isFault(asking)) return asking;
    if (asking.is !== 'open') return { reply: asking };
    const answered = (answer: Readonly<Record<string, string>>) => ({
      reply: { is: allow ? ('granted' as const) : ('refused' as const), redirect_to: asking.answerTo(answer) },
    });
    if (!allow) return answered({ error: 'access_denied', error_description: 'The person denied access' });
    const outcome = await granted(asking, agent_handle, days, ctx);
    return isFault(outcome) ? outcome : answered({ code: outcome.reply });
  },
});
