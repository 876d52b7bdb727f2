// What an owner wants of each issue of a deal: set with the rights of bounds, read by nobody else, and bargained for by the built-in
// negotiator, whose proposals say in `issues` and in `terms` what was agreed beside the amount.
import { describe, expect, test } from 'bun:test';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../../src/contract/context.ts';
import { type Issue, issuesText } from '../../src/domain/negotiation/issue.ts';
import { manner } from '../../src/steps/negotiation/scale.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { startTalk } from '../support/threads.ts';
import { CENTS, expectAlike, put } from '../support/twin-talks.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let made = 0;

const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });
const program = ({ key, handle }: TestAgent) => ({ key, agent: handle });
const MINUTE_MS = 60_000;

interface Owner {
  readonly who: TestAgent;
  readonly listing: string;
}

const pathOf = ({ who, listing }: Owner): string => `/api/agents/${who.handle}/cards/${listing}/goals`;
const setGoals = (owner: Owner, by: object, goals: readonly object[]): Promise<TestAnswer> =>
  t.call('PUT', pathOf(owner), { ...by, body: { goals } });

async function owner(name: string, bounds: object, listing: object): Promise<Owner> {
  made += 1;
  const who = await newAgent(t, { handle: `${name}_${made}`, verified: true, pro: true });
  await t.call('PATCH', '/api/agents/bounds', { ...person(who), body: bounds });
  return { who, listing: await publish(t, who, listing) };
}

const DAYS = { issue: 'days_to_deliver', limit: 14, wish: 5, weight: 2 };

describe('goals', () => {
  test('are set and read by their owner alone, each issue once with values of its own', async () => {
    const ada = await owner('goals', {}, LOGO_SEEK);
    const set = await setGoals(ada, person(ada.who), [{ issue: 'price', weight: 3 }, DAYS]);
    const goals = [{ issue: 'price', limit: null, wish: null, weight: 3 }, DAYS];
    expect([set.status, set.body]).toEqual([200, { listing_id: ada.listing, goals, set_by: 'person' }]);
    expect((await t.call('GET', pathOf(ada), program(ada.who))).body).toEqual(set.body);
    const other = await newAgent(t, { handle: `curious_${made}` });
    const path = `/api/agents/${other.handle}/cards/${ada.listing}/goals`;
    expect((await t.call('GET', path, program(other))).status).toBe(404);
    expect((await t.call('PUT', path, { ...program(other), body: { goals: [] } })).status).toBe(404);
    for (const wrong of [
      [DAYS, DAYS],
      [{ issue: 'licence', limit: 3, wish: 'full' }],
      [{ issue: 'days_to_deliver', wish: 3 }],
      [{ issue: 'price', limit: 100, wish: 200 }],
    ]) {
      expect((await setGoals(ada, person(ada.who), wrong)).status).toBe(400);
    }
    const none = await setGoals(ada, person(ada.who), []);
    expect(none.body).toEqual({ listing_id: ada.listing, goals: [], set_by: null });
  });

  test('that a person set a key may narrow and not widen; what a key lets the agent agree to is told by letter', async () => {
    const ada = await owner('narrows', {}, LOGO_SEEK);
    const letters = async (): Promise<number> => {
      await t.rest();
      return t.mails.filter(({ to, subject }) => to === ada.who.email && subject.includes('bargains for')).length;
    };
    expect((await setGoals(ada, program(ada.who), [DAYS])).status).toBe(200);
    expect(await letters()).toBe(1);
    expect((await setGoals(ada, program(ada.who), [{ ...DAYS, limit: 10 }])).status).toBe(200);
    expect(await letters()).toBe(1);
    await setGoals(ada, person(ada.who), [DAYS]);
    const by_key = (goals: readonly object[]): Promise<TestAnswer> => setGoals(ada, program(ada.who), goals);
    for (const wider of [[{ ...DAYS, limit: 15 }], [], [DAYS, { issue: 'revisions', limit: 1, wish: 3 }]]) {
      expect([(await by_key(wider)).status, (await by_key(wider)).body.error]).toEqual([403, 'session_required']);
    }
    const narrower = await by_key([{ ...DAYS, limit: 12, weight: 9 }]);
    expect([narrower.status, narrower.body.set_by]).toEqual([200, 'person']);
    expect(await letters()).toBe(1);
  });
});

