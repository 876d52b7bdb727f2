// A service whose payments are Stripe's, with a double that behaves as Stripe does.
import { createStripe } from '../../src/outbound/processor/stripe/stripe.ts';
import { StripeDouble } from './stripe-double/stripe-double.ts';
import type { SignedEvent } from './stripe-double/world.ts';
import { openTestService, START_MS, type TestService } from './testbed.ts';
import { virtualClock } from './virtual-clock.ts';

export interface StripeService {
  readonly t: TestService;
  readonly double: StripeDouble;
  close(): Promise<void>;
}

export async function openStripeService(options: Parameters<typeof openTestService>[0] = {}): Promise<StripeService> {
  const clock = virtualClock(START_MS);
  const now = (): number => clock.now();
  const double = new StripeDouble(now);
  const { url: api_base, secret_key, webhook_secret } = double;
  const processor = () =>
    createStripe({ secret_key, webhook_secret, api_base, hold_ms: 0, now, retries: 0, timeout_ms: 2_500 });
  const t = await openTestService(options, 'memory', { clock, processor });
  const close = async (): Promise<void> => {
    await t.close();
    await double.close();
  };
  return { t, double, close };
}

/** Hands the service what Stripe tells; answers its status. */
export async function deliverEvent(
  t: TestService,
  { body, signature }: Pick<SignedEvent, 'body' | 'signature'>,
): Promise<number> {
  const raw = { type: 'application/json', text: body };
  return (await t.call('POST', '/webhooks/stripe', { raw, headers: { 'Stripe-Signature': signature } })).status;
}
