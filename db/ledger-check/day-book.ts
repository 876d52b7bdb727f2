// The content of a sealed day: the hashes of its journals in order and of the balances at its end, and the previous day's seal.

/** One transfer with its accounts. Balances and numbers are null for the platform's side. */
export interface Movement {
  readonly debit: string;
  readonly credit: string;
  readonly amount_cents: number;
  readonly debit_after_cents: number | null;
  readonly credit_after_cents: number | null;
  readonly debit_n: number | null;
  readonly credit_n: number | null;
}

/** One transfer with its journal, as it is sealed. */
export interface SealedTransfer extends Movement {
  readonly journal: string;
  readonly kind: string;
  readonly subject_id: string | null;
  readonly created_at: number;
  readonly id: string;
}

export interface DaySeal {
  /** The day. */
  readonly id: string;
  readonly journals: number;
  readonly transfers: number;
  readonly amount_cents: number;
  readonly journals_hash: string;
  readonly sums_hash: string;
  /** Null of days that were sealed before approvals were. */
  readonly approvals_hash: string | null;
  readonly previous: string;
  readonly hash: string;
}

/** The balance of an active account at the end of a day. */
export interface DaySum {
  readonly account: string;
  readonly balance_cents: number;
}

/** No name of the ledger's has a tab or a line in it. */
const lineOf = (t: SealedTransfer): string =>
  `${t.journal}\t${t.kind}\t${t.subject_id ?? ''}\t${t.created_at}\t${t.id}\t${t.debit}\t${t.credit}\t${t.amount_cents}\t${t.debit_after_cents ?? ''}\t${t.credit_after_cents ?? ''}\t${t.debit_n ?? ''}\t${t.credit_n ?? ''}\n`;

/** One word of a person or program on what was asked of it, as it is sealed; `bounds` is JSON. */
export interface SealedApproval {
  readonly id: string;
  readonly agent_id: string;
  readonly subject: string;
  readonly subject_id: string;
  readonly decision: string;
  readonly amount_cents: number;
  readonly by: string;
  readonly credential_id: string | null;
  readonly bounds: string;
  readonly created_at: number;
}

const approvalLine = (a: SealedApproval): string =>
  `${a.id}\t${a.agent_id}\t${a.subject}\t${a.subject_id}\t${a.decision}\t${a.amount_cents}\t${a.by}\t${a.credential_id ?? ''}\t${a.bounds}\t${a.created_at}\n`;

/** The hash of a day's approvals, while they are gone through in the order of their times and ids. */
export class ApprovalsHash {
  readonly #hasher = new Bun.CryptoHasher('sha256');

  /** The next ones, in order. */
  add(approvals: readonly SealedApproval[]): void {
    this.#hasher.update(approvals.map(approvalLine).join(''));
  }

  /** Called once. */
  end(): string {
    return this.#hasher.digest('base64url');
  }
}

/** The hash of a seal, over all else that it says. */
export function sealHash({
  id,
  journals,
  transfers,
  amount_cents,
  journals_hash,
  sums_hash,
  approvals_hash,
  previous,
}: Omit<DaySeal, 'hash'>): string {
  const approved = approvals_hash === null ? [] : [approvals_hash];
  const said = JSON.stringify([id, journals, transfers, amount_cents, journals_hash, sums_hash, ...approved, previous]);
  return Bun.SHA256.hash(said, 'base64url');
}

/** The hash of balances, in the order of the accounts' names. */
export function sumsHash(sums: readonly DaySum[]): string {
  return Bun.SHA256.hash(
    sums.map(({ account, balance_cents }) => `${account}\t${balance_cents}\n`).join(''),
    'base64url',
  );
}

/** A day while its transfers are gone through, by time of their journals, then their ids, then the order of legs. */
export class DayBook {
  readonly #hasher = new Bun.CryptoHasher('sha256');
  readonly #net = new Map<string, number>();
  #journal = '';
  #journals = 0;
  #transfers = 0;
  #amount_cents = 0;

  constructor(readonly day: string) {}

  /** The next ones, in order. */
  add(transfers: readonly SealedTransfer[]): void {
    let lines = '';
    for (const transfer of transfers) {
      const { journal, debit, credit, amount_cents } = transfer;
      lines += lineOf(transfer);
      if (journal !== this.#journal) this.#journals += 1;
      this.#journal = journal;
      this.#transfers += 1;
      this.#amount_cents += amount_cents;
      this.#net.set(debit, (this.#net.get(debit) ?? 0) - amount_cents);
      this.#net.set(credit, (this.#net.get(credit) ?? 0) + amount_cents);
    }
    this.#hasher.update(lines);
  }

  /** The net movement of each account, by name. */
  net(): readonly (readonly [account: string, cents: number])[] {
    return [...this.#net].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The seal, with what the accounts then held, in their order. Called once. */
  seal(sums: readonly DaySum[], approvals_hash: string | null, previous: string): DaySeal {
    const seal = {
      id: this.day,
      journals: this.#journals,
      transfers: this.#transfers,
      amount_cents: this.#amount_cents,
      journals_hash: this.#hasher.digest('base64url'),
      sums_hash: sumsHash(sums),
      approvals_hash,
      previous,
    };
    return { ...seal, hash: sealHash(seal) };
  }
}
