// Offers of links: held until the DNS shows whose site it is, published by the record alone, and measured over real TLS.

import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import type { SafeAnswer, SafeHttp, SafeRequest } from '../../src/outbound/safe-http/safe-http.ts';
import { newAgent, type TestAgent, verifyPhone } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const UNTHERE: SafeAnswer = { ok: false, reason: 'reset', message: 'The connection broke.', status: null, took_ms: 1 };

/** What each address answers, and how often it was asked. */
const sites = new Map<string, SafeAnswer>();
const asked = new Map<string, number>();
const http: SafeHttp = {
  request: async ({ url }: SafeRequest) => {
    asked.set(url, (asked.get(url) ?? 0) + 1);
    return sites.get(url) ?? UNTHERE;
  },
  check: async () => null,
  close: () => {},
};

function serve(domain: string, html: string): void {
  const body = new TextEncoder().encode(html);
  sites.set(`https://${domain}/`, {
    ok: true,
    status: 200,
    headers: { 'content-type': 'text/html' },
    body,
    took_ms: 1,
  });
}

const t = sharedService({}, 'memory', { http });

const cards = ({ handle }: TestAgent): string => `/api/agents/${handle}/cards`;

/** Creates an offer of links on a site. */
function offer(agent: TestAgent, site_domain: string, more: Record<string, unknown> = {}): Promise<TestAnswer> {
  const words = { headline: 'A guest post in our magazine', labels: ['guest-posts'], price_cents: 20_000 };
  const typed = { card_type: 'link_building', direction: 'offer', subcategory: 'links.guest_post' };
  return t.call('POST', cards(agent), {
    key: agent.key,
    body: { ...typed, ...words, fields: { site_domain }, ...more },
  });
}

const verify = (agent: TestAgent, id: string): Promise<TestAnswer> =>
  t.call('POST', `${cards(agent)}/${id}/verify`, { key: agent.key });

const read = async (agent: TestAgent, id: string): Promise<TestAnswer['body']> =>
  (await t.call('GET', `${cards(agent)}/${id}`, { key: agent.key })).body;

/** Publishes the record that a listing's report asks for. */
function publish(body: { gate_report: { check: string; how?: string }[] }): void {
  const how = body.gate_report.find(({ check }) => check === 'domain_verified')?.how ?? '';
  const [, name = '', value = ''] = /DNS record (\S+) TXT "([^"]+)"/.exec(how) ?? [];
  t.zone.setTxt(name, [value]);
}

