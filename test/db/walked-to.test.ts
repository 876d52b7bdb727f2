// Reads of what one account may make without end are walked to by an index and stop at their limit: none picks its rows out of
// all that the account holds, or sorts them first. Read off the engine's own plans.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { migrateSqlite } from '../../db/migrations/migrate.ts';
import * as analytics from '../../db/queries/analytics.ts';
import { boughtFor } from '../../db/queries/deal.ts';
import { openDemand } from '../../db/queries/demand.ts';
import { earnedBetween, endOfEarned } from '../../db/queries/earning.ts';
import { labelsFrom, labelsLike } from '../../db/queries/label.ts';
import {
  listingByHeadline,
  listingsInStatus,
  listingsOfAgent,
  liveListingsOfAgent,
  slugsFrom,
} from '../../db/queries/listing.ts';
import * as talks from '../../db/queries/talk-figures.ts';
import type { Query } from '../../db/query.ts';
import { tables } from '../../db/schema/sqlite.ts';

/** How SQLite answers a query, a step a line, from the inside out. */
function planOf(query: Query<never, unknown>): string[] {
  using client = new Database(':memory:');
  migrateSqlite(client, 0);
  const built = query.build(drizzle({ client }) as never, tables) as unknown as { toSQL(): { sql: string } };
  const rows = client.query<{ detail: string }, number[]>(`EXPLAIN QUERY PLAN ${built.toSQL().sql}`).all();
  return rows.map(({ detail }) => detail);
}

test.each([
  ['a page of listings', listingsOfAgent, 'listings_agent'],
  ['a page of live listings', liveListingsOfAgent, 'listings_status'],
  ['listings of a state', listingsInStatus, 'listings_status'],
  ['the listing of a headline', listingByHeadline, 'listings_headline'],
  ['slugs that begin alike', slugsFrom, 'listings_slug'],
])('%s', (_what, query, index) => {
  const plan = planOf(query as Query<never, unknown>);
  expect(plan).toHaveLength(1);
  expect(plan[0]).toStartWith('SEARCH listings USING');
  expect(plan[0]).toContain(` INDEX ${index} `);
});

test('labels are read in the order of their index, and only what is found is sorted', () => {
  const [outer, used, ...rest] = planOf(labelsLike as unknown as Query<never, unknown>);
  expect([outer, used]).toEqual(['CO-ROUTINE used', 'SCAN labels USING COVERING INDEX labels_uses']);
  expect(rest).toEqual(['SCAN used', 'USE TEMP B-TREE FOR ORDER BY']);
  const begun = planOf(labelsFrom as unknown as Query<never, unknown>);
  expect(begun[1]).toStartWith('SEARCH labels USING INDEX');
  expect(begun[1]).toContain('(id>? AND id<?)');
});

test('the demand board is walked from where a page ended, and never sorted', () => {
  const plan = planOf(openDemand as unknown as Query<never, unknown>);
  expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  expect(plan[0]).toContain('INDEX demand_requests_closes (status=? AND closes_at>?)');
});

test.each([
  ['matches of offers', analytics.matchesAsOffer, 'matches_offer_agent'],
  ['matches of what is sought', analytics.matchesAsSeek, 'matches_seek_agent'],
  ['conversations opened', talks.begunByAgent, 'conversations_opener'],
  ['conversations joined', talks.begunByOthers, 'conversations_other'],
  ['all conversations opened', talks.numberOpened, 'conversations_opener'],
  ['all conversations joined', talks.numberJoined, 'conversations_other'],
  ['active conversations opened', talks.activeOpened, 'conversations_opener'],
  ['active conversations joined', talks.activeJoined, 'conversations_other'],
  ['answers in conversations opened', talks.repliesAsOpener, 'conversations_opener'],
  ['answers in conversations joined', talks.repliesAsOther, 'conversations_other'],
  ['deals sold', analytics.dealsSold, 'deals_seller'],
  ['deals bought', analytics.dealsBought, 'deals_buyer'],
  ['views', analytics.viewsBetween, 'views_agent'],
  ['calls served', analytics.calledBetween, 'router_attempts_earner'],
  ['headlines', analytics.headlinesOf, 'listings_agent'],
  ['what was earned', earnedBetween, 'transfers_earned'],
])('the %s of a span are walked to, and no table is read through', (_what, query, index) => {
  const plan = planOf(query as unknown as Query<never, unknown>);
  expect(plan.find((step) => step.startsWith('SEARCH'))).toContain(`INDEX ${index} (`);
  // What was found is read through, and nothing else.
  expect(plan.filter((step) => /^SCAN (?!made$|answers$|earned$|called$)/.test(step))).toEqual([]);
});

test.each([
  ['matches of offers', analytics.endOfOffered, 'matches_offer_agent'],
  ['matches of what is sought', analytics.endOfSought, 'matches_seek_agent'],
  ['conversations opened', talks.endOfOpened, 'conversations_opener'],
  ['conversations joined', talks.endOfJoined, 'conversations_other'],
  ['deals sold', analytics.endOfSold, 'deals_seller'],
  ['deals bought', analytics.endOfBought, 'deals_buyer'],
  ['views', analytics.endOfViews, 'views_agent'],
  ['calls served', analytics.endOfRouted, 'router_attempts_earner'],
  ['what was earned', endOfEarned, 'transfers_earned'],
])('a slice of %s ends where its index says, and nothing is sorted', (_what, query, index) => {
  const plan = planOf(query as unknown as Query<never, unknown>);
  expect(plan).toHaveLength(1);
  expect(plan[0]).toContain(` INDEX ${index} (`);
});

test('what an agent has bought for a listing is looked for among so many of its newest deals', () => {
  const plan = planOf(boughtFor as unknown as Query<never, unknown>);
  expect(plan.find((step) => step.startsWith('SEARCH'))).toContain('INDEX deals_buyer (');
  expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  expect(plan.filter((step) => step.startsWith('SCAN'))).toEqual(['SCAN newest']);
});
