// The payment processor's tables: fundings, payouts, payees, plans, and its received events.
import { sql } from 'drizzle-orm';
import type { KeyPairColumn } from './agent.ts';
import type { Builders } from './builders.ts';
import { blank, gone, inner, keep, stays } from './personal.ts';

/** The bank account to which a connected account is paid out, as the processor names it. */
export interface BankColumn {
  readonly name: string | null;
  readonly country: string;
  readonly last4: string;
}

/** The credential that asked for a connection, with its name then; a session has none. */
export interface ConnectorColumn extends Pick<KeyPairColumn, 'by' | 'by_id'> {
  readonly name: string | null;
}

// Without a return type: drizzle infers the row types from this literal.
export function processorTables(b: Builders) {
  /** Money that a person pays into a wallet on the processor's page. */
  const fundings = b.table(
    'fundings',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      account_id: b.code('account_id', keep).notNull(),
      amount_cents: b.int('amount_cents', keep).notNull(),
      processor: b.code('processor', keep).notNull(),
      /** The processor's name of its page; null until it answered. */
      external_id: b.code('external_id', keep),
      /** The processor's name of the payment, by which refunds and chargebacks name it. */
      payment_id: b.code('payment_id', keep),
      url: b.text('url', blank(null)),
      status: b.code<'pending' | 'paid' | 'cancelled' | 'expired' | 'failed'>('status', keep).notNull(),
      reason: b.text('reason', stays('the processor’s own words')),
      /** The money taken back by chargebacks and refunds. */
      taken_back_cents: b.int('taken_back_cents', keep).notNull().default(0),
      /** From when on it may be withdrawn; set when it is paid. */
      withdrawable_at: b.int('withdrawable_at', keep),
      paid_at: b.int('paid_at', keep),
      /** When it was paid or came to nothing; the sweep asks after those that have not ended. */
      ended_at: b.int('ended_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.index('fundings_agent').on(t.agent_id, t.id),
      b.index('fundings_paid').on(t.paid_at, t.id).where(sql`paid_at IS NOT NULL`),
      b.index('fundings_pending').on(t.created_at).where(sql`ended_at IS NULL`),
      b.uniqueIndex('fundings_external').on(t.external_id),
      b.index('fundings_payment').on(t.payment_id),
    ],
  );
  /** Money that leaves a wallet for its person's bank or chain address. */
  const payouts = b.table(
    'payouts',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      account_id: b.code('account_id', keep).notNull(),
      rail: b.code<'bank' | 'chain'>('rail', keep).notNull(),
      amount_cents: b.int('amount_cents', keep).notNull(),
      status: b.code<'pending' | 'submitted' | 'finalized' | 'failed' | 'reversed'>('status', keep).notNull(),
      reason: b.text('reason', stays('the processor’s own words')),
      /** 1 when its outcome is unknown and a person has to check. */
      needs_action: b.int('needs_action', keep).notNull().default(0),
      /** The processor's connected account, or the chain. */
      payee: b.text('payee', stays('a bank may yet send money back')).notNull(),
      to_address: b.text('to_address', blank(null)),
      /** The connected bank account at the time of the request. */
      bank: b.json<BankColumn | null>('bank', blank(null)),
      /** The caller's idempotency key; with the agent it names one withdrawal for ever. */
      request_key: b.text('request_key', stays('names one withdrawal for ever, so that none is paid twice')),
      transfer_id: b.code('transfer_id', keep),
      payout_id: b.code('payout_id', keep),
      submitted_at: b.int('submitted_at', keep),
      ended_at: b.int('ended_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.index('payouts_agent').on(t.agent_id, t.id),
      b.uniqueIndex('payouts_request').on(t.agent_id, t.request_key),
      b.index('payouts_open').on(t.created_at).where(sql`ended_at IS NULL`),
      b.index('payouts_external').on(t.payout_id),
      b.index('payouts_transfer').on(t.transfer_id),
    ],
  );
  /** Where an account is paid to: its connected account at the processor. The id is the account's. */
  const payees = b.table(
    'payees',
    {
      id: b.id(),
      /** `none` once its person has disconnected it. */
      processor: b.code('processor', keep).notNull(),
      external_id: b.code('external_id', keep),
      details_submitted: b.int('details_submitted', keep).notNull().default(0),
      payouts_enabled: b.int('payouts_enabled', keep).notNull().default(0),
      /** The connected account and bank that the person was told of; null once it is gone. */
      told_of: b.code('told_of', inner(keep)),
      /** How many connections the account had before this one. */
      n: b.int('n', keep).notNull().default(0),
      bank: b.json<BankColumn | null>('bank', gone),
      /** A hash by which another bank is known as another. */
      bank_mark: b.code('bank_mark', inner(keep)),
      connected_by: b.json<ConnectorColumn | null>('connected_by', gone),
      /** Since when money can go to this bank. */
      connected_at: b.int('connected_at', keep),
      /** The agent that asked, whose claim `stripe` it becomes. */
      agent_id: b.code('agent_id', keep).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      updated_at: b.int('updated_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.uniqueIndex('payees_external').on(t.external_id)],
  );
  /** A plan on its way to be bought. */
  const plan_checkouts = b.table(
    'plan_checkouts',
    {
      id: b.id(),
      account_id: b.code('account_id', keep).notNull(),
      plan: b.code<'pro'>('plan', keep).notNull(),
      /** The monthly price while it renews. */
      price_cents: b.int('price_cents', keep).notNull(),
      processor: b.code('processor', keep).notNull(),
      external_id: b.code('external_id', keep),
      url: b.text('url', blank(null)),
      status: b.code<'pending' | 'paid' | 'cancelled' | 'expired' | 'failed'>('status', keep).notNull(),
      ended_at: b.int('ended_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('plan_checkouts_external').on(t.external_id),
      b.index('plan_checkouts_pending').on(t.created_at).where(sql`ended_at IS NULL`),
      b.index('plan_checkouts_account').on(t.account_id, t.id),
      b.index('plan_checkouts_status').on(t.status, t.id),
    ],
  );
  /** A plan that renews; the id is the account's. A plan that an administrator gave has no row. */
  const plan_terms = b.table(
    'plan_terms',
    {
      id: b.id(),
      plan: b.code<'pro'>('plan', keep).notNull(),
      /** By which it was bought. */
      checkout_id: b.code('checkout_id', keep).notNull(),
      status: b.code<'active' | 'cancelling' | 'past_due' | 'ended'>('status', keep).notNull(),
      processor: b.code('processor', keep).notNull(),
      /** The processor's subscription. */
      external_id: b.code('external_id', keep).notNull(),
      renews_at: b.int('renews_at', keep).notNull(),
      past_due_at: b.int('past_due_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.uniqueIndex('plan_terms_external').on(t.external_id)],
  );
  /** Received events of the processor, once each: the id is the event's. */
  const processor_events = b.table(
    'processor_events',
    {
      id: b.id(),
      kind: b.code('kind', keep).notNull(),
      object_id: b.code('object_id', keep).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
    },
    (t) => [b.index('processor_events_expiry').on(t.expires_at)],
  );
  /** Where the processor's books and the ledger differ; the id is `day:object`. */
  const processor_differences = b.table('processor_differences', {
    id: b.id(),
    day: b.code('day', keep).notNull(),
    object_id: b.code('object_id', keep).notNull(),
    problem: b.text('problem', stays('says nothing of a person')).notNull(),
    ours_cents: b.int('ours_cents', keep),
    theirs_cents: b.int('theirs_cents', keep),
    resolved_at: b.int('resolved_at', keep),
    created_at: b.int('created_at', keep).notNull(),
    version: b.version(),
  });
  /** People's decisions on the pages of the built-in processor, which are its books; the id is that of the decided row. */
  const sandbox_objects = b.table('sandbox_objects', {
    id: b.id(),
    kind: b.code<'funding' | 'plan' | 'payee'>('kind', keep).notNull(),
    decision: b.code<'paid' | 'cancelled'>('decision', keep).notNull(),
    amount_cents: b.int('amount_cents', keep).notNull(),
    created_at: b.int('created_at', keep).notNull(),
  });
  return {
    fundings,
    payouts,
    payees,
    plan_checkouts,
    plan_terms,
    processor_events,
    processor_differences,
    sandbox_objects,
  };
}
