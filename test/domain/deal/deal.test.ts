// Guarantees of deals: what each state is called, and what it still takes.
import { expect, test } from 'bun:test';
import { cancelFault, type DealState, dealStatus, reviewFault } from '../../../src/domain/deal/deal.ts';

test.each<[state: DealState, escrow: Parameters<typeof dealStatus>[1], told: string]>([
  ['open', null, 'agreed'],
  ['open', 'active', 'funded'],
  ['open', 'disputed', 'disputed'],
  ['completed', 'completed', 'completed'],
  ['refunded', 'refunded', 'refunded'],
  ['cancelled', null, 'cancelled'],
])('%s with an escrow that is %p is %s', (state, escrow, told) => {
  expect(dealStatus(state, escrow)).toBe(told as ReturnType<typeof dealStatus>);
});

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
