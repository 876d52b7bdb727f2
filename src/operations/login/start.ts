// Mails a login code. Addresses without an account are mailed too, so that neither the answer nor mail traffic discloses
// accounts; only a correct code does (Q95).
import { command } from '../../contract/operation.ts';
import { CODE_BY_MAIL, mailAsked } from '../../steps/session/code.ts';
import { readAsked } from '../../steps/session/find.ts';

export const loginStart = command({
  name: 'login.start',
  noun: 'A new API key for an existing account.',
  summary: 'Mail a login code',
  description: 'Sends six digits to the address, for a new API key. The answer is the same for every address.',
  ...CODE_BY_MAIL,
  rest: [{ method: 'POST', path: '/api/auth/login/start' }],
  load: (read, { email }, ctx) => readAsked(read, 'login', email, ctx),
  decide: (asked, _input, ctx) => mailAsked('login', asked, ctx),
});
