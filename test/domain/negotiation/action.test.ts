// When what a program asked for may still be decided, and when it happens by silence.
import { expect, test } from 'bun:test';
import { actionStatus, decidedFault, silenceFault } from '../../../src/domain/negotiation/action.ts';

const waits = { status: 'pending', respond_by: 1_000, decided_at: null, on_timeout: 'allow' } as const;

test('a person decides until its time is over, and silence from then on', () => {
  expect([decidedFault(waits, 1_000), decidedFault(waits, 1_001)?.fault]).toEqual([null, 'expired']);
  expect([silenceFault(waits, 999)?.fault, silenceFault(waits, 1_000)]).toEqual(['expired', null]);
  expect(actionStatus(waits, 1_001)).toBe('expired');
});

test('silence says nothing where nobody let it, and to what was decided', () => {
  expect(silenceFault({ ...waits, on_timeout: null }, 5_000)?.fault).toBe('expired');
  expect(silenceFault({ ...waits, on_timeout: 'refuse' }, 5_000)?.fault).toBe('expired');
  for (const status of ['approved', 'rejected', 'failed'] as const)
    expect(silenceFault({ ...waits, status }, 5_000)?.fault).toBe('already_answered');
});