interface Bargain {
  readonly proposals: readonly { terms: string; issues: Issue[]; amount_cents: number; milestones: unknown[] }[];
  readonly deals: readonly { amount_cents: number }[];
}

/** A buyer and a seller on autopilot, each with its goals, until nothing is left to say. */
async function bargain(buys: readonly object[], sells: readonly object[]): Promise<Bargain> {
  const label = `logo-goals-${made}`;
  const offer = { ...LOGO_OFFER, price_cents: 44_000, labels: [label] };
  const seller = await owner('sells', { min_charge_cents: 25_000, auto_approve_below_cents: 99_000 }, offer);
  const seek = { ...LOGO_SEEK, budget_cents: 45_000, labels: [label], conditions: { decide_within_hours: 0 } };
  const buyer = await owner('buys', { max_pay_cents: 45_000, auto_approve_below_cents: 45_000 }, seek);
  await fundWallet(t, buyer.who.id, 100_000);
  for (const [side, goals] of [
    [buyer, buys],
    [seller, sells],
  ] as const) {
    if (goals.length > 0) expect((await setGoals(side, person(side.who), goals)).status).toBe(200);
    await t.call('PATCH', `/api/agents/${side.who.handle}`, { ...person(side.who), body: { autopilot: true } });
  }
  const matches = await matchesOf(t, buyer.who);
  const match = matches.find(
    ({ counterparty_handle: of }: { counterparty_handle: string }) => of === seller.who.handle,
  );
  expect((await feedback(t, buyer.who, match.match_id, 'interested')).status).toBeLessThan(300);
  for (let n = 0; n < 30; n += 1) await t.advance(MINUTE_MS);
  const get = async (path: string) => (await t.call('GET', path, { key: buyer.who.key })).body;
  return { proposals: await get('/api/proposals'), deals: await get('/api/deals') };
}

describe('two built-in negotiators', () => {
  test('agree on a package within all limits, and its terms are written from its issues', async () => {
    const { proposals, deals } = await bargain(
      [DAYS, { issue: 'revisions', limit: 1, wish: 4, weight: 1 }, { issue: 'milestones', limit: 1, wish: 3 }],
      [
        { issue: 'days_to_deliver', limit: 6, wish: 20, weight: 1 },
        { issue: 'revisions', limit: 3, wish: 0, weight: 4 },
        { issue: 'milestones', limit: 3, wish: 1, weight: 1 },
      ],
    );
    expect(deals).toHaveLength(1);
    const [agreed] = proposals;
    const value = (name: string) => agreed?.issues.find(({ issue }) => issue === name)?.value;
    expect(value('days_to_deliver')).toBeWithin(6, 15);
    expect(value('revisions')).toBeWithin(1, 4);
    // The listing is that of the side that proposed.
    const said = issuesText(agreed?.issues ?? []);
    expect([`${LOGO_OFFER.headline}: ${said}`, `${LOGO_SEEK.headline}: ${said}`]).toContain(agreed?.terms ?? '');
    expect(agreed?.amount_cents).toBeWithin(25_000, 44_001);
    const parts = Number(value('milestones'));
    expect(agreed?.milestones).toHaveLength(parts > 1 ? parts : 0);
  });

  test('do not agree where one issue leaves no zone', async () => {
    const { deals } = await bargain([DAYS], [{ issue: 'days_to_deliver', limit: 20, wish: 30, weight: 1 }]);
    expect(deals).toEqual([]);
  });

  test('agree to no price beyond the limit of a listing, within whatever bounds of the agent', async () => {
    const { deals, proposals } = await bargain([{ issue: 'price', limit: 20_000, wish: 15_000 }], []);
    expect(deals).toEqual([]);
    expect(proposals.filter(({ amount_cents }) => amount_cents <= 20_000)).toEqual([]);
  });

  test('leave an issue of which one owner said nothing to that person', async () => {
    const { deals, proposals } = await bargain([DAYS], []);
    expect(deals).toEqual([]);
    expect(proposals[0]?.issues.map(({ issue }) => issue)).toEqual(['days_to_deliver']);
  });
});

