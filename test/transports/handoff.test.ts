// Links by which agents send their people to a page: what each shows, that none signs anybody in, whose they are, and how a provisional
// agent is claimed by one. And the public page of an agent, with whatever it says of itself.
import { beforeAll, describe, expect, test } from 'bun:test';
import { patch } from '../../db/effects.ts';
import { agentById, handleById } from '../../db/queries/agent.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { newReader, type Reader, signInOn } from '../support/reader.ts';
import { codeFor, type TestAnswer } from '../support/testbed.ts';

const NAUGHTY = `<img src=x onerror=alert(1)>"'</main>\u202e{{7*7}}`;

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada' });
});

const pathIn = (url: string): string => new URL(url).pathname;
const link = async (purpose: string, asked: object = { key: ada.key, agent: 'ada' }): Promise<TestAnswer> =>
  t.call('POST', '/api/handoff/link', { ...asked, body: { purpose } });
const reader = async (email?: string): Promise<Reader> => {
  const made = newReader(t);
  if (email !== undefined) await signInOn(t, made, email);
  return made;
};
let installs = 0;
async function provisioned(): Promise<{ key: string; handle: string }> {
  const install_id = `handoff-${++installs}-`.padEnd(40, 'x');
  const { body } = await t.call('POST', '/api/auth/provision', { body: { install_id } });
  return { key: body.api_key, handle: body.handle };
}
const successor = (key: string) => t.call('POST', '/api/auth/provision/successor', { key, body: {} });

