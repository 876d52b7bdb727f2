// Which policy counts, and which cannot be.
import { describe, expect, test } from 'bun:test';
import { ASK_MINUTES_MAX, askMs, type Policy, policiesFault, policyFor } from '../../../src/domain/agent/policy.ts';

const of = (agent_id: string | null, outcome: Policy['outcome'] = 'ask'): Policy => ({
  operation: 'wallet.send',
  agent_id,
  outcome,
});

describe('the policy that counts', () => {
  test('is that of the counterparty, then that of everybody, then none', () => {
    const [all, one] = [of(null), of('a', 'refuse')];
    expect(policyFor([all, one], 'wallet.send', 'a')).toBe(one);
    expect(policyFor([all, one], 'wallet.send', 'b')).toBe(all);
    expect(policyFor([all, one], 'wallet.send', null)).toBe(all);
    expect(policyFor([one], 'wallet.send', 'b')).toBeNull();
    expect(policyFor([all, one], 'demand.award', 'a')).toBeNull();
    expect(policyFor(undefined, 'wallet.send', 'a')).toBeNull();
  });
});

describe('the time to answer', () => {
  test('is what the policy says, else three days', () => {
    expect([askMs({ ask_minutes: 5 }), askMs({})]).toEqual([300_000, ASK_MINUTES_MAX * 60_000]);
  });
});

describe('policies', () => {
  test('of the same operation and counterparty are one too many, and each fault names its place', () => {
    expect(policiesFault([of(null), of('a'), of('b')])).toBeNull();
    const fault = policiesFault([of('a'), of('a', 'allow'), { ...of('b', 'allow'), on_timeout: 'allow' }]);
    expect(JSON.stringify(fault)).toContain('"policies.1"');
    expect(JSON.stringify(fault)).toContain('"policies.2.outcome"');
  });
});