describe('the gate', () => {
  test('an offer of links is held, of an unverified agent too, and its report says how to prove the site', async () => {
    const agent = await newAgent(t, { handle: 'holds_links' });
    const { status, body } = await offer(agent, 'held.example');
    expect([status, body.status, body.active, body.gate_status]).toEqual([
      201,
      'pending_verification',
      false,
      'pending',
    ]);
    expect(body.gate_report.map((each: { check: string; status: string }) => [each.check, each.status])).toEqual([
      ['domain_verified', 'pending'],
      ['agent_verified', 'pending'],
    ]);
    expect(body.gate_report[0].how).toMatch(/_meshwork\.held\.example TXT "meshwork-verify=[0-9a-f]{32}"/);
    const record = await t.call('POST', '/api/trust/domain/verify', {
      token: agent.token,
      body: { domain: 'held.example' },
    });
    expect(body.gate_report[0].how).toContain(record.body.record.value);
    const seen = await t.call('GET', cards(agent));
    expect(seen.body).toEqual([]);
    const other = await newAgent(t, { handle: 'looks_links' });
    expect((await t.call('GET', `${cards(agent)}/${body.id}`, { key: other.key })).status).toBe(404);
  });

  test('verify leaves it held while the record is missing or wrong, and says what it found', async () => {
    const agent = await newAgent(t, { handle: 'early_links' });
    const { body } = await offer(agent, 'early.example');
    const missing = await verify(agent, body.id);
    expect([missing.status, missing.body.status, missing.body.gate_status]).toEqual([
      200,
      'pending_verification',
      'pending',
    ]);
    expect(missing.body.gate_report[0].how).toContain('not there yet');
    t.zone.setTxt('_meshwork.early.example', ['meshwork-verify=guessed']);
    expect((await verify(agent, body.id)).body.gate_report[0].how).toContain('another value');
    expect((await verify(agent, body.id)).body.verified_attributes).toEqual({});
    expect(asked.get('https://early.example/')).toBeUndefined();
  });

  test('the record alone makes it live: it proves the domain, which verifies the agent', async () => {
    const agent = await newAgent(t, { handle: 'goes_live' });
    serve('live.example', '<title>Live &amp; well</title><a href="https://x.example/">x</a><a href="/about">us</a>');
    const created = (await offer(agent, 'live.example')).body;
    publish(created);
    const { status, body } = await verify(agent, created.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: created.id, status: 'live', gate_status: 'passed' });
    expect(body.gate_report).toEqual([
      { check: 'domain_verified', status: 'passed' },
      { check: 'agent_verified', status: 'passed' },
    ]);
    expect(body.verified_attributes).toEqual({
      https: true,
      http_status: 200,
      robots_indexable: true,
      outbound_links: 1,
      page_title: 'Live & well',
      measured_at: new Date(t.clock.now()).toISOString(),
    });
    const [seen] = (await t.call('GET', cards(agent))).body;
    expect([seen.id, seen.active, seen.verified_attributes]).toEqual([created.id, true, body.verified_attributes]);
    const own = await t.call('GET', '/api/agents/goes_live', { key: agent.key });
    expect([own.body.verified, own.body.trust.credentials]).toEqual([true, ['domain', 'email']]);
  });

  test('a proof by the trust route makes every held offer of the site live, and a later one goes live at once', async () => {
    const agent = await newAgent(t, { handle: 'proves_first' });
    const first = (await offer(agent, 'both.example')).body;
    const elsewhere = (await offer(agent, 'other-site.example')).body;
    publish(first);
    const body = { domain: 'both.example' };
    expect((await t.call('POST', '/api/trust/domain/verify', { token: agent.token, body })).body.verified).toBe(true);
    expect((await read(agent, first.id)).status).toBe('live');
    expect((await read(agent, elsewhere.id)).status).toBe('pending_verification');
    await t.call('DELETE', `${cards(agent)}/${elsewhere.id}`, { key: agent.key });
    expect((await offer(agent, 'https://both.example/blog')).body.status).toBe('live');
  });

  test('a verified agent proves each site; a phone is no proof of one', async () => {
    const agent = await newAgent(t, { handle: 'phone_links' });
    await verifyPhone(t, agent.token, 'phone_links');
    const { id, status } = (await offer(agent, 'phoned.example')).body;
    expect(status).toBe('pending_verification');
    const { body } = await verify(agent, id);
    expect([body.status, body.gate_report[0].status, body.gate_report[1].status]).toEqual([
      'pending_verification',
      'pending',
      'passed',
    ]);
  });

  test('a site that backs another agent is told as such, and a public suffix is nobody’s', async () => {
    const owner = await newAgent(t, { handle: 'site_owner' });
    const first = (await offer(owner, 'taken.example')).body;
    publish(first);
    expect((await verify(owner, first.id)).body.status).toBe('live');
    const other = await newAgent(t, { handle: 'site_taker' });
    const second = (await offer(other, 'taken.example')).body;
    publish(second);
    const { status, body } = await verify(other, second.id);
    expect([status, body.status]).toEqual([200, 'pending_verification']);
    expect(body.gate_report[0].how).toContain('backs another agent');
    const open = (await offer(other, 'github.io')).body;
    expect([open.gate_report[0].status, open.gate_status]).toEqual(['failed', 'failed']);
    expect(open.gate_report[0].how).toContain('of your own');
  });

  test('verify is its owner’s alone', async () => {
    const owner = await newAgent(t, { handle: 'verify_owner' });
    const { id } = (await offer(owner, 'private.example')).body;
    const other = await newAgent(t, { handle: 'verify_other' });
    expect((await t.call('POST', `${cards(other)}/${id}/verify`, { key: other.key })).status).toBe(404);
    expect((await verify(owner, Bun.randomUUIDv7())).status).toBe(404);
  });

  test('an offer whose domain is lost is held thirty days after the record went, and a new record brings it back', async () => {
    const agent = await newAgent(t, { handle: 'loses_site' });
    const { id, ...created } = (await offer(agent, 'lost.example')).body;
    publish(created);
    expect((await verify(agent, id)).body.status).toBe('live');
    t.zone.setTxt('_meshwork.lost.example', []);
    await t.advance(2 * DAY_MS);
    const failing = await read(agent, id);
    expect([failing.status, failing.gate_status, failing.gate_report[0].status]).toEqual(['live', 'failed', 'failed']);
    expect(failing.gate_report[0].how).toContain('was removed');
    await t.advance(30 * DAY_MS);
    const held = await read(agent, id);
    expect([held.status, held.gate_report[0].status]).toEqual(['pending_verification', 'pending']);
    expect((await t.call('GET', cards(agent))).body).toEqual([]);
    publish(held);
    expect((await verify(agent, id)).body.status).toBe('live');
  });
});

