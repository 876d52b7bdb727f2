// Deliverables: who may say what, links as evidence over real TLS, the terms that an escrow was opened with, and refunds.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { patch } from '../../db/effects.ts';
import { escrowById } from '../../db/queries/escrow.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import type { TestAgent } from '../support/agents.ts';
import { AUTHORITY, RECEIVERS } from '../support/authority.ts';
import { type Buyer, journals, newBuyer, newSeller, open, said, walletOf } from '../support/escrow.ts';
import { eventsOf } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';
import { balanceOf } from '../support/wallet.ts';

const HOST = 'receivers.example';
const TARGET = 'https://shop.example/ropes';

/** What the server shows, by path. */
const PAGES = new Map<string, string>();
const server = https.createServer({ ...RECEIVERS }, (request, response) => {
  const body = PAGES.get(request.url ?? '');
  if (body === undefined) response.writeHead(301, { location: '/there' }).end();
  else response.writeHead(200, { 'content-type': 'text/html' }).end(body);
});

let t: TestService;
let buyer: Buyer;
let seller: TestAgent;
let page: (path: string) => string;

beforeAll(async () => {
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up));
  const { port } = server.address() as AddressInfo;
  page = (path) => `https://${HOST}:${port}${path}`;
  t = await openTestService({}, 'memory', { outside: { allow: [{ host: HOST, port }], ca: AUTHORITY } });
  t.zone.setAddresses(HOST, ['127.0.0.1']);
  buyer = await newBuyer(t);
  seller = await newSeller(t);
});
afterAll(async () => {
  server.close();
  await t.close();
});

const on = (id: string, verb: string, key: string, body: object = {}): Promise<TestAnswer> =>
  t.call('POST', `/api/wallet/escrow/${id}/${verb}`, { key, body });
const deliver = (id: string, body: object, key = seller.key): Promise<TestAnswer> => on(id, 'deliverable', key, body);
const verify = (id: string, key = seller.key, body = {}): Promise<TestAnswer> =>
  on(id, 'verify-deliverable', key, body);
const read = async (id: string) => (await t.call('GET', `/api/wallet/escrow/${id}`, { key: buyer.pays })).body;
/** As a dispute leaves the escrow, or its withdrawal. */
const setStatus = (id: string, status: 'active' | 'disputed') =>
  t.service.world.store.turn({
    attempt: async (reads) => {
      const row = await reads(escrowById, { id });
      return { reply: null, effects: row ? [patch('escrows', row, { status })] : [] };
    },
  });

describe('a deliverable', () => {
  test('is told to the buyer, and releases nothing', async () => {
    const { id } = await open(t, buyer, seller, [500, 700]);
    const before = await journals(t);
    const answer = await deliver(id, { url: 'https://files.example/1', description: ' Draft ' });
    expect(answer.status).toBe(200);
    expect(answer.body.milestones[0].deliverable).toEqual({
      n: 1,
      handle: seller.handle,
      url: 'https://files.example/1',
      description: 'Draft',
      page_url: null,
      links: [],
      submitted_at: new Date(t.clock.now()).toISOString(),
      seen_at: null,
    });
    expect([answer.body.milestones[1].deliverable, answer.body.milestones[0].status]).toEqual([null, 'held']);
    const told = (await eventsOf(t, buyer, 'escrow.delivered')).at(-1);
    expect(told.data).toMatchObject({ escrow_id: id, milestone_index: 0, auto_release_at: null });
    const args = { escrow_id: id, milestone_index: 1, url: 'https://files.example/2' };
    const { result } = (
      await rpc(t, 'tools/call', { name: 'mesh_submit_deliverable', arguments: args }, { key: seller.key })
    ).body;
    expect(result.isError ?? false).toBe(false);
    const inside = { ...args, url: 'https://localhost/2' };
    const refused = await rpc(
      t,
      'tools/call',
      { name: 'mesh_submit_deliverable', arguments: inside },
      { key: seller.key },
    );
    expect(refused.body.result).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.body.result.content)).toContain('url: Give a public host');
    expect((await read(id)).milestones[1].deliverable.url).toBe('https://files.example/2');
    expect(await journals(t)).toBe(before);
  });

  test('is the seller’s to give, what it is judged by the buyer’s, and nobody else’s', async () => {
    const { id } = await open(t, buyer, seller, [500]);
    const stranger = await newBuyer(t);
    const url = 'https://files.example/1';
    const link = { type: 'backlink', target_url: TARGET, milestone_index: 0 };
    expect(said(await deliver(id, { url }, buyer.pays))).toBe('403 wrong_role');
    expect(said(await deliver(id, { ...link, url }, buyer.pays))).toBe('403 wrong_role');
    expect(said(await deliver(id, link))).toBe('403 wrong_role');
    expect(said(await deliver(id, { url }, stranger.pays))).toBe('403 not_a_party');
    expect(said(await deliver(Bun.randomUUIDv7(), { url }))).toBe('404 not_found');
    expect(said(await deliver(id, { url, milestone_index: 1 }))).toBe('400 no_such_milestone');
    for (const [body, path, key] of [
      [{}, 'url', seller.key],
      [{ url: 'files' }, 'url', seller.key],
      [{ url: 'javascript:alert(1)' }, 'url', seller.key],
      [{ url: 'https://me:pw@files.example' }, 'url', seller.key],
      [{ url: 'http://files.example/1' }, 'url', seller.key],
      [{ url: 'https://10.0.0.7/1' }, 'url', seller.key],
      [{ url: 'https://files.internal/1' }, 'url', seller.key],
      [{ page_url: 'https://files.example' }, 'page_url', seller.key],
      [{ page_url: 'http://169.254.169.254/latest' }, 'page_url', seller.key],
      [{ type: 'backlink', milestone_index: 0 }, 'target_url', buyer.pays],
      [{ type: 'backlink', target_url: TARGET }, 'milestone_index', buyer.pays],
      [{ ...link, target_url: 'ftp://x.example' }, 'target_url', buyer.pays],
      [{ ...link, type: 'guest_post' }, 'type', buyer.pays],
    ] as const) {
      const answer = await deliver(id, body, key);
      expect([said(answer), answer.body.fields[0].path]).toEqual(['400 invalid_request', path]);
    }
    await deliver(id, { url });
    expect(said(await deliver(id, link, buyer.pays))).toBe('409 conflict');
    await on(id, 'release', buyer.pays, { milestone_index: 0 });
    expect(said(await deliver(id, { url }))).toBe('400 already_released');
  });
});

