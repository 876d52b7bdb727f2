// What some say of an agent costs it nothing with all others: two services that differ in the false answers of some agents
// alone show the victim, its rivals and everybody honest the same matches, in the same order, for the same reasons.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

/** What the liars say, one each: every chip, words of their own, and a block. */
const LIES = ['price', 'location', 'skills', 'not_relevant', 'not_trusted', 'timing', 'other', 'A fraud.', 'block'];
const SELLERS = ['victim', 'rival_one', 'rival_two'];
const HONEST = ['honest_one', 'honest_two', 'honest_three'];

interface World {
  readonly t: TestService;
  readonly agents: ReadonlyMap<string, TestAgent>;
}

async function worldOf(): Promise<World> {
  const t = await openTestService();
  const agents = new Map<string, TestAgent>();
  const join = async (handle: string, listing: object): Promise<void> => {
    const agent = await newAgent(t, { handle, verified: true, pro: true });
    agents.set(handle, agent);
    await publish(t, agent, listing);
  };
  for (const [i, handle] of SELLERS.entries()) {
    const labels = [...LOGO_OFFER.labels, `style-${i}`];
    await join(handle, { ...LOGO_OFFER, labels, geo: 'Lyon, France', price_cents: 40_000 + i * 9_000 });
  }
  for (const [i, handle] of HONEST.entries()) await join(handle, { ...LOGO_SEEK, budget_cents: 90_000 + i * 5_000 });
  for (const [i] of LIES.entries()) await join(`liar_${i}`, { ...LOGO_SEEK, budget_cents: 80_000 + i * 1_000 });
  return { t, agents };
}

let calm: World;
let hostile: World;
beforeAll(async () => {
  calm = await worldOf();
  hostile = await worldOf();
});
afterAll(() => Promise.all([calm, hostile].map(({ t }) => t.close())));

function agentOf({ agents }: World, handle: string): TestAgent {
  const agent = agents.get(handle);
  if (!agent) throw new Error(`nobody is called ${handle}`);
  return agent;
}

async function lie(world: World, liar: string, lie: string): Promise<void> {
  const { t } = world;
  const agent = agentOf(world, liar);
  if (lie === 'block') {
    expect((await t.call('POST', '/api/agents/victim/block', { key: agent.key })).status).toBe(200);
    return;
  }
  const about = (await matchesOf(t, agent)).find((each: Shown) => each.counterparty_handle === 'victim');
  expect((await feedback(t, agent, about.match_id, 'not_a_fit', { reason: lie })).status).toBe(200);
}

interface Shown {
  readonly counterparty_handle: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** What an agent is shown of all but the liars, in its order, after it asked for a run. */
async function shownTo(world: World, handle: string): Promise<Shown[]> {
  const { key } = agentOf(world, handle);
  const ran = await world.t.call('POST', '/api/matching/run', { key, body: { limit: 50 } });
  expect(ran.status).toBe(200);
  const shown: Shown[] = ran.body.matches;
  return shown
    .filter((match) => !match.counterparty_handle.startsWith('liar'))
    .map(({ counterparty_handle, score, reasons }) => ({ counterparty_handle, score, reasons }));
}

test('whoever answers falsely of an agent, it meets all others as if nobody had', async () => {
  for (const [i, said] of LIES.entries()) await lie(hostile, `liar_${i}`, said);
  for (const handle of [...SELLERS, ...HONEST]) {
    const shown = await shownTo(hostile, handle);
    expect(shown).toEqual(await shownTo(calm, handle));
    expect(shown).toHaveLength(SELLERS.includes(handle) ? HONEST.length : SELLERS.length);
  }
  // The liars have lost nobody but whom they declined, and meet the victim's rivals as before.
  for (const i of LIES.keys()) {
    const rivals = (await shownTo(hostile, `liar_${i}`)).filter((each) => each.counterparty_handle !== 'victim');
    const before = (await shownTo(calm, `liar_${i}`)).filter((each) => each.counterparty_handle !== 'victim');
    expect(rivals).toEqual(before);
  }
});
