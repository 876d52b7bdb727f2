// Money into a wallet: a person pays on the processor's page, and the wallet holds it once, whoever hints at it and how often;
// nothing is posted of a payment that is not the one that was asked for.

import { beforeAll, describe, expect, test } from 'bun:test';
import { eventsAfter } from '../../db/queries/inbox.ts';
import { guardedBalance, transfersOf } from '../../db/queries/ledger.ts';
import { fundingById, fundingsOfAgent } from '../../db/queries/processor.ts';
import { reviewById } from '../../db/queries/review.ts';
import { HIGHEST_ID } from '../../db/query.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import type { FundingState, Processor } from '../../src/outbound/processor/processor.ts';
import { createSandbox, type SandboxOptions } from '../../src/outbound/processor/sandbox.ts';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { decideOn, giveFunds, putFunds } from '../support/funds.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

const FUND = '/api/wallet/fund';

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'funded' });
});

async function balance(service: TestService, agent_id: string): Promise<number> {
  return (await service.service.world.store.read(guardedBalance, { id: `wallet:${agent_id}` }))?.balance_cents ?? 0;
}

async function payments(service: TestService, agent_id: string): Promise<{ kind: string; data: unknown }[]> {
  const events = await service.service.world.store.read(eventsAfter, { agent_id, after: 0, limit: 100 });
  return events.filter(({ kind }) => kind.startsWith('payment.')).map(({ kind, data }) => ({ kind, data }));
}

const ask = (service: TestService, { token, handle }: TestAgent, body: unknown = { amount_cents: 2500 }) =>
  service.call('POST', FUND, { token, agent: handle, body });

const read = (service: TestService, id: string) => service.service.world.store.read(fundingById, { id });
const list = (service: TestService, agent_id: string) =>
  service.service.world.store.read(fundingsOfAgent, { agent_id, before: HIGHEST_ID, limit: 10 });

