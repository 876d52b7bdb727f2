// Two services in which an agent talks with one that keeps something to itself, and that differ in this alone: all that the first and its
// person read, receive and hear has to be the same.

import { expect } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from './agents.ts';
import {
  allSeen,
  differences,
  type Heard,
  listen,
  openWatched,
  type Seen,
  type Things,
  type Watched,
} from './all-seen.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from './matches.ts';
import { BYSTANDER } from './scene.ts';
import { taskCalls } from './tasks.ts';
import type { TestAnswer } from './testbed.ts';

export const CENTS = 30_000;

export interface Talk extends Watched {
  /** Who looks, and who keeps something to itself. */
  readonly looks: TestAgent;
  readonly keeps: TestAgent;
  readonly heard: Heard;
  readonly things: Record<string, string> & Things;
  readonly id: string;
}

export const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });
export const call = ({ t }: Watched, who: object, path: string, body: object = {}): Promise<TestAnswer> =>
  t.call('POST', path, { ...who, body });
export const put = (
  { id, ...talk }: Talk,
  { key }: TestAgent,
  amount_cents: number,
  more: object = {},
): Promise<TestAnswer> =>
  call(talk, { key }, `/api/conversations/${id}/propose`, { amount_cents, terms: 'All', ...more });
export const say = ({ id, ...talk }: Talk, who: object, body: object = {}): Promise<TestAnswer> =>
  call(talk, who, `/api/conversations/${id}/approve`, body);
export const advance = ({ id, ...talk }: Talk, { key }: TestAgent, body: object = {}): Promise<TestAnswer> =>
  call(talk, { key }, `/api/conversations/${id}/advance`, body);
export const bound = async ({ t }: Watched, who: TestAgent, body: object): Promise<void> => {
  expect((await t.call('PATCH', '/api/agents/bounds', { ...person(who), body })).status).toBe(200);
};

/** Two agents that talk about what one of them sells, over a task as well. */
async function talk(side: 'buyer' | 'seller'): Promise<Talk> {
  const watched = await openWatched();
  const { t } = watched;
  const looks = await newAgent(t, { handle: 'looks', verified: true, pro: true });
  const keeps = await newAgent(t, { handle: BYSTANDER, verified: true, pro: true });
  const [seller, buyer] = side === 'buyer' ? [keeps, looks] : [looks, keeps];
  const offer = await publish(t, seller, LOGO_OFFER);
  const seek = await publish(t, buyer, LOGO_SEEK);
  const [match] = await matchesOf(t, looks);
  const { conversation_id: id } = (await feedback(t, looks, match.match_id, 'interested')).body;
  const { task_id } = await taskCalls(t).sendTo(looks, keeps, { conversation_id: id });
  const heard = await listen(watched, looks, task_id);
  const things = {
    conversation_id: id,
    proposed_conversation_id: id,
    advanced_conversation_id: id,
    match_id: match.match_id,
    listing_id: side === 'buyer' ? seek : offer,
    service_id: side === 'buyer' ? offer : seek,
    task_id,
  };
  return { ...watched, looks, keeps, heard, things, id };
}

interface Scenario {
  readonly side?: 'buyer' | 'seller';
  /** What the one that keeps it sets, in each of the two services. */
  readonly bounds: readonly [object, object];
  readonly steps: (talk: Talk, second: boolean) => Promise<unknown>;
  /** What the one that looks tries afterwards. */
  readonly tries?: (talk: Talk) => Promise<unknown>;
  readonly hours?: number;
}

/** All that the one that looks is told in one of the two, and again after what it tries there, and after days. */
async function readAll(each: Talk, { steps, tries, hours = 73 }: Scenario, second: boolean): Promise<Seen> {
  await steps(each, second);
  const [deal] = (await each.t.call('GET', '/api/deals', { key: each.looks.key })).body;
  Object.assign(each.things, { deal_id: deal?.deal_id, agreed_deal_id: deal?.deal_id, escrow_id: deal?.escrow_id });
  const before = await allSeen(each, each.looks, each.things, null);
  const answered = tries ? JSON.stringify(await tries(each)).replaceAll(/"\w*id":"[^"]*"/g, '') : '';
  await each.t.advance(hours * HOUR_MS);
  const after = await allSeen(each, each.looks, each.things, each.heard);
  const later = Object.entries(after).map(([where, told]) => [`later: ${where}`, told]);
  return { ...before, answered, ...Object.fromEntries(later) };
}

/** Has the same happen in two services, and holds all that is told in the one to what is told in the other. */
export async function expectAlike(scenario: Scenario): Promise<void> {
  const { side = 'buyer', bounds } = scenario;
  const told: Seen[] = [];
  for (const [n, set] of bounds.entries()) {
    const each = await talk(side);
    try {
      await bound(each, each.keeps, set);
      told.push(await readAll(each, scenario, n === 1));
    } finally {
      await each.close();
    }
  }
  const [one = {}, two = {}] = told;
  expect(differences(one, two)).toEqual([]);
  // It looked, and was told.
  expect(Object.keys(one).length).toBeGreaterThan(250);
  for (const door of [
    'later: letters',
    'later: sent',
    'later: /api/inbox/stream',
    'mesh://conversation',
    '1.0 ListTasks',
  ]) {
    expect(one[door]).toContain(door === '1.0 ListTasks' ? 'Draw a logo.' : BYSTANDER);
  }
}
