// The domain proof against a real DNS server on loopback: what proves a domain, what does not, and whom it then backs.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';

let dns: DnsServer;
let t: TestService;
beforeAll(async () => {
  dns = await startDnsServer({});
  t = await openTestService({}, 'memory', { dns_servers: [dns.address] });
});
afterAll(async () => {
  await t.close();
  dns.close();
});

const verify = ({ token, handle }: TestAgent, domain: unknown): Promise<TestAnswer> =>
  t.call('POST', '/api/trust/domain/verify', { token, agent: handle, body: { domain } });

/** Asks for the record of a domain. */
async function asked(agent: TestAgent, domain: string): Promise<{ name: string; type: string; value: string }> {
  const { status, body } = await verify(agent, domain);
  expect([status, body.verified]).toEqual([200, false]);
  return body.record;
}

test('the first call names the record, and once it stands the domain is proven and the agent verified', async () => {
  const agent = await newAgent(t, { handle: 'proves_domain' });
  const before = await t.call('GET', '/api/agents/proves_domain', { key: agent.key });
  expect(before.body.verified).toBe(false);
  const first = await verify(agent, 'Shop.Example.');
  expect(first.body).toMatchObject({ verified: false, domain: 'shop.example' });
  expect(first.body.record).toEqual({
    name: '_meshwork.shop.example',
    type: 'TXT',
    value: expect.stringMatching(/^meshwork-verify=[0-9a-f]{32}$/),
  });
  expect((await verify(agent, 'https://shop.example/about?x=1')).body.record).toEqual(first.body.record);
  dns.set('_meshwork.shop.example', { txt: [[first.body.record.value]] });
  const { status, body } = await verify(agent, 'shop.example');
  expect(status).toBe(200);
  const trust = { score: before.body.trust.score + 8, credentials: ['domain', 'email'] };
  expect(body).toEqual({ verified: true, domain: 'shop.example', handle: 'proves_domain', trust });
  expect((await t.call('GET', '/api/agents/proves_domain', { key: agent.key })).body.verified).toBe(true);
});

test('a record stands in several strings, among others, and at the end of a CNAME', async () => {
  const agent = await newAgent(t, { handle: 'odd_records' });
  const parts = await asked(agent, 'parts.example');
  const { value } = parts;
  dns.set(parts.name, { txt: [[value.slice(0, 20), value.slice(20)]] });
  const among = await asked(agent, 'among.example');
  dns.set(among.name, { txt: [['v=spf1 -all'], ['meshwork-verify=another'], [` ${among.value} `]] });
  const alias = await asked(agent, 'alias.example');
  dns.set(alias.name, { cname: 'elsewhere.example', txt: [[alias.value]] });
  for (const domain of ['parts.example', 'among.example', 'alias.example']) {
    expect((await verify(agent, domain)).body).toMatchObject({ verified: true, domain });
  }
});

test('a wrong record, an empty one and none prove nothing, each with a note', async () => {
  const agent = await newAgent(t, { handle: 'wrong_records' });
  const other = await newAgent(t, { handle: 'wrong_other' });
  const { name, value } = await asked(agent, 'wrong.example');
  const foreign = await asked(other, 'wrong.example');
  expect(foreign.value).not.toBe(value);
  const notes: string[] = [];
  for (const txt of [
    [[foreign.value]],
    [[value.slice(0, -1)]],
    [[`${value}0`], ['meshwork-verify=', 'x', value.slice(16)]],
    [[value.toUpperCase()]],
    [['']],
    [],
  ]) {
    dns.set(name, { txt });
    const { body } = await verify(agent, 'wrong.example');
    expect([body.verified, body.record]).toEqual([false, { name, type: 'TXT', value }]);
    notes.push(body.note);
  }
  expect(notes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => expect.stringContaining('another value')));
  expect(notes[5]).toContain('not there yet');
  dns.set('wrong.example', { txt: [[value]] });
  dns.set(name, undefined);
  expect((await verify(agent, 'wrong.example')).body.verified).toBe(false);
  expect((await t.call('GET', '/api/agents/wrong_records', { key: agent.key })).body.verified).toBe(false);
});

/** A silent DNS costs three seconds, and a busy machine takes its time; one that is asked as usual costs more than twenty. */
const SILENCE_MS = 15_000;

