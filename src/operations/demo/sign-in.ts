// Signs whoever watches the demo world in as one of its persons. It never opens a session of another account: the person is one that the
// world has made, with an address that no mail reaches, and no administrator.
import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';
import { sidesOf } from '../../domain/demo.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { demoAccount, readWatched } from '../../steps/demo/watch.ts';
import { sessionAnswer } from '../../steps/session/find.ts';
import { beginSession, refreshToken, SessionAnswer } from '../../steps/session/open.ts';

export const demoSignIn = flow({
  name: 'demo.sign_in',
  needed_by: 'the page of the demo world',
  summary: 'Sign in as a demo person',
  input: Type.Object({ handle: Type.String({ maxLength: 64 }) }),
  output: SessionAnswer,
  example: { handle: 'seo_audit_buyer' },
  effect: 'adds',
  access: 'session',
  signs_in: true,
  secret: true,
  faults: ['not_found'],
  run: async ({ handle }, ctx, ports) => {
    if (ports.processor?.name !== 'sandbox') return fault('not_found');
    const session_id = ctx.id();
    const { token, refresh_hash } = refreshToken(session_id, ctx);
    const outcome = await ctx.turn({
      attempt: async (read) => {
        const world = await readWatched(read, ctx);
        const side = world && sidesOf(world).find((each) => each.handle === handle);
        const account = side && (await demoAccount(read, side, ctx));
        if (!account) return fault('not_found');
        const { id, email, plan, language, seen_language } = account;
        return {
          reply: { id, email, plan, language },
          effects: beginSession(session_id, { id, seen_language }, refresh_hash, ctx),
        };
      },
    });
    return isFault(outcome) ? outcome : sessionAnswer(outcome.reply, session_id, token, ctx, ports);
  },
});
