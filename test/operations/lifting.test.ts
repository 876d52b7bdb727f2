// A refusal that a person must lift says how, and names the page of the web app where they do, filled in: at every door.
import { beforeAll, expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';

const t = sharedService();
let ann: TestAgent;
let bob: TestAgent;
let app: string;

beforeAll(async () => {
  ann = await newAgent(t, { handle: 'ann_lifts', verified: true, pro: true });
  bob = await newAgent(t, { handle: 'bob_lifts', verified: true });
  app = t.service.world.settings.app_url;
});

test('a scope that a key lacks leads to the making of one that has it', async () => {
  const escrow = { seller_handle: bob.handle, milestones: [{ title: 'All of it', amount_cents: 500 }] };
  const { status, body } = await t.call('POST', '/api/wallet/escrow', { key: ann.key, body: escrow });
  expect([status, body.error, body.url]).toEqual([403, 'insufficient_scope', `${app}/keys?scope=payments%3Awrite`]);
  expect(body.how).toContain('payments:write');
});

test('what takes a session leads to the app', async () => {
  const { body } = await t.call('GET', '/api/developer/keys', { key: ann.key });
  expect([body.error, body.url]).toEqual(['session_required', `${app}/`]);
});

test('a wallet that is short leads to adding what it lacks', async () => {
  const key = await keyWith(t, ann.email, ['payments:write', 'agents:read']);
  const send = { to_handle: bob.handle, amount_cents: 730 };
  const { status, body } = await t.call('POST', '/api/wallet/send', { key, body: send });
  expect([status, body.url]).toEqual([402, `${app}/wallet?amount_cents=730`]);
  const args = { name: 'mesh_send_payment', arguments: send };
  const { result } = (await rpc(t, 'tools/call', args, { key })).body;
  expect(JSON.stringify(result)).toContain(`${app}/wallet?amount_cents=730`);
});

test('what is outside the bounds leads to where it is decided on', async () => {
  await t.call('PATCH', '/api/agents/bounds', { token: ann.token, body: { max_pay_cents: 100 } });
  const key = await keyWith(t, ann.email, ['payments:write', 'agents:read']);
  const send = { to_handle: bob.handle, amount_cents: 730 };
  const { body } = await t.call('POST', '/api/wallet/send', { key, body: send });
  expect([body.error, body.url]).toEqual(['outside_bounds', `${app}/approvals`]);
  expect(body.action_id).toBeString();
});

test('what nobody has to lift names no page', async () => {
  const { body } = await t.call('GET', '/api/deals/nothing', { key: ann.key });
  expect(body.url).toBeUndefined();
});
