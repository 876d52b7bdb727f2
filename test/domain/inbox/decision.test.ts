// The order in which a person is shown what they have to decide.
import { expect, test } from 'bun:test';
import { byUrgency, type Decision, onePerConversation } from '../../../src/domain/inbox/decision.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = 1_790_000_000_000;

let made = 0;
const decision = (kind: Decision['kind'], ends_in_hours: number | null, amount_cents = 0, score = 0): Decision => ({
  id: String(made++),
  kind,
  ends_at: ends_in_hours === null ? null : NOW_MS + ends_in_hours * HOUR_MS,
  amount_cents,
  score,
  conversation_id: null,
});

test('disputes come first, then money of the last day by time, then larger amounts, matches by score, and the rest', () => {
  const wanted = [
    decision('dispute', 70, 100),
    decision('proposal', 2, 100),
    decision('delivery', 20, 90_000),
    decision('payment', null, 50_000),
    decision('proposal', 70, 40_000),
    decision('match', null, 0, 82),
    decision('match', 1, 0, 45),
    decision('other', 1),
  ];
  expect(wanted.toReversed().toSorted(byUrgency(NOW_MS))).toEqual(wanted);
});

test('a conversation has one decision at a time, the most urgent one; what belongs to none is kept', () => {
  const within = (conversation_id: string, of: Decision): Decision => ({ ...of, conversation_id });
  const proposal = within('a', decision('proposal', 70, 40_000));
  const payment = within('b', decision('payment', null, 100));
  const approvals = [decision('approval', 2, 300), decision('approval', 3, 200)];
  const match = within('c', decision('match', null, 0, 82));
  const hidden = [within('a', decision('match', null, 0, 99)), within('b', decision('other', 1))];
  const given = [...hidden, match, payment, proposal, ...approvals];
  expect(onePerConversation(given, NOW_MS)).toEqual([...approvals, proposal, payment, match]);
});
