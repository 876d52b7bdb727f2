// Guarantees of events: which ask for an answer, by what calls, and that each is answered once.
import { describe, expect, test } from 'bun:test';
import {
  type Answer,
  type AnswerableEvent,
  actionsOf,
  answerFault,
  type DataOf,
  EVENT_KINDS,
  type EventKind,
  isAnswerable,
  isEventKind,
  noticeOf,
  specOf,
} from '../../../src/domain/inbox/event.ts';
import { eventWords } from '../../../src/domain/words/events.ts';
import { eventProblem } from '../../support/checked-events.ts';
import { naughtyStrings } from '../../support/corpus.ts';

const NOW = Date.UTC(2026, 0, 1);
const ANSWER: Answer = { action: 'interested', note: null, reason: null, at: '2026-01-01T00:00:00.000Z' };

const event = (kind: EventKind, more: Partial<AnswerableEvent> = {}): AnswerableEvent => ({
  id: '0190-e',
  kind,
  data: {},
  respond_by_ms: NOW + 1_000,
  answered: null,
  ...more,
});

describe('nine kinds ask for an answer', () => {
  test.each([
    ['match.created', ['interested', 'not_a_fit', 'saved']],
    ['demand.posted', ['quote', 'pass']],
    ['conversation.updated', ['reply', 'no_reply']],
    ['negotiation.proposed', ['approve', 'reject', 'counter']],
    ['negotiation.escalated', ['approve', 'reject']],
    ['escrow.delivered', ['release', 'dispute']],
    ['escrow.released', ['review']],
    ['escrow.dispute_opened', ['respond', 'concede']],
    ['escrow.dispute_proposed', ['accept', 'reject']],
  ] as const)('%s by %p', (kind, actions) => {
    expect(actionsOf(event(kind)).map(({ action }) => action)).toEqual([...actions]);
  });

  test('and no other', () => {
    const others = EVENT_KINDS.filter((kind) => specOf(kind).actions === undefined);
    expect(others.length).toBe(EVENT_KINDS.length - 9);
    expect(EVENT_KINDS.filter((kind) => isAnswerable(kind) && specOf(kind).by_thread)).toEqual([]);
    expect(others.flatMap((kind) => actionsOf(event(kind)))).toEqual([]);
  });
});

test('an action is the exact call that answers', () => {
  expect(actionsOf(event('demand.posted', { data: { budget_cents: 50_000 } }))[0]).toEqual({
    action: 'quote',
    label: 'Quote a price',
    operation: 'inbox.respond',
    input: { event_id: '0190-e', action: 'quote', input: { price_cents: 50_000 } },
  });
});

test('a change of a delivery is asked for where there is a conversation', () => {
  const delivered = event('escrow.delivered', { data: { conversation_id: '0190-c' } });
  expect(actionsOf(delivered).map(({ action }) => action)).toEqual(['release', 'request_change', 'dispute']);
});

test('an escalation of a payment that was refused has no proposal behind it, and nothing to answer', () => {
  const refused = event('negotiation.escalated', { data: { amount_cents: 50_000, bound: 'max_pay_cents' } });
  expect(actionsOf(refused)).toEqual([]);
  expect(answerFault(refused, 'approve', null, NOW)?.fault).toBe('invalid_action');
  expect(answerFault(event('negotiation.escalated'), 'approve', null, NOW)).toBeNull();
});

test('an answered event shows no actions any more', () => {
  expect(actionsOf(event('match.created', { answered: ANSWER }))).toEqual([]);
});

describe('an answer is taken or refused', () => {
  const late = { respond_by_ms: NOW - 1 };
  const cases: [string, AnswerableEvent, string, string | null, string | null][] = [
    ['taken', event('match.created'), 'interested', null, null],
    ['taken without a deadline', event('match.created', { respond_by_ms: null }), 'saved', null, null],
    ['taken at the last instant', event('match.created', { respond_by_ms: NOW }), 'interested', null, null],
    ['taken with a reason chip', event('match.created'), 'not_a_fit', 'price', null],
    ['refused for another kind', event('match.created'), 'approve', null, 'invalid_action'],
    ['refused where none is asked', event('test.ping'), 'interested', null, 'invalid_action'],
    ['refused for an inherited name', event('match.created'), 'constructor', null, 'invalid_action'],
    ['refused for an unknown reason', event('match.created'), 'not_a_fit', 'mood', 'invalid_request'],
    ['refused for a reason where none belongs', event('match.created'), 'interested', 'price', 'invalid_request'],
    ['refused the second time', event('match.created', { answered: ANSWER }), 'saved', null, 'already_answered'],
    ['refused when late', event('match.created', late), 'interested', null, 'expired'],
    ['taken late when it concedes', event('escrow.dispute_opened', late), 'concede', null, null],
    ['refused late when it responds', event('escrow.dispute_opened', late), 'respond', null, 'expired'],
    [
      'told the answer rather than the time',
      event('match.created', { ...late, answered: ANSWER }),
      'saved',
      null,
      'already_answered',
    ],
  ];
  test.each(cases)('%s', (_, given, action, reason, code) => {
    const refused: string | null = answerFault(given, action, reason, NOW)?.fault ?? null;
    expect(refused).toBe(code);
  });

  test('the second answer is told the first', () => {
    const fault = answerFault(event('match.created', { answered: ANSWER }), 'not_a_fit', null, NOW);
    expect(fault?.data).toEqual({ answered: ANSWER });
  });

  test('no hostile string is an action or a reason', () => {
    for (const text of naughtyStrings()) {
      expect(answerFault(event('match.created'), text, null, NOW)?.fault).toBe('invalid_action');
      expect(answerFault(event('match.created'), 'not_a_fit', text, NOW)?.fault).toBe('invalid_request');
    }
  });
});

test('a kind is known by its exact name', () => {
  expect(EVENT_KINDS.every(isEventKind)).toBe(true);
  expect(['match.Created', 'match', '*', ...naughtyStrings()].filter(isEventKind)).toEqual([]);
});

test('a kind whose data names another agent is declared as written by that agent', () => {
  const named = EVENT_KINDS.filter((kind) => {
    const { properties } = specOf(kind).data;
    return 'counterparty_handle' in properties || 'sender' in properties;
  });
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((kind) => specOf(kind).author !== 'counterparty')).toEqual([]);
});

test('data that a kind does not declare does not compile, and is found in the tests of all operations', () => {
  expect(eventProblem({ event: 'test.ping', data: { message: 'x' } })).toBeNull();
  expect(eventProblem({ event: 'test.ping', data: {} })).toContain('message');
  expect(eventProblem({ event: 'test.ping', data: { message: 'x', more: 1 } })).toContain('test.ping');
  expect(eventProblem({ event: 'test.pong', data: {} })).toBe('test.pong is not declared');
  // @ts-expect-error: a ping has a message.
  const wrong: DataOf<'test.ping'> = { massage: 'x' };
  expect(wrong).toBeObject();
});

test('a kind that a newer version wrote is read as the words of a stranger, and asks for nothing', () => {
  const later = 'listing.questioned' as EventKind;
  expect(isAnswerable(later)).toBe(false);
  expect(specOf(later)).toMatchObject({ author: 'counterparty', importance: 'normal' });
  expect(noticeOf(later, 'ada', {}, eventWords()).title).toBe('There is something new');
});
