// Exchanges a mailed code for a session, and creates the account if there is none. A flow, because the access token is
// signed after the session is on disk: no token survives a crash that loses its session.
import { Type } from 'typebox';
import { accountByEmail, codeById } from '../../../db/queries/identity.ts';
import { flow } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { isFault } from '../../domain/fault.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Code6, Email } from '../../schemas/wire.ts';
import { readInvitation } from '../../steps/account/invited.ts';
import { joinAs } from '../../steps/account/join.ts';
import { checkCode, codeId } from '../../steps/session/code.ts';
import { sessionAnswer, stillWorth } from '../../steps/session/find.ts';
import { beginSession, refreshToken, SessionAnswer } from '../../steps/session/open.ts';

export const sessionVerify = flow({
  name: 'session.verify',
  summary: 'Sign in',
  description:
    'Exchanges the mailed code for an access token of 15 minutes and a refresh cookie of 30 days. Creates the account if ' +
    'the address has none.',
  input: Type.Object({ email: Email, code: Code6 }),
  output: SessionAnswer,
  example: { email: SAMPLE.email, code: SAMPLE.session_code },
  effect: 'adds',
  access: 'public',
  signs_in: true,
  secret: true,
  faults: ['invalid_request', 'invalid_code', 'too_many_tries', 'signup_closed', 'account_suspended', 'conflict'],
  rest: [{ method: 'POST', path: '/api/auth/session/verify' }],
  no_tool: BEFORE_A_KEY,
  run: async (input, ctx, ports) => {
    const email = parseEmail(input.email);
    if (isFault(email)) return email;
    const session_id = ctx.id();
    const { token, refresh_hash } = refreshToken(session_id, ctx);
    const outcome = await ctx.turn({
      attempt: async (read) => {
        const [code, known, invitation] = await Promise.all([
          read(codeById, { id: codeId('session', email) }),
          read(accountByEmail, { email }),
          readInvitation(read, email, ctx),
        ]);
        const checked = checkCode(await stillWorth(read, code, known), input.code, ctx);
        if (isFault(checked)) return checked;
        const joined = joinAs(email, { known, invitation }, ctx);
        if (isFault(joined)) return joined;
        const { id, plan } = joined.account;
        const language = known?.language ?? null;
        const begun = beginSession(session_id, joined.account, refresh_hash, ctx);
        return { reply: { id, plan, language }, effects: [...checked.effects, ...joined.effects, ...begun] };
      },
    });
    return isFault(outcome) ? outcome : sessionAnswer({ ...outcome.reply, email }, session_id, token, ctx, ports);
  },
});
