// Books a journal (src/domain/money/ledger.ts) on the rows of either adapter, in an order that refuses before it writes: is its
// key taken → does every guarded account cover its net → balances → the journal → its transfers. The CHECK on the balances
// stands under it all and is never met.
import { type Fault, fault, isFault } from '../src/domain/fault.ts';
import {
  type Account,
  centsOf,
  type GuardedAccount,
  isGuarded,
  netOfGuarded,
  type OnTaken,
  type Post,
} from '../src/domain/money/ledger.ts';
import type { Rows, Upsert } from './rows.ts';

const BALANCE: Upsert = { table: 'ledger_accounts', moves: ['balance_cents'] };

/** `again`: load and decide anew. `exists`: the same journal stands there already. */
export type Booked = Fault | 'again' | 'exists' | 'booked';

/** What makes two journals the same, whenever they are posted: why, for what, and who gives how much to whom. */
function digestOf({ journal, transfers }: Post): string {
  const legs = transfers.map(({ debit, credit, amount_cents }) => [debit, credit, amount_cents]);
  return Bun.SHA256.hash(JSON.stringify([journal.kind, journal.subject_id, legs]), 'base64url');
}

function takenAnswer(onTaken: OnTaken, isSame: boolean): Fault | 'exists' {
  if (isFault(onTaken)) return onTaken;
  return isSame ? onTaken.same : onTaken.other;
}

/** The refusal, with the figures of the account that is short. */
function shortFault({ fault: code, message, data }: Fault, balance_cents: number, net_cents: number): Fault {
  return fault(code, message, { ...data, balance_cents, shortfall_cents: -net_cents - balance_cents });
}

/** Books the journal, or answers why it was not booked; then nothing is written. */
export function postJournal(effect: Post, rows: Rows): Booked {
  const { journal, transfers, onShort, onTaken } = effect;
  const digest = digestOf(effect);
  const known = rows.row('journals', journal.id);
  if (known) return takenAnswer(onTaken, known.digest === digest);
  const balances = new Map<GuardedAccount, number>();
  const net = netOfGuarded(transfers);
  for (const [account, cents] of net) {
    const balance = Number(rows.row('ledger_accounts', account)?.balance_cents ?? 0);
    if (cents < 0 && balance + cents < 0) return onShort === 'again' ? onShort : shortFault(onShort, balance, cents);
    balances.set(account, balance);
  }
  for (const [account, cents] of net) {
    // Also where nothing stays: each account has its row from its first transfer on.
    rows.put(BALANCE, { id: account, balance_cents: centsOf((balances.get(account) ?? 0) + cents) });
  }
  const { id, kind, subject_id, created_at } = journal;
  // Another node has booked it since it was looked for.
  if (!rows.insert('journals', { id, kind, subject_id, digest, created_at }, effect)) return 'again';
  const after = (account: Account, cents: number): number | null => {
    if (!isGuarded(account)) return null;
    const balance = centsOf((balances.get(account) ?? 0) + cents);
    balances.set(account, balance);
    return balance;
  };
  for (const { id: transfer_id, debit, credit, amount_cents } of transfers) {
    const row = {
      id: transfer_id,
      journal: id,
      debit,
      credit,
      amount_cents,
      debit_after_cents: after(debit, -amount_cents),
      credit_after_cents: after(credit, amount_cents),
      created_at,
    };
    if (!rows.insert('transfers', row, null)) throw new Error('a transfer id was given twice');
  }
  return 'booked';
}
