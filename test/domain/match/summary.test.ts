// A match in words: it says what is so for its reader, and offers only what would be taken now.
import { expect, test } from 'bun:test';
import { nextSteps, type SummaryFacts, summaryText } from '../../../src/domain/match/summary.ts';

const facts = (part: Partial<SummaryFacts> = {}): SummaryFacts => ({
  match_id: 'm',
  status: 'pending',
  ended_by: null,
  score_percent: 80,
  reasons: ['both name seo', 'both are in Berlin'],
  counterparty_handle: 'bob',
  my_headline: 'Links wanted',
  their_headline: 'Links',
  conversation_id: null,
  i_approved: false,
  they_approved: false,
  expires_at: '2026-07-15T12:00:00.000Z',
  ...part,
});
const approved = { status: 'approved', conversation_id: 'c', expires_at: null } as const;

test('a summary names both listings, the reasons and where the match stands', () => {
  expect(summaryText(facts())).toBe(
    'Your “Links wanted” and “Links” of @bob are a strong match (80 of 100). What speaks for it: both name seo; both are in Berlin. Nobody has decided yet; it expires on 2026-07-15.',
  );
});

test.each<[Partial<SummaryFacts>, string, string[]]>([
  [{ score_percent: 40, expires_at: null }, 'a possible match (40 of 100)', ['interested', 'saved', 'not_a_fit']],
  [{ ...approved, they_approved: true }, '@bob is interested', ['interested', 'conversation.read', 'message.send']],
  [{ ...approved, i_approved: true }, '@bob has not said so yet', ['conversation.read', 'message.send']],
  [
    { ...approved, i_approved: true, they_approved: true },
    'Both sides are interested',
    ['conversation.read', 'message.send'],
  ],
  [{ status: 'declined' }, 'will not be matched again', []],
  [{ status: 'expired' }, 'expired before anybody decided', []],
  [{ status: 'superseded' }, 'no longer open', []],
])('%j reads “%s”', (part, words, steps) => {
  expect(summaryText(facts(part))).toContain(words);
  expect(nextSteps(facts(part)).map(({ input, operation }) => input['action'] ?? operation)).toEqual(steps);
});