describe('a handoff link', () => {
  test.each([
    ['onboarding', 'Finish setting up your agent', '/app/onboarding?agent=ada'],
    ['verify', 'Prove who you are', '/app/proofs?agent=ada'],
    ['approve', 'Your agent asks for your decision', '/app/inbox?agent=ada'],
  ])('for %s shows what is asked, and goes on once its person has signed in', async (purpose, title, to) => {
    const made = await link(purpose);
    expect([made.status, made.body]).toEqual([
      200,
      {
        url: expect.stringMatching(/^http:\/\/localhost\/app\/handoff\/[\w.-]+$/),
        expires_at: new Date(t.clock.now() + 900_000).toISOString(),
      },
    ]);
    const path = pathIn(made.body.url);
    const stranger = await reader();
    const shown = await stranger.get(path);
    expect([shown.status, shown.text.includes(title), shown.text.includes('@ada')]).toEqual([200, true, true]);
    expect(shown.text).toContain(`href="/app/login?next=${encodeURIComponent(path)}"`);
    expect(shown.text).not.toContain('<form');
    expect((await stranger.get('/app/login')).text).not.toContain('You are signed in');
    const eve = await reader('eve@example.org');
    await eve.get(path);
    const refused = await eve.post(path, {});
    expect([refused.status, refused.text.includes('belongs to another account')]).toEqual([403, true]);
    const person = await reader(ada.email);
    await person.get(path);
    const went = await person.post(path, {});
    expect([went.status, went.location]).toEqual([303, to]);
    const again = await person.get(path);
    expect([again.status, again.text.includes('This link has ended')]).toEqual([410, true]);
    expect((await person.post(path, {})).status).toBe(410);
  });

  test('ends after fifteen minutes, and what never was one is 404', async () => {
    const path = pathIn((await link('approve')).body.url);
    const person = await reader(ada.email);
    await t.advance(899_999);
    expect((await person.get(path)).status).toBe(200);
    await t.advance(1);
    expect((await person.get(path)).status).toBe(410);
    for (const wrong of [`${path}0`, '/app/handoff/x', `/app/handoff/${'a'.repeat(43)}.${'0'.repeat(32)}`]) {
      expect([wrong, (await person.get(wrong)).status]).toEqual([wrong, 404]);
    }
    expect((await link('everything')).status).toBe(400);
  });

  test('is no sign-in link, and a sign-in link is none', async () => {
    const token =
      pathIn((await link('approve')).body.url)
        .split('/')
        .at(-1) ?? '';
    expect((await t.call('POST', '/api/auth/link/redeem', { body: { token } })).status).toBe(410);
    await t.call('POST', '/api/auth/session/link', { body: { email: ada.email } });
    await t.advance(0);
    const mailed = t.mails.at(-1)?.text.match(/#token=(\S+)$/m)?.[1] ?? '';
    expect((await (await reader()).get(`/app/handoff/${mailed}`)).status).toBe(410);
  });
});

describe('a verify link', () => {
  test('leads to the proofs, where a phone is proven without any script', async () => {
    const made = await t.call('POST', '/api/verify-links', { key: ada.key, body: { handle: 'ada' } });
    expect(made.body).toEqual({
      verify_link: expect.stringContaining('http://localhost/app/handoff/'),
      expires_at: new Date(t.clock.now() + 1_800_000).toISOString(),
    });
    expect((await t.call('POST', '/api/verify-links', { key: ada.key, body: { handle: 'eve' } })).status).toBe(404);
    const person = await reader(ada.email);
    await person.get(pathIn(made.body.verify_link));
    const went = await person.post(pathIn(made.body.verify_link), {});
    const list = await person.get(went.location ?? '');
    expect([list.status, list.text.includes('<label for="phone">')]).toEqual([200, true]);
    const odd = await person.post('/app/proofs', { agent: 'ada', phone: '"><b>', step: 'phone' });
    expect([odd.status, odd.text.includes('value="&quot;&gt;&lt;b&gt;"')]).toEqual([400, true]);
    const phone = '+15550177001';
    const sent = await person.post('/app/proofs', { agent: 'ada', phone: '+1 555 017 7001', step: 'phone' });
    expect(sent.text).toContain('Enter the code');
    expect(sent.text).toContain('“meshwork outbox +15550177001” prints it');
    expect(sent.text).not.toContain(codeFor(t, phone));
    const wrong = await person.post('/app/proofs', { agent: 'ada', phone, step: 'code', code: '12' });
    expect([wrong.status, wrong.text.includes('A code has six digits')]).toEqual([400, true]);
    const proven = await person.post('/app/proofs', { agent: 'ada', phone, step: 'code', code: codeFor(t, phone) });
    expect(proven.text).toContain('Proven');
    expect((await person.post('/app/proofs', { agent: 'concierge', phone, step: 'phone' })).status).not.toBe(200);
  });
});

describe('a claim by a link', () => {
  test('shows what the agent did, makes it its person’s, and brings its key once', async () => {
    const { key, handle } = await provisioned();
    expect((await link('approve', { key })).body.error).toBe('provisional_account');
    expect((await link('verify', { key })).body.error).toBe('provisional_account');
    expect((await t.call('POST', '/api/verify-links', { key, body: {} })).status).toBe(403);
    expect((await successor(key)).body.error).toBe('pending');
    await t.call('POST', '/tools/mesh_start_conversation', { key, body: { handle: 'ada', content: 'Hello.' } });
    const path = pathIn((await link('onboarding', { key })).body.url);
    const shown = await (await reader()).get(path);
    expect(shown.text).toContain('Is this your agent?');
    expect(shown.text).toContain(`@${handle}`);
    expect(shown.text).toContain('<dt>Conversations</dt><dd>1</dd>');
    const person = await reader('owner@example.org');
    await person.get(path);
    expect((await person.post(path, {}, { origin: 'https://evil.example' })).status).toBe(403);
    const claimed = await person.post(path, {});
    expect([claimed.status, claimed.text.includes('It is yours')]).toEqual([200, true]);
    expect((await person.post(path, {})).status).toBe(410);
    const got = await successor(key);
    expect([got.status, got.body.status]).toEqual([200, 'claimed']);
    expect((await t.call('GET', '/api/auth/key', { key: got.body.api_key })).body).toMatchObject({
      handle,
      kind: 'signup',
    });
    expect((await successor(key)).status).toBe(410);
    expect((await successor(got.body.api_key)).status).toBe(410);
    await t.advance(600_000);
    expect((await t.call('GET', '/api/auth/key', { key })).status).toBe(401);
    expect((await t.call('GET', '/api/auth/key', { key: got.body.api_key })).status).toBe(200);
  });

  test('of one agent by two people makes it one’s, and the key is not fetched later than ten minutes', async () => {
    const { key, handle } = await provisioned();
    const [one, two] = [
      pathIn((await link('onboarding', { key })).body.url),
      pathIn((await link('onboarding', { key })).body.url),
    ];
    const [first, second] = [await reader('first@example.org'), await reader('second@example.org')];
    await Promise.all([first.get(one), second.get(two)]);
    const both = await Promise.all([first.post(one, {}), second.post(two, {})]);
    expect(both.filter(({ text }) => text.includes('It is yours'))).toHaveLength(1);
    const keys = await Promise.all([successor(key), successor(key), successor(key)]);
    expect(keys.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
    expect(handle).toStartWith('agent_');
    const late = await provisioned();
    const path = pathIn((await link('onboarding', { key: late.key })).body.url);
    await first.get(path);
    await first.post(path, {});
    await t.advance(600_000);
    expect((await successor(late.key)).status).toBe(401);
  });
});

describe('the public page of an agent', () => {
  test('says what everybody may know, and takes whatever it says for text', async () => {
    const said = {
      display_name: NAUGHTY,
      headline: NAUGHTY,
      description: NAUGHTY,
      offers: [NAUGHTY],
      seeks: [NAUGHTY],
    };
    await newAgent(t, { handle: 'naughty', body: { display_name: 'x' } });
    const { store } = t.service.world;
    await store.turn({
      attempt: async (read) => {
        const row = await read(handleById, { id: 'naughty' });
        const agent = await read(agentById, { id: row?.agent_id ?? '' });
        return { reply: null, effects: agent ? [patch('agents', agent, said)] : [] };
      },
    });
    const shown = await (await reader()).get('/u/naughty');
    expect(shown.status).toBe(200);
    expect(shown.text).not.toContain('<img src=x');
    expect(shown.text.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)?.length).toBeGreaterThanOrEqual(5);
    expect(shown.text).toContain('<dt>Trust</dt>');
  });

  test('is not there for who is hidden or was never there, and an old name leads on', async () => {
    const { handle } = await provisioned();
    for (const name of [handle, 'nobody_at_all', '%00', '<b>']) {
      expect([name, (await (await reader()).get(`/u/${encodeURIComponent(name)}`)).status]).toEqual([name, 404]);
    }
    const old = await newAgent(t, { handle: 'old_name' });
    await t.call('PATCH', '/api/agents/rename', { key: old.key, agent: 'old_name', body: { handle: 'new_name' } });
    const led = await (await reader()).get('/u/old_name');
    expect([led.status, led.location]).toEqual([303, '/u/new_name']);
  });
});
