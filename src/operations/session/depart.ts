// Sends a person to the external identity provider (OIDC_ISSUER). The response is valid once, within ten minutes, in the same browser,
// so that an attacker cannot sign a person in to another account unnoticed.

import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { parseNext } from '../../steps/link.ts';
import { beginAsking, signInAddress, TRADE_MS } from '../../steps/proof/asking.ts';
import { sendCounters } from '../../steps/session/code.ts';

/** Sign-ins started from one network address in an hour; offices share one. */
const DEPARTED_MAX = 300;
const TOO_MANY = 'Too many sign-ins were started from here; wait before starting another.';

export const sessionDepart = flow({
  name: 'session.depart',
  needed_by: 'a person who signs in through an external identity provider',
  summary: 'Sign in through the identity provider',
  input: Type.Object({
    browser: Type.String({ minLength: 1, maxLength: 200, description: 'identifies this browser' }),
    next: Type.String({ maxLength: 2048, description: 'a path of this site to continue to' }),
  }),
  output: namedObject('Departure', 'the sign-in page of the identity provider', {
    authorize_url: Type.String({ format: 'uri' }),
  }),
  example: { browser: SAMPLE.browser, next: '/app' },
  effect: 'adds',
  open_world: true,
  access: 'public',
  secret: true,
  faults: ['not_found', 'invalid_request', 'rate_limited', 'provider_unavailable'],
  run: async ({ browser, next: asked }, ctx, { identity, tasks }) => {
    if (!identity) return fault('not_found');
    const next = parseNext(asked);
    if (isFault(next)) return next;
    const begun = beginAsking('sign_in', signInAddress(ctx.settings), { browser, next }, ctx);
    const limit = { key: `departures:${ctx.ip}`, limit: DEPARTED_MAX, window_ms: HOUR_MS };
    const outcome = await ctx.turn({
      attempt: async () => ({ reply: null, effects: [...sendCounters([limit], ctx, TOO_MANY), begun.effect] }),
    });
    if (isFault(outcome)) return outcome;
    const work = (gone: AbortSignal): Promise<string | null> => identity.authorizeUrl(begun.asking, gone);
    const authorize_url = await tasks.call({ hosts: identity.hosts, deadline_ms: TRADE_MS, looks: true, work });
    return authorize_url === null ? fault('provider_unavailable') : { reply: { authorize_url } };
  },
});
