// Faults in what a plan allows: listings, matches, conversations, and what it takes of a sale.
import type { Fault } from './fault.ts';

const PLAN = 'src/domain/identity/plan.ts';
const CAP = 'src/steps/listing/cap.ts';
const SHOWN = 'src/steps/match.ts';
const RULES = ['test/domain/identity/plan.test.ts'];
const MATCHES = ['test/operations/match-shown.test.ts'];
const INTAKES = ['test/operations/intake.test.ts'];

/** Faults in the limits of plans. */
export const PLAN_LIMITS: readonly Fault[] = [
  {
    name: 'a month that turns over a month late',
    file: PLAN,
    find: 'now.getUTCMonth() + 1, 1)',
    replace: 'now.getUTCMonth() + 2, 1)',
    tests: RULES,
  },
  {
    name: 'listings that are counted by the month',
    file: PLAN,
    find: "return meter === 'listings' ? key :",
    replace: "return meter === 'matches' ? key :",
    tests: RULES,
  },
  {
    name: 'a Pro that sells for the fee of Free',
    file: PLAN,
    find: 'outcome_fee_bps: 300,',
    replace: 'outcome_fee_bps: 500,',
    tests: RULES,
  },
  {
    name: 'a match more than the plan allows',
    file: SHOWN,
    find: 'Math.max(0, allowed - used)',
    replace: 'Math.max(0, allowed + 1 - used)',
    tests: MATCHES,
  },
  {
    name: 'matches that are shown and not counted',
    file: SHOWN,
    find: 'limit, full, nextMonthStart(ctx.now_ms), matches)]',
    replace: 'limit, full, nextMonthStart(ctx.now_ms), Math.min(matches, 1))]',
    tests: MATCHES,
  },
  {
    name: 'a match that is counted each time it is shown',
    file: SHOWN,
    find: 'if (!row.shown_to.includes(me.id)) {',
    replace: 'if (row.shown_to.length >= 0) {',
    tests: MATCHES,
  },
  {
    name: 'a conversation more than the plan allows',
    file: 'src/steps/conversation.ts',
    find: 'return count(key, limit, planLimit(',
    replace: 'return count(key, limit + 1, planLimit(',
    tests: ['test/operations/conversation.test.ts'],
  },
  {
    name: 'listings of an intake beyond what one intake says',
    file: CAP,
    find: 'count(intakeKey(agent_id), INTAKE_LISTINGS_MAX, refusal',
    replace: 'count(intakeKey(agent_id), INTAKE_LISTINGS_MAX + 1, refusal',
    tests: INTAKES,
  },
  {
    name: 'a listing that is deleted and makes no room',
    file: CAP,
    find: 'UNLIMITED, refusal, null, -1)',
    replace: 'UNLIMITED, refusal, null, 0)',
    tests: ['test/operations/listing-create.test.ts'],
  },
  {
    name: 'an account that stays on Pro when its plan is over',
    file: 'src/domain/money/plan-term.ts',
    find: "return status === 'ended' ? 'free' : 'pro';",
    replace: "return status === 'ended' ? 'pro' : 'pro';",
    tests: ['test/domain/money/plan-term.test.ts', 'test/operations/plan.test.ts'],
  },
  {
    name: 'an account that is full and stores on',
    file: 'src/pipeline/storage.ts',
    find: "faults.includes('plan_limit') ? STORAGE_BYTES[plan] : UNLIMITED",
    replace: "faults.includes('plan_limit') ? UNLIMITED : UNLIMITED",
    tests: ['test/operations/storage.test.ts'],
  },
  {
    name: 'bytes that are not given back',
    file: 'db/effects.ts',
    find: 'grows: -rowBytes(table, row)',
    replace: 'grows: 0',
    tests: ['test/operations/storage.test.ts'],
  },
];
