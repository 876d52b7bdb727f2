// When what a program asked for may still be decided, and when it happens by silence.
import { expect, test } from 'bun:test';
import { actionStatus, decidedFault, silenceFault } from '../../../src/domain/negotiation/action.ts';

const waits = { status: 'pending', respond_by: 1_000, decided_at: null, on_timeout: 'allow', result: null } as const;

test('a person decides until its time is over, and silence from then on', () => {
  const refuses = { ...waits, on_timeout: 'refuse' } as const;
  expect([decidedFault(refuses, 1_000), decidedFault(refuses, 1_001)?.fault]).toEqual([null, 'expired']);
  expect([silenceFault(waits, 999)?.fault, silenceFault(waits, 1_000)]).toEqual(['expired', null]);
  expect(actionStatus(refuses, 1_001)).toBe('expired');
});

test('a person’s no counts until what silence lets happen has happened, or could not', () => {
  expect([decidedFault(waits, 5_000), actionStatus(waits, 5_000)]).toEqual([null, 'pending']);
  expect(actionStatus({ ...waits, result: { error: 'payment_required' } }, 5_000)).toBe('expired');
});

test('silence says nothing where nobody let it, and to what was decided', () => {
  expect(silenceFault({ ...waits, on_timeout: null }, 5_000)?.fault).toBe('expired');
  expect(silenceFault({ ...waits, on_timeout: 'refuse' }, 5_000)?.fault).toBe('expired');
  for (const status of ['approved', 'rejected', 'failed'] as const)
    expect(silenceFault({ ...waits, status }, 5_000)?.fault).toBe('already_answered');
});
