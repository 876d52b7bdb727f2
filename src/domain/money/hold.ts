// Held money: set aside from a wallet for something that may yet fail, until it is settled or voided. One end is all it has.

export const HOLD_STATES = ['pending', 'settled', 'voided'] as const;
export type HoldState = (typeof HOLD_STATES)[number];
export const HOLD_MOVES = ['settle', 'void', 'expire'] as const;
export type HoldMove = (typeof HOLD_MOVES)[number];

interface Held {
  readonly status: HoldState;
  /** Epoch milliseconds. */
  readonly expires_at: number;
}

/** What a move makes of held money; null where it does nothing. What has expired can still be settled until it is voided:
 * whoever comes first decides, and the money is there. */
export function movedHold({ status, expires_at }: Held, move: HoldMove, now_ms: number): 'settled' | 'voided' | null {
  if (status !== 'pending') return null;
  if (move === 'expire' && now_ms < expires_at) return null;
  return move === 'settle' ? 'settled' : 'voided';
}