test('a DNS that fails or is silent is an answer that says so, soon', async () => {
  const agent = await newAgent(t, { handle: 'dns_trouble' });
  const { name } = await asked(agent, 'trouble.example');
  for (const trouble of ['servfail', 'silence'] as const) {
    dns.set(name, { trouble });
    const started_ms = performance.now();
    const { status, body } = await verify(agent, 'trouble.example');
    expect([status, body.verified, body.note]).toEqual([200, false, expect.stringContaining('try again')]);
    expect(performance.now() - started_ms).toBeLessThan(SILENCE_MS);
  }
});

test('a record that was just published counts at once: no answer of the DNS is remembered', async () => {
  const agent = await newAgent(t, { handle: 'no_cache' });
  const { name, value } = await asked(agent, 'fresh.example');
  dns.set(name, { txt: [['something else']] });
  expect((await verify(agent, 'fresh.example')).body.verified).toBe(false);
  dns.set(name, { txt: [[value]] });
  expect((await verify(agent, 'fresh.example')).body.verified).toBe(true);
});

test('a domain backs one agent in the whole network, also when two prove it at once', async () => {
  const agents = [await newAgent(t, { handle: 'claims_a' }), await newAgent(t, { handle: 'claims_b' })];
  const values: string[][] = [];
  for (const agent of agents) values.push([(await asked(agent, 'contested.example')).value]);
  dns.set('_meshwork.contested.example', { txt: values });
  const answers = await Promise.all(agents.map((agent) => verify(agent, 'contested.example')));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.error).toBe('credential_in_use');
  const winner = agents[answers.findIndex(({ status }) => status === 200)];
  if (!winner) throw new Error('nobody got it');
  expect((await verify(winner, 'contested.example')).body.verified).toBe(true);
  const verified = await Promise.all(
    agents.map(async ({ handle, key }) => (await t.call('GET', `/api/agents/${handle}`, { key })).body.verified),
  );
  expect(verified).toEqual(agents.map((agent) => agent === winner));
});

test('an agent proves several domains; they count once', async () => {
  const agent = await newAgent(t, { handle: 'many_domains' });
  const scores: number[] = [];
  for (const domain of ['one.example', 'two.example']) {
    const { name, value } = await asked(agent, domain);
    dns.set(name, { txt: [[value]] });
    scores.push((await verify(agent, domain)).body.trust.score);
  }
  expect(scores[1]).toBe(scores[0] ?? 0);
  const { body } = await t.call('GET', '/api/trust/signals', { token: agent.token });
  const domains = body.credentials.filter(({ kind }: { kind: string }) => kind === 'domain');
  expect(domains.map(({ status }: { status: string }) => status)).toEqual(['active', 'active']);
});

test('what belongs to nobody, or to no public name, is refused before the DNS is asked', async () => {
  const agent = await newAgent(t, { handle: 'no_domains' });
  const refused = [
    '',
    ' ',
    'com',
    'co.uk',
    'github.io',
    'localhost',
    'printer.local',
    '127.0.0.1',
    '[::1]',
    '0x7f000001',
    'a..example',
    '-a.example',
    'user@shop.example',
    'shop.example:444',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    7,
    null,
  ];
  for (const domain of refused) {
    const { status, body } = await verify(agent, domain);
    expect([domain, status, body.error]).toEqual([domain, 400, 'invalid_request']);
    expect(body.fields[0].path).toBe('domain');
  }
  expect(dns.asked('_meshwork.co.uk', 'TXT')).toBe(0);
});

test('a name under a private suffix is its user’s, and a name of another script is kept in punycode', async () => {
  const agent = await newAgent(t, { handle: 'good_domains' });
  expect((await asked(agent, 'somebody.github.io')).name).toBe('_meshwork.somebody.github.io');
  expect((await asked(agent, 'BÜCHER.example')).name).toBe('_meshwork.xn--bcher-kva.example');
  expect((await asked(agent, 'bücher．example')).name).toBe('_meshwork.xn--bcher-kva.example');
});

test('only a session reaches it', async () => {
  const { key } = await newAgent(t, { handle: 'key_domain' });
  const body = { domain: 'keyed.example' };
  const answer = await t.call('POST', '/api/trust/domain/verify', { key, body });
  expect([answer.status, answer.body.error]).toEqual([403, 'session_required']);
  expect((await t.call('POST', '/api/trust/domain/verify', { body })).status).toBe(401);
});