describe('with the sandbox', () => {
  test('the wallet holds what was paid, once it was paid and not before', async () => {
    const asked = await ask(t, ada);
    expect(asked.status).toBe(200);
    const { checkout_url, funding_id } = asked.body;
    expect(await balance(t, ada.id)).toBe(0);
    expect(await read(t, funding_id)).toMatchObject({ status: 'pending', amount_cents: 2500, url: checkout_url });
    const page = await decideOn(t, checkout_url, 'pay');
    expect(page.status).toBe(200);
    expect(await balance(t, ada.id)).toBe(2500);
    const paid_at = t.clock.now();
    expect(await read(t, funding_id)).toMatchObject({ status: 'paid', paid_at, withdrawable_at: paid_at });
    expect(await payments(t, ada.id)).toEqual([
      { kind: 'payment.succeeded', data: { kind: 'fund', amount_cents: 2500, reference_id: funding_id } },
    ]);
    await decideOn(t, checkout_url, 'pay');
    await decideOn(t, checkout_url, 'cancel');
    expect(await balance(t, ada.id)).toBe(2500);
    expect(await payments(t, ada.id)).toHaveLength(1);
  });

  test('the amount goes by either name, and by no two values', async () => {
    expect((await ask(t, ada, { amount: 500 })).status).toBe(200);
    expect((await ask(t, ada, { amount: 500, amount_cents: 500, currency: 'usd' })).status).toBe(200);
    const both = await ask(t, ada, { amount: 500, amount_cents: 501 });
    expect([both.status, both.body.error, both.body.fields[0].path]).toEqual([400, 'invalid_request', 'amount']);
  });

  test.each<[unknown, string]>([
    [{}, 'amount_cents'],
    [{ amount_cents: 0 }, 'amount_cents'],
    [{ amount_cents: -1 }, 'amount_cents'],
    [{ amount_cents: 1.5 }, 'amount_cents'],
    [{ amount_cents: '100' }, 'amount_cents'],
    [{ amount_cents: 10_000_000_001 }, 'amount_cents'],
    [{ amount_cents: 2 ** 60 }, 'amount_cents'],
    [{ amount: 0 }, 'amount'],
  ])('%j asks for nothing', async (body, path) => {
    const { status, body: told } = await ask(t, ada, body);
    expect([status, told.error, told.fields[0].path]).toEqual([400, 'invalid_request', path]);
  });

  test('another currency is refused', async () => {
    const { status, body } = await ask(t, ada, { amount_cents: 500, currency: 'EUR' });
    expect([status, body.error]).toEqual([400, 'unsupported_currency']);
  });

  test('a person who cancels leaves the wallet as it was, and the agent is told', async () => {
    const bob = await newAgent(t, { handle: 'cancelled_one' });
    const { checkout_url, funding_id } = (await ask(t, bob)).body;
    await decideOn(t, checkout_url, 'cancel');
    await decideOn(t, checkout_url, 'pay');
    expect(await balance(t, bob.id)).toBe(0);
    expect((await read(t, funding_id))?.status).toBe('cancelled');
    expect(await payments(t, bob.id)).toEqual([
      {
        kind: 'payment.failed',
        data: { kind: 'fund', amount_cents: 2500, reference_id: funding_id, reason: 'cancelled' },
      },
    ]);
  });

  test('a key asks by the tool for a link, and by no route; what it may not, it is told', async () => {
    const agent = await newAgent(t, { handle: 'asks_by_tool' });
    const given = { name: 'mesh_fund_wallet', arguments: { amount_cents: 700 } };
    const { body } = await rpc(t, 'tools/call', given, { key: agent.key, revision: '2025-11-25' });
    const { checkout_url } = body.result.structuredContent;
    await decideOn(t, checkout_url, 'pay');
    expect(await balance(t, agent.id)).toBe(700);
    const refused = await t.call('POST', FUND, { key: agent.key, body: { amount_cents: 700 } });
    expect([refused.status, refused.body.error]).toEqual([403, 'session_required']);
    const { key } = await newProvisional(t, 'provisional_funds');
    const barred = await rpc(t, 'tools/call', given, { key, revision: '2025-11-25' });
    expect(JSON.stringify(barred.body)).toContain('provisional_account');
  });

  test('a repeated request has the page that was made first', async () => {
    const asked = () =>
      t.call('POST', FUND, {
        token: ada.token,
        body: { amount_cents: 900 },
        headers: { 'Idempotency-Key': 'fund-once' },
      });
    expect((await asked()).body).toEqual((await asked()).body);
  });

  test('both ways to funds of a test leave the same in the wallet', async () => {
    const one = await newAgent(t, { handle: 'fast_funds' });
    await giveFunds(t, one, 300);
    await putFunds(t, one.id, 200);
    expect(await balance(t, one.id)).toBe(500);
    expect((await list(t, one.id)).map(({ status, amount_cents }) => [status, amount_cents])).toEqual([
      ['paid', 200],
      ['paid', 300],
    ]);
  });

  test('a page that nobody decides on expires after a day, and can be paid no more', async () => {
    const bob = await newAgent(t, { handle: 'expired_one' });
    const { checkout_url, funding_id } = (await ask(t, bob)).body;
    await t.advance(DAY_MS + 21_600_000);
    const page = await decideOn(t, checkout_url, 'pay');
    expect(await page.text()).toContain('expired');
    expect(await read(t, funding_id)).toMatchObject({ status: 'expired' });
    expect(await balance(t, bob.id)).toBe(0);
    expect(await payments(t, bob.id)).toEqual([]);
    // What was paid before is as it was.
    expect(await balance(t, ada.id)).toBe(2500);
  });
});

