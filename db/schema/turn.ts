// The tables of turns themselves: guarded counters, idempotency rows, durable reminders, outbound messages, and the double-entry
// ledger.
import { sql } from 'drizzle-orm';
import { NEEDS_INDEX } from '../../src/domain/match/asked.ts';
import type { HeldMoney } from '../../src/domain/money/held-money.ts';
import type { Notes, Success } from '../../src/domain/notes.ts';
import type { Builders } from './builders.ts';
import { gone, keep, stays } from './personal.ts';

/** Reminders of matching, in the words of their partial index; other nodes may run them than the rest. */
export const IS_MATCHING = `operation IN (${NEEDS_INDEX.map((name) => `'${name}'`).join(', ')})`;

// Without a return type: drizzle infers the row types from this literal.
export function turnTables(b: Builders) {
  const counters = b.table(
    'counters',
    { id: b.id(), n: b.int('n', keep).notNull(), expires_at: b.int('expires_at', keep) },
    (t) => [b.index('counters_expiry').on(t.expires_at).where(sql`expires_at IS NOT NULL`)],
  );
  /** The id hashes caller, operation and key. `value` is the kept reply or refusal as JSON, sealed when it holds a secret. */
  const idempotency = b.table(
    'idempotency',
    {
      id: b.id(),
      request_hash: b.code('request_hash', keep).notNull(),
      status: b.code<Success | 'refused'>('status', keep).notNull(),
      notes: b.json<Notes>('notes', gone).notNull(),
      value: b.text('value', gone).notNull(),
      sealed: b.int('sealed', keep).notNull().default(0),
      expires_at: b.int('expires_at', keep).notNull(),
    },
    (t) => [b.index('idempotency_expiry').on(t.expires_at)],
  );
  const reminders = b.table(
    'reminders',
    {
      id: b.id(),
      at: b.int('at', keep).notNull(),
      operation: b.code('operation', keep).notNull(),
      input: b.json<Record<string, unknown>>('input', gone).notNull(),
      attempts: b.int('attempts', keep).notNull().default(0),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('reminders_at').on(t.at), b.index('reminders_matching').on(t.at).where(sql.raw(IS_MATCHING))],
  );
  const outbound = b.table(
    'outbound',
    {
      id: b.id(),
      channel: b.code<'mail' | 'sms'>('channel', keep).notNull(),
      /** Sealed: it may hold a code. The row goes when it is sent. */
      payload: b.text('payload', gone).notNull(),
      attempts: b.int('attempts', keep).notNull().default(0),
      next_at: b.int('next_at', keep).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('outbound_next').on(t.next_at)],
  );
  /** How far TEST_CLOCK has moved service time on, and which node is moving it just now; one row. */
  const service_time = b.table('service_time', {
    id: b.id(),
    offset_ms: b.int('offset_ms', keep).notNull(),
    mover: b.code('mover', keep),
    /** Wall-clock time: a node that died while it moved time blocks others no longer than this. */
    moving_until: b.int('moving_until', keep).notNull(),
  });
  /** The service's own notes, by name: until when its clock was trusted, the check values of its secrets, the last check of the
   * ledger, and its replaced seals. */
  const service_notes = b.table('service_notes', {
    id: b.id(),
    value: b.json<Record<string, unknown>>('value', stays('says nothing of a person')).notNull(),
    version: b.version(),
  });
  /** Guarded accounts alone (domain/money/ledger.ts); the platform's side has no row. */
  const ledger_accounts = b.table(
    'ledger_accounts',
    {
      id: b.id(),
      balance_cents: b.int('balance_cents', keep).notNull(),
      /** How many postings it has had: the number of its last. */
      postings: b.int('postings', keep).notNull().default(0),
      /** The parts of the balance that become free later; null for none. */
      held: b.json<HeldMoney>('held', stays('amounts and times')),
    },
    // The interpreter refuses first; this catches our own errors.
    () => [b.check('ledger_accounts_covered', sql`balance_cents >= 0`)],
  );
  /** The id is the journal's with the transfer's place in it. */
  const transfers = b.table(
    'transfers',
    {
      id: b.id(),
      journal: b.code('journal', keep).notNull(),
      debit: b.code('debit', keep).notNull(),
      credit: b.code('credit', keep).notNull(),
      amount_cents: b.int('amount_cents', keep).notNull(),
      /** Each side's balance afterwards; null for the platform's. Within a journal it may be negative, after its last transfer never. */
      debit_after_cents: b.int('debit_after_cents', keep),
      credit_after_cents: b.int('credit_after_cents', keep),
      /** Which of its side's postings it is, from 1 without gap, in the order of the commits; null for the platform's. */
      debit_n: b.int('debit_n', keep),
      credit_n: b.int('credit_n', keep),
      /** 1 for the proceeds of a sale. */
      earned: b.int('earned', keep).notNull().default(0),
      created_at: b.int('created_at', keep).notNull(),
    },
    (t) => [
      b.index('transfers_journal').on(t.journal),
      b.index('transfers_debit').on(t.debit, t.debit_n).where(sql`debit_n IS NOT NULL`),
      b.index('transfers_credit').on(t.credit, t.credit_n).where(sql`credit_n IS NOT NULL`),
      b.index('transfers_earned').on(t.credit, t.credit_n).where(sql`earned = 1`),
      // For summing the platform's balances from the index alone.
      b.index('transfers_platform_debit').on(t.debit, t.amount_cents).where(sql`debit_after_cents IS NULL`),
      b.index('transfers_platform_credit').on(t.credit, t.amount_cents).where(sql`credit_after_cents IS NULL`),
    ],
  );
  /** An agent's earnings of a day (days since 1970, UTC); the id is `agent:day`. Updated in the journals'
   * commits. */
  const earned_days = b.table(
    'earned_days',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      day: b.int('day', keep).notNull(),
      cents: b.int('cents', keep).notNull(),
    },
    (t) => [b.index('earned_days_agent').on(t.agent_id, t.day)],
  );
  const journals = b.table(
    'journals',
    {
      id: b.id(),
      kind: b.code('kind', keep).notNull(),
      /** The reason of the movement. */
      subject_id: b.code('subject_id', keep),
      /** Of kind, subject and transfers: tells a repeated journal from another one with its id. */
      digest: b.code('digest', keep).notNull().default(''),
      created_at: b.int('created_at', keep).notNull(),
    },
    // A day's journals are sealed together.
    (t) => [b.index('journals_created').on(t.created_at)],
  );
  return {
    counters,
    idempotency,
    reminders,
    outbound,
    service_time,
    service_notes,
    ledger_accounts,
    journals,
    transfers,
    earned_days,
  };
}
