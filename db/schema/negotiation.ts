// Negotiation: proposals, the record of approvals, the turns that were taken for an agent with their reasons, meetings, and agents'
// knowledge.
import { sql } from 'drizzle-orm';
import type { FixedTerms } from '../../src/domain/escrow/escrow.ts';
import type { Issue } from '../../src/domain/negotiation/issue.ts';
import type { Proposed } from '../../src/domain/negotiation/proposal.ts';
import type { TurnReasons } from '../../src/domain/negotiation/turn.ts';
import type { BoundsColumn } from './agent.ts';
import type { Builders } from './builders.ts';
import { blank, blankBy, gone, keep, stays } from './personal.ts';

/** That a turn was taken, and not what its person would have paid or charged. */
function unexplained({ action, rule, phase }: TurnReasons): TurnReasons {
  return { action, rule, phase, inputs: {}, bound_distance_cents: null, model: null };
}

// Without a return type: drizzle infers the row types from this literal.
export function negotiationTables(b: Builders) {
  const proposals = b.table(
    'proposals',
    {
      /** Its time is that of its conversation, as for all proposals there: it stays the same when its side's person releases it, so that
       * it does not reveal that it waited. */
      id: b.id(),
      conversation_id: b.code('conversation_id', keep).notNull(),
      /** Its number in its conversation: 1, 2, 3 …; negative while a side withholds it. The index refuses the second of two concurrent
       * ones. */
      number: b.int('number', keep).notNull(),
      by_id: b.code('by_id', keep).notNull(),
      buyer_id: b.code('buyer_id', keep).notNull(),
      seller_id: b.code('seller_id', keep).notNull(),
      amount_cents: b.int('amount_cents', keep).notNull(),
      terms: b.text('terms', stays('words to the other side')).notNull(),
      milestones: b.json<readonly Proposed[]>('milestones', stays('words to the other side')).notNull(),
      /** What is agreed beside the amount. */
      issues: b.json<readonly Issue[]>('issues', stays('figures and choices')).notNull(),
      /** The terms of the escrow once both have approved; null without any. */
      escrow_terms: b.json<FixedTerms | null>('escrow_terms', stays('days and times')),
      /** `withheld` waits for the proposer's own person before the other side sees it. */
      status: b.code<'withheld' | 'open' | 'approved' | 'rejected' | 'replaced'>('status', keep).notNull(),
      /** When each side agreed. */
      buyer_at: b.int('buyer_at', keep),
      seller_at: b.int('seller_at', keep),
      /** 1 where the buyer's approval lets its wallet pay at once: a person's, or a program's that may. */
      buyer_pays: b.int('buyer_pays', keep).notNull().default(0),
      /** The side whose bounds it passes, and which of them. */
      escalated_to: b.code('escalated_to', keep),
      bound: b.code<'max_pay_cents' | 'min_charge_cents'>('bound', keep),
      replaced_by: b.code('replaced_by', keep),
      /** The listing whose agent compares it with others, until `decides_at`; null where nobody does. */
      compared_for: b.code('compared_for', keep),
      decides_at: b.int('decides_at', keep),
      /** When that agent last said that it has a better one. */
      outbid_at: b.int('outbid_at', keep),
      deal_id: b.code('deal_id', keep),
      expires_at: b.int('expires_at', keep).notNull(),
      /** When it was put, or let go. */
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('proposals_number').on(t.conversation_id, t.number),
      b.index('proposals_buyer').on(t.buyer_id, t.created_at, t.id),
      b.index('proposals_seller').on(t.seller_id, t.created_at, t.id),
      b
        .index('proposals_compared')
        .on(t.compared_for, t.amount_cents, t.id)
        .where(sql`status = 'open' AND compared_for IS NOT NULL`),
      b
        .index('proposals_buyer_waits')
        .on(t.buyer_id, t.created_at, t.id)
        .where(sql`buyer_at IS NULL AND status IN ('open', 'withheld')`),
      b
        .index('proposals_seller_waits')
        .on(t.seller_id, t.created_at, t.id)
        .where(sql`seller_at IS NULL AND status IN ('open', 'withheld')`),
    ],
  );
  /** The record of decisions, with the bounds at that time. Written once. */
  const approvals = b.table(
    'approvals',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      /** Its subject: `proposal` or the requested operation, with its id. */
      subject: b.code('subject', keep).notNull(),
      subject_id: b.code('subject_id', keep).notNull(),
      decision: b.code<'approve' | 'reject'>('decision', keep).notNull(),
      amount_cents: b.int('amount_cents', keep).notNull(),
      by: b.code<'person' | 'program' | 'policy'>('by', keep).notNull(),
      credential_id: b.code('credential_id', keep),
      bounds: b.json<BoundsColumn>('bounds', stays('amounts that the day’s seal covers')).notNull(),
      created_at: b.int('created_at', keep).notNull(),
    },
    (t) => [b.index('approvals_agent').on(t.agent_id, t.id), b.index('approvals_created').on(t.created_at)],
  );
  /** Requests of programs outside their agent's bounds, stored until the person decides. */
  const actions = b.table(
    'actions',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      account_id: b.code('account_id', keep).notNull(),
      /** The operation, and what it was called with. */
      operation: b.code('operation', keep).notNull(),
      input: b.json<Readonly<Record<string, unknown>>>('input', gone).notNull(),
      amount_cents: b.int('amount_cents', keep).notNull(),
      /** The agent that is paid, or charged; null for a routed call, which may go to any provider. */
      to_id: b.code('to_id', keep),
      bound: b.code<'max_pay_cents' | 'max_pay_per_day_cents' | 'min_charge_cents' | 'policy'>('bound', keep).notNull(),
      /** 0 when a policy asks. */
      bound_cents: b.int('bound_cents', keep).notNull(),
      /** What a policy does without an answer; null for nothing. */
      on_timeout: b.code<'refuse' | 'allow'>('on_timeout', keep),
      /** Expires at `respond_by`; `withdrawn` by the program that asked; `failed` is a routed call with an unknown outcome, `approved` without a result is a running routed call. */
      status: b.code<'pending' | 'approved' | 'rejected' | 'failed' | 'withdrawn'>('status', keep).notNull(),
      /** The operation's answer. */
      result: b.json<Readonly<Record<string, unknown>> | null>('result', gone),
      /** The key that asked for it. */
      asked_by: b.code('asked_by', keep),
      respond_by: b.int('respond_by', keep).notNull(),
      decided_at: b.int('decided_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      /** When the row goes. */
      expires_at: b.int('expires_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('actions_agent').on(t.agent_id, t.id), b.index('actions_expiry').on(t.expires_at)],
  );
  /** Why an agent's turn was as it was; the id is the message's. For its owner alone. */
  const turns = b.table(
    'turns',
    {
      id: b.id(),
      conversation_id: b.code('conversation_id', keep).notNull(),
      agent_id: b.code('agent_id', keep).notNull(),
      reasons: b.json<TurnReasons>('reasons', blankBy(unexplained)).notNull(),
      created_at: b.int('created_at', keep).notNull(),
    },
    (t) => [b.index('turns_conversation').on(t.conversation_id, t.id)],
  );
  const meetings = b.table(
    'meetings',
    {
      id: b.id(),
      conversation_id: b.code('conversation_id', keep).notNull(),
      by_id: b.code('by_id', keep).notNull(),
      starts_at: b.int('starts_at', keep).notNull(),
      duration_minutes: b.int('duration_minutes', keep).notNull(),
      url: b.text('url', blank(null, 'by_id')),
      completed_by: b.code('completed_by', keep),
      completed_at: b.int('completed_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('meetings_conversation').on(t.conversation_id, t.id)],
  );
  const knowledge = b.table(
    'knowledge',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      title: b.text('title', gone).notNull(),
      text: b.text('text', gone).notNull(),
      /** 1 where others' questions may be answered from it. */
      public: b.int('public', keep).notNull().default(0),
      /** Of title and text, as the embedder `model` made it; null until then. */
      vector: b.bytes('vector', gone),
      model: b.code('model', keep),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('knowledge_agent').on(t.agent_id, t.id)],
  );
  /** Daily views (UTC) of an agent's profile or a listing; the id is the day with the viewed thing. Lossy, written every half minute at
   * most. */
  const views = b.table(
    'views',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      listing_id: b.code('listing_id', keep),
      day: b.code('day', keep).notNull(),
      n: b.int('n', keep).notNull().default(0),
      version: b.version(),
    },
    (t) => [b.index('views_agent').on(t.agent_id, t.day)],
  );
  /** Model calls for an agent with their answers, for its owner only; a turn's reasons name them by id. */
  const model_calls = b.table(
    'model_calls',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      purpose: b.code<'turn' | 'summary'>('purpose', keep).notNull(),
      model: b.code('model', keep).notNull(),
      prompt: b.text('prompt', gone).notNull(),
      answer: b.text('answer', gone).notNull(),
      tokens: b.int('tokens', keep).notNull(),
      /** In millionths of a cent; null when the price of tokens is not configured. */
      cost_microcents: b.int('cost_microcents', keep),
      created_at: b.int('created_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('model_calls_agent').on(t.agent_id, t.id), b.index('model_calls_expiry').on(t.expires_at)],
  );
  return { proposals, approvals, actions, turns, meetings, knowledge, views, model_calls };
}
