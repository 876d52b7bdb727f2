// The content of the consent page: the program, its host, the scopes, and the person's agents as which it could act. Reading it grants nothing.
import { Type } from 'typebox';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { placeOf } from '../../domain/identity/client.ts';
import { GRANT_DAYS } from '../../domain/identity/grant.ts';
import { ASKING_QUERY, AskedProgram } from '../../schemas/oauth.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { type Asking, readAsking } from './authorize/asking.ts';

async function shown(asking: Extract<Asking, { is: 'open' }>, ctx: FlowCtx) {
  const { program, redirect_uri, asked } = asking;
  const { name, kind, client_id } = program;
  const place = placeOf(redirect_uri);
  const [account, agents] = await Promise.all([
    ctx.read(accountById, { id: ctx.account_id }),
    ctx.read(agentsOfAccount, { account_id: ctx.account_id }),
  ]);
  return {
    is: 'open' as const,
    program: { name, host: kind === 'document' ? new URL(client_id).host : null, client_id },
    answer: place,
    scopes: [...asked.scopes],
    resource: `${ctx.settings.base_url}${asked.resource}`,
    email: account?.email ?? '',
    agents: agents.map(({ handle }) => handle),
    days: [...GRANT_DAYS],
  };
}

export const oauthAuthorize = flow({
  name: 'oauth.authorize',
  needed_by: 'the consent page',
  summary: 'Read an authorization request',
  input: Type.Object({ query: ASKING_QUERY }),
  output: AskedProgram,
  example: { query: SAMPLE.asking_query },
  effect: 'changes',
  open_world: true,
  access: 'session',
  faults: ['rate_limited'],
  run: async ({ query }, ctx, ports) => {
    const asking = await readAsking(query, ctx, ports);
    if (isFault(asking)) return asking;
    if (asking.is !== 'open') return { reply: asking };
    return { reply: await shown(asking, ctx) };
  },
});
