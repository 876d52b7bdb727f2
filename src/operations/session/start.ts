// Mails a sign-in code for a session in the browser; like the other starts it answers the same for every address.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { isFault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email } from '../../schemas/wire.ts';
import { mailCode, readAsked } from '../../steps/session/code.ts';

export const sessionStart = command({
  name: 'session.start',
  summary: 'Mail a sign-in code',
  description: 'Sends six digits to the address, for a session of the person behind it.',
  input: Type.Object({ email: Email }),
  output: Type.Object({ sent: Type.Boolean() }),
  example: { email: SAMPLE.email },
  effect: 'adds',
  open_world: true,
  access: 'public',
  signs_in: true,
  faults: ['invalid_request', 'rate_limited', 'conflict'],
  rest: [{ method: 'POST', path: '/api/auth/session/start' }],
  no_tool: BEFORE_A_KEY,
  load: (read, { email }, ctx) => readAsked(read, 'session', email, ctx),
  decide: (asked, _input, ctx) =>
    isFault(asked) ? asked : { reply: { sent: true }, effects: mailCode('session', asked.to, asked.code, ctx) },
});
