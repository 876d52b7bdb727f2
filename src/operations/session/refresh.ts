// Trades the refresh cookie for a new access token and a new cookie. A cookie that was already traded means that two
// hold the session, and one of them stole it: the session ends for both (RFC 9700, 4.14.2).
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { accountById, sessionById } from '../../../db/queries/identity.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { sameSecret, sha256Hex } from '../../outbound/hash.ts';
import { flow } from '../operation.ts';
import { refreshToken, SESSION_LIFE_MS, SessionAnswer, sentRefresh, sessionAnswer } from './open.ts';

type Refreshed = { readonly id: string; readonly email: string; readonly plan: 'free' | 'pro' };

const REFUSED = fault('unauthorized', 'The session has ended; sign in again.');

export const sessionRefresh = flow({
  name: 'session.refresh',
  summary: 'Refresh a session',
  description: 'Takes the refresh cookie and replaces it. A cookie that was replaced before ends the session.',
  input: Type.Object({}),
  output: SessionAnswer,
  access: 'public',
  secret: true,
  faults: ['unauthorized'],
  rest: [{ method: 'POST', path: '/api/auth/session/refresh' }],
  run: async (_input, ctx) => {
    const sent = sentRefresh(ctx);
    if (!sent) return REFUSED;
    const { token, refresh_hash } = refreshToken(sent.session_id, ctx);
    const outcome = await ctx.turn<Refreshed, 'unauthorized'>({
      attempt: async (read) => {
        const session = await read(sessionById, { id: sent.session_id });
        if (!session || session.ended_at !== null || session.expires_at <= ctx.now_ms) return REFUSED;
        if (!sameSecret(session.refresh_hash, sha256Hex(sent.token))) {
          return { ...REFUSED, effects: [patch('sessions', session, { ended_at: ctx.now_ms })] };
        }
        const account = await read.peek(accountById, { id: session.account_id });
        if (!account?.email) return REFUSED;
        const expires_at = ctx.now_ms + SESSION_LIFE_MS;
        const reply = { id: account.id, email: account.email, plan: account.plan };
        return { reply, effects: [patch('sessions', session, { refresh_hash, expires_at })] };
      },
    });
    return isFault(outcome) ? outcome : sessionAnswer(outcome.reply, sent.session_id, token, ctx);
  },
});
