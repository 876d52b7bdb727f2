// Mails a sign-up code. The answer is the same with and without an account, so that accounts are not disclosed.
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
