// Faults in what is sold: what a listing can be bought for, by whom and from whom, and when a subscription is charged.
import type { Fault } from './fault.ts';

const PERIOD = 'src/domain/subscription/period.ts';
const COURSE = 'src/domain/subscription/subscription.ts';
const CHARGE = 'src/steps/subscription/charge.ts';
const PURCHASE = 'src/steps/market/purchase.ts';
const PRICES = 'src/domain/listing/purchase.ts';
const PERIODS = ['test/domain/subscription/period.test.ts'];
const COURSES = ['test/domain/subscription/subscription.test.ts'];
const SUBSCRIPTIONS = ['test/operations/subscription.test.ts'];
const SALES = ['test/operations/marketplace.test.ts'];

/** Faults in the marketplace and in subscriptions. */
export const MARKET: readonly Fault[] = [
  {
    name: 'a short month that moves all later ones',
    file: PERIOD,
    find: 'Math.min(anchor.getUTCDate(), last_day)',
    replace: 'Math.min(anchor.getUTCDate(), 28)',
    tests: PERIODS,
  },
  {
    name: 'a month that runs over into the next one',
    file: PERIOD,
    find: 'Math.min(anchor.getUTCDate(), last_day)',
    replace: 'anchor.getUTCDate()',
    tests: PERIODS,
  },
  {
    name: 'a boundary that belongs to the period before it',
    file: PERIOD,
    find: 'periodStart(periods, months) <= at_ms',
    replace: 'periodStart(periods, months) < at_ms',
    tests: PERIODS,
  },
  {
    name: 'periods that have passed are charged after all',
    file: COURSE,
    find: 'return Math.max(course.next_period, periodAt(course, now_ms));',
    replace: 'return course.next_period;',
    tests: COURSES,
  },
  {
    name: 'a fifth attempt',
    file: COURSE,
    find: 'failed_attempts >= ATTEMPTS_MAX',
    replace: 'failed_attempts > ATTEMPTS_MAX',
    tests: COURSES,
  },
  {
    name: 'a resumption that charges the period that runs',
    file: COURSE,
    find: 'periodFrom(course, now_ms)',
    replace: 'periodAt(course, now_ms)',
    tests: COURSES,
  },
  {
    name: 'a charge behind the end of a subscription',
    file: COURSE,
    find: 'at >= course.ends_at ? null : at',
    replace: 'at > course.ends_at ? null : at',
    tests: COURSES,
  },
  {
    name: 'failures that a charge does not forget',
    file: COURSE,
    find: 'const paid = { charges_made, failed_attempts: 0,',
    replace: 'const paid = { charges_made,',
    tests: COURSES,
  },
  {
    name: 'an end that leaves both sides obliged',
    file: 'src/steps/subscription/course.ts',
    find: '...(ends ? endObligations(row.buyer_id, row.seller_id) : []),',
    replace: '...(ends ? endObligations(row.buyer_id) : []),',
    tests: SUBSCRIPTIONS,
  },
  {
    name: 'a charge that does not look at what else was spent that day',
    file: CHARGE,
    find: 'spent_cents + amount_cents > per_day_cents',
    replace: 'amount_cents > per_day_cents',
    tests: SUBSCRIPTIONS,
  },
  {
    name: 'a charge of an account that owes',
    file: CHARGE,
    find: "if (restricted) return 'account_restricted';",
    replace: '',
    tests: SUBSCRIPTIONS,
  },
  {
    name: 'a charge that no day counts',
    file: 'src/operations/subscription/charge.ts',
    find: '      ...counted,\n',
    replace: '',
    tests: SUBSCRIPTIONS,
  },
  {
    name: 'a subscription to another agent of one’s own',
    file: 'src/operations/subscription/create.ts',
    find: 'seller.account_id === buyer.account_id',
    replace: 'seller.id === buyer.id',
    tests: SUBSCRIPTIONS,
  },
  {
    name: 'a pause by the side that is paid',
    file: 'src/steps/subscription/party.ts',
    find: 'by !== null && found.side !== by',
    replace: "by !== null && found.side !== by && found.side !== 'seller'",
    tests: SUBSCRIPTIONS,
  },
  {
    name: 'a purchase of another agent of one’s own',
    file: PURCHASE,
    find: 'seller.account_id === me.account_id',
    replace: 'seller.id === me.id',
    tests: SALES,
  },
  {
    name: 'a listing that is bought at another seller’s address',
    file: PURCHASE,
    find: 'found?.agent_id === seller.id ? found : null',
    replace: 'found',
    tests: SALES,
  },
  {
    name: 'a purchase of a seller that cannot be paid',
    file: PURCHASE,
    find: "if (!canBePaid(seller)) return fault('seller_cannot_be_paid');",
    replace: '',
    tests: SALES,
  },
  {
    name: 'a purchase above what the buyer agreed to',
    file: PRICES,
    find: 'price_cents <= most_cents',
    replace: 'price_cents <= most_cents + 1',
    tests: SALES,
  },
  {
    name: 'a purchase of what somebody seeks',
    file: PURCHASE,
    find: "if (listing.direction !== 'offer') return false;",
    replace: '',
    tests: SALES,
  },
  {
    name: 'a purchase of what is paused',
    file: PURCHASE,
    find: "isListingSeenOn(listing.status, seenAs(seller), 'profile')",
    replace: "isListingSeenOn('live', seenAs(seller), 'profile')",
    tests: SALES,
  },
  {
    name: 'a purchase that passes a block',
    file: PURCHASE,
    find: 'if (blocks.opener || blocks.other) return',
    replace: 'if (blocks.other) return',
    tests: SALES,
  },
  {
    name: 'a price by the hour that is paid as if it were fixed',
    file: PRICES,
    find: 'return period === undefined ? null : { cents, period };',
    replace: "return period === undefined ? null : { cents, period: 'once' };",
    tests: ['test/domain/listing/purchase.test.ts'],
  },
  {
    name: 'a purchase for nothing',
    file: PRICES,
    find: 'price_cents >= 1 &&',
    replace: 'price_cents >= 0 &&',
    tests: ['test/domain/listing/purchase.test.ts'],
  },
  {
    name: 'earnings that count what was funded',
    file: 'db/post-journal.ts',
    find: 'const earned = earnedOf(transfer, journal);',
    replace: 'const earned = earnedOf({ ...transfer, earned: true }, journal);',
    tests: SALES,
  },
  {
    name: 'a quote that hides what is in the way',
    file: 'src/steps/market/checkout.ts',
    find: 'return stopped === CONFLICT ? null : stopped;',
    replace: 'return stopped === CONFLICT ? stopped && null : null;',
    tests: SALES,
  },
];
