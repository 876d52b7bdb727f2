// Previews what revoking all would end.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { AccessToEnd } from '../../schemas/account.ts';
import { readAccess } from './revoke-all/slice.ts';

export const accountAccess = query({
  name: 'account.access',
  summary: 'List what account.revoke_all would end',
  description:
    'All keys, sessions, programs, passkeys, key pairs, webhooks, push configs and endpoints of the account. Unused links that were mailed or ' +
    'handed to a person end too, and so do open streams.',
  input: Type.Object({}),
  output: AccessToEnd,
  access: 'session',
  rest: [{ method: 'GET', path: '/api/account/access' }],
  run: (read, _input, { account_id, now_ms }) => readAccess(read, account_id, now_ms),
});
