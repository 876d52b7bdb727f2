// Ends at once every credential of the account and every connection that sends its data out, including the calling session: for a
// person who suspects that another has one of them.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { AccessToEnd } from '../../schemas/account.ts';
import { markRevoked } from '../../steps/account/revoked.ts';
import { readRevoked } from '../../steps/session/find.ts';
import { revokeSlice } from './revoke-all/slice.ts';

export const accountRevokeAll = command({
  name: 'account.revoke_all',
  summary: 'Revoke all keys and sessions',
  description:
    'Ends every key, key pair, passkey, session (this one too) and connected program at once, and every unused approval, mailed link and ' +
    'handoff. Switches off webhooks, removes push configs and the `a2a_url` of all agents, and closes ' +
    'open streams. `ended` counts what ended. Sign in again with a code.',
  input: Type.Object({}),
  output: Type.Object({ revoked: Type.Literal(true), ended: AccessToEnd }),
  effect: 'destroys',
  access: 'session',
  rest: [{ method: 'POST', path: '/api/account/revoke-all' }],
  load: async (read, _input, ctx) => {
    const { account_id, now_ms } = ctx;
    const [{ ended, effects }, mark] = await Promise.all([
      revokeSlice(read, { account_id, until: now_ms }, ctx),
      readRevoked(read, account_id),
    ]);
    return { ended, effects: [...effects, markRevoked(mark, account_id, now_ms)] };
  },
  decide: ({ ended, effects }) => ({ reply: { revoked: true as const, ended }, notes: { refresh: null }, effects }),
});