test('a proposal carries issues to both sides, in its message and in the event, by its address and as a tool', async () => {
  const seller = await owner('puts', {}, LOGO_OFFER);
  const buyer = await newAgent(t, { handle: `reads_${made}`, verified: true });
  const conversation_id = await startTalk(t, buyer, seller.who.handle, 'Hello');
  const issues = [
    { issue: 'licence', value: 'exclusive' },
    { issue: 'days_to_deliver', value: 5 },
  ];
  const body = { amount_cents: 30_000, terms: 'Two logos', side: 'seller', issues };
  const put = await t.call('POST', `/api/conversations/${conversation_id}/propose`, { ...person(seller.who), body });
  const ordered = issues.toReversed();
  expect([put.status, put.body.issues]).toEqual([201, ordered]);
  const { messages } = (await t.call('GET', `/api/conversations/${conversation_id}`, { key: buyer.key })).body;
  expect(JSON.stringify(messages)).toContain('within 5 days, exclusive licence');
  const { events } = (await t.call('GET', '/api/inbox', { key: buyer.key })).body;
  const told = events.find(({ kind }: { kind: string }) => kind === 'negotiation.proposed');
  expect(told.data.issues).toEqual(ordered);
  const input = { amount_cents: 28_000, issues: [{ issue: 'days_to_deliver', value: 3 }] };
  const answer = { action: 'counter', input };
  const countered = await t.call('POST', `/api/inbox/${told.id}/respond`, { key: buyer.key, body: answer });
  expect(countered.status).toBe(200);
  const listed = await rpc(t, 'tools/call', { name: 'mesh_list_proposals', arguments: {} }, { key: buyer.key });
  expect(JSON.parse(listed.body.result.content[0].text).items[0].issues).toEqual(input.issues);
  const wrong = { ...body, issues: [{ issue: 'revisions', value: 500 }] };
  const refused = await t.call('POST', `/api/conversations/${conversation_id}/propose`, {
    ...person(seller.who),
    body: wrong,
  });
  expect([refused.status, refused.body.fields?.[0]?.path]).toEqual([400, 'issues.0.value']);
});

test('the temper differs with each price limit of goals, as a known one would reveal the others', () => {
  const agent = { id: 'agent', bounds: { max_pay_cents: 45_000 } } as unknown as Row<'agents'>;
  const tempers = [20_000, 20_001, 30_000].map((limit) => {
    const goals = { issues: [{ issue: 'price', limit, wish: null, weight: 1 }], by_person: true };
    const listing = { direction: 'seek', conditions: {}, goals } as unknown as Row<'listings'>;
    const secrets = { code_key: Buffer.alloc(32, 1) } as unknown as Ctx['secrets'];
    return JSON.stringify(manner({ secrets }, agent, listing, 'buyer').temper);
  });
  expect(new Set(tempers).size).toBe(3);
});

test('nothing that another reads tells what an owner wants', async () => {
  const goal = (second: boolean) => ({
    issue: 'days_to_deliver',
    limit: second ? 9 : 23,
    wish: 4,
    weight: second ? 2 : 7,
  });
  await expectAlike({
    bounds: [{ max_pay_cents: 40_000 }, { max_pay_cents: 40_000 }],
    steps: async (talk, second) => {
      await put(talk, talk.keeps, CENTS);
      const { t: there, keeps, things } = talk;
      const path = `/api/agents/${keeps.handle}/cards/${things['service_id']}/goals`;
      const body = { goals: [goal(second)] };
      expect((await there.call('PUT', path, { ...person(keeps), body })).status).toBe(200);
    },
  });
}, 300_000);
