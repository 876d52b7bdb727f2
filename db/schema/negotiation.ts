// What agents put to each other and what their people say to it: proposals, the record of approvals, the turns that were taken for an
// agent with why, meetings, and what an agent knows.
import type { FixedTerms } from '../../src/domain/escrow/terms.ts';
import type { Proposed } from '../../src/domain/negotiation/proposal.ts';
import type { TurnReasons } from '../../src/domain/negotiation/turn.ts';
import type { BoundsColumn } from './agent.ts';
import type { Builders } from './builders.ts';

// Without a return type: drizzle infers the row types from this literal.
export function negotiationTables(b: Builders) {
  const proposals = b.table(
    'proposals',
    {
      /** It tells the time of its conversation, as those of all proposals there do: it is the same before its side's person lets it go and
       * after, and nobody reads from it that it waited. */
      id: b.id(),
      conversation_id: b.text('conversation_id').notNull(),
      /** Its place among those of its conversation: 1, 2, 3 …; below nothing of those that a side withholds. The index refuses the second of
       * two that are put at once. */
      number: b.int('number').notNull(),
      by_id: b.text('by_id').notNull(),
      buyer_id: b.text('buyer_id').notNull(),
      seller_id: b.text('seller_id').notNull(),
      amount_cents: b.int('amount_cents').notNull(),
      terms: b.text('terms').notNull(),
      milestones: b.json<readonly Proposed[]>('milestones').notNull(),
      /** What the escrow is opened with once both have approved; null where nothing was said. */
      escrow_terms: b.json<FixedTerms | null>('escrow_terms'),
      /** `withheld` waits for a word of the proposer's own person before the other side sees it. */
      status: b.text('status').$type<'withheld' | 'open' | 'approved' | 'rejected' | 'replaced'>().notNull(),
      /** When each side agreed. */
      buyer_at: b.int('buyer_at'),
      seller_at: b.int('seller_at'),
      /** 1 where the buyer's approval lets its wallet pay at once: a person's, or a program's that may. */
      buyer_pays: b.int('buyer_pays').notNull().default(0),
      /** The side whose bounds it passes, and which of them. */
      escalated_to: b.text('escalated_to'),
      bound: b.text('bound').$type<'max_pay_cents' | 'min_charge_cents'>(),
      replaced_by: b.text('replaced_by'),
      deal_id: b.text('deal_id'),
      expires_at: b.int('expires_at').notNull(),
      /** When it was put, or let go. */
      created_at: b.int('created_at').notNull(),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('proposals_number').on(t.conversation_id, t.number),
      b.index('proposals_buyer').on(t.buyer_id, t.created_at, t.id),
      b.index('proposals_seller').on(t.seller_id, t.created_at, t.id),
    ],
  );
  /** Who said yes or no to what, under which bounds. Written once. */
  const approvals = b.table(
    'approvals',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      /** What it was about: `proposal` or the operation that was asked for, with its id. */
      subject: b.text('subject').notNull(),
      subject_id: b.text('subject_id').notNull(),
      decision: b.text('decision').$type<'approve' | 'reject'>().notNull(),
      amount_cents: b.int('amount_cents').notNull(),
      by: b.text('by').$type<'person' | 'program' | 'policy'>().notNull(),
      credential_id: b.text('credential_id'),
      bounds: b.json<BoundsColumn>('bounds').notNull(),
      created_at: b.int('created_at').notNull(),
    },
    (t) => [b.index('approvals_agent').on(t.agent_id, t.id), b.index('approvals_created').on(t.created_at)],
  );
  /** What a program asked for and its agent's bounds forbade: kept as it was asked for, until its person says yes or no. */
  const actions = b.table(
    'actions',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      account_id: b.text('account_id').notNull(),
      /** The operation, and what it was called with. */
      operation: b.text('operation').notNull(),
      input: b.json<Readonly<Record<string, unknown>>>('input').notNull(),
      amount_cents: b.int('amount_cents').notNull(),
      /** Who is paid, or charged; null of a routed call, which goes to whoever serves it. */
      to_id: b.text('to_id'),
      bound: b
        .text('bound')
        .$type<'max_pay_cents' | 'max_pay_per_day_cents' | 'min_charge_cents' | 'policy'>()
        .notNull(),
      /** 0 where a policy asks. */
      bound_cents: b.int('bound_cents').notNull(),
      /** What a policy lets come of no answer; null is nothing. */
      on_timeout: b.text('on_timeout').$type<'refuse' | 'allow'>(),
      /** Over by itself at `respond_by`; `failed` is a routed call of which nobody knows the outcome, `approved` without a result is a routed call that is under way. */
      status: b.text('status').$type<'pending' | 'approved' | 'rejected' | 'failed'>().notNull(),
      /** What the operation answered. */
      result: b.json<Readonly<Record<string, unknown>> | null>('result'),
      /** The key by which it was asked for. */
      asked_by: b.text('asked_by'),
      respond_by: b.int('respond_by').notNull(),
      decided_at: b.int('decided_at'),
      created_at: b.int('created_at').notNull(),
      /** When the row goes. */
      expires_at: b.int('expires_at').notNull(),
      version: b.version(),
    },
    (t) => [b.index('actions_agent').on(t.agent_id, t.id), b.index('actions_expiry').on(t.expires_at)],
  );
  /** Why an agent's turn was as it was; the id is the message's. For its owner alone. */
  const turns = b.table(
    'turns',
    {
      id: b.id(),
      conversation_id: b.text('conversation_id').notNull(),
      agent_id: b.text('agent_id').notNull(),
      reasons: b.json<TurnReasons>('reasons').notNull(),
      created_at: b.int('created_at').notNull(),
    },
    (t) => [b.index('turns_conversation').on(t.conversation_id, t.id)],
  );
  const meetings = b.table(
    'meetings',
    {
      id: b.id(),
      conversation_id: b.text('conversation_id').notNull(),
      by_id: b.text('by_id').notNull(),
      starts_at: b.int('starts_at').notNull(),
      duration_minutes: b.int('duration_minutes').notNull(),
      url: b.text('url'),
      completed_by: b.text('completed_by'),
      completed_at: b.int('completed_at'),
      created_at: b.int('created_at').notNull(),
      version: b.version(),
    },
    (t) => [b.index('meetings_conversation').on(t.conversation_id, t.id)],
  );
  const knowledge = b.table(
    'knowledge',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      title: b.text('title').notNull(),
      text: b.text('text').notNull(),
      /** 1 where others' questions may be answered from it. */
      public: b.int('public').notNull().default(0),
      /** Of title and text, as the embedder `model` made it; null until then. */
      vector: b.bytes('vector'),
      model: b.text('model'),
      created_at: b.int('created_at').notNull(),
      version: b.version(),
    },
    (t) => [b.index('knowledge_agent').on(t.agent_id, t.id)],
  );
  /** How often an agent's profile or a listing was looked at on a day (UTC); the id is the day with what was looked at. Lossy, written
   * every half minute at most. */
  const views = b.table(
    'views',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      listing_id: b.text('listing_id'),
      day: b.text('day').notNull(),
      n: b.int('n').notNull().default(0),
      version: b.version(),
    },
    (t) => [b.index('views_agent').on(t.agent_id, t.day)],
  );
  /** What a model was asked for an agent, and what it answered, for its owner alone; a turn's reasons name it by its id. */
  const model_calls = b.table(
    'model_calls',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      purpose: b.text('purpose').$type<'turn' | 'summary'>().notNull(),
      model: b.text('model').notNull(),
      prompt: b.text('prompt').notNull(),
      answer: b.text('answer').notNull(),
      tokens: b.int('tokens').notNull(),
      /** In millionths of a cent; null where nobody has said what tokens cost. */
      cost_microcents: b.int('cost_microcents'),
      created_at: b.int('created_at').notNull(),
      expires_at: b.int('expires_at').notNull(),
      version: b.version(),
    },
    (t) => [b.index('model_calls_agent').on(t.agent_id, t.id), b.index('model_calls_expiry').on(t.expires_at)],
  );
  return { proposals, approvals, actions, turns, meetings, knowledge, views, model_calls };
}
