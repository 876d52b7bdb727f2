// The whole job by keyboard alone, on both sides: signing in, the match, talking, proposing, approving, paying, delivering, releasing,
// reviewing. Nothing needs a pointer, and the focus is on a part of the page after each act.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { hasBrowser, openWindow, seen, sentCode, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { enter, focused, tabTo, type } from '../support/keyboard.ts';
import { LOGO_OFFER, LOGO_SEEK } from '../support/matches.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const ANN = 'ann_types';
const BOB = 'bob_types';
const PAID_CENTS = 50_000;

describe.skipIf(!hasBrowser)('the whole job by keyboard', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;

  const main = ({ page }: Visitor): Locator => page.getByRole('main');
  const step = ({ page }: Visitor): Locator => page.locator('.next-step');
  const button = (of: Locator, name: string): Locator => of.getByRole('button', { name, exact: true });
  /** Waits for the next step, and that the focus is on the page then. */
  const says = async (who: Visitor, text: string): Promise<void> => {
    await step(who).getByRole('heading', { level: 2, name: text }).waitFor();
    await kept(who);
  };
  const kept = (who: Visitor): Promise<string> =>
    seen(
      () => focused(who),
      (name) => name !== 'body',
    );

  /** Signs in again in a window of its own, where no pointer moves. */
  const signedIn = async (handle: string): Promise<Visitor> => {
    const who = await openWindow(browser, { viewport: { width: 1280, height: 900 } });
    const email = `${handle}@example.com`;
    await who.page.goto(`${server.url}/app`);
    await type(who, who.page.getByLabel('Email address'), email);
    await who.page.keyboard.press('Enter');
    await who.page.getByLabel('Code').waitFor();
    await kept(who);
    await type(who, who.page.getByLabel('Code'), await sentCode(server, email));
    await who.page.keyboard.press('Enter');
    await who.page.getByRole('heading', { name: 'Needs your decision' }).waitFor();
    return who;
  };

  beforeAll(async () => {
    const sides = [
      [ANN, '+14155550171', LOGO_SEEK],
      [BOB, '+14155550172', LOGO_OFFER],
    ] as const;
    for (const [agent, phone, body] of sides) {
      const who = await dealer(server, browser, agent, phone);
      await call(who, { method: 'POST', path: `/api/agents/${agent}/cards`, agent, body });
      if (agent === ANN) {
        const fund = { method: 'POST', path: '/api/wallet/fund', agent, body: { amount_cents: PAID_CENTS } };
        const { checkout_url } = await call(who, fund);
        await fetch(String(checkout_url), { method: 'POST', body: new URLSearchParams({ decision: 'pay' }) });
      }
      await who.context.close();
    }
  });

  test('both sign in, say on Home that the match interests them, and go on to its conversation at once', async () => {
    [ann, bob] = [await signedIn(ANN), await signedIn(BOB)];
    // The last card of Home is gone with the answer, and its keys with it.
    await tabTo(bob, bob.page.locator('.keyed > li').first());
    await bob.page.keyboard.press('i');
    await kept(bob);
    await enter(bob, button(bob.page.getByRole('status', { name: 'Your latest answers' }), 'Go to the conversation'));
    await bob.page.waitForURL('**/conversations/*');
    await says(bob, `Write to @${ANN}, or propose an amount`);
    // In the list of matches the card stays, and leads on by a key.
    await enter(ann, ann.page.getByRole('link', { name: /^Matches/ }).first());
    await ann.page.getByRole('heading', { level: 1, name: 'Matches' }).waitFor();
    await kept(ann);
    await enter(ann, button(main(ann), 'I am interested'));
    await main(ann).getByText('You are both interested').waitFor();
    await kept(ann);
    await tabTo(ann, main(ann).locator('.keyed > li').first());
    await ann.page.keyboard.press('o');
    await ann.page.waitForURL('**/conversations/*');
    await says(ann, `Write to @${BOB}, or propose an amount`);
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('they talk, and one proposes an amount', async () => {
    await type(ann, ann.page.getByLabel('Your message', { exact: true }), 'A logo by Friday?');
    await ann.page.keyboard.press('Enter');
    await says(bob, `Answer @${ANN}`);
    await type(bob, bob.page.getByLabel('Your message', { exact: true }), 'By Friday.');
    await bob.page.keyboard.press('Enter');
    await says(ann, `Answer @${BOB}`);
    expect(await focused(bob)).toBe('textarea');
    await enter(bob, bob.page.locator('summary', { hasText: 'Propose an amount' }));
    await type(bob, bob.page.getByLabel('Amount in dollars'), '450');
    await enter(bob, button(main(bob), 'Send the proposal'));
    await says(bob, `@${ANN} has to decide on $450.00`);
  });

  test('the other approves and pays by one dialog', async () => {
    await says(ann, `Decide on $450.00 with @${BOB}`);
    await enter(ann, button(step(ann), 'Approve'));
    const sure = ann.page.getByRole('dialog');
    await sure.waitFor();
    expect(await sure.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await enter(ann, button(sure, 'Approve'));
    await says(ann, `@${BOB} has to deliver`);
    await says(bob, 'Deliver');
  });

  test('the work is delivered, the money released, and both review', async () => {
    await type(bob, step(bob).getByLabel('Link to your work'), 'https://files.example/logo');
    await enter(bob, button(step(bob), 'Deliver'));
    await says(bob, `@${ANN} has to release`);
    await says(ann, 'Look at');
    await enter(ann, button(step(ann), 'Release the money'));
    await enter(ann, button(ann.page.getByRole('dialog'), 'Release the money'));
    for (const [who, other] of [
      [ann, BOB],
      [bob, ANN],
    ] as const) {
      await says(who, `Review the deal with @${other}`);
      await tabTo(who, step(who).getByRole('radio').first());
      await who.page.keyboard.press('Space');
      for (let n = 1; n < 5; n += 1) await who.page.keyboard.press('ArrowRight');
      expect(await step(who).getByRole('radio', { name: '5 of 5 stars' }).isChecked()).toBe(true);
      await type(who, step(who).getByLabel('Your review'), 'Fast and friendly.');
      await enter(who, button(step(who), 'Send review'));
      await says(who, 'Nothing is left to do here');
    }
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });
});
