// The delivery ladder: webhooks first, the A2A endpoint when none of them took the event, in the order of the inbox; what
// is among an agent's transports says what would work now.
import { expect, test } from 'bun:test';
import { newAgent } from '../support/agents.ts';
import { OUTSIDE_HOST, sharedServiceReaching } from '../support/opened.ts';
import { startReceiver } from '../support/receivers.ts';

const { t, server: receiver } = sharedServiceReaching(startReceiver);

const url = (path: string): string => `https://${OUTSIDE_HOST}:${receiver.port}/${path}`;
const cameTo = (path: string) => receiver.received.filter((one) => one.path === `/${path}`);

interface Reached {
  readonly key: string;
  readonly handle: string;
  ping(): Promise<{ id: string; seq: number }>;
  transports(): Promise<string[]>;
}

/** An agent with a webhook and an A2A endpoint at these paths. */
async function reached(handle: string, paths: { hook?: string; a2a?: string }): Promise<Reached & { hook: string }> {
  const { key } = await newAgent(t, { handle });
  const { hook, a2a } = paths;
  const made =
    hook && (await t.call('POST', '/api/developer/webhooks', { key, body: { url: url(hook), events: ['*'] } }));
  if (a2a) {
    const set = await t.call('PATCH', `/api/agents/${handle}`, { key, body: { a2a_url: url(a2a) } });
    expect([set.status, set.body.a2a_url]).toEqual([200, url(a2a)]);
  }
  await t.service.delivery.idle();
  return {
    key,
    handle,
    hook: made ? made.body.id : '',
    ping: async () => {
      const { body } = await t.call('POST', '/api/inbox/test', { key });
      await t.service.delivery.idle();
      return body;
    },
    transports: async () => (await t.call('GET', `/api/agents/${handle}`, { key })).body.transports,
  };
}

test('an A2A endpoint gets each event as a message with the id of the inbox, when there is no webhook', async () => {
  const agent = await reached('by_a2a', { a2a: 'a2a/only' });
  const { id, seq } = await agent.ping();
  const sent = cameTo('a2a/only').map(({ body }) => JSON.parse(body));
  const { message } = sent.at(-1).params;
  expect([sent.at(-1).method, message.messageId, message.role]).toEqual(['message/send', id, 'user']);
  expect(message.parts[1].data).toMatchObject({ id, seq, kind: 'test.ping', handle: 'by_a2a' });
  expect(sent.map(({ params }) => params.message.parts[1].data.seq)).toEqual(
    sent.map((_, i) => seq - sent.length + 1 + i),
  );
  expect(await agent.transports()).toEqual(['a2a', 'pull', 'email']);
});

test('a webhook that takes the event ends the ladder', async () => {
  const agent = await reached('by_hook', { hook: '200/by_hook', a2a: 'a2a/by_hook' });
  const { id } = await agent.ping();
  expect(cameTo('200/by_hook').map(({ headers }) => headers['webhook-id'])).toContain(id);
  expect(cameTo('a2a/by_hook')).toEqual([]);
  expect(await agent.transports()).toEqual(['webhook', 'a2a', 'pull', 'email']);
});

test('what a webhook does not take goes to the A2A endpoint, and a failing webhook is no transport', async () => {
  const agent = await reached('by_both', { hook: '500/by_both', a2a: 'a2a/by_both' });
  const { id } = await agent.ping();
  expect(cameTo('500/by_both').map(({ headers }) => headers['webhook-id'])).toContain(id);
  expect(cameTo('a2a/by_both').map(({ body }) => JSON.parse(body).id)).toContain(id);
  expect(await agent.transports()).toEqual(['a2a', 'pull', 'email']);
  await t.call('PATCH', `/api/developer/webhooks/${agent.hook}`, { key: agent.key, body: { url: url('200/healed') } });
  await agent.ping();
  expect(await agent.transports()).toEqual(['webhook', 'a2a', 'pull', 'email']);
});

test('an endpoint that answers an error is no transport until it takes a message again', async () => {
  const agent = await reached('a2a_down', { a2a: 'a2a-error/down' });
  await agent.ping();
  expect(await agent.transports()).toEqual(['pull', 'email']);
  const { key, handle } = agent;
  await t.call('PATCH', `/api/agents/${handle}`, { key, body: { a2a_url: url('a2a/up') } });
  await agent.ping();
  expect(await agent.transports()).toEqual(['a2a', 'pull', 'email']);
  await t.call('PATCH', `/api/agents/${handle}`, { key, body: { a2a_url: null } });
  expect(await agent.transports()).toEqual(['pull', 'email']);
});

test('an address inside is refused, at the webhook and at the A2A endpoint alike', async () => {
  const { key, handle } = await newAgent(t, { handle: 'inside' });
  for (const address of [
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'http://receivers.example/',
    'https://a:b@example.org/',
  ]) {
    const hook = await t.call('POST', '/api/developer/webhooks', { key, body: { url: address, events: ['*'] } });
    const a2a = await t.call('PATCH', `/api/agents/${handle}`, { key, body: { a2a_url: address } });
    expect([hook.status, hook.body.fields[0].path]).toEqual([400, 'url']);
    expect([a2a.status, a2a.body.fields[0].path]).toEqual([400, 'a2a_url']);
  }
});
