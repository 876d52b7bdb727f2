// What one letter tells of: what an event says anew of the agent itself replaces what an earlier one said; all else is told each time.
import { expect, test } from 'bun:test';
import type { EventKind } from '../../../src/domain/inbox/event.ts';
import { latestOf } from '../../../src/domain/mail/letter-plan.ts';

const event = (kind: EventKind, data: object, seq: number) => ({ kind, data: { ...data }, seq });

test('an agent’s score and changes are told as they are at last, payments each time', () => {
  const bounds = { fields: ['bounds'] };
  const told = [
    event('trust.updated', { score: 8 }, 1),
    event('agent.updated', bounds, 2),
    event('payment.succeeded', { amount_cents: 700 }, 3),
    event('payment.succeeded', { amount_cents: 700 }, 4),
    event('trust.updated', { silent: true }, 5),
    event('agent.updated', { fields: ['autopilot'] }, 6),
    event('agent.updated', bounds, 7),
    event('trust.updated', { score: 18 }, 8),
  ];
  expect(latestOf(told).map(({ seq }) => seq)).toEqual([3, 4, 5, 6, 7, 8]);
});
