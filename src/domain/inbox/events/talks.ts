// Event kinds of matches, conversations, negotiations, meetings and requests.
import { Type } from 'typebox';
import { NOTE_CODES, type Note, noteText } from '../../conversation/note.ts';
import { DECLINE_REASONS } from '../../match/state.ts';
import type { Performable } from '../../negotiation/action.ts';
import { PROPOSAL_REASONS } from '../../negotiation/proposal.ts';
import {
  type Actions,
  about,
  CENTS,
  conversationPath,
  type EventData,
  type EventSpec,
  type EventText,
  HANDLE,
  ID,
  ID_OR_NULL,
  lines,
  type Notice,
  OTHER,
  SUMS,
  sumsOf,
  TEXT,
  TIME,
  worded,
} from './spec.ts';

const ANSWERS_OF_PROPOSAL: Actions = {
  approve: { label: 'Approve the proposal' },
  reject: { label: 'Reject the proposal', reasons: PROPOSAL_REASONS },
};

/** The same for an action beyond the agent's bounds. */
const ANSWERS_OF_ACTION: Actions = {
  approve: { label: 'Approve it, and do it now' },
  reject: { label: 'Reject it' },
};

/** Whether an escalation is about a stored action, which its person can approve. */
export function isStoredAction(data: EventData): boolean {
  return typeof data['action_id'] === 'string';
}

/** Whether an escalation is about a refused payment, without a proposal or action to approve. */
function isRefusedPayment(data: EventData): boolean {
  return typeof data['bound'] === 'string' && data['proposal_id'] === undefined && !isStoredAction(data);
}

function answersOfEscalation(data: EventData): Actions {
  if (isStoredAction(data)) return ANSWERS_OF_ACTION;
  return isRefusedPayment(data) ? {} : ANSWERS_OF_PROPOSAL;
}

/** The notice of a decision about an amount outside the bounds. */
function escalation(s: EventText): Notice {
  const words = s.words['negotiation.escalated'];
  const amount = s.money('amount_cents');
  const why = s.text('bound') === 'policy' ? words.policy(s.handle) : words.outside(amount, s.handle);
  if (isRefusedPayment(s.data)) return { title: words.refused, body: `${why} ${words.allow}`, path: '/wallet' };
  const body = `${why} ${words.decide}`;
  if (isStoredAction(s.data)) {
    const acts: Readonly<Record<Performable, string>> = words.acts;
    const operation = s.text('operation');
    const what = Object.hasOwn(acts, operation) ? worded(acts, operation) : words.pay;
    const title = words.wants(what, amount);
    return { title, body: `${body}${about(s.time('done_at'), words.silence)}`, path: '/approvals' };
  }
  return { title: words.proposal, body: lines(body, sumsOf(s)), path: conversationPath(s) };
}

/** A system message or a proposal in the reader's language; null for other messages. */
function noted({ data, words, text }: EventText): string | null {
  const note = data['note'] as Note | undefined;
  return note && NOTE_CODES.includes(note.code) ? noteText(text('sender'), note, words, text('preview')) : null;
}

const ISSUES = Type.Array(Type.Object({ issue: TEXT, value: Type.Union([Type.Integer(), TEXT]) }));

const PROPOSAL = {
  ...{ conversation_id: ID, proposal_id: ID, amount_cents: CENTS },
  issues: Type.Optional(ISSUES),
  ...SUMS,
  ...OTHER,
};

