// Money paid in by card can be spent at once, but withdrawn only later (rules.md 8). Each account keeps such money by the day on which it
// becomes free. A payment uses free money first, then the money that becomes free soonest, and the latter stays held with
// its receiver. The commit of each journal updates this, so that no two payments use the same cent.
import { DAY_MS } from '../time.ts';
import { type GuardedAccount, isGuarded, type Transfer } from './ledger.ts';

/** Amounts and the times when they become free (epoch milliseconds), the soonest first; one entry a day (UTC), free with the
 * last of that day, so that an account has at most one entry more than a hold has days. */
export type HeldMoney = readonly (readonly [free_at: number, cents: number])[];

/** An account before a journal. */
interface Holding {
  readonly balance_cents: number;
  readonly held: HeldMoney | null;
}

/** The part of an account that is not free yet, at most its balance. */
export function heldBack({ balance_cents, held }: Holding, now_ms: number): number {
  const cents = (held ?? []).reduce((sum, [free_at, part]) => (free_at > now_ms ? sum + part : sum), 0);
  return Math.min(cents, balance_cents);
}

const dayOf = (free_at: number): number => Math.floor(free_at / DAY_MS);

/** An account while a journal is booked. */
class Holder {
  #balance: number;
  #held: [free_at: number, cents: number][];

  constructor({ balance_cents, held }: Holding, now_ms: number) {
    this.#balance = balance_cents;
    this.#held = (held ?? []).filter(([free_at]) => free_at > now_ms).map(([free_at, cents]) => [free_at, cents]);
  }

  get free(): number {
    return this.#balance - this.#held.reduce((sum, [, cents]) => sum + cents, 0);
  }

  get held(): HeldMoney {
    return this.#held.filter(([, cents]) => cents > 0);
  }

  covers(cents: number): boolean {
    return this.#balance >= cents;
  }

  /** Takes an amount; answers its held part. `first` names held money that is used before free money. */
  take(amount: number, first: number | undefined): HeldMoney {
    const taken: (readonly [number, number])[] = [];
    let left = amount;
    const takeHeld = (part: [free_at: number, cents: number]): void => {
      const cents = Math.min(part[1], left);
      if (cents > 0) taken.push([part[0], cents]);
      part[1] -= cents;
      left -= cents;
    };
    const free = this.free;
    if (first !== undefined) for (const part of this.#held) if (dayOf(part[0]) === dayOf(first)) takeHeld(part);
    left -= Math.min(left, Math.max(0, free));
    for (const part of this.#held) takeHeld(part);
    this.#balance -= amount;
    return taken;
  }

  give(amount: number, held: HeldMoney): void {
    this.#balance += amount;
    for (const [free_at, cents] of held) {
      const same = this.#held.find(([at]) => dayOf(at) === dayOf(free_at));
      if (same) {
        same[0] = Math.max(same[0], free_at);
        same[1] += cents;
      } else this.#held.push([free_at, cents]);
    }
    this.#held.sort(([a], [b]) => a - b);
  }
}

/** The held money of each account afterwards; or the account from which more would be withdrawn than is free. */
type HeldAfter =
  | { readonly held: ReadonlyMap<GuardedAccount, HeldMoney> }
  | { readonly short: GuardedAccount; readonly free_cents: number; readonly wanted_cents: number };

/** Null where no held money is involved. */
export function heldAfter(
  transfers: readonly Transfer[],
  before: ReadonlyMap<GuardedAccount, Holding>,
  now_ms: number,
): HeldAfter | null {
  const comes = transfers.some(({ held_until }) => held_until !== undefined && held_until > now_ms);
  if (!comes && ![...before.values()].some(({ held }) => held !== null)) return null;
  const holders = new Map([...before].map(([account, holding]) => [account, new Holder(holding, now_ms)]));
  const holderOf = (account: string): Holder | undefined => holders.get(account as GuardedAccount);
  const left = [...transfers];
  while (left.length > 0) {
    // Money may pass through an empty account, so its incoming transfers are applied first.
    const covered = left.findIndex(({ debit, amount_cents }) => holderOf(debit)?.covers(amount_cents) ?? true);
    for (const { debit, credit, amount_cents, held_until, of_held } of left.splice(Math.max(0, covered), 1)) {
      const payer = holderOf(debit);
      if (credit === 'payouts' && payer && isGuarded(debit) && payer.free < amount_cents) {
        return { short: debit, free_cents: Math.max(0, payer.free), wanted_cents: amount_cents };
      }
      const comesHeld: HeldMoney = held_until !== undefined && held_until > now_ms ? [[held_until, amount_cents]] : [];
      const taken = payer ? payer.take(amount_cents, of_held) : comesHeld;
      holderOf(credit)?.give(amount_cents, taken);
    }
  }
  return { held: new Map([...holders].map(([account, holder]) => [account, holder.held])) };
}

// Holds: money set aside from a wallet for something that may still fail, until it is settled or voided, once.

export const HOLD_STATES = ['pending', 'settled', 'voided'] as const;
export type HoldState = (typeof HOLD_STATES)[number];
export const HOLD_MOVES = ['settle', 'void', 'expire'] as const;
export type HoldMove = (typeof HOLD_MOVES)[number];

interface Held {
  readonly status: HoldState;
  /** Epoch milliseconds. */
  readonly expires_at: number;
}

/** The state of a hold after a move; null where the move has no effect. An expired hold can still be settled until it is
 * voided: the first move decides, and the money is available. */
export function movedHold({ status, expires_at }: Held, move: HoldMove, now_ms: number): 'settled' | 'voided' | null {
  if (status !== 'pending') return null;
  if (move === 'expire' && now_ms < expires_at) return null;
  return move === 'settle' ? 'settled' : 'voided';
}

// The origin of a ledger's money. A ledger holds money of one processor only, since cents in a wallet are indistinguishable: otherwise a
// bank could pay out sandbox money.

/** The origin of money; in Stripe's test mode none is real. */
type MoneyOrigin = 'sandbox' | 'stripe_test' | 'stripe';

/** The names of origins for operators. */
export const ORIGIN_WORDS: Readonly<Record<MoneyOrigin, string>> = {
  sandbox: 'the sandbox',
  stripe_test: 'the test mode of Stripe',
  stripe: 'Stripe',
};

export function originOf({
  name,
  livemode,
}: {
  readonly name: 'sandbox' | 'stripe';
  readonly livemode: boolean;
}): MoneyOrigin {
  if (name === 'sandbox') return 'sandbox';
  return livemode ? 'stripe' : 'stripe_test';
}

/** The origin of a payment by the id of its page: Stripe marks those of its test mode. */
export function originOfPage({
  processor,
  external_id,
}: {
  readonly processor: string;
  readonly external_id: string | null;
}): MoneyOrigin {
  if (processor === 'sandbox') return 'sandbox';
  return external_id?.startsWith('cs_test_') ? 'stripe_test' : 'stripe';
}
