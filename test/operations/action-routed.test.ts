// Routed calls outside the bounds: approved, they are made once, however many say yes; one that nobody served waits on.
import { expect, test } from 'bun:test';
import { patch } from '../../db/effects.ts';
import { actionById } from '../../db/queries/action.ts';
import { approvalsOf } from '../../db/queries/negotiation.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { rpc, STATELESS } from '../support/mcp.ts';
import { sharedServiceReaching } from '../support/opened.ts';
import { startProvider } from '../support/provider.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { until } from '../support/until.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const { t, server: p } = sharedServiceReaching(startProvider);

/** A capability that costs 300 cents and behaves so, and what comes of a call of it by an agent that may pay 200. */
async function refused(name: string, behaviour: string): Promise<{ ada: TestAgent; bob: TestAgent; id: string }> {
  const ada = await newAgent(t, { handle: `calls_${name}`, verified: true });
  const bob = await newAgent(t, { handle: `serves_${name}`, verified: true });
  await fundWallet(t, ada.id, 1_000);
  await t.call('PATCH', '/api/agents/bounds', { token: ada.token, body: { max_pay_cents: 200 } });
  const capability = `demo.${name}`;
  const offered = { capability, endpoint_url: p.url(behaviour, bob.handle), price_cents: 300 };
  const made = await t.call('POST', '/api/router/providers', { key: bob.key, body: offered });
  p.secrets.add(made.body.signing_secret);
  const call = await t.call('POST', '/api/router/call', {
    key: ada.key,
    body: { capability, payload: { text: 'hi' } },
  });
  expect([call.status, call.body.error]).toEqual([403, 'outside_bounds']);
  return { ada, bob, id: call.body.action_id };
}

const approve = ({ token }: TestAgent, id: string): Promise<TestAnswer> =>
  t.call('POST', `/api/actions/${id}/decide`, { token, body: { decision: 'approve' } });
/** The action as a client of MCP reads it that takes tasks. */
async function task({ key }: TestAgent, taskId: string) {
  const _meta = {
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  };
  const headers = { 'Mcp-Name': taskId };
  return (await rpc(t, 'tasks/get', { taskId, _meta }, { key, revision: STATELESS, headers })).body.result;
}
const waiting = async ({ token }: TestAgent) => (await t.call('GET', '/api/actions?waiting=true', { token })).body;

test('a call that is approved by two at once is made and paid once', async () => {
  const { ada, bob, id } = await refused('twice', 'serve');
  const both = await Promise.all([approve(ada, id), approve(ada, id)]);
  const done = both.filter(({ status }) => status === 200);
  expect(done.length).toBeGreaterThan(0);
  for (const { body } of done) {
    expect(body).toMatchObject({ action: { id, status: 'approved' }, result: { status: 'charged', price_cents: 300 } });
  }
  expect(p.calls('serve', bob.handle)).toHaveLength(1);
  expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(700);
  expect((await approve(ada, id)).body.error).toBe('already_answered');
  expect(await waiting(ada)).toEqual([]);
  expect(await task(ada, id)).toMatchObject({
    status: 'completed',
    result: { structuredContent: { status: 'charged', price_cents: 300 } },
  });
});

test('a task of a call that is under way works on, and is refused where nobody knows what became of it', async () => {
  const { ada, id } = await refused('under_way', 'serve');
  const { store } = t.service.world;
  const set = async (status: 'approved' | 'failed'): Promise<void> => {
    const row = await store.read(actionById, { id });
    if (!row) throw new Error('the action has a row');
    await store.turn({ attempt: async () => ({ reply: null, effects: [patch('actions', row, { status })] }) });
  };
  await set('approved');
  expect(await task(ada, id)).toMatchObject({ status: 'working' });
  await set('failed');
  const { status, result } = await task(ada, id);
  expect([status, result.isError, JSON.parse(result.content[0].text).error]).toEqual([
    'completed',
    true,
    'outcome_unknown',
  ]);
});

test('a call of more than 16 KiB is refused without an action: it is not kept until its person decides', async () => {
  const { ada } = await refused('fat', 'serve');
  const call = (text: string) =>
    t.call('POST', '/api/router/call', { key: ada.key, body: { capability: 'demo.fat', payload: { text } } });
  const fat = await call('x'.repeat(16_384));
  expect([fat.status, fat.body.error, fat.body.action_id]).toEqual([403, 'outside_bounds', undefined]);
  const lean = await call('x'.repeat(16_000));
  expect([lean.status, typeof lean.body.action_id]).toEqual([403, 'string']);
  expect(await waiting(ada)).toHaveLength(2);
});

