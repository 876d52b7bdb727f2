// Shows a person the request of a program that waits with a code. A command, because each attempt is counted.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { AskingDevice, UserCode } from '../../schemas/account.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { iso } from '../../schemas/wire.ts';
import { guessCounters, NO_SUCH_CODE } from '../../steps/device/grant.ts';
import { readTyped } from '../../steps/session/find.ts';

export const deviceLook = command({
  name: 'device.look',
  needed_by: 'the page on which a person approves a device',
  summary: 'Read what a program with a code asks for',
  description: 'Its name is not verified. Attempts are limited per account and per address.',
  input: Type.Object({ user_code: UserCode }),
  output: AskingDevice,
  example: { user_code: SAMPLE.user_code },
  effect: 'changes',
  access: 'session',
  faults: ['not_found', 'rate_limited'],
  rest: [{ method: 'POST', path: '/api/auth/device/look' }],
  load: (read, { user_code }, ctx) => readTyped(read, user_code, ctx),
  decide: (found, _input, ctx) => {
    const effects = guessCounters(ctx);
    if (!found) return { ...NO_SUCH_CODE, effects };
    const { client_name = '', scopes = '' } = found.grant.data;
    const asked = { client_name, scopes: scopes.split(' ').filter(Boolean), expires_at: iso(found.grant.expires_at) };
    return { reply: asked, effects };
  },
});
