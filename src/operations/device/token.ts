// A program polls for its person's decision. The key is given once; later polls answer that the code has expired (rules.md 3). A
// pending decision is no refusal here: the status is 200 and the body says so (interface.md, Errors 4).
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { isFault } from '../../domain/fault.ts';
import { PolledDeviceGrant } from '../../schemas/account.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { iso } from '../../schemas/wire.ts';
import { decidePoll, type PollRefusal } from '../../steps/device/grant.ts';
import { readPolled } from '../../steps/session/find.ts';

function told({ fault, message }: PollRefusal): PolledDeviceGrant {
  return { error: fault, message: typeof message === 'string' ? message : fault };
}

export const deviceToken = command({
  name: 'device.token',
  summary: 'Poll for the key of a sign-in by code',
  description:
    'Wait `interval` seconds between two polls, and five more after each `slow_down`. `access_denied` and `expired_token` ' +
    'are final.',
  input: Type.Object({ device_code: Type.String({ minLength: 1, maxLength: 200 }) }),
  output: PolledDeviceGrant,
  example: { device_code: SAMPLE.device_code },
  effect: 'adds',
  access: 'public',
  secret: true,
  rest: [{ method: 'POST', path: '/api/auth/device/token' }],
  no_tool: BEFORE_A_KEY,
  load: (read, { device_code }) => readPolled(read, device_code),
  decide: (state, _input, ctx) => {
    const polled = decidePoll(state, ctx);
    if (isFault(polled)) return { reply: told(polled), effects: polled.effects };
    const { api_key, row } = polled.key;
    return {
      reply: { api_key, expires_at: iso(row.expires_at), scopes: [...row.scopes] },
      effects: polled.effects,
    };
  },
});