describe('the measurement', () => {
  /** A live offer of a proven site. */
  async function live(handle: string, domain: string): Promise<{ agent: TestAgent; id: string }> {
    const agent = await newAgent(t, { handle });
    const created = (await offer(agent, domain)).body;
    publish(created);
    expect((await verify(agent, created.id)).body.status).toBe('live');
    return { agent, id: created.id };
  }

  test('a site that gives no answer is measured once it does, and keeps what was measured when it stops', async () => {
    const { agent, id } = await live('late_site', 'late.example');
    expect((await read(agent, id)).verified_attributes).toEqual({});
    await t.advance(DAY_MS);
    expect((await read(agent, id)).verified_attributes).toEqual({});
    serve('late.example', '<title>Late</title>');
    await t.advance(DAY_MS);
    const measured = (await read(agent, id)).verified_attributes;
    expect(measured).toMatchObject({ http_status: 200, page_title: 'Late' });
    sites.delete('https://late.example/');
    await t.advance(8 * DAY_MS);
    expect((await read(agent, id)).verified_attributes).toEqual(measured);
  });

  test('a live site is measured each week, a paused one not at all', async () => {
    serve('weekly.example', '<title>One</title>');
    const { agent, id } = await live('weekly_site', 'weekly.example');
    serve('weekly.example', '<title>Two</title>');
    await t.advance(6 * DAY_MS);
    expect((await read(agent, id)).verified_attributes.page_title).toBe('One');
    await t.advance(DAY_MS);
    expect((await read(agent, id)).verified_attributes.page_title).toBe('Two');
    await t.call('PATCH', `${cards(agent)}/${id}`, { key: agent.key, body: { active: false } });
    const before = asked.get('https://weekly.example/');
    await t.advance(21 * DAY_MS);
    expect(asked.get('https://weekly.example/')).toBe(before ?? 0);
  });

  test('verify measures anew after ten minutes, not before', async () => {
    serve('again.example', '<title>One</title>');
    const { agent, id } = await live('again_site', 'again.example');
    serve('again.example', '<title>Two</title>');
    expect((await verify(agent, id)).body.verified_attributes.page_title).toBe('One');
    await t.advance(600_000);
    expect((await verify(agent, id)).body.verified_attributes.page_title).toBe('Two');
  });

  test('a listing that names another site loses what was measured of the first', async () => {
    serve('first.example', '<title>First</title>');
    const { agent, id } = await live('moves_site', 'first.example');
    const body = { fields: { site_domain: 'second-site.example' } };
    const moved = await t.call('PATCH', `${cards(agent)}/${id}`, { key: agent.key, body });
    expect([moved.body.status, moved.body.verified_attributes]).toEqual(['pending_verification', {}]);
    publish(moved.body);
    serve('second-site.example', '<title>Second</title>');
    expect((await verify(agent, id)).body.verified_attributes.page_title).toBe('Second');
  });

  test('a title that holds private data is not shown', async () => {
    serve('private-title.example', '<title>Call us: +49 30 901820 or ada@private.example</title>');
    const { agent, id } = await live('private_title', 'private-title.example');
    const { verified_attributes } = await read(agent, id);
    expect([verified_attributes.http_status, verified_attributes.page_title]).toEqual([200, null]);
  });

  test('an edit of the words asks for no measurement and keeps the old one', async () => {
    serve('words.example', '<title>Words</title>');
    const { agent, id } = await live('edits_words', 'words.example');
    const before = asked.get('https://words.example/') ?? 0;
    const body = { headline: 'A better guest post in our magazine' };
    const edited = await t.call('PATCH', `${cards(agent)}/${id}`, { key: agent.key, body });
    expect(edited.body.verified_attributes.page_title).toBe('Words');
    await t.advance(DAY_MS);
    expect(asked.get('https://words.example/')).toBe(before);
  });
});
