// Payments from wallet to wallet: what moves and who hears of it, what is refused with nothing moved, and that a dry run says the
// same and does nothing.
import { beforeAll, describe, expect, test } from 'bun:test';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { eventsOf } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import { readStoredRows } from '../support/store.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();
let payer: TestAgent;
let payee: TestAgent;
/** Of the payer, with the right to spend. */
let key: string;
let names = 0;

const payerOf = async (cents: number, verified = true): Promise<TestAgent & { readonly pays: string }> => {
  const agent = await newAgent(t, { handle: `payer_${++names}`, verified, pro: true });
  if (cents > 0) await fundWallet(t, agent.id, cents);
  return { ...agent, pays: await keyWith(t, agent.email, ['payments:write', 'agents:read', 'agents:write']) };
};

beforeAll(async () => {
  const made = await payerOf(1_000_000);
  [payer, key] = [made, made.pays];
  payee = await newAgent(t, { handle: 'payee' });
});

const send = (body: object, credential: object = { key }, query = ''): Promise<TestAnswer> =>
  t.call('POST', `/api/wallet/send${query}`, { ...credential, body });
/** What the tool answers, or the code of its refusal. */
const byTool = async (name: string, args: object, agent?: string): Promise<unknown> => {
  const headers: Record<string, string> = agent === undefined ? {} : { 'X-Agent-Handle': agent };
  const asked = { key, revision: '2025-11-25', headers };
  const { result } = (await rpc(t, 'tools/call', { name, arguments: args }, asked)).body;
  return result.isError ? JSON.parse(result.content[0].text) : result.structuredContent;
};
const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();
const journals = async (): Promise<number> => {
  const [row] = await readStoredRows(t.service.world.settings.data_dir, 'select count(*) as n from journals');
  return Number(row?.['n']);
};
const balances = async (...agents: readonly { readonly id: string }[]): Promise<number[]> =>
  Promise.all(agents.map(({ id }) => balanceOf(t, `wallet:${id}`)));

describe('a payment', () => {
  test('moves the money once, and both sides hear of it', async () => {
    const before = await balances(payer, payee);
    const answer = await send({ to_handle: '@PAYEE', amount_cents: 1_250, note: ' For the ropes ' });
    expect(answer.status).toBe(201);
    const { id, created_at, ...rest } = answer.body;
    expect(created_at).toBe(new Date(t.clock.now()).toISOString());
    expect(rest).toEqual({
      journal_id: `send:${id}`,
      from_handle: payer.handle,
      to_handle: 'payee',
      amount_cents: 1_250,
      currency: 'USD',
      note: 'For the ropes',
    });
    expect(await balances(payer, payee)).toEqual([(before[0] ?? 0) - 1_250, (before[1] ?? 0) + 1_250]);
    const data = { kind: 'send', amount_cents: 1_250, reference_id: id, journal_id: `send:${id}` };
    const [paid] = await eventsOf(t, payer, 'payment.succeeded');
    expect(paid.data).toEqual({ ...data, counterparty_handle: 'payee', your_role: 'payer' });
    const [received] = await eventsOf(t, payee, 'payment.succeeded');
    expect(received.data).toEqual({ ...data, counterparty_handle: payer.handle, your_role: 'payee' });
  });

  test('is made by a session as by a key, and by the tool', async () => {
    expect((await send({ to_handle: 'payee', amount_cents: 1 }, { token: payer.token })).status).toBe(201);
    const sent = { to_handle: 'payee', amount_cents: 1 };
    expect(await byTool('mesh_send_payment', sent)).toMatchObject(sent);
  });

  test('under one Idempotency-Key is made once', async () => {
    const [before] = await balances(payer);
    const body = { to_handle: 'payee', amount_cents: 700 };
    const headers = { 'Idempotency-Key': 'pay-once' };
    const first = await send(body, { key, headers });
    const second = await send(body, { key, headers });
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await balances(payer)).toEqual([(before ?? 0) - 700]);
  });

  test('reaches a provisional agent, which cannot send it on', async () => {
    const { key: provisional, agent } = await newProvisional(t, 'agent_provisional');
    expect((await send({ to_handle: agent.handle, amount_cents: 300 })).status).toBe(201);
    expect(await balances(agent)).toEqual([300]);
    expect(said(await send({ to_handle: 'payee', amount_cents: 1 }, { key: provisional }))).toBe(
      '403 insufficient_scope',
    );
  });

  test('of a whole balance succeeds once among fifty at once', async () => {
    const rich = await payerOf(5_000);
    const body = { to_handle: 'payee', amount_cents: 5_000 };
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(body, { key: rich.pays })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const short = answers.filter(({ status }) => status !== 201).map(said);
    expect(new Set(short)).toEqual(new Set(['402 payment_required']));
    expect(await balances(rich)).toEqual([0]);
  });
});

