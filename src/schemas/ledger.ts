// Shapes of the ledger on the wire: what a check of it found, the newest seal, and receipts.
import { Type } from 'typebox';
import { namedObject } from './named.ts';

export const LedgerCheck = namedObject('LedgerCheck', 'the ledger, proved on one snapshot of it', {
  ok: Type.Boolean({ description: 'whether nothing is wrong' }),
  accounts: Type.Integer({ minimum: 0 }),
  transfers: Type.Integer({ minimum: 0 }),
  sum_cents: Type.Integer({ description: 'all balances together: 0' }),
  problems: Type.Array(
    Type.Object({
      about: Type.String({ description: 'an account (`wallet:…`), a day (`2026-11-21`), a journal' }),
      problem: Type.String({ description: 'what is wrong, with the figures' }),
    }),
    { maxItems: 100, description: 'the first hundred' },
  ),
});
