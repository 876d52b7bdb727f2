// Previews what revoking all would end.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { AccessToEnd } from '../../schemas/account.ts';
import { readAccess } from './revoke-all/slice.ts';

export const accountAccess = query({
  name: 'account.access',
  summary: 'List what revoking all would end',
  description:
    'Keys, sessions, programs, passkeys, key pairs, webhooks, push configs and endpoints, whoever made them. Links that were mailed or ' +
    'made for a person and not used yet end too, and so do open streams.',
  input: Type.Object({}),
  output: AccessToEnd,
  example: {},
  effect: 'reads',
  access: 'session',
  faults: [],
  rest: [{ method: 'GET', path: '/api/account/access' }],
  run: (read, _input, { account_id, now_ms }) => readAccess(read, account_id, now_ms),
});
