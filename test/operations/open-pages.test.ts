// Pages of the processor that wait for a person: an agent, and an account's plan, has so many of them and no more, and each end
// makes room for one.

import { expect, test } from 'bun:test';
import { counterById } from '../../db/queries/turn.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { CHECKOUTS_OPEN_MAX, FUNDINGS_OPEN_MAX } from '../../src/steps/money/open-pages.ts';
import { newAgent, signIn } from '../support/agents.ts';
import { decideOn } from '../support/funds.ts';
import { sharedService } from '../support/opened.ts';

const t = sharedService();

const open = async (kind: string, id: string): Promise<number> =>
  (await t.service.world.store.read(counterById, { id: `${kind}_open:${id}` }))?.n ?? 0;

test('an agent has twenty fundings open, and each that is paid, cancelled or expired makes room', async () => {
  const { email, handle, id } = await newAgent(t, { handle: 'opens_many' });
  const other = await newAgent(t, { handle: 'opens_too', email });
  let token = await signIn(t, email);
  const ask = (agent = handle) => t.call('POST', '/api/wallet/fund', { token, agent, body: { amount_cents: 700 } });
  const pages: string[] = [];
  for (let n = 0; n < FUNDINGS_OPEN_MAX; n += 1) pages.push((await ask()).body.checkout_url);
  const full = await ask();
  expect([full.status, full.body.error]).toEqual([409, 'too_many_open']);
  expect(full.body).toMatchObject({ limit: FUNDINGS_OPEN_MAX, used: FUNDINGS_OPEN_MAX });
  expect(full.body.how).toContain('closes after a day');
  expect((await ask(other.handle)).status).toBe(200);
  await decideOn(t, pages[0] ?? '', 'cancel');
  await decideOn(t, pages[1] ?? '', 'pay');
  await decideOn(t, pages[1] ?? '', 'pay');
  expect(await open('fundings', id)).toBe(FUNDINGS_OPEN_MAX - 2);
  expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 409]);
  await t.advance(2 * DAY_MS);
  expect(await open('fundings', id)).toBe(0);
  token = await signIn(t, email);
  expect((await ask()).status).toBe(200);
});

test('an account has five checkouts of a plan open, and their ends make room', async () => {
  const { email, handle } = await newAgent(t, { handle: 'buys_many' });
  const ask = async () =>
    t.call('POST', '/api/billing/checkout', { token: await signIn(t, email), body: { plan: 'pro' } });
  const pages: string[] = [];
  for (let n = 0; n < CHECKOUTS_OPEN_MAX; n += 1) pages.push((await ask()).body.checkout_url);
  const full = await ask();
  expect([full.status, full.body.error, full.body.limit]).toEqual([409, 'too_many_open', CHECKOUTS_OPEN_MAX]);
  await decideOn(t, pages[0] ?? '', 'cancel');
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(409);
  await decideOn(t, pages[1] ?? '', 'pay');
  await t.advance(2 * DAY_MS);
  const { body } = await t.call('GET', '/api/billing/status', { token: await signIn(t, email) });
  expect([handle, body.plan]).toEqual([handle, 'pro']);
  const cancelled = await t.call('POST', '/api/billing/cancel', { token: await signIn(t, email) });
  expect(cancelled.status).toBe(200);
  await t.advance(32 * DAY_MS);
  expect((await ask()).status).toBe(200);
});
