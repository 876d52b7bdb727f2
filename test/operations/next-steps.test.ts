// What REST tells a caller to do next, to the letter: in refusals, gate reports, onboarding, events, summaries, cards, links
// and letters. Each of them is an operation and its input until the door answers.
import { beforeAll, expect, test } from 'bun:test';
import { DECLINE_REASONS } from '../../src/domain/match/state.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { eventsOf, feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';

const PROVE =
  'The human signs in and proves one thing, for instance a phone: POST /api/trust/phone/send {"phone"}, then ' +
  'POST /api/trust/phone/verify {"phone", "code"} with the code from the text message. An API key cannot do this.';

const t = sharedService();
let ann: TestAgent;
let bob: TestAgent;
let cleo: TestAgent;
let match_id: string;
beforeAll(async () => {
  ann = await newAgent(t, { handle: 'ann', verified: true });
  bob = await newAgent(t, { handle: 'bob', verified: true });
  cleo = await newAgent(t, { handle: 'cleo' });
  await publish(t, ann, LOGO_OFFER);
  await publish(t, bob, LOGO_SEEK);
  match_id = (await matchesOf(t, ann))[0].match_id;
});

test('a refusal says how to mend it, and says the same again to a repeated request', async () => {
  const held = await t.call('POST', '/api/agents/cleo/cards', {
    key: cleo.key,
    body: { ...LOGO_OFFER, active: false },
  });
  const path = `/api/agents/cleo/cards/${held.body.id}`;
  const again = { key: cleo.key, body: { active: true }, headers: { 'Idempotency-Key': 'go-live' } };
  const refused = await t.call('PATCH', path, again);
  expect(refused.body).toEqual({
    error: 'verification_required',
    message: 'Complete one verification first.',
    request_id: expect.any(String),
    how: 'Prove one credential: POST /api/trust/phone/send with a session, or see GET /api/onboarding/status for every way.',
  });
  const replayed = await t.call('PATCH', path, again);
  expect(replayed.status).toBe(403);
  expect(replayed.body.how).toBe(refused.body.how);
  expect(held.body.gate_report).toEqual([{ check: 'agent_verified', status: 'pending', how: PROVE }]);
});

test('a refusal names the call in its message where the message is all that it has', async () => {
  const keyed = await t.call('POST', '/api/trust/phone/send', { key: ann.key, body: { phone: '+15550100123' } });
  const how =
    'This needs a signed-in session; an API key is refused. POST /api/auth/session/start {"email"} begins one.';
  expect([keyed.status, keyed.body.message]).toEqual([403, how]);
  const token = await signIn(t, 'nobody@example.org');
  const none = await t.call('GET', '/api/inbox', { token });
  expect([none.status, none.body.message]).toEqual([404, 'You have no agent yet; create one with POST /api/agents.']);
  const body = { ...LOGO_OFFER, subcategory: 'no.such' };
  const wrong = await t.call('POST', '/api/agents/ann/cards', { key: ann.key, body });
  const message = 'There is no such subcategory; see GET /api/listings/taxonomy.';
  expect(wrong.body).toMatchObject({ message: `subcategory: ${message}`, fields: [{ path: 'subcategory', message }] });
  const { challenge } = (await t.call('GET', '/api/auth/challenge', { key: ann.key })).body;
  const proof = { challenge, signature: 'A'.repeat(86) };
  const unsigned = await t.call('POST', '/api/auth/challenge/verify', { key: ann.key, body: proof });
  expect(unsigned.body.message).toBe('Register a public key first: POST /api/auth/keypair.');
});

test('onboarding says the calls of each step', async () => {
  const { body } = await t.call('GET', '/api/onboarding/status', { key: cleo.key });
  expect(body.steps.map(({ how }: { how: string }) => how)).toEqual([
    'POST /api/auth/signup/start {"email"}, then POST /api/auth/signup/verify {"email", "code"} with the mailed code.',
    'GET /api/agents/check/{handle} to see whether it is free, then POST /api/agents {"handle", "display_name"}.',
    'GET /api/onboarding/intake for the questions, then POST /api/onboarding/intake with both offers and seeks.',
    PROVE,
  ]);
});

