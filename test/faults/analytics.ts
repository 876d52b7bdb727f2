// Faults in what is counted of an agent, and in what its owner is told of a listing.
import type { Fault } from './fault.ts';

const VIEWS = 'actors/views.ts';
const COUNTED = ['test/operations/analytics.test.ts'];
const SUMS = ['test/domain/analytics/analytics.test.ts'];

/** Faults in figures. */
export const ANALYTICS: readonly Fault[] = [
  {
    name: 'an owner who raises the views by looking',
    file: VIEWS,
    find: 'if (by.account_id === account_id) return;',
    replace: '',
    tests: COUNTED,
  },
  {
    name: 'views that forget those of before',
    file: VIEWS,
    find: '({ n: row.n + n })',
    replace: '({ n: Math.max(row.n, n) })',
    tests: COUNTED,
  },
  {
    name: 'views that are lost while the store is away',
    file: VIEWS,
    find: 'this.#takeBack(due.slice(at));',
    replace: '',
    tests: COUNTED,
  },
  {
    name: 'a second word of one’s own that counts as an answer',
    file: 'db/queries/analytics.ts',
    find: "ne(before.sender_id, arg('agent_id')),",
    replace: '',
    tests: COUNTED,
  },
  {
    name: 'a span that ends a day early',
    file: 'src/domain/analytics/analytics.ts',
    find: 'const until_ms = last_ms + DAY_MS;',
    replace: 'const until_ms = last_ms;',
    tests: SUMS,
  },
  {
    name: 'a conversation that reached its own phase alone',
    file: 'src/domain/analytics/analytics.ts',
    find: '(place.get(each.phase) ?? 0) >= n',
    replace: '(place.get(each.phase) ?? 0) === n',
    tests: SUMS,
  },
  {
    name: 'what another’s listing misses, told to anybody',
    file: 'src/operations/match/explain.ts',
    find: 'listing?.agent_id === actor(ctx).id ? listing.id : null',
    replace: 'listing?.id ?? null',
    tests: ['test/operations/match-explain.test.ts'],
  },
];
