// Books a journal (src/domain/money/ledger.ts) on the rows of either adapter, with all refusals before the first write: does every
// guarded account cover its net (from free money when it leaves the service) → is the journal's key taken → balances with their held
// part → its transfers. The CHECK on the balances is a last safeguard that is never reached.
import { type Fault, fault, isFault } from '../src/domain/fault.ts';
import { type HeldMoney, heldAfter } from '../src/domain/money/held-money.ts';
import {
  type Account,
  centsOf,
  earnedOf,
  type GuardedAccount,
  isGuarded,
  type Journal,
  netOfGuarded,
  type OnTaken,
  type Post,
  type Transfer,
} from '../src/domain/money/ledger.ts';
import type { Rows, Upsert } from './rows.ts';

const BALANCE: Upsert = { table: 'ledger_accounts', moves: ['balance_cents', 'postings'] };
const EARNED: Upsert = { table: 'earned_days', moves: ['cents'] };
const BALANCE_AND_HELD: Upsert = { table: 'ledger_accounts', moves: ['balance_cents', 'postings', 'held'] };

/** `again`: load and decide again. `exists`: the same journal is already booked. */
export type Booked = Fault | 'again' | 'exists' | 'booked';

/** The identity of a journal, independent of its time: its kind, its subject, and its transfers. */
function digestOf({ journal, transfers }: Post): string {
  const legs = transfers.map(({ debit, credit, amount_cents }) => [debit, credit, amount_cents]);
  return Bun.SHA256.hash(JSON.stringify([journal.kind, journal.subject_id, legs]), 'base64url');
}

function takenAnswer(onTaken: OnTaken, isSame: boolean): Fault | 'exists' {
  if (isFault(onTaken)) return onTaken;
  return isSame ? onTaken.same : onTaken.other;
}

/** The refusal, with the figures of the account that is short: within `payment_required` where the fault has that. */
function shortFault(
  refusal: Fault,
  figures: { readonly balance_cents: number; readonly shortfall_cents: number; readonly withdrawable_cents?: number },
): Fault {
  const { payment_required: price } = refusal.data;
  const data = typeof price === 'object' ? { payment_required: { ...price, ...figures } } : figures;
  return fault(refusal.fault, refusal.message, { ...refusal.data, ...data });
}

/** A guarded account while its journal is booked: what it holds, what of it is held, and the number of its last posting. */
interface Standing {
  balance_cents: number;
  postings: number;
  readonly held: HeldMoney | null;
}

/** A transfer with how it leaves its guarded sides. */
interface Posted {
  readonly transfer: Transfer;
  readonly debited: Standing | null;
  readonly credited: Standing | null;
}

/** Inserts a transfer, and adds its earnings to the sum of its day. */
function putTransfer({ transfer, debited, credited }: Posted, journal: Journal, rows: Rows): void {
  const { id, debit, credit, amount_cents } = transfer;
  const row = {
    id,
    journal: journal.id,
    debit,
    credit,
    amount_cents,
    debit_after_cents: debited?.balance_cents ?? null,
    credit_after_cents: credited?.balance_cents ?? null,
    debit_n: debited?.postings ?? null,
    credit_n: credited?.postings ?? null,
    earned: transfer.earned ? 1 : 0,
    created_at: journal.created_at,
  };
  if (!rows.insert('transfers', row, null)) throw new Error('a transfer id was given twice');
  const earned = earnedOf(transfer, journal);
  if (!earned) return;
  const before = Number(rows.row('earned_days', earned.id)?.cents ?? 0);
  rows.put(EARNED, { ...earned, cents: before + earned.cents });
}

/** Books the journal, or answers why it was not booked; then nothing is written. */
export function postJournal(effect: Post, rows: Rows): Booked {
  const { journal, transfers, onShort, onTaken } = effect;
  const digest = digestOf(effect);
  const taken = (): Booked | null => {
    const known = rows.row('journals', journal.id);
    return known && takenAnswer(onTaken, known.digest === digest);
  };
  const standings = new Map<GuardedAccount, Standing>();
  const net = netOfGuarded(transfers);
  for (const [account, cents] of net) {
    const row = rows.row('ledger_accounts', account);
    const balance = Number(row?.balance_cents ?? 0);
    if (cents < 0 && balance + cents < 0) {
      // A journal that is already booked has been paid for.
      const shortfall_cents = -cents - balance;
      return (
        taken() ?? (onShort === 'again' ? onShort : shortFault(onShort, { balance_cents: balance, shortfall_cents }))
      );
    }
    const held = (row?.held ?? null) as HeldMoney | null;
    standings.set(account, { balance_cents: balance, postings: Number(row?.postings ?? 0), held });
  }
  const kept = heldAfter(transfers, standings, journal.created_at);
  if (kept && 'short' in kept) {
    const { short, free_cents: withdrawable_cents, wanted_cents } = kept;
    const balance_cents = standings.get(short)?.balance_cents ?? 0;
    const figures = { balance_cents, withdrawable_cents, shortfall_cents: wanted_cents - withdrawable_cents };
    return taken() ?? (onShort === 'again' ? onShort : shortFault(onShort, figures));
  }
  const after = (account: Account, cents: number): Standing | null => {
    const standing = isGuarded(account) ? standings.get(account) : undefined;
    if (!standing) return null;
    standing.balance_cents = centsOf(standing.balance_cents + cents);
    standing.postings += 1;
    return { ...standing };
  };
  const posted = transfers.map((transfer) => {
    const { debit, credit, amount_cents } = transfer;
    return { transfer, debited: after(debit, -amount_cents), credited: after(credit, amount_cents) };
  });
  const { id, kind, subject_id, created_at } = journal;
  // A taken key without a visible row: another node is booking it.
  if (!rows.insert('journals', { id, kind, subject_id, digest, created_at }, effect)) return taken() ?? 'again';
  // Also for a net of 0: each account has its row from its first transfer on.
  for (const [account, standing] of standings) {
    const held = kept?.held.get(account);
    if (held === undefined) rows.put(BALANCE, { id: account, ...standing });
    else rows.put(BALANCE_AND_HELD, { id: account, ...standing, held: held.length > 0 ? held : null });
  }
  for (const each of posted) putTransfer(each, journal, rows);
  return 'booked';
}