describe('is refused, with nothing moved,', () => {
  const amounts: [what: string, amount: unknown][] = [
    ['nothing', 0],
    ['less than nothing', -1],
    ['half a cent', 0.5],
    ['more than 2^53', 2 ** 53 + 2],
    ['more than a transfer moves', 10_000_000_001],
    ['a text', '100'],
    ['null', null],
    ['a list', [100]],
    ['no number at all', undefined],
  ];
  for (const [what, amount_cents] of amounts) {
    test(`an amount that is ${what}`, async () => {
      const before = await journals();
      for (const credential of [{ key }, { token: payer.token }]) {
        const answer = await send({ to_handle: 'payee', amount_cents }, credential);
        expect(said(answer)).toBe('400 invalid_request');
        const paths = answer.body.fields.map(({ path }: { path: string }) => path);
        expect(new Set(paths)).toEqual(new Set(['amount_cents']));
      }
      expect(await journals()).toBe(before);
    });
  }

  test('another currency, oneself, another agent of the account, and who is not there', async () => {
    const before = await journals();
    const twin = await newAgent(t, { handle: `${payer.handle}_2`, email: payer.email });
    const gone = await newAgent(t, { handle: 'gone_payee' });
    await t.call('DELETE', `/api/agents/${gone.handle}`, { key: gone.key });
    const mine = { key, agent: payer.handle };
    expect(said(await send({ to_handle: 'payee', amount_cents: 1, currency: 'EUR' }, mine))).toBe(
      '400 unsupported_currency',
    );
    expect(said(await send({ to_handle: payer.handle, amount_cents: 1 }, mine))).toBe('400 own_agent');
    expect(said(await send({ to_handle: twin.handle, amount_cents: 1 }, mine))).toBe('400 own_agent');
    for (const to_handle of [gone.handle, 'nobody_here', 'concierge', '???']) {
      expect(said(await send({ to_handle, amount_cents: 1 }, mine))).toBe('404 not_found');
    }
    expect(said(await send({ amount_cents: 1 }, mine))).toBe('400 invalid_request');
    expect(said(await send({ to_handle: 'payee', amount_cents: 1, note: 'x'.repeat(501) }, mine))).toBe(
      '400 invalid_request',
    );
    expect(await journals()).toBe(before);
    await t.call('DELETE', `/api/agents/${twin.handle}`, { key: twin.key });
  });

  test('whoever of the two has blocked the other', async () => {
    const other = await newAgent(t, { handle: `blocker_${++names}` });
    await t.call('POST', `/api/agents/${payer.handle}/block`, { key: other.key });
    expect(said(await send({ to_handle: other.handle, amount_cents: 1 }))).toBe('403 blocked');
    await t.call('DELETE', `/api/agents/${payer.handle}/block`, { key: other.key });
    await t.call('POST', `/api/agents/${other.handle}/block`, { key });
    expect(said(await send({ to_handle: other.handle, amount_cents: 1 }))).toBe('403 blocked');
    expect(await balances(other)).toEqual([0]);
  });

  test('a short wallet with the figures, a key without the right, and an unverified agent', async () => {
    const poor = await payerOf(100);
    const short = await send({ to_handle: 'payee', amount_cents: 250 }, { key: poor.pays });
    expect(said(short)).toBe('402 payment_required');
    expect(short.body.payment_required).toEqual({
      price_cents: 250,
      currency: 'USD',
      balance_cents: 100,
      shortfall_cents: 150,
    });
    expect(short.body.how_to_fix).toContain('Fund the wallet');
    expect(said(await send({ to_handle: 'payee', amount_cents: 1 }, { key: poor.key }))).toBe('403 insufficient_scope');
    const fresh = await payerOf(100, false);
    expect(said(await send({ to_handle: 'payee', amount_cents: 1 }, { key: fresh.pays }))).toBe(
      '403 verification_required',
    );
    expect(await balances(poor, fresh)).toEqual([100, 100]);
  });
});

