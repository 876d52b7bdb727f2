// Starts the proof of an account on another site: answers the authorization address there. The redirect back leads to a page, in the
// session that asked.

import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { AccountSiteName } from '../../schemas/account.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso, Time } from '../../schemas/wire.ts';
import { parseNext } from '../../steps/link.ts';
import { beginAsking, returnAddress, TRADE_MS } from '../../steps/proof/asking.ts';
import { sendCounters } from '../../steps/session/code.ts';

/** Proofs that one account may start in an hour. */
const BEGUN_MAX = 30;
const TOO_MANY = 'Too many proofs were started; wait before starting another.';

export const trustConnect = flow({
  name: 'trust.connect',
  needed_by: 'a person who proves an account at a site; the interface spells the sites',
  summary: 'Prove an account on another site',
  description:
    'Returns the URL on which a person signs in at that site; they are redirected back, within ten ' +
    'minutes, in the browser in which they are signed in here. An account there backs one agent. Only its id is stored.',
  input: Type.Object({
    provider: AccountSiteName,
    next: Type.Optional(Type.String({ maxLength: 2048, description: 'a path of this site to continue to' })),
  }),
  output: namedObject('AccountProof', 'the page for proving an account', {
    authorize_url: Type.String({ format: 'uri' }),
    expires_at: Time,
  }),
  example: { provider: 'github' },
  effect: 'adds',
  open_world: true,
  access: 'session',
  agent: 'required',
  secret: true,
  faults: ['invalid_request', 'provider_not_configured', 'provider_unavailable', 'rate_limited'],
  rest: [{ method: 'POST', path: '/api/trust/{provider}/connect' }],
  run: async ({ provider, next: asked }, ctx, ports) => {
    const host = ports.hosts[provider];
    if (!host) return fault('provider_not_configured');
    const next = parseNext(asked ?? '/');
    if (isFault(next)) return next;
    const session_id = ctx.principal.credential_id ?? '';
    const data = { provider, session_id, agent_id: actor(ctx).id, next: asked === undefined ? '' : next };
    const begun = beginAsking('proof', returnAddress(ctx.settings, provider), data, ctx);
    const limit = { key: `proofs:${ctx.account_id}`, limit: BEGUN_MAX, window_ms: HOUR_MS };
    const outcome = await ctx.turn({
      attempt: async () => ({ reply: null, effects: [...sendCounters([limit], ctx, TOO_MANY), begun.effect] }),
    });
    if (isFault(outcome)) return outcome;
    const work = (gone: AbortSignal): Promise<string | null> => host.authorizeUrl(begun.asking, gone);
    const authorize_url = await ports.tasks.call({ hosts: host.hosts, deadline_ms: TRADE_MS, looks: true, work });
    if (authorize_url === null) return fault('provider_unavailable');
    return { reply: { authorize_url, expires_at: iso(begun.expires_at) } };
  },
});
