// Answers an event: performs the named action and records the answer in one commit. The first answer counts, through
// whichever transport; later ones are told of it. An action is an operation of its own, with the rules, effects and
// refusals of its own route.
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { apply } from '../../../db/effects.ts';
import { conversationById } from '../../../db/queries/conversation.ts';
import { eventById } from '../../../db/queries/inbox.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { InboxEvent, Read } from '../../../db/store.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { isUnderWay } from '../../domain/conversation/conversation.ts';
import { codeWord, type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { answerFault, asksReply, isOver, isTimed } from '../../domain/inbox/event.ts';
import { isStoredAction } from '../../domain/inbox/events/talks.ts';
import type { Issue } from '../../domain/negotiation/issue.ts';
import type { PROPOSAL_REASONS } from '../../domain/negotiation/proposal.ts';
import { CALL, describe, guide, step } from '../../domain/next-step.ts';
import { once } from '../../domain/once.ts';
import { textsWithin } from '../../schemas/authored.ts';
import { QUOTE_INPUT } from '../../schemas/demand.ts';
import { Answered, answerable } from '../../schemas/event.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, iso, PathId } from '../../schemas/wire.ts';
import { gateFault, scopeFault } from '../../steps/admission.ts';
import { findDemand } from '../../steps/demand/board.ts';
import { demandRefusal } from '../../steps/demand/close.ts';
import { type Performed, performing } from '../action/perform/performed.ts';
import { actionPerform } from '../action/perform.ts';
import { dealReview } from '../deal/review.ts';
import { demandQuote } from '../demand/quote.ts';
import { disputeAccept } from '../dispute/accept.ts';
import { disputeConcede } from '../dispute/concede.ts';
import { disputeEvidence } from '../dispute/evidence.ts';
import { disputeOpen } from '../dispute/open.ts';
import { disputeReject } from '../dispute/reject.ts';
import { escrowRelease } from '../escrow/release.ts';
import { matchFeedback } from '../match/feedback.ts';
import { messageSend } from '../message/send.ts';
import { proposalApprove } from '../proposal/approve.ts';
import { proposalPropose } from '../proposal/propose.ts';

/** The caller's answer. */
interface Given {
  readonly action: string;
  readonly note?: string;
  readonly reason?: string;
  /** The input of the action, not yet validated. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** The fault of an action's input by field; null when it is valid. */
function inputLacks(
  fields: Readonly<Record<string, readonly [schema: TSchema, hint: string]>>,
  needed: string,
): (given: Given) => Fault<'invalid_request'> | null {
  const compiled = once(() =>
    Object.entries(fields).map(([name, [schema, hint]]) => ({ name, hint, check: Compile(schema) })),
  );
  return ({ input }) => {
    const wrong = compiled().filter(({ name, check }) =>
      input[name] === undefined ? name === needed : !check.Check(input[name]),
    );
    if (wrong.length === 0) return null;
    return invalid(...wrong.map(({ name, hint }) => ({ path: `input.${name}`, message: hint })));
  };
}

/** The faults of the operations below. */
const ACTION_FAULTS = [
  ...new Set([
    ...matchFeedback.faults,
    ...disputeEvidence.faults,
    ...disputeConcede.faults,
    ...disputeAccept.faults,
    ...disputeReject.faults,
    ...disputeOpen.faults,
    ...escrowRelease.faults,
    ...messageSend.faults,
    ...dealReview.faults,
    ...proposalPropose.faults,
    ...demandQuote.faults,
    ...proposalApprove.faults,
    ...actionPerform.faults,
  ]),
] as const;
type ActionFault = (typeof ACTION_FAULTS)[number];

interface Perform extends Performed<[event: InboxEvent, given: Given], ActionFault> {
  /** Checks the answer itself. */
  readonly lacks?: (given: Given) => Fault<'invalid_request'> | null;
}

const performedBy = performing<[event: InboxEvent, given: Given]>();

const escrowOf = ({ data }: InboxEvent): string => (typeof data['escrow_id'] === 'string' ? data['escrow_id'] : '');

const conversationOf = (data: InboxEvent['data']): string =>
  typeof data['conversation_id'] === 'string' ? data['conversation_id'] : '';

const feedback = performedBy(matchFeedback, ({ subject_id }, { action, reason, note }) => ({
  match_id: subject_id ?? '',
  action,
  reason,
  note,
}));

/** An action that needs the note as its text. */
const noted =
  (message: string): NonNullable<Perform['lacks']> =>
  ({ note = '' }) =>
    note.trim() === '' ? invalid({ path: 'note', message }) : null;

const stateSide: Perform = {
  ...performedBy(disputeEvidence, (event, { note }) => ({ escrow_id: escrowOf(event), statement: note ?? '' })),
  lacks: noted('Give your statement in the note.'),
};

const concede = performedBy(disputeConcede, (event, { note }) => ({ escrow_id: escrowOf(event), note }));

/** The settlement that the event told of. */
const settlementIn = (event: InboxEvent) => ({
  escrow_id: escrowOf(event),
  refund_cents: Number(event.data['refund_cents']),
  release_cents: Number(event.data['release_cents']),
});

const QuoteGiven = Type.Object(QUOTE_INPUT);

const quote: Perform = {
  ...performedBy(demandQuote, ({ subject_id }, { input, note }) => {
    // Checked by `lacks`.
    const { message, ...given } = input as Static<typeof QuoteGiven>;
    return { ...given, request_id: subject_id ?? '', ...((message ?? note) && { message: message ?? note }) };
  }),
  lacks: inputLacks(
    {
      price_cents: [QUOTE_INPUT.price_cents, 'Give your price in whole cents, 1 or more.'],
      message: [QUOTE_INPUT.message, 'Use a text of at most 2000 characters.'],
      delivery_days: [QUOTE_INPUT.delivery_days, 'Use whole days from 1 to 365.'],
    },
    'price_cents',
  ),
};

/** Declines a request without a quote. */
const pass: Perform = {
  declared: () => ({ access: 'key', scope: 'agents:write' }),
  load: async (read, [{ subject_id }], ctx) => {
    const found = await findDemand(read, subject_id ?? '');
    return () => demandRefusal(found, 'pass', ctx) ?? { reply: { request_id: subject_id } };
  },
};

/** The action is the decision, and the reason code that of a rejection. */
const onProposal = performedBy(proposalApprove, ({ data, subject_id }, { action, reason }) => ({
  conversation_id: conversationOf(data),
  proposal_id: subject_id ?? '',
  decision: action === 'reject' ? ('reject' as const) : ('approve' as const),
  ...(reason !== undefined && { reason: reason as (typeof PROPOSAL_REASONS)[number] }),
}));

const onAction = performedBy(actionPerform, ({ subject_id }, { action }) => ({
  action_id: subject_id ?? '',
  decision: action === 'reject' ? ('reject' as const) : ('approve' as const),
}));

const counter: Perform = {
  ...performedBy(proposalPropose, ({ data }, { input, note }) => ({
    conversation_id: conversationOf(data),
    // Checked by `lacks`.
    amount_cents: Number(input['amount_cents']),
    terms: typeof input['terms'] === 'string' ? input['terms'] : note,
    // Checked by `lacks` as well.
    ...(input['issues'] !== undefined && { issues: input['issues'] as Issue[] }),
  })),
  lacks: inputLacks(
    {
      amount_cents: [proposalPropose.input.properties.amount_cents, 'Give the amount in whole cents, 1 or more.'],
      terms: [proposalPropose.input.properties.terms, 'Give a text that says what the amount is for.'],
      issues: [proposalPropose.input.properties.issues, 'Give a list of issues, each with its value.'],
    },
    'amount_cents',
  ),
};

const release = performedBy(escrowRelease, (event) => ({
  escrow_id: escrowOf(event),
  milestone_index: Number(event.data['milestone_index']),
}));

const requestChange: Perform = {
  ...performedBy(messageSend, ({ data }, { note = '' }) => ({ conversation_id: conversationOf(data), content: note })),
  lacks: noted('Write in the note what has to change; the seller reads it in your conversation.'),
};

const dispute: Perform = {
  ...performedBy(disputeOpen, (event, { note = '' }) => ({ escrow_id: escrowOf(event), reason: note })),
  lacks: noted('Write in the note what is wrong.'),
};

const review: Perform = {
  ...performedBy(dealReview, ({ subject_id }, { input, note }) => ({
    deal_id: subject_id ?? '',
    // Checked by `lacks`.
    rating: Number(input['rating']),
    ...(note !== undefined && { text: note }),
  })),
  lacks: inputLacks({ rating: [dealReview.input.properties.rating, 'Rate the deal from 1 to 5.'] }, 'rating'),
};

/** An escalation is about a proposal, or about an action beyond the agent's bounds, on which only its person may decide. */
const decision: Perform = {
  declared: ({ data }) => (isStoredAction(data) ? { access: 'session' } : proposalApprove),
  load: (read, given, ctx, ports) =>
    (isStoredAction(given[0].data) ? onAction : onProposal).load(read, given, ctx, ports),
};

/** The note as the next message of the conversation. */
const reply: Perform = {
  ...performedBy(messageSend, ({ data }, { note = '' }) => ({ conversation_id: conversationOf(data), content: note })),
  lacks: noted('Write your reply in the note.'),
};

/** The message waits no more; its sender learns nothing of it. */
const noReply: Perform = {
  declared: () => messageSend,
  load: async (_read, [{ data }]) => {
    const id = conversationOf(data);
    return () => ({
      reply: { conversation_id: id },
      effects: [apply('conversations', id, () => ({ waits_for: null }))],
    });
  },
};

const PERFORM: Readonly<Record<string, Readonly<Record<string, Perform>>>> = {
  'match.created': { interested: feedback, not_a_fit: feedback, saved: feedback },
  'demand.posted': { quote, pass },
  'conversation.updated': { reply, no_reply: noReply },
  'negotiation.proposed': { approve: onProposal, reject: onProposal, counter },
  'negotiation.escalated': { approve: decision, reject: decision },
  'escrow.delivered': { release, request_change: requestChange, dispute },
  'escrow.released': { review },
  'escrow.dispute_opened': { respond: stateSide, concede },
  'escrow.dispute_proposed': {
    accept: performedBy(disputeAccept, settlementIn),
    reject: performedBy(disputeReject, settlementIn),
  },
};

/** The performer of an action on an event of this kind, or null. */
function performerOf(kind: string, action: string): Perform | null {
  const actions = Object.hasOwn(PERFORM, kind) ? PERFORM[kind] : undefined;
  return (actions && Object.hasOwn(actions, action) && actions[action]) || null;
}

/** For a second reply to the same message. */
const SETTLED = guide`This message no longer waits for a reply; write by ${step('message.send')}.`;

/** For an answer to an event that was closed with its match, when the match is open again. */
const REOPENED = guide`This event was closed with its match, which is open again: answer the match by ${step('match.feedback')}.`;

/** Why a message takes no reply by its event: it was replied to, or a newer one took its place. */
function repliedFault(thread: Row<'conversations'> | null, event: InboxEvent): Fault<'not_open'> | null {
  const waits = thread?.waits_for === event.agent_id && thread.last_message_id === event.data['message_id'];
  return waits && isUnderWay(thread.status) ? null : fault('not_open', SETTLED);
}

/** Why an unanswered event takes no answer: it asks for none, or its question is over. */
async function closedFault(read: Read, event: InboxEvent): Promise<Fault<'invalid_action' | 'not_open'> | null> {
  if (asksReply(event)) return repliedFault(await read(conversationById, { id: conversationOf(event.data) }), event);
  if (event.subject_id === null) return fault('invalid_action', 'This event does not take an answer.');
  return isOver(event) ? fault('not_open', 'This event can no longer be answered.') : null;
}

export const inboxRespond = command({
  name: 'inbox.respond',
  summary: 'Answer an event',
  description: describe`Performs one of the event's \`actions\` as its own ${CALL} would, with the same scope, verification and errors, and records the answer. An event can be answered once: later answers are ${codeWord('already_answered')} with the recorded one; after \`respond_by\` the error is ${codeWord('expired')}.`,
  input: namedObject('InboxAnswerInput', 'the answer to an event', {
    event_id: PathId,
    action: Type.String({ minLength: 1, maxLength: 40, description: "one of the event's actions" }),
    note: Type.Optional(Type.String({ maxLength: 2000, description: 'free text, stored with the answer' })),
    reason: Type.Optional(Type.String({ maxLength: 100, description: "one of the action's reasons" })),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'further arguments of the action' }),
    ),
  }),
  output: namedObject('InboxAnswer', 'an answered event', {
    id: Id,
    seq: Type.Integer({ minimum: 1 }),
    status: Type.Literal('answered'),
    answered: Answered,
    result: textsWithin(Type.Unknown({ description: "the response of the action's own route" })),
  }),
  example: { event_id: SAMPLE.event_id, action: 'interested' },
  effect: 'destroys',
  access: 'key',
  scope: 'agents:write',
  provisional: true,
  agent: 'required',
  faults: [
    'not_found',
    'invalid_request',
    'invalid_action',
    'already_answered',
    'expired',
    'not_reachable_with_key',
    'session_required',
    'insufficient_scope',
    'provisional_account',
    'verification_required',
    ...ACTION_FAULTS,
  ],
  rest: [{ method: 'POST', path: '/api/inbox/{event_id}/respond' }],
  tools: [{ name: 'mesh_respond', title: 'Answer an event', set: 'inbox', extension: true }],
  load: async (read, { event_id, action, note, reason, input = {} }, ctx, ports) => {
    const event = await read(eventById, { agent_id: actor(ctx).id, id: event_id });
    if (!event) return null;
    const refusal = answerFault(answerable(event), action, reason ?? null, ctx.now_ms);
    if (refusal) return { event, refusal, decide: null };
    const perform = performerOf(event.kind, action);
    if (!perform) return { event, refusal: null, decide: null };
    const given = { action, note, reason, input };
    const closed = (await closedFault(read, event)) ?? perform.lacks?.(given) ?? null;
    if (closed) return { event, refusal: closed, decide: null };
    // The right to answer events does not include the rights of the action.
    const declared = perform.declared(event, given);
    const barred = scopeFault(declared, ctx.principal) ?? gateFault(declared, ctx.agent);
    if (barred) return { event, refusal: barred, decide: null };
    const decide = await perform.load(read, [event, given], ctx, ports);
    return { event, refusal: null, decide };
  },
  decide: (state, { action, note = null, reason = null }, ctx) => {
    if (!state) return fault('not_found');
    const { event, refusal, decide } = state;
    if (refusal) return refusal;
    if (!decide) return fault('invalid_action');
    const done = decide();
    if (isFault(done)) return done;
    const { id, seq, agent_id, subject_id } = event;
    // Its subject was closed and is open again; readers may hold its text, which asks for nothing.
    if (subject_id !== null && event.awaiting === 0) return fault('match_closed', REOPENED);
    const answered = { action, note, reason, at: ctx.now_ms };
    // This effect comes first, so that the answer that the action's own operation records finds it in place and changes nothing.
    const recorded = {
      do: 'answer',
      agent_id,
      subject_id: subject_id ?? '',
      answered,
      timed: isTimed(event.kind),
    } as const;
    return {
      reply: (committed) => ({
        id,
        seq,
        status: 'answered' as const,
        answered: { ...answered, at: iso(ctx.now_ms) },
        result: typeof done.reply === 'function' ? done.reply(committed) : done.reply,
      }),
      effects: [...(subject_id === null ? [] : [recorded]), ...(done.effects ?? [])],
    };
  },
});