describe('a dry run', () => {
  test('says what would move, in body, query or tool, and moves and keeps nothing', async () => {
    const before = [await journals(), ...(await balances(payer, payee))];
    const body = { to_handle: 'payee', amount_cents: 40 };
    const headers = { 'Idempotency-Key': 'dry' };
    const told = {
      dry_run: true,
      postings: [
        { account: `wallet:${payer.handle}`, cents: -40 },
        { account: 'wallet:payee', cents: 40 },
      ],
      fees: [],
      fee_cents: 0,
      net_cents: 40,
      refusal: null,
    };
    for (const answer of [
      await send({ ...body, dry_run: true }, { key, headers }),
      await send(body, { key, headers }, '?dry_run=true'),
      await send({ ...body, dry_run: false }, { key, headers }, '?dry_run=true&x=1'),
      await send({ ...body, dry_run: true }, { key, headers }, '?dry_run=false'),
    ]) {
      expect([answer.status, answer.body]).toEqual([200, told]);
    }
    expect(await byTool('mesh_send_payment', { ...body, dry_run: true })).toEqual(told);
    expect([await journals(), ...(await balances(payer, payee))]).toEqual(before);
    // The key was kept for nothing: the call itself is made under it.
    expect((await send(body, { key, headers })).status).toBe(201);
    expect((await send({ ...body, dry_run: 'yes' })).body.fields[0].path).toBe('dry_run');
    expect((await send(body, { key }, '?dry_run=1')).body.fields[0].path).toBe('dry_run');
    expect((await balances(payee))[0]).toBe((before[2] ?? 0) + 40);
  });

  test('says why it would be refused, whoever refuses: gate, decision, store', async () => {
    const poor = await payerOf(100);
    const short = await send({ to_handle: 'payee', amount_cents: 250, dry_run: true }, { key: poor.pays });
    expect(short.status).toBe(200);
    expect(short.body.postings).toEqual([
      { account: `wallet:${poor.handle}`, cents: -250 },
      { account: 'wallet:payee', cents: 250 },
    ]);
    expect(short.body.refusal).toMatchObject({
      error: 'payment_required',
      payment_required: { balance_cents: 100, shortfall_cents: 150 },
    });
    const own = await send({ to_handle: poor.handle, amount_cents: 1, dry_run: true }, { key: poor.pays });
    expect([own.status, own.body.refusal.error, own.body.postings]).toEqual([200, 'own_agent', []]);
    const fresh = await payerOf(100, false);
    const gated = await send({ to_handle: 'payee', amount_cents: 1, dry_run: true }, { key: fresh.pays });
    expect([gated.status, gated.body.refusal.error, typeof gated.body.refusal.how]).toEqual([
      200,
      'verification_required',
      'string',
    ]);
    expect(gated.body.postings).toHaveLength(2);
    // Who may not call at all is refused as ever.
    expect(said(await send({ to_handle: 'payee', amount_cents: 1, dry_run: true }, { key: poor.key }))).toBe(
      '403 insufficient_scope',
    );
  });

  test('of what has none is refused at every door, and does nothing', async () => {
    const body = { handle: 'dry_agent', display_name: 'x' };
    const other = { key: payer.key, agent: payer.handle };
    const wrong = [
      await t.call('POST', '/api/agents?dry_run=true', { ...other, body }),
      await t.call('POST', '/api/agents', { ...other, body: { ...body, dry_run: true } }),
      await t.call('POST', `/api/agents/${payee.handle}/block?dry_run=true`, other),
      await t.call('DELETE', `/api/agents/${payer.handle}?dry_run=true`, other),
    ];
    for (const answer of wrong) {
      expect([said(answer), answer.body.fields[0].path]).toEqual(['400 invalid_request', 'dry_run']);
    }
    const tool = await byTool('mesh_block_agent', { handle: payee.handle, dry_run: true }, payer.handle);
    expect(tool).toMatchObject({ error: 'invalid_request', fields: [{ path: 'dry_run' }] });
    expect((await t.call('GET', '/api/agents/public/dry_agent')).status).toBe(404);
    expect((await t.call('GET', `/api/agents/${payer.handle}?dry_run=true`, other)).status).toBe(200);
  });
});
