// The letter about a purchase to the address that its buyer named: whose it is, what stands in it, and how many there are.

import { beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import type { Mail } from '../../src/outbound/mailer/mail.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { fundWallet } from '../support/wallet.ts';

const TO = 'books@example.org';
const A_DAY = 20;

const t = sharedService();
let key: string;
let seller: TestAgent;

beforeAll(async () => {
  const buyer = await newAgent(t, { handle: 'wants_receipts', verified: true, pro: true });
  await fundWallet(t, buyer.id, 100_000);
  key = await keyWith(t, buyer.email, ['payments:write']);
  seller = await newAgent(t, { handle: 'sells_rope', verified: true });
  await publish(t, seller, { card_type: 'selling', headline: 'Call now', labels: ['rope'], price_cents: 1_010 });
});

const buy = (more: object): Promise<TestAnswer> =>
  t.call('POST', '/api/services/sells_rope/call-now/checkout', { key, body: { tier_id: 'listed', ...more } });
const letters = async (): Promise<Mail[]> => {
  await t.rest();
  return t.mails.filter(({ to }) => to === TO);
};

test('goes to whoever is named, in words of the service alone; a dry run and a purchase without an address send none', async () => {
  await buy({});
  await buy({ buyer_email: TO, dry_run: true });
  expect(await letters()).toEqual([]);
  const { body } = await buy({ buyer_email: 'Books@Example.org' });
  const [letter, ...more] = await letters();
  expect([letter?.subject, more]).toEqual(['Receipt: $10.10 to @sells_rope', []]);
  expect(letter?.text).toContain('\n\nThe buyer pays: $10.10\nThe fee in it: $0.50\nThe seller gets: $9.60\n\n');
  // Its parties can read the signed receipt, to which the letter leads them by the escrow.
  expect(
    (await t.call('GET', `/api/wallet/receipts/${body.journal_id}`, { key: seller.key })).body.receipt,
  ).toBeString();
  expect(letter?.text).toContain('Both sides can read the signed receipt with the escrow:\nhttp://');
  expect(letter?.text).toContain(`/escrows/${body.escrow_id}\n`);
  expect(letter?.text.toLowerCase()).not.toContain('call');
});

test('is sent twenty times a day, and no purchase fails for want of one', async () => {
  for (let n = 1; n <= A_DAY; n += 1) expect((await buy({ buyer_email: TO })).status).toBe(200);
  expect(await letters()).toHaveLength(A_DAY);
  await t.advance(DAY_MS);
  await buy({ buyer_email: TO });
  expect(await letters()).toHaveLength(A_DAY + 1);
});
