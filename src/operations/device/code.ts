// Starts a device grant: the program shows its person the code and the address, and polls.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { SIGNUP_SCOPES } from '../../domain/identity/scope.ts';
import { BegunDeviceGrant } from '../../schemas/account.ts';
import { ClientName } from '../../schemas/wire.ts';
import { beginGrant } from '../../steps/device/grant.ts';

export const deviceCode = command({
  name: 'device.code',
  noun: 'A key for a program without a browser, approved in a browser on another device.',
  summary: 'Start a sign-in by code',
  description:
    'Show the person `user_code` and `verification_uri`, and poll with `device_code`. Never send a `user_code` to anyone: ' +
    'anyone who types it approves the program.',
  input: Type.Object({ client_name: Type.Optional(ClientName) }),
  output: BegunDeviceGrant,
  example: { client_name: 'Ada on a server' },
  effect: 'adds',
  access: 'public',
  secret: true,
  faults: ['rate_limited', 'conflict'],
  rest: [{ method: 'POST', path: '/api/auth/device/code' }],
  no_tool: BEFORE_A_KEY,
  load: async () => null,
  decide: (_state, { client_name = '' }, ctx) =>
    beginGrant({ client_name: client_name.trim(), scopes: SIGNUP_SCOPES }, ctx),
});