test('a yes to a call is recorded before anybody is asked, and once, however it ends', async () => {
  const { ada, bob, id } = await refused('begun', 'hold');
  const { store } = t.service.world;
  const recorded = async () => {
    const rows = await store.read(approvalsOf, { agent_id: ada.id, after: '', limit: 10 });
    return rows.map(({ subject_id, by, decision, amount_cents }) => [subject_id, by, decision, amount_cents]);
  };
  const yes = [[id, 'person', 'approve', 300]];
  const under_way = approve(ada, id);
  await until(() => p.calls('hold', bob.handle).length > 0);
  expect(await recorded()).toEqual(yes as never);
  // The same again while it is under way is this very action, and asks nobody.
  const again = await t.call('POST', '/api/router/call', {
    key: ada.key,
    body: { capability: 'demo.begun', payload: { text: 'hi' } },
  });
  expect([again.body.error, again.body.action_id]).toEqual(['outside_bounds', id]);
  p.release();
  expect((await under_way).status).toBe(200);
  expect(await recorded()).toEqual(yes as never);
});

test('a call that nobody serves costs nothing and waits on', async () => {
  const { ada, id } = await refused('fails', 'fail');
  expect((await approve(ada, id)).body.error).toBe('providers_failed');
  expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(1_000);
  expect(await waiting(ada)).toMatchObject([{ id, status: 'pending', operation: 'router_call.make' }]);
});

test('an inbox answer cannot wait for a call, but can say no', async () => {
  const { ada, id } = await refused('inbox', 'serve');
  const events = (await t.call('GET', '/api/inbox?limit=100', { token: ada.token })).body;
  const [event] = (Array.isArray(events) ? events : events.events).filter(
    ({ subject_id, data }: { subject_id?: string; data: { action_id?: string } }) =>
      data.action_id === id || subject_id === id,
  );
  const respond = (action: string): Promise<TestAnswer> =>
    t.call('POST', `/api/inbox/${event.id}/respond`, { token: ada.token, body: { action } });
  expect((await respond('approve')).body.error).toBe('invalid_action');
  expect((await respond('reject')).body.result.action.status).toBe('rejected');
});

test('a policy of a provider keeps calls from it while another serves, and asks where nobody else does', async () => {
  const ada = await newAgent(t, { handle: 'ruled_caller', verified: true });
  const cheap = await newAgent(t, { handle: 'ruled_cheap', verified: true });
  const dear = await newAgent(t, { handle: 'ruled_dear', verified: true });
  await fundWallet(t, ada.id, 10_000);
  const capability = 'demo.ruled';
  for (const [who, price_cents] of [[cheap, 100] as const, [dear, 200] as const]) {
    const body = { capability, endpoint_url: p.url('serve', who.handle), price_cents };
    const made = await t.call('POST', '/api/router/providers', { key: who.key, body });
    p.secrets.add(made.body.signing_secret);
  }
  const set = (policies: readonly object[]) =>
    t.call('PATCH', '/api/agents/bounds', { token: ada.token, body: { policies } });
  const call = () =>
    t.call('POST', '/api/router/call', { key: ada.key, body: { capability, payload: { text: 'hi' } } });
  const of_it = { operation: 'router_call.make' };
  await set([{ ...of_it, handle: cheap.handle, outcome: 'refuse' }]);
  expect((await call()).body).toMatchObject({ status: 'charged', price_cents: 200 });
  await set([
    { ...of_it, outcome: 'refuse' },
    { ...of_it, handle: cheap.handle, outcome: 'allow' },
  ]);
  expect((await call()).body).toMatchObject({ status: 'charged', price_cents: 100 });
  await set([{ ...of_it, outcome: 'ask' }]);
  const asked = await call();
  expect(asked.body).toMatchObject({ error: 'outside_bounds', bound: 'policy', policy: { outcome: 'ask' } });
  expect((await approve(ada, asked.body.action_id)).body.result).toMatchObject({ status: 'charged', price_cents: 100 });
  expect(p.calls('serve', cheap.handle)).toHaveLength(2);
});
