// Guarantees of a match's life: one interest opens the thread, once; a refusal is forever; nobody else decides.

import { describe, expect, test } from 'bun:test';
import {
  decideMatch,
  expiresAt,
  MATCH_TTL_MS,
  type MatchFacts,
  refreshOf,
  statusAt,
  statusWithoutListing,
} from '../../../src/domain/match/state.ts';

const T0 = 1_000_000;
const match = (part: Partial<MatchFacts> = {}): MatchFacts => ({
  status: 'pending',
  offer_agent_id: 'a',
  seek_agent_id: 'b',
  approved_by: [],
  saved_by: [],
  created_at_ms: T0,
  ended_by: null,
  ...part,
});
const approved = match({ status: 'approved', approved_by: ['a'] });

describe('a decision', () => {
  test.each<[string, MatchFacts, string, string, object]>([
    [
      'first interest opens',
      match(),
      'a',
      'interested',
      { status: 'approved', approved_by: ['a'], opens_thread: true },
    ],
    ['second interest is mutual', approved, 'b', 'interested', { approved_by: ['a', 'b'], opens_thread: false }],
    ['interest repeated is nothing new', approved, 'a', 'interested', { approved_by: ['a'], opens_thread: false }],
    [
      'a refusal ends the pair',
      match(),
      'b',
      'not_a_fit',
      { status: 'declined', ends_pair: true, opens_thread: false },
    ],
    ['the other side may refuse an approved one', approved, 'b', 'not_a_fit', { status: 'declined', ends_pair: true }],
    ['saving changes no state', match(), 'b', 'saved', { status: 'pending', saved_by: ['b'], ends_pair: false }],
    ['saving twice is once', match({ saved_by: ['b'] }), 'b', 'saved', { saved_by: ['b'] }],
    ['saving an approved one', approved, 'b', 'saved', { status: 'approved', saved_by: ['b'] }],
    [
      'interest in a saved old one',
      match({ saved_by: ['b'], created_at_ms: T0 - MATCH_TTL_MS }),
      'a',
      'interested',
      { opens_thread: true },
    ],
  ])('%s', (_what, given, agent_id, action, changes) => {
    expect(decideMatch(given, agent_id, action, T0)).toMatchObject(changes);
  });

  test.each<[string, MatchFacts, string, string, string]>([
    ['a stranger', match(), 'c', 'interested', 'not_found'],
    ['a stranger with a wrong action', match(), 'c', 'dance', 'not_found'],
    ['an unknown action', match(), 'a', 'dance', 'invalid_action'],
    ['an action of every object', match(), 'a', 'constructor', 'invalid_action'],
    ['interest after a refusal', match({ status: 'declined' }), 'a', 'interested', 'already_decided'],
    ['a second refusal', match({ status: 'declined' }), 'a', 'not_a_fit', 'already_decided'],
    ['saving after a refusal', match({ status: 'declined' }), 'a', 'saved', 'already_decided'],
    ['a refusal after own interest', approved, 'a', 'not_a_fit', 'already_decided'],
    ['an expired match', match({ status: 'expired' }), 'a', 'interested', 'match_closed'],
    ['a match whose time is over', match({ created_at_ms: T0 - MATCH_TTL_MS }), 'a', 'interested', 'match_closed'],
    ['a superseded match', match({ status: 'superseded' }), 'b', 'saved', 'match_closed'],
  ])('%s is refused', (_what, given, agent_id, action, code) => {
    expect(decideMatch(given, agent_id, action, T0)).toMatchObject({ fault: code });
  });
});

test('a pending match expires after 30 days to the millisecond, a saved or decided one never', () => {
  expect(statusAt(match(), T0 + MATCH_TTL_MS - 1)).toBe('pending');
  expect(statusAt(match(), T0 + MATCH_TTL_MS)).toBe('expired');
  expect(expiresAt(match({ saved_by: ['a'] }))).toBeNull();
  expect(statusAt(approved, T0 + 2 * MATCH_TTL_MS)).toBe('approved');
});

test('a deleted listing supersedes an open match and leaves a decided one', () => {
  expect(statusWithoutListing(match(), T0)).toBe('superseded');
  expect(statusWithoutListing(approved, T0)).toBe('approved');
  expect(statusWithoutListing(match(), T0 + MATCH_TTL_MS)).toBe('expired');
});

describe('a pair found again', () => {
  const superseded = match({ status: 'superseded' });
  const over = T0 + MATCH_TTL_MS;
  test.each<[string, MatchFacts, number, number, string]>([
    ['pending takes its new score', match(), T0 + 1, T0 + 1, 'refresh'],
    ['approved stays', approved, T0 + 1, over, 'leave'],
    ['declined stays', match({ status: 'declined' }), T0 + 1, over, 'leave'],
    ['superseded opens again', superseded, T0, over - 1, 'refresh'],
    ['superseded long ago without an edit stays', superseded, T0, over, 'leave'],
    ['superseded long ago and edited is news', superseded, T0 + 1, over, 'anew'],
    ['expired without an edit stays', match(), T0, over, 'leave'],
    ['expired and edited is news', match(), T0 + 1, over, 'anew'],
    ['saved never expires', match({ saved_by: ['b'] }), T0 + 1, 2 * over, 'refresh'],
  ])('%s', (_what, given, edited_at, now, expected) => {
    expect(refreshOf(given, edited_at, now)).toBe(expected as ReturnType<typeof refreshOf>);
  });
});
