// What a proposal is compared with on its card: the one before it in its conversation, and never itself as it was read before its person
// let it go.
import { expect, test } from 'bun:test';
import { type Proposal, previousOf } from '../../src/dashboard/screens/approvals/proposal.ts';

const at = (id: string, minute: number, conversation_id = 'talk'): Proposal =>
  ({ id, conversation_id, created_at: `2026-06-15T12:0${minute}:00.000Z` }) as Proposal;

test('it is the newest that was put before, in the same conversation', () => {
  const of = at('c', 5);
  const all = [at('d', 6), of, at('x', 4, 'another'), at('b', 3), at('a', 1)];
  expect(previousOf(all, of)?.id).toBe('b');
  expect(previousOf([of], of)).toBeNull();
});

test('it is not the proposal itself as it waited', () => {
  expect(previousOf([at('c', 2), at('a', 1)], at('c', 5))?.id).toBe('a');
});