export const TALKS = {
  'match.created': {
    when: 'a match was found',
    data: Type.Object({ match_id: ID, ...OTHER, score: Type.Number({ minimum: 0, maximum: 1 }) }),
    author: 'counterparty',
    importance: 'normal',
    actions: {
      interested: { label: 'Open a conversation', button: 'approve' },
      not_a_fit: { label: 'Decline for good', reasons: DECLINE_REASONS, button: 'decline' },
      saved: { label: 'Keep for later' },
    },
    notice: (s) => {
      const { title, ask, fits } = s.words['match.created'];
      const score = s.data['score'];
      return {
        title: title(s.who()),
        body: `${ask}${typeof score === 'number' ? fits(Math.round(score * 100)) : ''}`,
        path: `/matches/${s.text('match_id')}`,
      };
    },
  },
  'match.approved': {
    when: 'the other side is interested',
    data: Type.Object({ match_id: ID, ...OTHER, conversation_id: ID }),
    author: 'counterparty',
    importance: 'important',
    notice: (s) => ({
      title: s.words['match.approved'].title(s.who()),
      body: s.words['match.approved'].body,
      path: conversationPath(s),
    }),
  },
  'conversation.started': {
    when: 'the other side opened a conversation',
    data: Type.Object({ conversation_id: ID, ...OTHER, phase: TEXT }),
    author: 'counterparty',
    importance: 'important',
    notice: (s) => ({ title: s.words['conversation.started'].title(s.who()), body: '', path: conversationPath(s) }),
  },
  'conversation.updated': {
    when: 'the other side, or the service, wrote in a conversation',
    data: Type.Object({
      conversation_id: ID,
      message_id: ID,
      sender: HANDLE,
      preview: TEXT,
      kind: Type.Optional(Type.Literal('system', { description: 'the service wrote it' })),
      note: Type.Optional(
        Type.Object(
          { code: Type.Enum([...NOTE_CODES]), amount_cents: CENTS },
          { description: 'what it says, as a code' },
        ),
      ),
      ...OTHER,
      task_id: Type.Optional(ID),
    }),
    author: 'counterparty',
    importance: 'normal',
    actions: { reply: { label: 'Reply; the note is the message' }, no_reply: { label: 'Leave it without a reply' } },
    by_thread: true,
    notice: (s) => ({
      title: s.words['conversation.updated'].title(s.who('sender')),
      body: noted(s) ?? s.text('preview'),
      path: conversationPath(s),
    }),
  },
  'conversation.completed': {
    when: 'a conversation is over',
    data: Type.Object({ conversation_id: ID, ...OTHER, reason: Type.Optional(TEXT) }),
    author: 'counterparty',
    importance: 'normal',
    notice: (s) => ({
      title: s.words['conversation.completed'].title(s.who()),
      body: s.text('reason'),
      path: conversationPath(s),
    }),
  },
  'negotiation.proposed': {
    when: 'a proposal waits for your answer',
    data: Type.Object(PROPOSAL),
    author: 'counterparty',
    importance: 'important',
    actions: {
      ...ANSWERS_OF_PROPOSAL,
      counter: { label: 'Propose another amount', input: (data) => ({ amount_cents: data['amount_cents'] ?? null }) },
    },
    untimed: true,
    notice: (s) => ({
      title: s.words['negotiation.proposed'].title(s.money('amount_cents')),
      body: lines(s.words['negotiation.proposed'].body(s.who()), sumsOf(s)),
      path: conversationPath(s),
    }),
  },
  'negotiation.escalated': {
    when: 'a proposal, or what a program asked for, is outside the bounds of the agent',
    data: Type.Object({
      ...Type.Partial(Type.Object(PROPOSAL)).properties,
      amount_cents: CENTS,
      bound: Type.Union([
        Type.Enum(['max_pay_cents', 'max_pay_per_day_cents', 'min_charge_cents', 'policy']),
        Type.Null(),
      ]),
      action_id: Type.Optional(
        Type.String({ format: 'uuid', description: 'of what a program asked for and was kept' }),
      ),
      operation: Type.Optional(Type.String({ description: 'what the program called' })),
      done_at: Type.Optional(Type.String({ format: 'date-time', description: 'when it is done without an answer' })),
      letter_at: Type.Optional(Type.String({ format: 'date-time', description: 'when the letter about it is sent' })),
    }),
    author: 'counterparty',
    importance: 'urgent',
    actions: answersOfEscalation,
    untimed: true,
    notice: escalation,
  },
  'deal.agreed': {
    when: 'both sides approved a proposal',
    data: Type.Object({
      deal_id: ID,
      escrow_id: ID_OR_NULL,
      conversation_id: ID,
      title: TEXT,
      amount_cents: CENTS,
      ...SUMS,
      ...OTHER,
      your_side: Type.Enum(['buyer', 'seller']),
    }),
    author: 'counterparty',
    importance: 'important',
    notice: (s) => ({
      title: s.words['deal.agreed'].title(s.who(), s.money('amount_cents')),
      body: sumsOf(s),
      path: conversationPath(s),
    }),
  },
} as const satisfies Readonly<Record<string, EventSpec>>;

