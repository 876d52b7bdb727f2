// The processor that PAYMENTS names; null when the service takes no money.

import type { Config } from '../../config.ts';
import { assert } from '../../domain/assert.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Processor } from './processor.ts';
import { createSandbox, type SandboxOptions } from './sandbox.ts';
import { createStripe } from './stripe/stripe.ts';

/** Most immediate disputes by card holders arrive within this time. */
const STRIPE_HOLD_DAYS = 7;

type Settings = Pick<
  Config,
  'payments' | 'fundingHoldDays' | 'stripeSecretKey' | 'stripeWebhookSecret' | 'stripeApiBase'
>;

/** Opens the configured processor. `FUNDING_HOLD_DAYS` is 0 with the sandbox and 7 with Stripe unless set. */
export function openProcessor(config: Settings, sandbox: Omit<SandboxOptions, 'hold_ms'>): Processor | null {
  const { payments, fundingHoldDays, stripeSecretKey, stripeWebhookSecret, stripeApiBase } = config;
  if (payments === 'none') return null;
  if (payments === 'sandbox') return createSandbox({ ...sandbox, hold_ms: (fundingHoldDays ?? 0) * DAY_MS });
  // Reading the settings refuses Stripe without its keys.
  assert(stripeSecretKey !== undefined && stripeWebhookSecret !== undefined, 'Stripe has its keys');
  return createStripe({
    secret_key: stripeSecretKey,
    webhook_secret: stripeWebhookSecret,
    api_base: stripeApiBase,
    hold_ms: (fundingHoldDays ?? STRIPE_HOLD_DAYS) * DAY_MS,
    now: Date.now,
  });
}
