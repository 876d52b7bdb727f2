// How many steps the whole job takes in the web app: what a person sends, fills in and presses. How long the machine takes is measured
// by `./scripts/bench steps`.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { hasBrowser, openBrowser, type Visitor } from '../support/browser.ts';
import { firstSteps, otherSide, twoWindows, wholeDeal } from '../support/counted.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('the steps of the whole job', () => {
  let server: TestServer;
  let browser: Browser;
  let ann: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await openBrowser();
    [ann, bob] = await twoWindows(browser);
    await otherSide(server, bob, '+14155550162');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test('the first match is there after four forms and fourteen fields at most', async () => {
    const { first_match, active } = await firstSteps(server, ann);
    expect(first_match.forms).toBeLessThanOrEqual(4);
    expect(first_match.fields).toBeLessThanOrEqual(14);
    expect([active.forms, active.fields]).toEqual([5, 12]);
    expect(ann.complaints).toEqual([]);
  });

  test('from the match to the paid escrow both press eight times at most, from the delivery to the release three times', async () => {
    const { paid, released } = await wholeDeal(server, { ann, bob });
    expect(paid.presses).toBeLessThanOrEqual(8);
    expect(released.presses).toBeLessThanOrEqual(3);
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });
});