describe('a link that was asked for', () => {
  async function asked(path: string, require_dofollow = true): Promise<string> {
    const { id } = await open(t, buyer, seller, [1_000, 500]);
    const link = { type: 'backlink', target_url: TARGET, require_dofollow, milestone_index: 0 };
    expect(said(await deliver(id, link, buyer.pays))).toBe('200');
    expect(said(await deliver(id, { page_url: page(path) }))).toBe('200');
    return id;
  }

  test('is paid for once it is there, and both are told while it is not', async () => {
    PAGES.set('/post', '<p>soon</p>');
    const id = await asked('/post');
    const before = await walletOf(t, seller);
    const missing = await verify(id);
    expect(missing.body).toMatchObject({ verified: false, reason: 'The page has no link to the target.' });
    for (const side of [buyer, seller]) {
      const told = (await eventsOf(t, side, 'escrow.verification_failed')).at(-1);
      const { reason } = missing.body;
      expect(told.data).toEqual({ escrow_id: id, milestone_index: 0, reason, code: 'no_link', status: null });
    }
    const soon = await verify(id);
    expect([said(soon), soon.body.retry_after_seconds]).toEqual(['429 rate_limited', 60]);
    await t.advance(60_000);
    PAGES.set('/post', `<a href="${TARGET}" rel=nofollow>`);
    expect((await verify(id, buyer.pays)).body.verified).toBe(false);
    await t.advance(60_000);
    PAGES.set('/post', `<a href="${TARGET}">`);
    const there = await verify(id);
    expect(there.body).toMatchObject({
      verified: true,
      reason: null,
      escrow: { status: 'active', released_cents: 1_000 },
    });
    expect(await walletOf(t, seller)).toBe(before + 950);
    const released = (await eventsOf(t, seller, 'escrow.released')).at(-1);
    expect(released.data).toMatchObject({ escrow_id: id, milestone_index: 0, by: 'evidence' });
    expect(said(await verify(id))).toBe('400 already_released');
  });

  test('may be marked where the buyer does not mind, and is on the page itself, not where that leads', async () => {
    PAGES.set('/marked', `<a href="${TARGET}" rel="ugc">`);
    const id = await asked('/marked', false);
    expect((await verify(id)).body.verified).toBe(true);
    const other = await asked('/moved');
    expect((await verify(other)).body).toMatchObject({ verified: false, reason: expect.stringContaining('(301)') });
    const absent = await open(t, buyer, seller, [100]);
    await deliver(absent.id, { type: 'backlink', target_url: TARGET, milestone_index: 0 }, buyer.pays);
    await deliver(absent.id, { page_url: 'https://nowhere.example/post' });
    expect((await verify(absent.id)).body.reason).toContain('could not be read');
  });

  test('is looked for by its sides alone, each with its right, where there is one', async () => {
    PAGES.set('/right', `<a href="${TARGET}">`);
    const id = await asked('/right');
    const stranger = await newBuyer(t);
    expect(said(await verify(id, stranger.pays))).toBe('403 not_a_party');
    expect(said(await verify(id, buyer.key))).toBe('403 insufficient_scope');
    expect(said(await verify(id, seller.key, { milestone_index: 1 }))).toBe('400 no_such_milestone');
    await setStatus(id, 'disputed');
    expect(said(await verify(id))).toBe('400 escrow_not_active');
    await setStatus(id, 'active');
    const answers = await Promise.all(Array.from({ length: 5 }, () => verify(id)));
    expect(answers.filter(({ body }) => body.verified === true)).toHaveLength(1);
    expect(await balanceOf(t, `escrow:${id}`)).toBe(500);
  });
});

