// Requests a sign-in link by mail, for people who cannot type a code. The link is sent by mail only. The answer and its
// work are the same for every address: the account is looked up later.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { isFault } from '../../domain/fault.ts';
import { sendLimits } from '../../domain/identity/code.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email } from '../../schemas/wire.ts';
import { parseNext } from '../../steps/link.ts';
import { remind } from '../../steps/reminder.ts';
import { sendCounters } from '../../steps/session/code.ts';
import { linkSend } from '../link/send.ts';

export const sessionLink = command({
  name: 'session.link',
  summary: 'Mail a sign-in link',
  description: 'For account recovery from the sign-in page. The link works once, within 24 hours.',
  input: namedObject('SignInLinkInput', 'whom a sign-in link is mailed to', {
    email: Email,
    next: Type.Optional(Type.String({ maxLength: 2048, description: 'a path of this site to continue to' })),
  }),
  output: Type.Object({ sent: Type.Boolean() }),
  example: { email: SAMPLE.email },
  effect: 'adds',
  open_world: true,
  access: 'public',
  signs_in: true,
  faults: ['invalid_request', 'rate_limited'],
  rest: [{ method: 'POST', path: '/api/auth/session/link' }],
  no_tool: BEFORE_A_KEY,
  load: async (_read, { email }) => parseEmail(email),
  decide: (email, input, ctx) => {
    if (isFault(email)) return email;
    const next = input.next === undefined ? undefined : parseNext(input.next);
    if (isFault(next)) return next;
    const { now_ms } = ctx;
    return {
      reply: { sent: true },
      effects: [
        ...sendCounters(sendLimits(email, ctx.ip), ctx),
        remind(
          linkSend,
          { email, ...(next !== undefined && { next }), ...(ctx.language && { language: ctx.language }) },
          { at: now_ms, key: ctx.id(), now_ms },
        ),
      ],
    };
  },
});
