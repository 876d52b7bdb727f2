// Mails a sign-in code for a session in the browser; the answer is the same for every address.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { Email } from '../../schemas/wire.ts';
import { CODE_BY_MAIL, mailAsked } from '../../steps/session/code.ts';
import { readAsked } from '../../steps/session/find.ts';

export const sessionStart = command({
  name: 'session.start',
  summary: 'Mail a sign-in code',
  description:
    'Sends six digits to the address, for a session of the person behind it. The letter is in the language that the account has chosen, else in that of Accept-Language.',
  ...CODE_BY_MAIL,
  input: Type.Object({ email: Email }),
  rest: [{ method: 'POST', path: '/api/auth/session/start' }],
  load: (read, { email }, ctx) => readAsked(read, 'session', email, ctx),
  decide: (asked, _input, ctx) => mailAsked('session', asked, ctx),
});
