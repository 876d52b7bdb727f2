// Guards that the payment processor is heard however much it has to tell: its signature is looked at first, and only what fails it counts.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ANONYMOUS_PER_MINUTE } from '../../src/domain/identity/plan.ts';
import type { StripeDouble } from '../support/stripe-double/stripe-double.ts';
import type { TestService } from '../support/testbed.ts';
import { openStripeService, type StripeService } from '../support/with-stripe.ts';

let service: StripeService;
let t: TestService;
let double: StripeDouble;

beforeAll(async () => {
  service = await openStripeService({ rate_limits: true });
  ({ t, double } = service);
});
afterAll(() => service.close());

async function deliver(text: string, signature: string): Promise<number> {
  const raw = { type: 'application/json', text };
  return (await t.call('POST', '/webhooks/stripe', { raw, headers: { 'Stripe-Signature': signature } })).status;
}

test('signed webhooks are never too many, forged ones are, and the signed ones still come through', async () => {
  const body = (n: number): string =>
    JSON.stringify({ id: `evt_${n}`, object: 'event', type: 'payout.paid', data: { object: { id: `po_${n}` } } });
  const signed = (n: number): Promise<number> => deliver(body(n), double.world.sign(body(n)));
  const statuses = new Set<number>();
  for (let n = 0; n < ANONYMOUS_PER_MINUTE + 20; n++) statuses.add(await signed(n));
  expect([...statuses]).toEqual([200]);
  const forged: number[] = [];
  for (let n = 0; n < ANONYMOUS_PER_MINUTE + 5; n++) forged.push(await deliver(body(n), 't=1,v1=00'));
  expect(forged.slice(0, ANONYMOUS_PER_MINUTE)).toEqual(Array(ANONYMOUS_PER_MINUTE).fill(400));
  expect(forged.slice(ANONYMOUS_PER_MINUTE)).toEqual(Array(5).fill(429));
  expect(await signed(1_000)).toBe(200);
});
