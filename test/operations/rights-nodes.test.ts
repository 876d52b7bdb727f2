// Two nodes against each other: the end of an escrow, the right of a program, the places of a plan and a passkey's answer are asked for on
// both at once, and each is given once or is gone on both.

import { beforeAll, describe, expect, test } from 'bun:test';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { newAuthenticator } from '../support/authenticator.ts';
import { type Buyer, newBuyer, newSeller, open, said, walletOf } from '../support/escrow.ts';
import { sharedNodes } from '../support/opened.ts';
import { addPasskey, askOptions, showPasskey } from '../support/passkeys.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { askTokens, connectProgram, signedInReader } from '../support/programs.ts';
import type { TestAnswer, TestService } from '../support/testbed.ts';
import { balanceOf } from '../support/wallet.ts';

const server = await sharedPostgres();

describe.skipIf(server === null)('two nodes', () => {
  const [one, other] = sharedNodes(server);

  /** Asks both, each several times, at the same moment; even numbers go to the first. */
  const atOnce = (n: number, call: (t: TestService, n: number) => Promise<TestAnswer>): Promise<TestAnswer[]> =>
    Promise.all(Array.from({ length: n }, (_, i) => call(i % 2 === 0 ? one : other, i)));
  const passed = (answers: readonly TestAnswer[]): number => answers.filter(({ status }) => status < 300).length;

  async function checkLedger(): Promise<void> {
    const asked = { headers: { 'X-Internal-Token': one.internal_token } };
    expect((await one.call('GET', '/api/admin/ledger/check', asked)).body.problems).toEqual([]);
  }

  describe('end an escrow one way, whichever side is faster where', () => {
    let buyer: Buyer;
    let seller: TestAgent;
    beforeAll(async () => {
      [buyer, seller] = [await newBuyer(one), await newSeller(one)];
    });

    /** What moved: of a whole escrow 950 of 1,000 cents reach the seller, or all of them return to the buyer. */
    async function race(
      cents: readonly number[],
      call: (id: string, t: TestService, n: number) => Promise<TestAnswer>,
    ) {
      const before = [await walletOf(one, buyer), await walletOf(one, seller)] as const;
      const { id } = await open(one, buyer, seller, cents);
      const answers = await atOnce(8, (t, n) => call(id, t, n));
      const bought = (await walletOf(other, buyer)) - before[0];
      const sold = (await walletOf(other, seller)) - before[1];
      return { answers, moved: [bought, sold], left: await balanceOf(other, `escrow:${id}`) };
    }

    const release = (t: TestService, id: string, milestone_index: number) =>
      t.call('POST', `/api/wallet/escrow/${id}/release`, { key: buyer.pays, body: { milestone_index } });
    const refund = (t: TestService, id: string) =>
      t.call('POST', `/api/wallet/escrow/${id}/refund`, { key: seller.key, body: {} });
    const dispute = (t: TestService, id: string) =>
      t.call('POST', `/api/wallet/escrow/${id}/dispute`, { key: buyer.pays, body: { reason: 'Half is missing.' } });

    test('release and refund', async () => {
      for (let round = 0; round < 6; round += 1) {
        // The two sides change nodes each round.
        const { answers, moved, left } = await race([1_000], (id, t, n) =>
          (n + round) % 2 === 0 ? release(t, id, 0) : refund(t, id),
        );
        expect(answers.map(said).filter((each) => each.startsWith('5'))).toEqual([]);
        expect([passed(answers), left]).toEqual([1, 0]);
        expect([
          [-1_000, 950],
          [0, 0],
        ]).toContainEqual(moved);
      }
      await checkLedger();
    });

    test('two parts, a refund of the rest and a dispute', async () => {
      for (let round = 0; round < 4; round += 1) {
        const { moved, left } = await race(
          [400, 600],
          (id, t, n) =>
            [release(t, id, 0), release(t, id, 1), refund(t, id), dispute(t, id)][
              (n + round) % 4
            ] as Promise<TestAnswer>,
        );
        const [bought = 0, sold = 0] = moved;
        // Each cent is at one place: with the seller less 5 %, in the escrow, or back.
        expect([0, 380, 570, 950]).toContain(sold);
        expect(bought + left + Math.round(sold / 0.95)).toBe(0);
        expect([0, 400, 600, 1_000]).toContain(left);
      }
      await checkLedger();
    });
  });

  test('know at once that a program was thrown out, or has given up its right', async () => {
    const ada = await newAgent(one, { handle: 'ada' });
    const reader = await signedInReader(one, ada.email);
    const self = (t: TestService, token: string): Promise<TestAnswer> => t.call('GET', '/api/auth/key', { token });
    const refresh = (t: TestService, client_id: string, refresh_token: string): Promise<TestAnswer> =>
      askTokens(t, { grant_type: 'refresh_token', client_id, refresh_token });
    for (const how of ['thrown out', 'given up', 'replayed'] as const) {
      const { id, client_id, access_token, refresh_token } = await connectProgram(one, reader);
      expect((await self(other, access_token)).status).toBe(200);
      const next = await atOnce(6, (t) => refresh(t, client_id, refresh_token));
      expect(new Set(next.map(({ body }) => body.refresh_token)).size).toBe(1);
      const newest = next[0]?.body;
      if (how === 'thrown out') {
        const token = await signIn(one, ada.email);
        expect((await one.call('DELETE', `/api/account/programs/${id}`, { token })).status).toBe(200);
      } else if (how === 'given up') {
        const raw = {
          type: 'application/x-www-form-urlencoded',
          text: new URLSearchParams({ token: newest.refresh_token, client_id }).toString(),
        };
        expect((await one.call('POST', '/oauth/revoke', { raw })).status).toBe(200);
      } else {
        const last = (await refresh(other, client_id, newest.refresh_token)).body.refresh_token;
        expect((await refresh(one, client_id, refresh_token)).status).toBe(400);
        expect((await refresh(other, client_id, last)).status).toBe(400);
      }
      for (const token of [access_token, newest.access_token])
        expect([how, (await self(other, token)).status]).toEqual([how, 401]);
      expect([how, (await refresh(other, client_id, newest.refresh_token)).status]).toEqual([how, 400]);
    }
  });

  test('give the places of a plan away once', async () => {
    const { key, email, handle } = await newAgent(one, { handle: 'full_house', verified: true });
    await newAgent(one, { handle: 'full_house_too', email });
    const card = { card_type: 'selling', headline: 'A', labels: ['a'], price_cents: 1, active: false };
    const made = await atOnce(20, (t, n) =>
      t.call('POST', `/api/agents/${n % 4 < 2 ? handle : 'full_house_too'}/cards`, { key, body: card }),
    );
    expect([passed(made), made.filter(({ body }) => body.error === 'plan_limit').length]).toEqual([2, 18]);
    // A place that is given back is given away once, too.
    const [first] = made.filter(({ status }) => status === 201);
    const gone = await atOnce(4, (t) =>
      t.call('DELETE', `/api/agents/${first?.body.agent ?? handle}/cards/${first?.body.id}`, { key }),
    );
    const place = gone.some(({ status }) => status === 200) ? 1 : 0;
    const again = await atOnce(10, (t) => t.call('POST', `/api/agents/${handle}/cards`, { key, body: card }));
    expect([place, passed(again)]).toEqual([1, 1]);
  });

  test('take one answer of a passkey for one session, and one credential for one account', async () => {
    const device = newAuthenticator();
    const [mine, theirs] = [await signIn(one, 'mine@example.org'), await signIn(one, 'theirs@example.org')];
    await addPasskey(one, mine, device);
    for (let round = 0; round < 3; round += 1) {
      const answer = device.show(await askOptions(one, null));
      expect(passed(await atOnce(6, (t) => showPasskey(t, answer)))).toBe(1);
    }
    const shared = newAuthenticator();
    const asked = [await askOptions(one, mine), await askOptions(other, theirs)];
    const made = await atOnce(2, (t, n) =>
      t.call('POST', '/api/auth/passkeys', {
        token: n === 0 ? mine : theirs,
        body: { name: 'Phone', credential: shared.make(asked[n]) },
      }),
    );
    expect(made.map(said).toSorted()).toEqual(['201', '409 credential_in_use']);
  });
});
