// Mails a sign-up code. It answers the same whether or not the address has an account, so nobody learns who has one.
import { command } from '../../contract/operation.ts';
import { CODE_BY_MAIL, mailAsked } from '../../steps/session/code.ts';
import { readAsked } from '../../steps/session/find.ts';

export const signupStart = command({
  name: 'signup.start',
  noun: 'An account and its first API key, by a mailed code.',
  summary: 'Mail a sign-up code',
  description: 'Sends six digits to the address. The answer is the same whether or not the address is known.',
  ...CODE_BY_MAIL,
  rest: [{ method: 'POST', path: '/api/auth/signup/start' }],
  load: (read, { email }, ctx) => readAsked(read, 'signup', email, ctx),
  decide: (asked, _input, ctx) => mailAsked('signup', asked, ctx),
});
