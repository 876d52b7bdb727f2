// Faults in what the payment processor does for the service: money paid in, plans, and the pages on which people decide.
import type { Fault } from './fault.ts';

const FUNDING = 'src/operations/funding/follow.ts';
const TERM = 'src/domain/money/plan-term.ts';
const RENEW = 'src/operations/plan/renew.ts';
const PAGE = 'src/steps/sandbox/page.ts';
const FUNDINGS = ['test/operations/funding.test.ts'];
const PLANS = ['test/operations/plan.test.ts'];
const TERMS = ['test/domain/money/plan-term.test.ts'];
const OPEN = ['test/operations/open-pages.test.ts'];
const ORIGIN = ['test/operations/money-origin.test.ts'];
const PAGES = ['test/transports/pages.test.ts'];

/** Faults in fundings, plans and the sandbox's pages. */
export const PAYMENTS: readonly Fault[] = [
  {
    name: 'a payment of another amount is posted',
    file: FUNDING,
    find: 'if (differs !== null) {',
    replace: 'if (differs !== null && row.amount_cents < 0) {',
    tests: FUNDINGS,
  },
  {
    name: "the processor's fee is posted by nobody",
    file: FUNDING,
    find: 'if (fee_cents <= 0) return [];',
    replace: 'if (fee_cents >= 0) return [];',
    tests: FUNDINGS,
  },
  {
    name: 'a month that is paid is booked again at the next renewal',
    file: TERM,
    find: 'if (month >= last) return months;',
    replace: 'if (month > last) return months;',
    tests: TERMS,
  },
  {
    name: 'an unpaid plan that never ends',
    file: RENEW,
    find: "return graced ? 'run_out' : 'unpaid';",
    replace: "return graced ? 'unpaid' : 'unpaid';",
    tests: PLANS,
  },
  {
    name: 'a paid page that takes room for ever',
    file: FUNDING,
    find: "patch('fundings', row, { ...set, ...times }),\n    endFunding(row.agent_id),",
    replace: "patch('fundings', row, { ...set, ...times }),",
    tests: OPEN,
  },
  {
    name: 'as many pages as anybody asks for',
    file: 'src/operations/funding/start.ts',
    find: '      openFunding(row.agent_id),\n',
    replace: '',
    tests: OPEN,
  },
  {
    name: "a plan's checkout that takes room for ever",
    file: 'src/operations/plan/follow.ts',
    find: '    endCheckout(row.account_id),\n',
    replace: '',
    tests: OPEN,
  },
  {
    name: 'a bought plan whose page has no name',
    file: 'src/operations/plan/follow.ts',
    find: "...over(ctx, row, 'paid', page),",
    replace: "...over(ctx, row, 'paid', page.length > 0 ? row.external_id : page),",
    tests: ['test/operations/stripe-plan.test.ts'],
  },
  {
    name: 'money of the sandbox that Stripe pays out',
    file: 'src/steps/money/origin.ts',
    find: 'held !== asked',
    replace: "held === 'stripe' && held !== asked",
    tests: ORIGIN,
  },
  {
    name: "a test mode's money for real money",
    file: 'src/domain/money/origin.ts',
    find: "return livemode ? 'stripe' : 'stripe_test';",
    replace: "return livemode ? 'stripe_test' : 'stripe_test';",
    tests: ORIGIN,
  },
  {
    name: 'a page for whoever knows the length of its token',
    file: PAGE,
    find: 'right.length === given.length && timingSafeEqual(right, given)',
    replace: 'right.length === given.length',
    tests: PAGES,
  },
];
