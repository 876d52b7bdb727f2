// Ends all keys, passkeys, sessions and programs of the account at once, the session that asks among them: for somebody who thinks that another
// holds one of them.
import { Type } from 'typebox';
import { revokeSlice } from '../../steps/account/revoke.ts';
import { markRevoked, readRevoked } from '../../steps/account/revoked.ts';
import { command } from '../operation.ts';

export const accountRevokeAll = command({
  name: 'account.revoke_all',
  summary: 'Revoke all keys and sessions',
  description:
    'Every key, every passkey, every session and every connected program ends at once, this session too, and so does what was approved or mailed and not used yet; sign in anew by a code.',
  input: Type.Object({}),
  output: Type.Object({ revoked: Type.Literal(true) }),
  example: {},
  effect: 'destroys',
  access: 'session',
  faults: [],
  rest: [{ method: 'POST', path: '/api/account/revoke-all' }],
  load: async (read, _input, ctx) => {
    const { account_id, now_ms } = ctx;
    const [ended, mark] = await Promise.all([
      revokeSlice(read, account_id, now_ms, ctx),
      readRevoked(read, account_id),
    ]);
    return [...ended, markRevoked(mark, account_id, now_ms)];
  },
  decide: (effects) => ({ reply: { revoked: true as const }, notes: { refresh: null }, effects }),
});
