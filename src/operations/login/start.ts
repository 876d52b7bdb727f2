// Mails a login code. Addresses without an account are mailed too, so that neither the answer nor the mail server's
// traffic tells who has one; only a correct code finds out (Q95).
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { isFault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { ClientName, Email } from '../../schemas/wire.ts';
import { mailCode, readAsked } from '../../steps/session/code.ts';

export const loginStart = command({
  name: 'login.start',
  noun: 'A new API key for an address that has an account.',
  summary: 'Mail a login code',
  description: 'Sends six digits to the address, for a new API key. The answer is the same for every address.',
  input: Type.Object({ email: Email, client_name: Type.Optional(ClientName) }),
  output: Type.Object({ sent: Type.Boolean() }),
  example: { email: SAMPLE.email },
  effect: 'adds',
  open_world: true,
  access: 'public',
  signs_in: true,
  faults: ['invalid_request', 'rate_limited', 'conflict'],
  rest: [{ method: 'POST', path: '/api/auth/login/start' }],
  no_tool: BEFORE_A_KEY,
  load: (read, { email }, ctx) => readAsked(read, 'login', email, ctx),
  decide: (asked, _input, ctx) =>
    isFault(asked) ? asked : { reply: { sent: true }, effects: mailCode('login', asked.to, asked.code, ctx) },
});
