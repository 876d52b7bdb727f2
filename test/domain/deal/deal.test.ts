// Guarantees of deals: what each state is called with each state of its escrow, and what it still takes.
import { expect, test } from 'bun:test';
import {
  cancelFault,
  type DealState,
  type DealStatus,
  dealStatus,
  reviewFault,
} from '../../../src/domain/deal/deal.ts';
import { ESCROW_STATUSES } from '../../../src/domain/escrow/escrow.ts';

const ESCROWS = [null, ...ESCROW_STATUSES];
/** By the escrow: none, active, completed, disputed, refunded. Only what is open is called after its escrow. */
const CALLED: Readonly<Record<DealState, readonly DealStatus[]>> = {
  open: ['agreed', 'funded', 'funded', 'disputed', 'funded'],
  completed: ['completed', 'completed', 'completed', 'completed', 'completed'],
  refunded: ['refunded', 'refunded', 'refunded', 'refunded', 'refunded'],
  cancelled: ['cancelled', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
};

for (const [state, called] of Object.entries(CALLED)) {
  test(`${state} is called ${[...new Set(called)].join(', ')}`, () => {
    expect(ESCROWS.map((escrow) => dealStatus(state as DealState, escrow))).toEqual([...called]);
  });
}

test.each<[state: DealState, cancels: boolean, reviews: boolean]>([
  ['open', true, false],
  ['completed', false, true],
  ['refunded', false, false],
  ['cancelled', false, false],
])('%s is cancelled: %p, reviewed: %p', (state, cancels, reviews) => {
  expect(cancelFault(state, null) === null).toBe(cancels);
  expect(cancelFault(state, 'e')?.fault).toBe('deal_not_cancelable');
  expect(reviewFault(state) === null).toBe(reviews);
});
