// What is put in the very moment in which something else is put, refused or closed: between the looking of a turn and its commit. What both
// sides see stands, what one withholds waits for its person, and nothing waits in a conversation that has ended.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Store } from '../../db/store.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';

const LIMIT_CENTS = 30_000;

const TABLES: readonly string[] = ['proposals', 'conversations'];

/** Done once, by whichever turn about a conversation has looked next and not yet committed. */
let meanwhile: (() => Promise<unknown>) | null = null;

/** A store whose turns let others in between their looking and their commit. */
function interrupted(store: Store): Store {
  const turn: Store['turn'] = (asked) =>
    store.turn({
      ...asked,
      attempt: async (read) => {
        const decision = await asked.attempt(read);
        const effects = 'effects' in decision ? (decision.effects ?? []) : [];
        // What runs in the background writes neither.
        const is_meant = effects.some((effect) => 'table' in effect && TABLES.includes(effect.table));
        if (!is_meant) return decision;
        const now = meanwhile;
        meanwhile = null;
        await now?.();
        return decision;
      },
    });
  return new Proxy(store, {
    get: (of, name) => {
      const own: unknown = name === 'turn' ? turn : Reflect.get(of, name);
      return typeof own === 'function' && !Object.hasOwn(of, name) ? own.bind(of) : own;
    },
  });
}

let t: TestService;
let pairs = 0;
beforeAll(async () => {
  t = await openTestService({}, 'memory', { before_store: interrupted });
});
afterAll(() => t.close());

const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });

/** A conversation of two, of whom the seller's program may put nothing below the limit. */
async function pair() {
  pairs += 1;
  const buyer = await newAgent(t, { handle: `meets_${pairs}`, verified: true, pro: true });
  const seller = await newAgent(t, { handle: `holds_${pairs}`, verified: true, pro: true });
  await t.call('PATCH', '/api/agents/bounds', { ...person(seller), body: { min_charge_cents: LIMIT_CENTS } });
  const opening = { handle: seller.handle, content: 'Hello' };
  const { conversation_id } = (await t.call('POST', '/api/conversations', { key: buyer.key, body: opening })).body;
  const path = `/api/conversations/${conversation_id}`;
  const put = ({ key }: TestAgent, side: string, amount_cents = LIMIT_CENTS - 1): Promise<TestAnswer> =>
    t.call('POST', `${path}/propose`, { key, body: { amount_cents, side } });
  const seen = async (who: TestAgent): Promise<TestAnswer['body']> =>
    (await t.call('GET', path, { key: who.key })).body;
  const waiting = async (who: TestAgent): Promise<string[]> =>
    (await t.call('GET', '/api/proposals?waiting=true', person(who))).body.map(({ id }: { id: string }) => id);
  return { buyer, seller, path, put, seen, waiting };
}

test('what is put while the other side has something withheld stands all the same', async () => {
  const { buyer, seller, put, seen } = await pair();
  let stands = '';
  meanwhile = async () => {
    stands = (await put(buyer, 'buyer')).body.id;
  };
  expect((await put(seller, 'seller')).body.status).toBe('withheld');
  for (const who of [buyer, seller]) expect((await seen(who)).proposal?.id).toBe(stands);
});

test('what is withheld while the other side puts something waits for its person all the same', async () => {
  const { buyer, seller, put, seen, waiting } = await pair();
  let withheld = '';
  meanwhile = async () => {
    withheld = (await put(seller, 'seller')).body.id;
  };
  const { id } = (await put(buyer, 'buyer', LIMIT_CENTS)).body;
  expect([(await seen(buyer)).status, (await seen(seller)).status]).toEqual(['open', 'escalated']);
  expect(await waiting(seller)).toEqual([id, withheld].toSorted().toReversed());
});

test('what is put while the other side’s person refuses what was withheld stands all the same', async () => {
  const { buyer, seller, path, put, seen } = await pair();
  const { id: proposal_id } = (await put(seller, 'seller')).body;
  let stands = '';
  meanwhile = async () => {
    stands = (await put(buyer, 'buyer')).body.id;
  };
  const body = { proposal_id, decision: 'reject' };
  expect((await t.call('POST', `${path}/approve`, { ...person(seller), body })).status).toBe(200);
  for (const who of [buyer, seller]) expect((await seen(who)).proposal?.id).toBe(stands);
});

test('what is put or withheld while the conversation is closed waits for nobody', async () => {
  for (const [who, closes] of [
    ['buyer', 'seller'],
    ['seller', 'buyer'],
  ] as const) {
    const both = await pair();
    meanwhile = () => both.put(both[who], who);
    expect((await t.call('POST', `${both.path}/close`, { key: both[closes].key, body: {} })).status).toBe(200);
    for (const side of [both.buyer, both.seller]) expect(await both.waiting(side)).toEqual([]);
  }
});
