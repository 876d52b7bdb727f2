// Exchanges the token of a mailed link for a token from which the sign-in page makes a session. The first token is consumed,
// so that copies of the link in a mail scanner or browser history are worthless afterwards.
import { Type } from 'typebox';
import { insert, remove } from '../../../db/effects.ts';
import { codeById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { EXCHANGE_LIFE_MS, isLink, linkId, parseNext, secretText } from '../../steps/link.ts';

export const linkRedeem = command({
  name: 'link.redeem',
  noun: 'Single-use links for signing in.',
  summary: 'Redeem a mailed sign-in link',
  description:
    'Single use. `next` replaces the path that the link was requested with; without either it is that of the app.',
  input: Type.Object({
    token: Type.String({ minLength: 1, maxLength: 200 }),
    next: Type.Optional(Type.String({ maxLength: 2048, description: 'a path of this site to continue to' })),
  }),
  output: namedObject('RedeemedLink', 'what a redeemed link returns', {
    token_hash: Type.String({ description: 'for POST /api/auth/session/exchange, within five minutes' }),
    type: Type.Literal('login'),
    next: Type.String(),
  }),
  example: { token: SAMPLE.link_token, next: '/inbox' },
  effect: 'adds',
  access: 'public',
  secret: true,
  faults: ['invalid_request', 'gone'],
  rest: [{ method: 'POST', path: '/api/auth/link/redeem' }],
  no_tool: BEFORE_A_KEY,
  load: (read, { token }) => read(codeById, { id: linkId('link', token) }),
  decide: (link, input, ctx) => {
    if (!isLink(input.token, ctx)) return invalid({ path: 'token', message: 'is not a token of a sign-in link' });
    if (!link || link.expires_at <= ctx.now_ms) return fault('gone');
    const next = parseNext(input.next ?? link.data['next'] ?? new URL(ctx.settings.app_url).pathname);
    if (isFault(next)) return next;
    const token_hash = secretText(ctx);
    const data = { ...link.data, asked_at: String(link.sent_at) };
    const row = { id: linkId('exchange', token_hash), hash: '', data, sent_at: ctx.now_ms };
    return {
      reply: { token_hash, type: 'login' as const, next },
      effects: [remove('codes', link), insert('codes', { ...row, expires_at: ctx.now_ms + EXCHANGE_LIFE_MS })],
    };
  },
});
