// Opens a session for a redeemed link. A flow for the same reason as session.verify.
import { Type } from 'typebox';
import { remove } from '../../../db/effects.ts';
import { accountByEmail, codeById } from '../../../db/queries/identity.ts';
import { flow } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { suspensionOf } from '../../domain/identity/suspension.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { linkId } from '../../steps/link.ts';
import { revokedSince, type SignedIn, sessionAnswer } from '../../steps/session/find.ts';
import { beginSession, refreshToken, SessionAnswer } from '../../steps/session/open.ts';

export const sessionExchange = flow({
  name: 'session.exchange',
  summary: 'Make a session of a redeemed link',
  input: Type.Object({ token_hash: Type.String({ minLength: 1, maxLength: 200 }) }),
  output: SessionAnswer,
  example: { token_hash: SAMPLE.link_token_hash },
  effect: 'adds',
  access: 'public',
  signs_in: true,
  secret: true,
  faults: ['gone', 'account_suspended'],
  rest: [{ method: 'POST', path: '/api/auth/session/exchange' }],
  no_tool: BEFORE_A_KEY,
  run: async ({ token_hash }, ctx, ports) => {
    const session_id = ctx.id();
    const { token, refresh_hash } = refreshToken(session_id, ctx);
    const outcome = await ctx.turn<SignedIn, 'gone' | 'account_suspended'>({
      attempt: async (read) => {
        const redeemed = await read(codeById, { id: linkId('exchange', token_hash) });
        if (!redeemed || redeemed.expires_at <= ctx.now_ms) return fault('gone');
        const email = redeemed.data['email'] ?? '';
        const account = await read(accountByEmail, { email });
        if (!account || (await revokedSince(read, account.id, Number(redeemed.data['asked_at'])))) return fault('gone');
        const kept_out = suspensionOf(account);
        if (kept_out) return kept_out;
        return {
          reply: { id: account.id, email, plan: account.plan, language: account.language },
          effects: [remove('codes', redeemed), ...beginSession(session_id, account, refresh_hash, ctx)],
        };
      },
    });
    return isFault(outcome) ? outcome : sessionAnswer(outcome.reply, session_id, token, ctx, ports);
  },
});
