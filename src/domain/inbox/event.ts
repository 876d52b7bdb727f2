// Event kinds: what an inbox can hold, and how each event that asks for an answer is answered. The rule kept here is
// that an event is answered once, by an action of its own kind (interface.md, Inbox; rules.md 7).
import { type Fault, fault, invalid } from '../fault.ts';
import { DECLINE_REASONS } from '../match/state.ts';
import { PROPOSAL_REASONS } from '../negotiation/proposal.ts';
import type { NextOperation } from '../next-step.ts';

/** Every kind there is. Each may be muted by name: that stops pushes, never the inbox itself (Q131, Q132). */
export const EVENT_KINDS = [
  'match.created',
  'match.approved',
  'conversation.started',
  'conversation.updated',
  'conversation.completed',
  'negotiation.proposed',
  'negotiation.escalated',
  'deal.agreed',
  'escrow.opened',
  'escrow.delivered',
  'escrow.released',
  'escrow.refunded',
  'escrow.verification_failed',
  'escrow.dispute_opened',
  'escrow.dispute_responded',
  'escrow.dispute_proposed',
  'escrow.dispute_resolved',
  'meeting.scheduled',
  'meeting.completed',
  'payment.succeeded',
  'payment.failed',
  'payout.connected',
  'key.expiring',
  'subscription.updated',
  'trust.updated',
  'agent.updated',
  'demand.posted',
  'demand.quoted',
  'demand.awarded',
  'provider.suspended',
  'listing.reviewed',
  'listing.unmatched',
  'test.ping',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** The recorded answer to an event; `at` is ISO 8601. */
export interface Answer {
  readonly action: string;
  readonly note: string | null;
  readonly reason: string | null;
  readonly at: string;
}

/** The part of a stored event that decides its actions. */
export interface AnswerableEvent {
  readonly id: string;
  readonly kind: EventKind;
  readonly data: Readonly<Record<string, unknown>>;
  readonly respond_by_ms: number | null;
  readonly answered: Answer | null;
}

/** One way to answer: the exact call, with input that works as it stands. `reasons` are the chips it may carry. */
export interface EventAction {
  readonly action: string;
  readonly label: string;
  readonly operation: NextOperation;
  readonly input: Readonly<Record<string, unknown>>;
  readonly reasons?: readonly string[];
}

interface ActionSpec {
  readonly label: string;
  readonly reasons?: readonly string[];
  /** Still valid after `respond_by` (Q78: a respondent can always concede). */
  readonly late?: true;
  /** What `input` must hold for the action, filled in from the event's data as a first value. */
  readonly input?: (data: AnswerableEvent['data']) => Readonly<Record<string, unknown>>;
}

const ANSWERS_OF_PROPOSAL: Readonly<Record<string, ActionSpec>> = {
  approve: { label: 'Approve the proposal' },
  reject: { label: 'Reject the proposal', reasons: PROPOSAL_REASONS },
};

/** The same of what a program asked for outside its bounds. */
const ANSWERS_OF_ACTION: typeof ANSWERS_OF_PROPOSAL = {
  approve: { label: 'Approve it, and do it now' },
  reject: { label: 'Reject it' },
};

const ACTIONS: Partial<Readonly<Record<EventKind, Readonly<Record<string, ActionSpec>>>>> = {
  'match.created': {
    interested: { label: 'Open a conversation' },
    not_a_fit: {
      label: 'Decline for good',
      reasons: DECLINE_REASONS,
    },
    saved: { label: 'Keep for later' },
  },
  'demand.posted': {
    quote: { label: 'Quote a price', input: (data) => ({ price_cents: data.budget_cents ?? null }) },
    pass: { label: 'Pass', reasons: ['budget_too_low', 'deadline_too_soon', 'no_capacity', 'not_my_field', 'other'] },
  },
  'negotiation.proposed': {
    ...ANSWERS_OF_PROPOSAL,
    counter: { label: 'Propose another amount', input: (data) => ({ amount_cents: data['amount_cents'] ?? null }) },
  },
  'negotiation.escalated': ANSWERS_OF_PROPOSAL,
  'escrow.delivered': {
    release: { label: 'Accept it, and release the money' },
    request_change: { label: 'Ask for a change in the note' },
    dispute: { label: 'Open a dispute, with the reason in the note' },
  },
  // The last of a deal.
  'escrow.released': { review: { label: 'Review the deal', input: () => ({ rating: null }) } },
  'escrow.dispute_opened': {
    respond: { label: 'State your side in the note' },
    concede: { label: 'Concede the dispute', late: true },
  },
};

const KNOWN: ReadonlySet<string> = new Set(EVENT_KINDS);

/** Whether `text` names an event kind. */
export function isEventKind(text: string): text is EventKind {
  return KNOWN.has(text);
}

/** Whether events of this kind ask for an answer. */
export function isAnswerable(kind: EventKind): boolean {
  return ACTIONS[kind] !== undefined;
}

const UNTIMED: ReadonlySet<string> = new Set([
  'negotiation.proposed',
  'negotiation.escalated',
  'escrow.delivered',
  'escrow.released',
]);

/** Whether how long its answer took shows how quickly an agent answers others. What is asked of its own person does not, or everybody could
 * read that something was withheld; where the other side waited, the message that the answer writes tells it. */
export function isTimed(kind: string): boolean {
  return !UNTIMED.has(kind);
}

/** Whether an escalation tells of something that was refused and kept, for its person to approve. */
export function isStoredAction(data: AnswerableEvent['data']): boolean {
  return typeof data['action_id'] === 'string';
}

/** Whether an escalation tells of a payment that was refused: no proposal stands behind it, and there is nothing to approve. */
export function isRefusedPayment(data: AnswerableEvent['data']): boolean {
  return typeof data['bound'] === 'string' && data['proposal_id'] === undefined && !isStoredAction(data);
}

/** Whether what an event asked for is over although nobody answered it. A match says by its own state what it still takes. */
export function isOver(event: {
  readonly kind: string;
  readonly subject_id: string | null;
  readonly awaiting: number;
  readonly answered: unknown;
}): boolean {
  const asked = event.subject_id !== null && event.kind !== 'match.created' && isEventKind(event.kind);
  return asked && isAnswerable(event.kind) && event.answered === null && event.awaiting === 0;
}

/** How an event can be answered, by the names of the actions. */
function answersTo({ kind, data }: Pick<AnswerableEvent, 'kind' | 'data'>): Readonly<Record<string, ActionSpec>> {
  // A change is asked for in the conversation of the escrow.
  if (kind === 'escrow.delivered' && typeof data['conversation_id'] !== 'string') {
    const { request_change: _, ...others } = ACTIONS[kind] ?? {};
    return others;
  }
  if (kind !== 'negotiation.escalated') return ACTIONS[kind] ?? {};
  if (isStoredAction(data)) return ANSWERS_OF_ACTION;
  return isRefusedPayment(data) ? {} : ANSWERS_OF_PROPOSAL;
}

/** The actions that an event shows: all of its kind while unanswered, none afterwards or for kinds without any. */
export function actionsOf(event: AnswerableEvent): EventAction[] {
  if (event.answered !== null) return [];
  return Object.entries(answersTo(event)).map(([action, { label, reasons, input }]) => ({
    action,
    label,
    operation: 'inbox.respond',
    input: { event_id: event.id, action, ...(input && { input: input(event.data) }) },
    ...(reasons && { reasons }),
  }));
}

/**
 * The refusal of an answer, or null when it may be recorded and performed. In order: 400 `invalid_action` for what is no
 * action of this kind, 400 for a reason that is none of its chips, 409 `already_answered` with the recorded answer, 409
 * `expired` after `respond_by`. What `input` must hold is checked by the operation that the action performs.
 */
export function answerFault(
  event: AnswerableEvent,
  action: string,
  reason: string | null,
  now_ms: number,
): Fault<'invalid_action' | 'invalid_request' | 'already_answered' | 'expired'> | null {
  const specs = answersTo(event);
  const spec = Object.hasOwn(specs, action) ? specs[action] : undefined;
  if (!spec) {
    const names = Object.keys(specs);
    const hint = names.length > 0 ? `Answer a ${event.kind} with one of: ${names.join(', ')}.` : undefined;
    return fault('invalid_action', hint ?? `This ${event.kind} asks for no answer.`, { actions: names });
  }
  if (reason !== null && !spec.reasons?.includes(reason)) {
    const message = spec.reasons ? `Use one of: ${spec.reasons.join(', ')}.` : `${action} takes no reason.`;
    return invalid({ path: 'reason', message });
  }
  if (event.answered !== null) return fault('already_answered', undefined, { answered: event.answered });
  if (event.respond_by_ms !== null && now_ms > event.respond_by_ms && !spec.late) return fault('expired');
  return null;
}