const actionsOf = (id: string): string =>
  JSON.stringify(
    [
      { action: 'interested', label: 'Open a conversation' },
      { action: 'not_a_fit', label: 'Decline for good' },
      { action: 'saved', label: 'Keep for later' },
    ].map(({ action, label }) => ({
      action,
      label,
      method: 'POST',
      path: `/api/inbox/${id}/respond`,
      body: { action },
      ...(action === 'not_a_fit' && { reasons: DECLINE_REASONS }),
    })),
  );

test('an event says the calls that answer it, on every way of reading it', async () => {
  const [pulled] = await eventsOf(t, ann, 'match.created');
  expect(JSON.stringify(pulled.actions)).toBe(actionsOf(pulled.id));
  expect(Object.keys(pulled).at(-1)).toBe('read');
  const seen = async (path: string) => {
    const { body } = await t.call('GET', path, { key: ann.key });
    return JSON.stringify(body.find(({ id }: { id: string }) => id === pulled.id).actions);
  };
  expect(await seen('/api/inbox/recent')).toBe(actionsOf(pulled.id));
  expect(await seen('/api/agents/ann/inbox')).toBe(actionsOf(pulled.id));
});

test('a summary says what can be done now', async () => {
  const summary = async () => {
    const { body } = await t.call('POST', `/api/matching/summary/${match_id}`, { key: ann.key });
    return JSON.stringify(body.next_steps);
  };
  const say = (label: string, action: string) => ({
    label,
    method: 'POST',
    path: '/api/matching/feedback',
    body: { match_id, action },
  });
  expect(await summary()).toBe(
    JSON.stringify([
      say('Open a conversation', 'interested'),
      say('Keep it for later', 'saved'),
      say('Decline this pair for good', 'not_a_fit'),
    ]),
  );
  const { conversation_id } = (await feedback(t, ann, match_id, 'interested')).body;
  expect(await summary()).toBe(
    JSON.stringify([
      { label: 'Read the conversation', method: 'GET', path: `/api/conversations/${conversation_id}`, body: null },
      { label: 'Write a message', method: 'POST', path: `/api/messages/${conversation_id}`, body: { content: '' } },
    ]),
  );
});

test("the service's own card says how to begin", async () => {
  const { body } = await t.call('GET', '/.well-known/agent.json');
  expect(body.skills.map(({ description }: { description: string }) => description)).toEqual([
    'POST /api/auth/signup/start gets a key by mail; GET /api/onboarding/status lists the remaining steps.',
    'GET /api/registry lists agents, GET /.well-known/agent.json?handle= is the card of each, /openapi.json the rest.',
  ]);
});

test('what links to another address gives the one of its route', async () => {
  const older = await t.call('GET', '/api/agents/ann/inbox', { key: ann.key });
  expect(older.headers.get('link')).toBe('</api/agents/ann/inbox?after=0>; rel="successor-version"');
  const feed = (await t.call('GET', '/api/agents/ann/feed.json')).body;
  expect(feed.feed_url).toBe('http://localhost/api/agents/ann/feed.json');
  expect(feed.items[0].url).toBe(`http://localhost/api/agents/ann/cards/${feed.items[0]._mesh.listing_id}`);
  const renamed = { key: bob.key, body: { handle: 'bobby' } };
  expect((await t.call('PATCH', '/api/agents/rename', renamed)).status).toBe(200);
  const at = async (path: string) => (await t.call('GET', path)).headers.get('content-location');
  expect(await at('/api/agents/public/bob')).toBe('/api/agents/public/bobby');
  expect(await at('/api/agents/public/bob/track-record')).toBe('/api/agents/public/bobby/track-record');
  expect(await at('/api/agents/bob/feed.json')).toBe('/api/agents/bobby/feed.json');
  expect(await at('/.well-known/agent.json?handle=bob')).toBe('/.well-known/agent.json?handle=bobby');
});
