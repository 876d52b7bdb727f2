// A node that leaves matching to others answers as they do; where none of them is there, what it cannot know is refused, and what it
// stores is matched later.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { examineService } from '../../src/compose/doctor/examine.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { edit, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { openTestService, START_MS, type TestAnswer, type TestParts, type TestService } from '../support/testbed.ts';
import { until } from '../support/until.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const server = await sharedPostgres();

describe.skipIf(server === null)('a node with ROLE=web', () => {
  let shared: TestParts;
  let web: TestService;
  let open: TestService[];
  let ann: TestAgent;
  let bob: TestAgent;

  const node = async (role: 'web' | 'matching'): Promise<TestService> => {
    const opened = await openTestService({}, 'memory', { ...shared, role });
    open.push(opened);
    return opened;
  };
  const stop = async (gone: TestService): Promise<void> => {
    open = open.filter((each) => each !== gone);
    await gone.close();
  };
  const post = (t: TestService, agent: TestAgent, path: string, body: object): Promise<TestAnswer> =>
    t.call('POST', path, { key: agent.key, agent: agent.handle, body });
  /** The answers to everything that needs the index. */
  const readAll = (t: TestService, match_id: string): Promise<TestAnswer[]> =>
    Promise.all([
      post(t, bob, '/api/matching/preview', LOGO_SEEK),
      post(t, bob, '/api/matching/run', {}),
      post(t, bob, '/api/matching/explain', { match_id }),
      post(t, bob, `/api/matching/summary/${match_id}`, {}),
      t.call('GET', '/api/registry?labels=logo-design'),
    ]);
  const demand = (): object => ({
    headline: 'A logo for a bakery',
    labels: ['logo-design'],
    budget_cents: 90_000,
    closes_at: new Date(web.clock.now() + 24 * HOUR_MS).toISOString(),
  });

  /** What the doctor of the web node says of matching. */
  const doctor = async (): Promise<string | undefined> => {
    const findings = await examineService(web.service.world, web.clock.now(), false);
    return findings.find(({ check }) => check === 'matching')?.state;
  };

  beforeEach(async () => {
    open = [];
    shared = { clock: virtualClock(START_MS), database_url: (await server?.migrated()) ?? '' };
    web = await node('web');
    ann = await newAgent(web, { handle: 'ann', verified: true });
    bob = await newAgent(web, { handle: 'bob', verified: true });
  });
  afterEach(() => Promise.all(open.map((each) => each.close())));

  test('has the matches of a listing in its answer, and holds no index', async () => {
    const nodes = [await node('matching'), await node('matching')];
    await publish(web, ann, LOGO_OFFER);
    await publish(web, bob, LOGO_SEEK);
    for (const agent of [ann, bob]) expect(await matchesOf(web, agent)).toHaveLength(1);
    expect(web.service.world.store.vectors.size).toBe(0);
    expect((await web.call('GET', '/readyz?verbose')).body.role).toBe('web');
    for (const { service } of nodes) await until(() => service.world.store.vectors.size === 2);
  });

  test('sees each edit matched as it now is', async () => {
    await node('matching');
    await publish(web, ann, LOGO_OFFER);
    const seek = await publish(web, bob, LOGO_SEEK);
    for (const budget_cents of [100, 95_000, 100, 96_000]) {
      expect((await edit(web, bob, seek, { budget_cents, conditions: { price_firm: true } })).status).toBe(200);
      const open_matches = (await matchesOf(web, bob)).filter(({ status }: { status: string }) => status === 'pending');
      expect(open_matches).toHaveLength(budget_cents === 100 ? 0 : 1);
    }
  });

  test('answers as a node with the index does', async () => {
    const matching = await node('matching');
    await publish(web, ann, LOGO_OFFER);
    await publish(web, bob, LOGO_SEEK);
    const [match] = await matchesOf(web, bob);
    const [here, there] = [await readAll(web, match.match_id), await readAll(matching, match.match_id)];
    expect(here.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    // Who is online is another node's to know for a moment.
    const [agents, elsewhere] = [here.pop(), there.pop()].map((answer) =>
      answer?.body.map(({ handle }: { handle: string }) => handle),
    );
    expect(agents).toEqual(['bob', 'ann']);
    expect(agents).toEqual(elsewhere);
    const bare = ({ body }: TestAnswer): object => ({ ...body, took_ms: 0 });
    expect(here.map(bare)).toEqual(there.map(bare));
    expect((await post(web, bob, '/api/demand', demand())).body).toMatchObject({ woken: 1 });
  });

  test('is told at once that no node matches, and its listings are matched when one does', async () => {
    const before = await node('matching');
    await publish(web, ann, LOGO_OFFER);
    await publish(web, bob, LOGO_SEEK);
    const [match] = await matchesOf(web, bob);
    await stop(before);
    const began_ms = performance.now();
    for (const { status, headers, body } of await readAll(web, match.match_id)) {
      expect([status, body.error]).toEqual([503, 'matching_unavailable']);
      expect(headers.get('retry-after')).toBe('5');
    }
    expect((await post(web, bob, '/api/demand', demand())).body.error).toBe('matching_unavailable');
    const cleo = await newAgent(web, { handle: 'cleo', verified: true });
    await publish(web, cleo, LOGO_OFFER);
    expect(performance.now() - began_ms).toBeLessThan(4_000);
    await web.service.supervisor.runDue();
    expect(await matchesOf(web, cleo)).toEqual([]);
    expect(await doctor()).toBe('warning');
    const after = [await node('matching'), await node('matching')];
    await Promise.all(after.map(({ service }) => service.supervisor.runDue()));
    expect(await matchesOf(web, cleo)).toHaveLength(1);
    expect(await doctor()).toBe('ok');
  });

  test('leaves the reminders of matching to the nodes that match, which leave it the others', async () => {
    const matching = await node('matching');
    await publish(web, bob, LOGO_SEEK);
    const due = web.clock.now() + HOUR_MS;
    const operations = async (t: TestService): Promise<Set<string>> =>
      new Set((await t.service.world.store.claimReminders(due, 100, new Set(), 0)).map(({ operation }) => operation));
    const [there, here] = [await operations(matching), await operations(web)];
    expect([...there]).toEqual(['match.tell_unmatched']);
    expect(here.size).toBeGreaterThan(0);
    for (const operation of there) expect(here).not.toContain(operation);
  });
});
