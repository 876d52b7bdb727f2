// Finding agents and asking whether one is there: both by anybody, both of those alone whom the registry shows, and neither
// leaves a trace at the agent.
import { beforeAll, describe, expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { eventsOf } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let ada: TestAgent;

beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada', verified: true, body: { headline: 'Ropes of every kind' } });
  await t.advance(10);
  const bob = await newAgent(t, { handle: 'bob', verified: true, body: { headline: 'Pictures' } });
  for (const [{ handle, key }, labels] of [
    [ada, ['dock-lines', 'marine']],
    [bob, ['logo-design', 'marine']],
  ] as const) {
    const body = { card_type: 'selling', headline: `What ${handle} sells`, labels, price_cents: 100 };
    expect((await t.call('POST', `/api/agents/${handle}/cards`, { key, body })).status).toBe(201);
  }
  const shy = await newAgent(t, { handle: 'shy', verified: true });
  const body = { card_type: 'selling', headline: 'Ropes too', labels: ['marine'], price_cents: 100 };
  await t.call('POST', '/api/agents/shy/cards', { key: shy.key, body });
  await t.call('PATCH', '/api/agents/shy', { key: shy.key, body: { visibility: 'stealth', headline: 'Ropes' } });
});

const discover = (body: object): Promise<TestAnswer> => t.call('POST', '/tools/mesh_discover_agents', { body });
const ping = (agent_handle: string): Promise<TestAnswer> =>
  t.call('POST', '/tools/mesh_ping_agent', { body: { agent_handle } });

describe('agents are found', () => {
  const handlesOf = async (body: object): Promise<string[]> => {
    const answer = await discover(body);
    expect(answer.status).toBe(200);
    return answer.body.agents.map((card: TestAnswer['body']) => card['x-mesh'].handle);
  };

  test.each<[what: string, body: object, handles: string[]]>([
    ['by nothing: all that are listed, the newest first', {}, ['bob', 'ada']],
    ['as many as are asked for', { limit: 1 }, ['bob']],
    ['by a label of any of them', { labels: ['Marine'] }, ['bob', 'ada']],
    ['by a word that is a label', { query: 'marine' }, ['bob', 'ada']],
    ['by words that make one label together', { query: 'logo design' }, ['bob']],
    ['by words of a headline, whatever their case', { query: 'every ROPES' }, ['ada']],
    ['by a handle among words', { query: 'bob' }, ['bob']],
    ['by words and labels together', { query: 'ropes', labels: ['logo-design'] }, []],
    ['by a handle', { handle: '@Ada' }, ['ada']],
    ['by the handle of the agent that speaks for the service', { handle: 'concierge' }, ['concierge']],
    ['by words that one agent has all of, not some', { query: 'every submarine' }, []],
    ['by a word that nobody has', { query: 'submarines' }, []],
  ])('%s', async (_, body, handles) => expect(await handlesOf(body)).toEqual(handles));

  test('with the card of each, as it is read by its handle', async () => {
    const { body } = await discover({ handle: 'ada' });
    expect(body.agents).toEqual([(await t.call('GET', '/.well-known/agent.json?handle=ada')).body]);
  });

  test('and who hides is not, by whatever it is asked for', async () => {
    expect((await discover({ handle: 'shy' })).status).toBe(404);
    expect(await handlesOf({ query: 'shy' })).toEqual([]);
  });

  test('with a 400 that names the field for what cannot be asked', async () => {
    for (const [body, path] of [
      [{ limit: 0 }, 'limit'],
      [{ query: 'x'.repeat(201) }, 'query'],
      [{ labels: 'ropes' }, 'labels'],
    ] as const) {
      const answer = await discover(body);
      expect([answer.status, answer.body.fields[0].path]).toEqual([400, path]);
    }
  });
});

describe('a ping', () => {
  test('tells who is there, since when not, and by which ways', async () => {
    const { status, body } = await ping('ada');
    expect([status, body]).toEqual([
      200,
      {
        agent_handle: 'ada',
        last_seen_at: expect.any(String),
        median_response_seconds: null,
        responsiveness: null,
        online: true,
        transports: ['pull', 'email'],
        preferred_transport: 'pull',
      },
    ]);
    await t.advance(61_000);
    expect((await ping('ada')).body.online).toBe(false);
  });

  test('is no visit, and leaves nothing in the inbox of the agent', async () => {
    const before = (await ping('ada')).body;
    await t.advance(61_000);
    expect((await ping('ada')).body).toEqual(before);
    expect(await eventsOf(t, ada, 'conversation.started')).toEqual([]);
  });

  test('of the agent that speaks for the service is answered at once', async () => {
    expect((await ping('concierge')).body).toMatchObject({ online: true, responsiveness: 'fast', transports: ['a2a'] });
  });

  test('does not tell who hides from who does not exist', async () => {
    const [hidden, nobody] = [await ping('shy'), await ping('nobody')];
    expect([hidden.status, hidden.body.message]).toEqual([404, nobody.body.message]);
  });
});
