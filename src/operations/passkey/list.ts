// Lists the person's passkeys.
import { Type } from 'typebox';
import { passkeysOfAccount } from '../../../db/queries/identity.ts';
import { query } from '../../contract/operation.ts';
import { Passkey, passkeyView } from '../../schemas/passkey.ts';

export const passkeyList = query({
  name: 'passkey.list',
  needed_by: 'a person who signs in with passkeys',
  summary: 'List passkeys',
  description: 'Oldest first.',
  input: Type.Object({}),
  output: Type.Array(Passkey),
  access: 'session',
  rest: [{ method: 'GET', path: '/api/auth/passkeys' }],
  run: async (read, _input, { account_id }) => (await read(passkeysOfAccount, { account_id })).map(passkeyView),
});