describe('with a processor that', () => {
  async function withProcessor(
    change: (sandbox: Processor) => Partial<Processor>,
    run: (service: TestService, agent: TestAgent) => Promise<void>,
  ): Promise<void> {
    const processor = (options: SandboxOptions): Processor => {
      const sandbox = createSandbox(options);
      return { ...sandbox, ...change(sandbox) };
    };
    const service = await openTestService({}, 'memory', { processor });
    try {
      await run(service, await newAgent(service, { handle: 'funded' }));
    } finally {
      await service.close();
    }
  }

  function answering(state: Partial<FundingState>): (sandbox: Processor) => Partial<Processor> {
    return (sandbox) => ({
      findFunding: async (row) => {
        const found = await sandbox.findFunding(row);
        if (found.outcome !== 'done' || found.value?.status !== 'paid') return found;
        return { outcome: 'done', value: { ...found.value, ...state } };
      },
    });
  }

  test.each<[string, Partial<FundingState>]>([
    ['took another amount', { amount_cents: 2499 }],
    ['took another currency', { currency: 'EUR' }],
    ['took it in another mode', { livemode: true }],
  ])('%s: nothing is posted, and administrators are asked', async (_, state) => {
    await withProcessor(answering(state), async (service, agent) => {
      const { checkout_url, funding_id } = (await ask(service, agent)).body;
      await decideOn(service, checkout_url, 'pay');
      expect(await balance(service, agent.id)).toBe(0);
      expect((await read(service, funding_id))?.status).toBe('failed');
      const review = await service.service.world.store.read(reviewById, { id: funding_id });
      expect(review).toMatchObject({ kind: 'payment', status: 'open', reason: 'funding' });
      expect((await payments(service, agent.id)).map(({ kind }) => kind)).toEqual(['payment.failed']);
    });
  });

  test('keeps a fee: the platform bears it, whenever it is known', async () => {
    let known: number | null = null;
    const late = (sandbox: Processor): Partial<Processor> => ({
      hold_ms: 7 * DAY_MS,
      findFunding: async (row) => {
        const found = await sandbox.findFunding(row);
        if (found.outcome !== 'done' || found.value === null) return found;
        return { outcome: 'done', value: { ...found.value, processor_fee_cents: known } };
      },
    });
    await withProcessor(late, async (service, agent) => {
      const funding_id = await giveFunds(service, agent, 2500);
      const fee = async () => {
        const rows = await service.service.world.store.read(transfersOf, { journal: `processor_fee:${funding_id}` });
        return rows.map(({ debit, credit, amount_cents }) => [debit, credit, amount_cents]);
      };
      expect(await fee()).toEqual([]);
      known = 103;
      await service.advance(HOUR_MS);
      expect(await fee()).toEqual([['platform_fees', 'processor', 103]]);
      await service.advance(30 * DAY_MS);
      expect(await balance(service, agent.id)).toBe(2500);
    });
  });

  test('does not answer: the row stays, and is found once it does', async () => {
    let silent = true;
    const lost = (sandbox: Processor): Partial<Processor> => ({
      openFunding: async (asked) => {
        const opened = await sandbox.openFunding(asked);
        return silent ? { outcome: 'unknown', reason: 'no answer in time' } : opened;
      },
    });
    await withProcessor(lost, async (service, agent) => {
      const refused = await ask(service, agent);
      expect([refused.status, refused.body.error]).toEqual([503, 'processor_unavailable']);
      expect(await list(service, agent.id)).toMatchObject([{ status: 'pending', url: null }]);
      silent = false;
      expect((await ask(service, agent)).status).toBe(200);
      await service.advance(3 * DAY_MS);
      expect(await balance(service, agent.id)).toBe(0);
    });
  });

  test('fails at its end: what was paid meanwhile is found by the next look', async () => {
    let broken = true;
    const failing = (sandbox: Processor): Partial<Processor> => ({
      findFunding: async (row) => {
        if (broken) throw new Error('the line is dead');
        return sandbox.findFunding(row);
      },
    });
    await withProcessor(failing, async (service, agent) => {
      const { checkout_url } = (await ask(service, agent)).body;
      await decideOn(service, checkout_url, 'pay');
      expect(await balance(service, agent.id)).toBe(0);
      broken = false;
      await service.advance(HOUR_MS);
      expect(await balance(service, agent.id)).toBe(2500);
      expect((await payments(service, agent.id)).map(({ kind }) => kind)).toEqual(['payment.succeeded']);
    });
  });

  test('is none: the documented 500', async () => {
    const service = await openTestService({}, 'memory', { processor: null });
    try {
      const agent = await newAgent(service, { handle: 'funded' });
      const refused = await ask(service, agent);
      expect([refused.status, refused.body.error]).toEqual([500, 'processor_not_configured']);
      const page = await service.fetch(new Request('http://localhost/sandbox/pay/a/b'));
      expect(page.status).toBe(404);
    } finally {
      await service.close();
    }
  });
});
