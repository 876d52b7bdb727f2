// Mails a sign-in link to an address with an account. It runs after the answer, which is the same for every address, so
// that response times do not disclose accounts.

import { Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import { accountByEmail } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { languageFor } from '../../domain/language.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { linkLetter } from '../../outbound/mailer/letters.ts';
import { letterWords } from '../../outbound/mailer/words/words.ts';
import { LanguageName } from '../../schemas/account.ts';
import { Email } from '../../schemas/wire.ts';
import { sendLetter } from '../../steps/letter.ts';
import { LINK_LIFE_MS, linkId, mintLink } from '../../steps/link.ts';

export const linkSend = command({
  name: 'link.send',
  summary: 'Mail a sign-in link to the address of an account',
  input: Type.Object({ email: Email, next: Type.Optional(Type.String()), language: Type.Optional(LanguageName) }),
  output: Type.Object({ sent: Type.Boolean() }),
  effect: 'adds',
  open_world: true,
  access: 'internal',
  load: (read, { email }) => read.peek(accountByEmail, { email }),
  decide: (account, { email, next, language }, ctx) => {
    if (!account) return { reply: { sent: false } };
    const token = mintLink(ctx);
    const url = `${ctx.settings.app_url}/login#token=${token}`;
    const letter = linkLetter(url, LINK_LIFE_MS / HOUR_MS, letterWords(languageFor(account, language)));
    const row = {
      id: linkId('link', token),
      hash: '',
      data: { email, ...(next !== undefined && { next }) },
      sent_at: ctx.now_ms,
    };
    return {
      reply: { sent: true },
      effects: [
        insert('codes', { ...row, expires_at: ctx.now_ms + LINK_LIFE_MS }),
        sendLetter({ channel: 'mail', to: email, ...letter }, ctx),
      ],
    };
  },
});
