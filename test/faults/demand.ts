// Faults in the demand board: whom a request wakes, until when it takes quotes, who reads them, and what an award does.
import type { Fault } from './fault.ts';

const RULES = 'src/domain/demand/demand.ts';
const POST = 'src/operations/demand/post.ts';
const QUOTE = 'src/operations/demand/quote.ts';
const AWARD = 'src/operations/demand/award.ts';
const TABLE = ['test/domain/demand/demand.test.ts'];
const BOARD = ['test/operations/demand.test.ts'];

/** Faults in requests for quotes. */
export const DEMAND: readonly Fault[] = [
  {
    name: 'a request that takes quotes at the instant of its end',
    file: RULES,
    find: 'now_ms >= closes_at',
    replace: 'now_ms > closes_at',
    tests: TABLE,
  },
  {
    name: 'a quote for a request of the own account',
    file: RULES,
    find: "if (sells && role !== 'other')",
    replace: "if (sells && role === 'requester')",
    tests: TABLE,
  },
  {
    name: 'an award by another agent of the account',
    file: RULES,
    find: "if (!sells && role !== 'requester')",
    replace: "if (!sells && role === 'other')",
    tests: TABLE,
  },
  {
    name: 'a price above the ceiling',
    file: RULES,
    find: 'price_cents <= budget_cents',
    replace: 'price_cents <= budget_cents + 1',
    tests: TABLE,
  },
  {
    name: 'a twenty-sixth seller',
    file: POST,
    find: 'woken.length === WOKEN_MAX',
    replace: 'woken.length > WOKEN_MAX',
    tests: BOARD,
  },
  {
    name: 'a seller who is woken all day',
    file: POST,
    find: '(wakes?.n ?? 0) < WAKES_A_DAY',
    replace: '(wakes?.n ?? 0) <= WAKES_A_DAY',
    tests: BOARD,
  },
  {
    name: 'a ceiling that no seller minds',
    file: 'src/matching/sellers.ts',
    find: ' || !wantsBudget(wake, budget_cents)',
    replace: ' || wake === null || budget_cents < 0',
    tests: BOARD,
  },
  {
    name: 'a quote that stands beside the one that replaced it',
    file: QUOTE,
    find: "patch('demand_quotes', earlier, { status: 'replaced' })",
    replace: "patch('demand_quotes', earlier, { status: 'standing' })",
    tests: BOARD,
  },
  {
    name: 'a quote that everybody reads',
    file: 'src/operations/demand/read.ts',
    find: 'if (reader.requests) {',
    replace: 'if (reader.now_ms > 0) {',
    tests: BOARD,
  },
  {
    name: 'an award that leaves the others waiting',
    file: 'src/steps/demand/find.ts',
    find: '...endAnswers(request)',
    replace: '...endAnswers({ ...request, woken: [] })',
    tests: BOARD,
  },
  {
    name: 'an award outside the bounds of a program',
    file: AWARD,
    find: 'if (outside) return outside;',
    replace: 'if (outside && outside.data === null) return outside;',
    tests: BOARD,
  },
  {
    name: 'a request that is counted as open for ever',
    file: 'src/steps/demand/find.ts',
    find: "fault('plan_limit'), null, -1)",
    replace: "fault('plan_limit'), null, 0)",
    tests: BOARD,
  },
];
