// Guarantees of disputes: who may do what, in every phase and in each role; amounts that are not all of it settle nothing.
import { describe, expect, test } from 'bun:test';
import {
  acceptFault,
  allTo,
  DISPUTE_STATUSES,
  type DisputeAction,
  type DisputePhase,
  type DisputeRole,
  type DisputeStatus,
  disputeFault,
  evidenceFault,
  otherSide,
  phaseAt,
  splitFault,
} from '../../../src/domain/escrow/dispute.ts';

const BY = 1_000;

describe('time decides what a dispute is', () => {
  /** What it is a millisecond before `respond_by`, and at it. */
  const PHASES: Readonly<Record<DisputeStatus, readonly [before: DisputePhase, from: DisputePhase]>> = {
    open: ['open', 'overdue'],
    responded: ['responded', 'late'],
    settled: ['ended', 'ended'],
    withdrawn: ['ended', 'ended'],
    ruled: ['ended', 'ended'],
    defaulted: ['ended', 'ended'],
  };

  test.each(DISPUTE_STATUSES)('%s', (status) => {
    const at = (now_ms: number): DisputePhase => phaseAt({ status, respond_by: BY }, now_ms);
    const [before, from] = PHASES[status];
    expect([at(0), at(BY - 1), at(BY), at(10 * BY)]).toEqual([before, before, from, from]);
  });
});

const YES = null;
/** Opener, respondent, administrator. */
type Row = readonly [string | null, string | null, string | null];
const NOBODY_ELSE: Row = [YES, 'wrong_role', 'wrong_role'];

const TABLE: Readonly<Record<DisputePhase, Readonly<Record<DisputeAction, Row>>>> = {
  open: {
    evidence: [YES, YES, YES],
    propose: [YES, YES, YES],
    accept: [YES, YES, YES],
    concede: [YES, YES, YES],
    withdraw: NOBODY_ELSE,
    rule: [YES, YES, YES],
  },
  responded: {
    evidence: [YES, YES, YES],
    propose: [YES, YES, YES],
    accept: [YES, YES, YES],
    concede: [YES, YES, YES],
    withdraw: NOBODY_ELSE,
    rule: [YES, YES, YES],
  },
  late: {
    evidence: ['window_closed', 'window_closed', 'window_closed'],
    propose: [YES, YES, YES],
    accept: [YES, YES, YES],
    concede: [YES, YES, YES],
    withdraw: NOBODY_ELSE,
    rule: [YES, YES, YES],
  },
  overdue: {
    evidence: ['window_closed', 'window_closed', 'window_closed'],
    propose: ['window_closed', 'window_closed', 'window_closed'],
    accept: ['window_closed', 'window_closed', 'window_closed'],
    concede: ['window_closed', YES, 'window_closed'],
    withdraw: ['window_closed', 'wrong_role', 'wrong_role'],
    rule: ['window_closed', 'window_closed', 'window_closed'],
  },
  ended: {
    evidence: ['not_open', 'not_open', 'not_open'],
    propose: ['not_open', 'not_open', 'not_open'],
    accept: ['already_resolved', 'already_resolved', 'already_resolved'],
    concede: ['already_resolved', 'already_resolved', 'already_resolved'],
    withdraw: ['not_open', 'wrong_role', 'wrong_role'],
    rule: ['already_resolved', 'already_resolved', 'already_resolved'],
  },
};

const ROLES: readonly (DisputeRole | null)[] = ['opener', 'respondent', null];
const CELLS = Object.entries(TABLE).flatMap(([phase, actions]) =>
  Object.entries(actions).flatMap(([action, row]) =>
    ROLES.map((role, n) => [phase, action, role, row[n] ?? null] as const),
  ),
);

test.each(CELLS)('in phase %s, %s by %s: %s', (phase, action, role, refusal) => {
  const found = disputeFault(phase as DisputePhase, action as DisputeAction, role);
  expect<string | null>(found?.fault ?? null).toBe(refusal);
});

describe('a settlement', () => {
  test.each([
    [0, 100, true],
    [100, 0, true],
    [1, 99, true],
    [1, 98, false],
    [100, 1, false],
  ])('of %d and %d cents is all of 100: %p', (refund_cents, release_cents, whole) => {
    expect(splitFault({ refund_cents, release_cents }, 100) === null).toBe(whole);
  });

  test('is accepted with the very amounts, by the other side', () => {
    const proposal = { by: 'a', refund_cents: 40, release_cents: 60 };
    const code = (agent: string, refund_cents: number, of: typeof proposal | null = proposal): string | null =>
      acceptFault(of, agent, { refund_cents, release_cents: 100 - refund_cents })?.fault ?? null;
    expect(code('b', 40)).toBeNull();
    expect(code('a', 40)).toBe('own_proposal');
    for (const refund_cents of [0, 39, 41, 60, 100]) expect(code('b', refund_cents)).toBe('proposal_changed');
    // Each of the two amounts is said again, whatever the other one is.
    for (const echo of [
      { refund_cents: 40, release_cents: 59 },
      { refund_cents: 39, release_cents: 60 },
    ])
      expect(acceptFault(proposal, 'b', echo)).toMatchObject({
        fault: 'proposal_changed',
        data: { proposal: { refund_cents: 40, release_cents: 60 } },
      });
    expect(code('b', 40, null)).toBe('no_proposal');
  });

  test('of a side that gives in is all for the other', () => {
    expect(allTo('buyer', 7)).toEqual({ refund_cents: 7, release_cents: 0 });
    expect(allTo('seller', 7)).toEqual({ refund_cents: 0, release_cents: 7 });
    expect([otherSide('buyer'), otherSide('seller')]).toEqual(['seller', 'buyer']);
  });
});

test.each<[string, string, string[], string | null]>([
  ['words alone', 'It broke.', [], null],
  ['a link alone', '', ['https://example.org/a.jpg'], null],
  ['nothing', ' \n', [], 'statement'],
  ['too many bytes', 'é'.repeat(4_097), [], 'statement'],
  ['a script', 'x', ['javascript:alert(1)'], 'links.0'],
  ['no address', 'x', ['https://ok.example', 'nowhere'], 'links.1'],
  ['a password in an address', 'x', ['https://a:b@example.org'], 'links.0'],
])('evidence of %s', (_what, statement, links, path) => {
  const fields = evidenceFault(statement, links)?.data.fields ?? [];
  expect(fields[0]?.path ?? null).toBe(path);
});
