// The daily look at a proven domain: a record that stands costs nothing, one that is gone lets the claim fade over thirty
// days, and a DNS in trouble is given three days.

import { expect, test } from 'bun:test';
import { eventsAfter } from '../../db/queries/inbox.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent, verifyPhone } from '../support/agents.ts';
import { eventsOf, LOGO_OFFER, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { statusTold } from '../support/proofs.ts';

const t = sharedService();

const nameOf = (domain: string): string => `_meshwork.${domain}`;

/** Publishes the record that an agent is asked for and proves the domain; answers the record's value. */
async function prove({ handle, email }: TestAgent, domain: string): Promise<string> {
  const caller = { token: await signIn(t, email), agent: handle, body: { domain } };
  const { record } = (await t.call('POST', '/api/trust/domain/verify', caller)).body;
  if (record) t.zone.setTxt(nameOf(domain), [record.value]);
  const { status, body } = await t.call('POST', '/api/trust/domain/verify', caller);
  expect([status, body.verified]).toEqual([200, true]);
  return record?.value ?? '';
}

/** Where an agent's proof stands; its request also shows that it is still there. */
async function standing(agent: TestAgent): Promise<Record<string, unknown>> {
  const { handle, key, email } = agent;
  const { body } = await t.call('GET', `/api/agents/${handle}`, { key });
  const caller = { token: await signIn(t, email), agent: handle };
  const signals = (await t.call('GET', '/api/trust/signals', caller)).body;
  const domain = signals.credentials.find(({ kind }: { kind: string }) => kind === 'domain');
  const points = signals.breakdown.find(({ signal }: { signal: string }) => signal === 'credentials').points;
  const status = await statusTold(t, agent, 'domain');
  return { verified: body.verified, status, points, ends: domain?.decays_to_zero_at ?? null };
}

test('a record that stands is looked at every day and stays worth eight points', async () => {
  const agent = await newAgent(t, { handle: 'stands' });
  await prove(agent, 'stands.example');
  for (let day = 0; day < 3; day++) {
    await t.advance(DAY_MS);
    const { body } = await t.call('GET', '/api/trust/signals', { token: await signIn(t, agent.email) });
    const { checked_at } = body.credentials.find(({ kind }: { kind: string }) => kind === 'domain');
    expect(t.clock.now() - Date.parse(checked_at)).toBeLessThan(DAY_MS);
    expect(await standing(agent)).toEqual({ verified: true, status: 'active', points: 10, ends: null });
  }
});

test('a record that is gone lets the claim fade over thirty days, then the gate closes and the domain is free', async () => {
  const agent = await newAgent(t, { handle: 'fades' });
  await prove(agent, 'fades.example');
  t.zone.setTxt(nameOf('fades.example'), []);
  await t.advance(DAY_MS);
  const ends = new Date(t.clock.now() + 30 * DAY_MS).toISOString();
  expect(await standing(agent)).toEqual({ verified: true, status: 'failing', points: 10, ends });
  await t.advance(15 * DAY_MS);
  expect(await standing(agent)).toEqual({ verified: true, status: 'failing', points: 6, ends });
  const told = await eventsOf(t, agent, 'trust.updated');
  const scores = told.map(({ data }: { data: { score: number } }) => data.score);
  // Oldest first: since the proof it only went down.
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  await t.advance(15 * DAY_MS);
  expect(await standing(agent)).toEqual({ verified: false, status: null, points: 2, ends: null });
  const next = await newAgent(t, { handle: 'takes_over' });
  await prove(next, 'fades.example');
  expect(await standing(next)).toMatchObject({ verified: true, status: 'active' });
});

test('with the last proof all listings go off the market, and the next proof brings them back', async () => {
  const agent = await newAgent(t, { handle: 'unproven' });
  await prove(agent, 'unproven.example');
  const id = await publish(t, agent, LOGO_OFFER);
  const other = await newAgent(t, { handle: 'looks_on' });
  const shown = async () => (await t.call('GET', `/api/agents/unproven/cards/${id}`, { key: other.key })).status;
  expect(await shown()).toBe(200);
  t.zone.setTxt(nameOf('unproven.example'), []);
  await t.advance(32 * DAY_MS);
  const own = await t.call('GET', `/api/agents/unproven/cards/${id}`, { key: agent.key });
  expect([own.body.status, await shown()]).toEqual(['pending_verification', 404]);
  await prove(agent, 'proven-again.example');
  expect(await shown()).toBe(200);
});

test('a record that comes back mends the claim at the next look, and a call mends it at once', async () => {
  const agent = await newAgent(t, { handle: 'mends' });
  const value = await prove(agent, 'mends.example');
  for (const mend of ['look', 'call']) {
    t.zone.setTxt(nameOf('mends.example'), []);
    await t.advance(10 * DAY_MS);
    expect(await standing(agent)).toMatchObject({ status: 'failing', points: 8 });
    t.zone.setTxt(nameOf('mends.example'), [value]);
    if (mend === 'look') await t.advance(DAY_MS);
    else await prove(agent, 'mends.example');
    expect(await standing(agent)).toEqual({ verified: true, status: 'active', points: 10, ends: null });
  }
});

test('a DNS that gives no answer proves nothing for three days; from then on the claim fails', async () => {
  const agent = await newAgent(t, { handle: 'dark_dns' });
  await prove(agent, 'dark.example');
  t.zone.fail('ESERVFAIL');
  await t.advance(2 * DAY_MS);
  expect(await standing(agent)).toMatchObject({ status: 'active', points: 10 });
  await t.advance(DAY_MS);
  expect(await standing(agent)).toMatchObject({ status: 'failing' });
  await t.advance(30 * DAY_MS);
  expect(await standing(agent)).toMatchObject({ verified: false, status: null });
  t.zone.fail(null);
});

test('another proof keeps the gate open when the domain is lost', async () => {
  const agent = await newAgent(t, { handle: 'two_proofs' });
  await prove(agent, 'second.example');
  await verifyPhone(t, await signIn(t, agent.email), 'two_proofs');
  t.zone.setTxt(nameOf('second.example'), []);
  await t.advance(32 * DAY_MS);
  expect(await standing(agent)).toEqual({ verified: true, status: null, points: 8, ends: null });
});

test('an agent without a proof is told so too, for the badge of its address', async () => {
  const { id, handle } = await newAgent(t, { handle: 'only_mail' });
  await t.advance(15 * DAY_MS);
  const told = await t.service.world.store.read(eventsAfter, { agent_id: id, after: 0, limit: 50 });
  expect(told.map(({ kind, data }) => [kind, data['credentials']])).toEqual([['trust.updated', []]]);
  expect((await t.call('GET', `/api/agents/public/${handle}`)).body.trust.credentials).toEqual([]);
});

test('fourteen silent days mark the badges failing and tell so once, and the next look tells that they hold again', async () => {
  const agent = await newAgent(t, { handle: 'falls_silent' });
  await prove(agent, 'silent.example');
  const seen = await newAgent(t, { handle: 'sees_silence' });
  const badges = async () =>
    (await t.call('GET', '/api/agents/falls_silent', { key: seen.key })).body.trust.credentials;
  const told = async () =>
    (await t.service.world.store.read(eventsAfter, { agent_id: agent.id, after: 0, limit: 50 }))
      .filter(({ kind }) => kind === 'trust.updated')
      .map(({ data }) => data['credentials']);
  const proven = await told();
  await t.advance(14 * DAY_MS - 1);
  expect([await badges(), await told()]).toEqual([['domain', 'email'], proven]);
  await t.advance(1);
  expect([await badges(), await told()]).toEqual([[], [...proven, []]]);
  await t.advance(14 * DAY_MS);
  expect(await told()).toEqual([...proven, []]);
  await t.call('GET', '/api/agents/connects', { key: agent.key });
  await t.advance(14 * DAY_MS - 1);
  expect(await told()).toEqual([...proven, []]);
  await t.call('GET', '/api/agents/connects', { key: agent.key });
  await t.advance(1);
  expect([await badges(), await told()]).toEqual([
    ['domain', 'email'],
    [...proven, [], ['domain', 'email']],
  ]);
});
