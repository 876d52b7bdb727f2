// Reads a wallet's statement: a page of it, newest first, its balance at a time, or a table. The counterparty of an entry is found
// by the account on the other side.
import type { Static } from 'typebox';
import { agentById } from '../../../db/queries/agent.ts';
import { escrowById } from '../../../db/queries/escrow.ts';
import {
  type PostedTransfer,
  postingInAt,
  postingOutAt,
  postingsIn,
  postingsOf,
  postingsOut,
} from '../../../db/queries/ledger.ts';
import { subscriptionById } from '../../../db/queries/subscription.ts';
import { sendById } from '../../../db/queries/wallet.ts';
import type { Read } from '../../../db/store.ts';
import { Noted, type Page } from '../../contract/reply.ts';
import { AFTER_ALL, CSV_ENTRIES, CSV_HEADS } from '../../domain/money/statement.ts';
import { csvText } from '../../domain/text/csv.ts';
import type { BalanceAt, StatementEntry } from '../../schemas/wallet.ts';
import { iso, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { agentByHandle } from '../agent/find.ts';
import { siftedPage } from '../page.ts';

type Entry = Static<typeof StatementEntry>;

export interface StatementAsked {
  readonly kind?: string;
  readonly from?: string;
  readonly to?: string;
  readonly counterparty?: string;
  readonly direction?: 'in' | 'out';
  readonly limit?: number;
  readonly cursor?: string;
}

/** One side of a transfer, as its account sees it. */
interface Posting {
  readonly n: number;
  readonly journal_id: string;
  readonly kind: string;
  readonly subject_id: string | null;
  readonly other: string;
  readonly cents: number;
  readonly after_cents: number;
  readonly created_at: number;
  /** Gross, fee and net of the payment that it is the amount of; all null of other postings. */
  readonly sums: Pick<Entry, 'gross_cents' | 'fee_cents' | 'net_cents'>;
}

type Peek = Read['peek'];

const NO_SUMS = { gross_cents: null, fee_cents: null, net_cents: null };

/** Gross, fee and net of a payment with a fee. The fee's own posting has none, nor have refunds. */
function sumsOf({ transfer, fee_cents }: PostedTransfer): Posting['sums'] {
  const { debit, credit, earned, amount_cents: net_cents } = transfer;
  const [payer, payee] = [debit, credit].map((account) => account.split(':')[1]);
  const back = payer === payee || (debit.startsWith('escrow:') && !earned);
  if (fee_cents === null || payee === undefined || back) return NO_SUMS;
  return { gross_cents: net_cents + fee_cents, fee_cents, net_cents };
}

function postingOf(row: PostedTransfer, account: string): Posting {
  const { transfer, kind, subject_id } = row;
  const { journal: journal_id, debit, credit, amount_cents, created_at } = transfer;
  const out = debit === account;
  return {
    ...{ journal_id, kind, subject_id, created_at, sums: sumsOf(row) },
    n: (out ? transfer.debit_n : transfer.credit_n) ?? 0,
    other: out ? credit : debit,
    cents: out ? -amount_cents : amount_cents,
    after_cents: (out ? transfer.debit_after_cents : transfer.credit_after_cents) ?? 0,
  };
}

/** Postings before a number, newest first. */
async function postings(
  peek: Peek,
  account: string,
  before: number,
  limit: number,
  direction?: 'in' | 'out',
): Promise<Posting[]> {
  const [out, into] = await Promise.all([
    direction === 'in' ? [] : peek(postingsOut, { account, before, limit }),
    direction === 'out' ? [] : peek(postingsIn, { account, before, limit }),
  ]);
  return [...out, ...into]
    .map((row) => postingOf(row, account))
    .sort((a, b) => b.n - a.n)
    .slice(0, limit);
}

/** The number of the first posting at or after a time; one past the last when there is none. Numbers and times rise together
 * except for neighbours, so it is found by binary search. */
async function firstFrom(peek: Peek, account: string, at_ms: number): Promise<number> {
  let low = 1;
  let high = ((await peek(postingsOf, { id: account }))?.postings ?? 0) + 1;
  while (low < high) {
    const n = Math.floor((low + high) / 2);
    const posting = (await peek(postingOutAt, { account, n })) ?? (await peek(postingInAt, { account, n }));
    if (posting !== null && posting.created_at < at_ms) low = n + 1;
    else high = n;
  }
  return low;
}

/** The agent on the other side; null for the platform's own accounts, except that the payer of a subscription's fee has its
 * seller as counterparty. */
async function counterpartyOf(
  peek: Peek,
  agent_id: string,
  { other, kind: of, subject_id }: Posting,
): Promise<string | null> {
  const [kind, id = ''] = other.split(':');
  if (kind === 'wallet') return id;
  if (of === 'charge' && subject_id !== null)
    return (await peek(subscriptionById, { id: subject_id }))?.seller_id ?? null;
  if (kind !== 'escrow') return null;
  const escrow = await peek(escrowById, { id });
  if (!escrow) return null;
  return escrow.buyer_id === agent_id ? escrow.seller_id : escrow.buyer_id;
}

/** Something that is looked up by its id, each once. */
function once<T>(look: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (id) => {
    const found = known.get(id) ?? look(id);
    known.set(id, found);
    return found;
  };
}

type Met = Posting & { readonly counterparty_id: string | null };

function entriesOf(peek: Peek, met: readonly Met[]): Promise<Entry[]> {
  const handleOf = once(async (id) => (await peek(agentById, { id }))?.handle ?? null);
  return Promise.all(
    met.map(async ({ journal_id, kind, cents, after_cents, sums, counterparty_id, subject_id, created_at }) => {
      const sent = kind === 'send' && subject_id !== null ? await peek(sendById, { id: subject_id }) : null;
      return {
        journal_id,
        kind,
        amount_cents: cents,
        balance_after_cents: after_cents,
        ...sums,
        counterparty_handle: counterparty_id && (await handleOf(counterparty_id)),
        reference_id: subject_id,
        note: sent?.note ?? null,
        at: iso(created_at),
      };
    }),
  );
}

/** A page of the statement of an agent's wallet. */
export async function statementPage(
  read: Read,
  agent_id: string,
  { kind, from, to, counterparty, direction, limit = PAGE_DEFAULT, cursor }: StatementAsked,
  now_ms: number,
): Promise<Page<Entry>> {
  const { peek } = read;
  const account = `wallet:${agent_id}`;
  const other = counterparty === undefined ? null : await agentByHandle(read, counterparty, now_ms);
  if (counterparty !== undefined && !other) return { items: [], next_cursor: null };
  const [least, most] = await Promise.all([
    from === undefined ? 0 : firstFrom(peek, account, Date.parse(from)),
    to === undefined ? AFTER_ALL : firstFrom(peek, account, Date.parse(to)),
  ]);
  const begin = Math.min(most, cursor === undefined ? AFTER_ALL : Number(cursor));
  const page = await siftedPage<Met>({
    from: String(begin),
    limit,
    read: async (before, n) => {
      const rows = await postings(peek, account, Number(before), n, direction);
      const inside = rows.filter((row) => row.n >= least);
      const met = inside.map(async (row) => ({ ...row, counterparty_id: await counterpartyOf(peek, agent_id, row) }));
      return Promise.all(met);
    },
    cursorOf: ({ n }) => String(n),
    textOf: () => '',
    fits: (row) => (kind === undefined || row.kind === kind) && (!other || row.counterparty_id === other.id),
  });
  return { items: await entriesOf(peek, page.items), next_cursor: page.next_cursor };
}

/** A wallet's balance at a time: after the last posting until then. */
export async function balanceAt(peek: Peek, agent_id: string, at_ms: number): Promise<Static<typeof BalanceAt>> {
  const account = `wallet:${agent_id}`;
  const n = (await firstFrom(peek, account, at_ms + 1)) - 1;
  const last = n < 1 ? null : ((await peek(postingOutAt, { account, n })) ?? (await peek(postingInAt, { account, n })));
  return { balance_cents: last?.after_cents ?? 0, at: iso(at_ms) };
}

/** The statement's replies: a page, a balance, or a table. */
export async function statementReply(
  read: Read,
  agent_id: string,
  asked: StatementAsked & { readonly at?: string; readonly format?: 'json' | 'csv' },
  now_ms: number,
): Promise<Page<Entry> | Noted<Entry[] | Static<typeof BalanceAt>>> {
  const { at, format, limit } = asked;
  if (at !== undefined) return new Noted(await balanceAt(read.peek, agent_id, Date.parse(at)), {});
  if (format !== 'csv') return statementPage(read, agent_id, asked, now_ms);
  const { items, next_cursor } = await statementPage(read, agent_id, { ...asked, limit: limit ?? CSV_ENTRIES }, now_ms);
  const text = csvText(
    CSV_HEADS,
    items.map((entry) => CSV_HEADS.map((head) => entry[head])),
  );
  // The value is a text of its own type (`media`), which no schema of JSON describes.
  return new Noted(text as unknown as Entry[], {
    media: 'text/csv; charset=utf-8',
    ...(next_cursor && { next_cursor }),
  });
}