const MEETING = {
  conversation_id: ID,
  meeting_id: ID,
  starts_at: TIME,
  duration_minutes: Type.Integer(),
  ...OTHER,
};

export const MEETINGS = {
  'meeting.scheduled': {
    when: 'a meeting was set or moved',
    data: Type.Object({ ...MEETING, url: Type.Optional(TEXT) }),
    author: 'counterparty',
    importance: 'important',
    notice: (s) => ({
      title: s.words['meeting.scheduled'].title(s.who()),
      body: [s.time('starts_at'), s.minutes('duration_minutes')].filter(Boolean).join(', '),
      path: conversationPath(s),
    }),
  },
  'meeting.completed': {
    when: 'a meeting took place',
    data: Type.Object(MEETING),
    author: 'counterparty',
    importance: 'normal',
    notice: (s) => ({
      title: s.words['meeting.completed'].title(s.who()),
      body: s.time('starts_at'),
      path: conversationPath(s),
    }),
  },
} as const satisfies Readonly<Record<string, EventSpec>>;

const demandPath = (s: EventText): string => `/demand/${s.text('request_id')}`;
const forHeadline = (s: EventText): string => lines(about(s.text('headline'), s.words.about), sumsOf(s, 'price_cents'));

export const DEMANDS = {
  'demand.posted': {
    when: 'a request was posted that one of your listings may serve',
    data: Type.Object({
      request_id: ID,
      headline: TEXT,
      labels: Type.Array(TEXT),
      budget_cents: CENTS,
      closes_at: TIME,
      respond: Type.String({ description: 'the address at which to quote' }),
      ...OTHER,
    }),
    author: 'counterparty',
    importance: 'normal',
    actions: {
      quote: { label: 'Quote a price', input: (data) => ({ price_cents: data['budget_cents'] ?? null }) },
      pass: { label: 'Pass', reasons: ['budget_too_low', 'deadline_too_soon', 'no_capacity', 'not_my_field', 'other'] },
    },
    notice: (s) => {
      const { title, most, mostUntil } = s.words['demand.posted'];
      const [budget, until] = [s.money('budget_cents'), s.time('closes_at')];
      const body = until === '' ? most(budget) : mostUntil(budget, until);
      return { title: title(s.text('headline')), body, path: demandPath(s) };
    },
  },
  'demand.quoted': {
    when: 'a seller quoted a price for your request',
    data: Type.Object({ request_id: ID, quote_id: ID, headline: TEXT, price_cents: CENTS, ...SUMS, ...OTHER }),
    author: 'counterparty',
    importance: 'normal',
    notice: (s) => ({
      title: s.words['demand.quoted'].title(s.who(), s.money('price_cents')),
      body: forHeadline(s),
      path: demandPath(s),
    }),
  },
  'demand.awarded': {
    when: 'your quote was accepted',
    data: Type.Object({
      request_id: ID,
      quote_id: ID,
      conversation_id: ID,
      deal_id: ID,
      headline: TEXT,
      price_cents: CENTS,
      ...SUMS,
      ...OTHER,
    }),
    author: 'counterparty',
    importance: 'normal',
    notice: (s) => ({
      title: s.words['demand.awarded'].title(s.who(), s.money('price_cents')),
      body: forHeadline(s),
      path: conversationPath(s),
    }),
  },
} as const satisfies Readonly<Record<string, EventSpec>>;
