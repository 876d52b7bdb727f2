// Which processor the settings open, and for how long it keeps what a card paid in from being withdrawn.

import { expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { openProcessor } from '../../src/outbound/processor/open.ts';

const books = { decided: async () => null, submittedAt: async () => 0 };
const sandbox = { base_url: 'http://localhost', key: new Uint8Array(32), books, now: () => 1 };
const stripe = { stripeSecretKey: 'sk_test_1', stripeWebhookSecret: 'whsec_1', stripeApiBase: undefined };

test.each([
  ['sandbox', undefined, 'sandbox', 0],
  ['sandbox', 3, 'sandbox', 3],
  ['stripe', undefined, 'stripe', 7],
  ['stripe', 0, 'stripe', 0],
  ['none', undefined, undefined, undefined],
] as const)('PAYMENTS=%s with FUNDING_HOLD_DAYS %p', (payments, fundingHoldDays, name, days) => {
  const opened = openProcessor({ payments, fundingHoldDays, ...stripe }, sandbox);
  expect([opened?.name, opened?.hold_ms]).toEqual([name, days === undefined ? undefined : days * DAY_MS]);
});
