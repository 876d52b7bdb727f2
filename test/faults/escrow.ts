// Faults in escrows: who may end a milestone, how often, with which fee, and what counts as evidence.
import type { Fault } from './fault.ts';

const TABLE = 'src/domain/escrow/escrow.ts';
const SETTLE = 'src/steps/escrow/settle.ts';
const RULES = ['test/domain/escrow/escrow.test.ts'];
const SCENARIOS = ['test/operations/escrow.test.ts'];
const SUBMITTED = ['test/operations/deliverables.test.ts'];
const DELIVERED = ['test/operations/deliverable.test.ts'];

/** Faults in what holds and releases money. */
export const ESCROWS: readonly Fault[] = [
  {
    name: 'an escrow of which a cent went back is completed',
    file: TABLE,
    find: "after.refunded_cents > 0 ? 'refunded'",
    replace: "after.refunded_cents > 1 ? 'refunded'",
    tests: RULES,
  },
  {
    name: 'a release in a dispute',
    file: TABLE,
    find: "disputed: { withdraw: 'active', settle: 'moves' }",
    replace: "disputed: { withdraw: 'active', settle: 'moves', release: 'moves' }",
    tests: RULES,
  },
  {
    name: 'a milestone that ends twice',
    file: TABLE,
    find: "if (milestone.status !== 'held')",
    replace: "if (milestone.status === 'settled')",
    tests: RULES,
  },
  {
    name: 'a seller who releases to itself',
    file: 'src/operations/escrow/release.ts',
    find: "sideIn(escrow, actor(ctx).id) !== 'buyer'",
    replace: 'sideIn(escrow, actor(ctx).id) === null',
    tests: SCENARIOS,
  },
  {
    name: 'a fee of the buyer’s share of a refund',
    file: SETTLE,
    find: 'takeFee(release_cents, PLANS',
    replace: 'takeFee(release_cents + refund_cents, PLANS',
    tests: DELIVERED,
  },
  {
    name: 'a fee that is rounded up',
    file: 'src/domain/money/fee.ts',
    find: 'Math.floor((centsOf(amount_cents) * bps) / BPS_WHOLE)',
    replace: 'Math.ceil((centsOf(amount_cents) * bps) / BPS_WHOLE)',
    tests: SCENARIOS,
  },
  {
    name: 'a fee by the plan of the buyer',
    file: 'src/steps/escrow/find.ts',
    find: 'read(accountById, { id: escrow.seller_account_id })',
    replace: 'read(accountById, { id: escrow.buyer_account_id })',
    tests: SCENARIOS,
  },
  {
    name: 'a buyer who takes back what is held',
    file: 'src/operations/escrow/refund.ts',
    find: "sideIn(state.escrow, actor(ctx).id) !== 'seller'",
    replace: 'sideIn(state.escrow, actor(ctx).id) === null',
    tests: DELIVERED,
  },
  {
    name: 'a refund of what was released already',
    file: 'src/operations/escrow/refund.ts',
    find: "state.milestones.filter(({ status }) => status === 'held')",
    replace: "state.milestones.filter(({ status }) => status !== 'refunded')",
    tests: DELIVERED,
  },
  {
    name: 'a milestone that takes something in a dispute',
    file: TABLE,
    find: "return status === 'active' ? null : fault('escrow_not_active', undefined, { status });",
    replace:
      "return status === 'active' || status === 'disputed' ? null : fault('escrow_not_active', undefined, { status });",
    tests: RULES,
  },
  {
    name: 'a delivery that loses the one before it',
    file: 'src/operations/escrow/deliver.ts',
    find: "...before.map((each) => insert('earlier_deliverables', each)),",
    replace: '',
    tests: SUBMITTED,
  },
  {
    name: 'a look of the seller that counts as the buyer’s',
    file: 'src/operations/escrow/read.ts',
    find: "actor(ctx).id) === 'buyer'",
    replace: 'actor(ctx).id) !== null',
    tests: SUBMITTED,
  },
  {
    name: 'a delivery after the day that ended the escrow',
    file: 'src/operations/escrow/deliver.ts',
    find: 'milestone.deliverable === null && escrow.expires_at !== null && escrow.expires_at <= ctx.now_ms',
    replace: 'milestone.deliverable === null && escrow.expires_at !== null && escrow.expires_at <= 0',
    tests: DELIVERED,
  },
  {
    name: 'a delivery at an address inside the network',
    file: 'src/operations/escrow/deliver.ts',
    find: ", urlFault(ports, page_url, 'page_url'), ...named]",
    replace: ', ...named]',
    tests: DELIVERED,
  },
  {
    name: 'a silence that releases a day too soon',
    file: 'src/schemas/escrow.ts',
    find: 'deliverable.at + days * DAY_MS',
    replace: 'deliverable.at + (days - 1) * DAY_MS',
    tests: DELIVERED,
  },
  {
    name: 'a link that a key looks for which may not spend',
    file: 'src/operations/escrow/verify-deliverable.ts',
    find: "=== 'buyer' ? 'payments:write' : 'deals:write'",
    replace: "=== 'buyer' ? 'deals:write' : 'deals:write'",
    tests: DELIVERED,
  },
  {
    name: 'obligations that outlive their escrow',
    file: SETTLE,
    find: '...endObligations(buyer.id, seller.id)',
    replace: '...endObligations(buyer.id)',
    tests: SCENARIOS,
  },
  {
    name: 'an escrow that anybody reads',
    file: 'src/steps/escrow/find.ts',
    find: "sideIn(found.escrow, actor(ctx).id) ? found : fault('not_a_party')",
    replace: 'found',
    tests: SCENARIOS,
  },
  {
    name: 'terms that run on in a dispute',
    file: 'src/operations/escrow/expire.ts',
    find: "if (escrow.status === 'disputed')",
    replace: "if (escrow.status === 'completed')",
    tests: DELIVERED,
  },
  {
    name: 'a refund of what was delivered',
    file: 'src/operations/escrow/expire.ts',
    find: "status === 'held' && deliverable === null",
    replace: "status === 'held'",
    tests: DELIVERED,
  },
  {
    name: 'a sponsored link that counts',
    file: 'src/outbound/page/backlink.ts',
    find: "new Set(['nofollow', 'ugc', 'sponsored'])",
    replace: "new Set(['nofollow', 'ugc'])",
    tests: ['test/outbound/backlink.test.ts'],
  },
  {
    name: 'a review before the deal is completed',
    file: 'src/domain/deal/deal.ts',
    find: "state === 'completed' ? null",
    replace: "state !== 'open' ? null",
    tests: ['test/domain/deal/deal.test.ts'],
  },
];
