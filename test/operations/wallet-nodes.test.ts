// Payments through three nodes of one database: a balance is spent once however many try, and the same call again on another node is
// the same payment.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Mail } from '../../src/outbound/mailer/mail.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { keyWith } from '../support/scene.ts';
import { createSenderDouble } from '../support/sender-double.ts';
import { openTestService, START_MS, type TestAnswer, type TestService } from '../support/testbed.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const server = await sharedPostgres();

describe.skipIf(server === null)('three nodes', () => {
  const nodes: TestService[] = [];
  let [payer, payee]: TestAgent[] = [];
  let key = '';
  const nodeOf = (n: number): TestService => nodes[n % nodes.length] as TestService;
  const send = (n: number, amount_cents: number, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    nodeOf(n).call('POST', '/api/wallet/send', { key, headers, body: { to_handle: 'payee', amount_cents } });
  const balances = (): Promise<number[]> =>
    Promise.all([payer, payee].map((agent) => balanceOf(nodeOf(0), `wallet:${agent?.id}`)));

  beforeAll(async () => {
    if (!server) return;
    const parts = {
      database_url: await server.migrated(),
      clock: virtualClock(START_MS),
      mailer: createSenderDouble<Mail>(),
    };
    for (let n = 0; n < 3; n += 1) nodes.push(await openTestService({}, 'memory', parts));
    payer = await newAgent(nodeOf(0), { handle: 'payer', verified: true, pro: true });
    payee = await newAgent(nodeOf(0), { handle: 'payee', verified: true });
    key = await keyWith(nodeOf(0), payer.email, ['payments:write']);
    await fundWallet(nodeOf(0), payer.id, 5_000);
  });
  afterAll(() => Promise.all(nodes.map((t) => t.close())));

  test('let a whole balance be sent once among fifty that try at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => send(n, 5_000)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(49);
    expect(await balances()).toEqual([0, 5_000]);
  });

  test('make the same call once, whichever of them gets it, at once or again', async () => {
    await fundWallet(nodeOf(0), payer?.id ?? '', 900);
    const headers = { 'Idempotency-Key': 'once' };
    const first = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => send(n, 300, headers)));
    const done = first.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThan(0);
    const again = await Promise.all([0, 1, 2].map((n) => send(n, 300, headers)));
    expect(new Set([...done, ...again].map(({ body }) => body.id)).size).toBe(1);
    expect(await balances()).toEqual([600, 5_300]);
    const asked = { headers: { 'X-Internal-Token': nodeOf(2).internal_token } };
    expect((await nodeOf(2).call('GET', '/api/admin/ledger/check', asked)).body.problems).toEqual([]);
  });
});
