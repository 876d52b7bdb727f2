// Mails a sign-up code. It answers the same whether or not the address has an account, so nobody learns who has one.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { isFault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { ClientName, Email } from '../../schemas/wire.ts';
import { mailCode, readAsked } from '../../steps/session/code.ts';

export const signupStart = command({
  name: 'signup.start',
  noun: 'An account and its first API key, by a mailed code.',
  summary: 'Mail a sign-up code',
  description: 'Sends six digits to the address. The answer is the same whether or not the address is known.',
  input: Type.Object({ email: Email, client_name: Type.Optional(ClientName) }),
  output: Type.Object({ sent: Type.Boolean() }),
  example: { email: SAMPLE.email },
  effect: 'adds',
  open_world: true,
  access: 'public',
  signs_in: true,
  faults: ['invalid_request', 'rate_limited', 'conflict'],
  rest: [{ method: 'POST', path: '/api/auth/signup/start' }],
  no_tool: BEFORE_A_KEY,
  load: (read, { email }, ctx) => readAsked(read, 'signup', email, ctx),
  decide: (asked, _input, ctx) =>
    isFault(asked) ? asked : { reply: { sent: true }, effects: mailCode('signup', asked.to, asked.code, ctx) },
});
