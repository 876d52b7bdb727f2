// Holds as a table: every state under every move, before and after its time.
import { expect, test } from 'bun:test';
import {
  HOLD_MOVES,
  HOLD_STATES,
  type HoldMove,
  type HoldState,
  movedHold,
} from '../../../src/domain/money/held-money.ts';

type End = 'settled' | 'voided' | null;

const EXPIRES = 1_000;
/** What becomes of it a millisecond before its time, and on it. */
const TABLE: Record<HoldState, Record<HoldMove, readonly [before: End, after: End]>> = {
  pending: { settle: ['settled', 'settled'], void: ['voided', 'voided'], expire: [null, 'voided'] },
  settled: { settle: [null, null], void: [null, null], expire: [null, null] },
  voided: { settle: [null, null], void: [null, null], expire: [null, null] },
};

for (const status of HOLD_STATES) {
  for (const move of HOLD_MOVES) {
    test(`${move} of what is ${status}`, () => {
      const hold = { status, expires_at: EXPIRES };
      expect([movedHold(hold, move, EXPIRES - 1), movedHold(hold, move, EXPIRES)]).toEqual([...TABLE[status][move]]);
    });
  }
}
