// Faults in what is counted of an agent, and in what its owner is told of a listing.
import type { Fault } from './fault.ts';

const VIEWS = 'actors/views.ts';
const COUNTED = ['test/operations/analytics.test.ts'];
const TALKED = ['test/operations/analytics-talks.test.ts'];
const TALKS = 'db/queries/talk-figures.ts';
const WALK = 'src/steps/analytics/walk.ts';
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
    file: TALKS,
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
    file: 'src/domain/analytics/tally.ts',
    find: 'PHASES.slice(n).reduce',
    replace: 'PHASES.slice(n, n + 1).reduce',
    tests: SUMS,
  },
  {
    name: 'a deal that was made while its conversation counts as explored',
    file: 'src/domain/conversation/conversation.ts',
    find: "if (of.dealt) return 'closing';",
    replace: '',
    tests: TALKED,
  },
  {
    name: 'a withheld proposal that the other side’s figures tell of',
    file: TALKS,
    find: 'or(isNull(proposals.bound), sql`${proposals.bound} <> ${own}`),',
    replace: '',
    tests: TALKED,
  },
  {
    name: 'questions to the service’s own agent that count as talks',
    file: TALKS,
    find: ', ne(theirs, PLATFORM_AGENT_ID)',
    replace: '',
    tests: TALKED,
  },
  {
    name: 'answers beyond what is looked at that vanish without a word',
    file: 'src/steps/analytics/talks.ts',
    find: 'if (rest < 0) return null;',
    replace: 'if (rest < 0) return left;',
    tests: TALKED,
  },
  {
    name: 'a walk that stops with rows left and says that it saw all',
    file: WALK,
    find: 'return rest !== null && !rest.over;',
    replace: 'return false;',
    tests: TALKED,
  },
  {
    name: 'slices that are read in one go',
    file: WALK,
    find: '=> new Promise((resolve) => setImmediate(resolve));',
    replace: '=> Promise.resolve();',
    tests: TALKED,
  },
  {
    name: 'answers of a listing that stand in the whole alone',
    file: 'src/domain/analytics/tally.ts',
    find: 'for (const sums of this.#under(listing_id)) sums.addReplies(seconds, n);',
    replace: 'this.whole.addReplies(seconds, n);',
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
