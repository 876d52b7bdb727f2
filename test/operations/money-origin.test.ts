// A database whose wallets hold money of one processor is served with no other, so that what a sandbox made of nothing is never paid
// out by a bank.
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStripe } from '../../src/outbound/processor/stripe/stripe.ts';
import { newAgent } from '../support/agents.ts';
import { decideOn, giveFunds } from '../support/funds.ts';
import { dropStore } from '../support/store.ts';
import { StripeDouble } from '../support/stripe-double/stripe-double.ts';
import { openTestService, START_MS, type TestParts, type TestService } from '../support/testbed.ts';

type Opened = Pick<TestParts, 'processor'>;

/** Stripe by a key; nothing is asked of it here. */
function byKey(secret_key: string, api_base?: string): Opened {
  const settings = { secret_key, webhook_secret: 'whsec_x', api_base, hold_ms: 0, now: () => START_MS };
  return { processor: () => createStripe({ ...settings, retries: 0 }) };
}

async function onOneDatabase(run: (open: (with_: Opened) => Promise<TestService>) => Promise<void>): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-origin-'));
  try {
    await run((with_) => openTestService({}, 'memory', { data_dir, ...with_ }));
  } finally {
    rmSync(data_dir, { recursive: true, force: true });
    await dropStore(data_dir);
  }
}

test('money of the sandbox bars Stripe, while nothing was paid it does not, and no processor at all is always right', async () => {
  await onOneDatabase(async (open) => {
    const first = await open({});
    const agent = await newAgent(first, { handle: 'funded_first' });
    const { token, handle } = agent;
    await first.call('POST', '/api/wallet/fund', { token, agent: handle, body: { amount_cents: 700 } });
    await first.close();
    await (await open(byKey('sk_live_x'))).close();
    const again = await open({});
    await giveFunds(again, agent, 500);
    await again.close();
    for (const key of ['sk_live_x', 'sk_test_x'])
      await expect(open(byKey(key))).rejects.toThrow(
        'PAYMENTS cannot be used: this database holds money of the sandbox',
      );
    await (await open({ processor: null })).close();
    await (await open({})).close();
  });
});

test('so does a plan that was bought in the sandbox', async () => {
  await onOneDatabase(async (open) => {
    const first = await open({});
    const { token } = await newAgent(first, { handle: 'buys_first' });
    const { body } = await first.call('POST', '/api/billing/checkout', { token, body: { plan: 'pro' } });
    await decideOn(first, body.checkout_url, 'pay');
    await first.close();
    await expect(open(byKey('sk_live_x'))).rejects.toThrow('holds money of the sandbox');
  });
});

test('money of Stripe’s test mode bars its live mode and the sandbox', async () => {
  const double = new StripeDouble(() => START_MS);
  try {
    await onOneDatabase(async (open) => {
      const first = await open(byKey(double.secret_key, double.url));
      const { token, handle } = await newAgent(first, { handle: 'tests_first' });
      await first.call('POST', '/api/wallet/fund', { token, agent: handle, body: { amount_cents: 700 } });
      double.world.pay(double.world.all('checkout.session')[0]?.id ?? '');
      await first.advance(11 * 60_000);
      await first.close();
      await expect(open(byKey('sk_live_x'))).rejects.toThrow('holds money of the test mode of Stripe');
      await expect(open({})).rejects.toThrow('never mixed with that of the sandbox');
      await (await open(byKey(double.secret_key, double.url))).close();
    });
  } finally {
    await double.close();
  }
});
