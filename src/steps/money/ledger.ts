// When the days of the ledger are sealed.
import { Type } from 'typebox';
import { nextSealAt } from '../../domain/money/ledger.ts';
import { remind } from '../reminder.ts';

export const SEAL = { name: 'ledger.seal', input: Type.Object({}) } as const;

export function sealLater(now_ms: number): ReturnType<typeof remind> {
  return remind(SEAL, {}, { key: '', at: nextSealAt(now_ms), now_ms });
}

/** Asks for a seal at once. */
export function sealNow(now_ms: number): ReturnType<typeof remind> {
  return remind(SEAL, {}, { key: '', at: now_ms, now_ms });
}
