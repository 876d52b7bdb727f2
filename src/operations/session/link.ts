// Mails a sign-in link to an address that has an account, for people who cannot type a code where they sit. It is never
// given out otherwise. The answer is the same for every address.
import { Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import { accountByEmail } from '../../../db/queries/identity.ts';
import { sendLimits } from '../../domain/code.ts';
import { parseEmail } from '../../domain/email.ts';
import { isFault } from '../../domain/fault.ts';
import { linkLetter } from '../../outbound/mailer/letters.ts';
import { LINK_LIFE_MS, linkId, mintLink, parseNext } from '../link/token.ts';
import { command } from '../operation.ts';
import { Email } from '../schemas/wire.ts';
import { sendCounters } from './code.ts';

const HOUR_MS = 3_600_000;

export const sessionLink = command({
  name: 'session.link',
  summary: 'Mail a sign-in link',
  description: 'For account recovery from the sign-in page. The link works once, within 24 hours.',
  input: Type.Object({
    email: Email,
    next: Type.Optional(Type.String({ maxLength: 2048, description: 'a path of this site to go on to' })),
  }),
  output: Type.Object({ sent: Type.Boolean() }),
  access: 'public',
  faults: ['invalid_request', 'rate_limited'],
  rest: [{ method: 'POST', path: '/api/auth/session/link' }],
  load: async (read, { email }) => {
    const address = parseEmail(email);
    return { address, account: isFault(address) ? null : await read.peek(accountByEmail, { email: address }) };
  },
  decide: ({ address, account }, input, ctx) => {
    if (isFault(address)) return address;
    const next = parseNext(input.next ?? '/');
    if (isFault(next)) return next;
    const effects = sendCounters(sendLimits(address, ctx.ip), ctx);
    if (!account) return { reply: { sent: true }, effects };
    const token = mintLink(ctx);
    const id = ctx.id();
    const letter = linkLetter(`${ctx.world.settings.app_url}/login#token=${token}`, LINK_LIFE_MS / HOUR_MS);
    const row = { id: linkId('link', token), hash: '', data: { email: address, next }, sent_at: ctx.now_ms };
    return {
      reply: { sent: true },
      effects: [
        ...effects,
        insert('codes', { ...row, expires_at: ctx.now_ms + LINK_LIFE_MS }),
        { do: 'send', id, channel: 'mail', payload: { id, to: address, ...letter }, created_at: ctx.now_ms },
      ],
    };
  },
});
