// The newest seal of the ledger, signed. A stored copy proves that earlier bookings were not rewritten.
import { Type } from 'typebox';
import { newestDay } from '../../../db/queries/ledger.ts';
import { query } from '../../contract/operation.ts';
import { LedgerHead } from '../../schemas/wallet.ts';
import { noteOfReseal } from '../../steps/money/ledger-standing.ts';

export const ledgerHead = query({
  name: 'ledger.head',
  summary: 'The newest seal of the ledger',
  description:
    'Each day (UTC) is sealed an hour after its end with a hash over its journals, the resulting balances, and the seal of the day before. `jws` is signed by a key of `/.well-known/jwks.json` (`typ` is `ledger-head+jwt`). All fields are null before the first seal.',
  input: Type.Object({}),
  output: LedgerHead,
  access: 'public',
  any_origin: true,
  cache_seconds: 300,
  rest: [{ method: 'GET', path: '/.well-known/ledger-head' }],
  no_tool: 'For programs that store the seals of the ledger.',
  run: async (read, _input, { settings }, { documents }) => {
    const sealed = await read(newestDay, {});
    const resealed = await noteOfReseal(read);
    if (!sealed) return { day: null, hash: null, previous: null, jws: null, resealed };
    const { id: day, journals, transfers, amount_cents, previous, hash, created_at } = sealed;
    const claims = { iss: settings.base_url, iat: Math.floor(created_at / 1_000), day, journals, transfers };
    const jws = documents.sign('ledger-head+jwt', { ...claims, amount_cents, previous, hash });
    return { day, hash, previous, jws, resealed };
  },
});
