// How many steps the whole job takes in the web app: what a person sends, fills in and presses. How long the machine takes is measured
// by `./scripts/bench steps`.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { hasBrowser, openWindow, sentCode, signIn, type Visitor } from '../support/browser.ts';
import { firstSteps, otherSide, twoWindows, wholeDeal } from '../support/counted.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

describe.skipIf(!hasBrowser)('the steps of the whole job', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    [ann, bob] = await twoWindows(browser);
    await otherSide(server, bob, '+14155550162');
  });

  test('the first match is there after four forms and fourteen fields at most', async () => {
    const { first_match, active } = await firstSteps(server, ann);
    expect(first_match.forms).toBeLessThanOrEqual(4);
    expect(first_match.fields).toBeLessThanOrEqual(14);
    expect([active.forms, active.fields]).toEqual([5, 12]);
    expect(ann.complaints).toEqual([]);
  });

  test('who only sells says one side, is verified, and is published once', async () => {
    const cas = await openWindow(browser, { viewport: { width: 1280, height: 900 } });
    const { page } = cas;
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
    await signIn(server, cas, 'cas@example.com', '/app/onboarding');
    await page.getByLabel('Handle').fill('cas_bakes');
    await page.getByLabel('Display name').fill('Cas');
    await button('Create the agent').click();
    await page.getByRole('heading', { name: 'What do you offer?' }).waitFor();
    // Pressed too early: what is missing is said here, and not of the other side.
    await button('Continue').click();
    await page.getByText('This field is required.').first().waitFor();
    await page.getByLabel('In one line').fill('Wedding cakes');
    await page.getByLabel('Labels').fill('cakes');
    await page.getByLabel('Price in dollars').fill('300');
    await button('Continue').click();
    await page.getByRole('heading', { name: 'What do you look for?' }).waitFor();
    expect(await page.getByText('This field is required.').count()).toBe(0);
    await button('I only offer something').click();
    await page.getByText('Saved. It is published as soon as you are verified.').waitFor();
    await page.getByText('3 of 4 steps done').waitFor();
    expect(await page.getByLabel('In one line').count()).toBe(0);
    await page.getByLabel('Country of the number').selectOption('US');
    await page.getByLabel('Mobile number').fill('(415) 555-0163');
    await button('Text me a code').click();
    await page.getByLabel('Code from the text message').fill(await sentCode(server, '+14155550163'));
    await button('Verify').click();
    await page.getByText('4 of 4 steps done').waitFor();
    await page.getByText('Saved. It is published').waitFor({ state: 'detached' });
    await page.goto(`${server.url}/app/listings`);
    await page.getByText('Wedding cakes').waitFor();
    expect(await page.getByText('Wedding cakes').count()).toBe(1);
    expect(await page.getByText('Paused').count()).toBe(0);
    await page.goto(`${server.url}/app`);
    await page.getByRole('heading', { name: 'Needs your decision' }).waitFor();
    await page.getByRole('heading', { name: 'Next step' }).waitFor({ state: 'detached' });
    expect(cas.complaints).toEqual([]);
  });

  test('from the match to the paid escrow both press eight times at most, from the delivery to the release three times', async () => {
    const { paid, released } = await wholeDeal(server, { ann, bob });
    expect(paid.presses).toBeLessThanOrEqual(8);
    expect(released.presses).toBeLessThanOrEqual(3);
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });
});