describe('terms', () => {
  test('release what was delivered so many days ago; a new deliverable restarts them, a dispute stops them', async () => {
    const { id } = await open(t, buyer, seller, [400, 600], { auto_release_after_days: 3 });
    await deliver(id, { url: 'https://files.example/a' });
    const due = new Date(t.clock.now() + 3 * DAY_MS).toISOString();
    expect((await read(id)).milestones.map((each: { auto_release_at: unknown }) => each.auto_release_at)).toEqual([
      due,
      null,
    ]);
    await t.advance(2 * DAY_MS);
    await deliver(id, { url: 'https://files.example/b', milestone_index: 0 });
    await t.advance(2 * DAY_MS);
    expect((await read(id)).released_cents).toBe(0);
    await setStatus(id, 'disputed');
    await t.advance(3 * DAY_MS);
    expect((await read(id)).released_cents).toBe(0);
    await setStatus(id, 'active');
    await t.advance(DAY_MS);
    expect(await read(id)).toMatchObject({ released_cents: 400, status: 'active' });
    await t.advance(30 * DAY_MS);
    expect((await read(id)).released_cents).toBe(400);
    await on(id, 'refund', seller.key);
  });

  test('give back what was not delivered by the day, and leave the rest to be released', async () => {
    const expires_at = new Date(t.clock.now() + 2 * DAY_MS).toISOString();
    const before = await walletOf(t, buyer);
    const { id, deal_id } = await open(t, buyer, seller, [400, 600], { expires_at });
    await deliver(id, { url: 'https://files.example/a', milestone_index: 1 });
    await t.advance(2 * DAY_MS);
    expect(await read(id)).toMatchObject({ status: 'active', refunded_cents: 400, unreleased_cents: 600 });
    const told = (await eventsOf(t, buyer, 'escrow.refunded')).at(-1);
    expect(told.data).toEqual({ escrow_id: id, milestone_index: 0, amount_cents: 400, by: 'terms' });
    expect(said(await deliver(id, { url: 'https://files.example/x', milestone_index: 0 }))).toBe(
      '400 already_released',
    );
    expect((await on(id, 'release', buyer.pays, { milestone_index: 1 })).body.status).toBe('refunded');
    expect(await walletOf(t, buyer)).toBe(before - 600);
    expect((await t.call('GET', `/api/deals/${deal_id}`, { key: seller.key })).body.status).toBe('refunded');
  });

  test('end an escrow of which nothing was delivered, though a dispute came between', async () => {
    const expires_at = new Date(t.clock.now() + 2 * DAY_MS).toISOString();
    const { id } = await open(t, buyer, seller, [400, 600], { expires_at });
    await setStatus(id, 'disputed');
    await t.advance(4 * DAY_MS);
    expect((await read(id)).refunded_cents).toBe(0);
    await setStatus(id, 'active');
    // What the day has decided is not turned round by a delivery before it is booked.
    expect(said(await deliver(id, { url: 'https://files.example/late' }))).toBe('409 window_closed');
    await t.advance(DAY_MS);
    expect(await read(id)).toMatchObject({ status: 'refunded', refunded_cents: 1_000 });
    expect(await balanceOf(t, `escrow:${id}`)).toBe(0);
  });
});

describe('a refund', () => {
  test('is the seller’s, gives back all that is unreleased without a fee, and ends the escrow', async () => {
    const [ours, theirs] = [await newBuyer(t), await newSeller(t)];
    const before = await walletOf(t, ours);
    const { id } = await open(t, ours, theirs, [1_000, 2_000, 3_000]);
    await on(id, 'release', ours.pays, { milestone_index: 0 });
    expect(said(await on(id, 'refund', ours.pays))).toBe('403 wrong_role');
    const answer = await on(id, 'refund', theirs.key);
    expect(answer.body).toMatchObject({
      status: 'refunded',
      refunded_cents: 5_000,
      released_cents: 1_000,
      fee_cents: 50,
    });
    expect([await walletOf(t, ours), await walletOf(t, theirs)]).toEqual([before - 1_000, 950]);
    for (const side of [ours, theirs]) {
      const told = (await eventsOf(t, side, 'escrow.refunded')).at(-1);
      expect(told.data).toEqual({ escrow_id: id, milestone_index: null, amount_cents: 5_000, by: 'seller' });
    }
    expect(said(await on(id, 'refund', theirs.key))).toBe('400 escrow_not_active');
    const { body } = await t.call('GET', `/api/agents/public/${theirs.handle}/track-record`);
    expect([body.deals.completed, body.disputes.rate]).toEqual([0, 0]);
  });
});
