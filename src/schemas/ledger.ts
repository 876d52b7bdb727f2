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

const OrNull = Type.Union([Type.String(), Type.Null()]);

export const LedgerHead = namedObject('LedgerHead', 'the newest seal of the ledger', {
  day: Type.Union([Type.String({ description: 'as `2026-11-21`, UTC' }), Type.Null()]),
  hash: OrNull,
  previous: Type.Union([Type.String({ description: 'the hash of the day before; empty for the first' }), Type.Null()]),
  jws: OrNull,
  resealed: Type.Union([
    Type.String({
      description: 'a signed note of the seals that were replaced last, after a wrong clock had made them',
    }),
    Type.Null(),
  ]),
});

export const Receipt = namedObject('Receipt', 'what the service states of a payment, signed', {
  journal_id: Type.String(),
  receipt: Type.String({ description: 'a compact JWS; its `typ` is `receipt+jwt`' }),
});
