// Counts what a person does in the web app: forms that are sent, fields that are filled in, buttons and links that are pressed, and how
// long the machine keeps them waiting after a press.
import type { Locator } from 'playwright-core';
import { callAs, openWindow, sentCode, signIn, type Visitor } from './browser.ts';
import type { TestServer } from './server.ts';

/** What a part of the job took. */
export interface Counts {
  readonly forms: number;
  readonly fields: number;
  readonly presses: number;
  readonly waited_ms: number;
}

/** A person whose steps are counted. */
class Counted {
  #forms = 0;
  #fields = 0;
  #presses = 0;
  #waited_ms = 0;

  get counts(): Counts {
    return { forms: this.#forms, fields: this.#fields, presses: this.#presses, waited_ms: Math.round(this.#waited_ms) };
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.#fields += 1;
    await field.fill(text);
  }

  /** Types a label, which Enter takes. */
  async label(field: Locator, text: string): Promise<void> {
    await this.fill(field, text);
    await field.press('Enter');
  }

  async choose(field: Locator, value: string): Promise<void> {
    this.#fields += 1;
    await field.selectOption(value);
  }

  /** Presses, and waits for what shows that it worked. */
  async press(button: Locator, then: Locator): Promise<void> {
    this.#presses += 1;
    const began = performance.now();
    await button.click();
    await then.waitFor();
    this.#waited_ms += performance.now() - began;
  }

  /** Sends a form by its button. */
  async send(button: Locator, then: Locator): Promise<void> {
    this.#forms += 1;
    await this.press(button, then);
  }
}

/** The other side's agent. */
const BOB = 'bob_bakes';

type Served = Pick<TestServer, 'url' | 'data_dir'>;

/** The other side of the market: an agent that seeks what a person will offer, and offers what they will seek. */
export async function otherSide(server: Served, visitor: Visitor, phone: string): Promise<void> {
  await signIn(server, visitor, `${BOB}@example.com`, '/app/onboarding');
  const post = (path: string, body: Readonly<Record<string, unknown>>, as?: string): Promise<unknown> =>
    callAs(visitor, 'POST', path, body, as);
  await post('/api/agents', { handle: BOB, display_name: 'Bob' });
  await post('/api/trust/phone/send', { phone }, BOB);
  await post('/api/trust/phone/verify', { phone, code: await sentCode(server, phone) }, BOB);
  const offers = [
    { headline: 'Photographs of products for web shops', labels: ['product-photography'], price_cents: 90_000 },
  ];
  const seeks = [{ headline: 'A logo for my bakery', labels: ['logo-design'], budget_cents: 90_000 }];
  await post('/api/onboarding/intake', { offers, seeks, geo: { countries: ['DE'], remote: true } }, BOB);
}

/** From the code entered to the first match, and on to the active agent. */
export async function firstSteps(
  server: Served,
  visitor: Visitor,
): Promise<{ readonly first_match: Counts; readonly active: Counts }> {
  const { page } = visitor;
  const phone = '+14155550161';
  await signIn(server, visitor, 'ann@example.com', '/app/onboarding');
  const ann = new Counted();
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  await page.getByText('1 of 4 steps done').waitFor();
  await ann.fill(page.getByLabel('Handle'), 'ann_draws');
  await ann.fill(page.getByLabel('Display name'), 'Ann');
  await ann.send(button('Create the agent'), page.getByRole('heading', { name: 'What do you offer?' }));
  await ann.fill(page.getByLabel('In one line'), 'Logo design in two days');
  await ann.label(page.getByLabel('Labels'), 'logo-design');
  await ann.fill(page.getByLabel('Price in dollars'), '$500');
  await ann.fill(page.getByLabel('Place'), 'Berlin');
  await ann.send(button('Continue'), page.getByRole('heading', { name: 'What do you look for?' }));
  await ann.fill(page.getByLabel('In one line'), 'Photographs of thirty products');
  await ann.label(page.getByLabel('Labels'), 'product-photography');
  await ann.fill(page.getByLabel('Budget in dollars'), '1,200.50');
  await ann.send(
    button('Publish and find matches'),
    page.getByRole('status').filter({ hasText: '@bob_bakes' }).first(),
  );
  const first_match = ann.counts;
  await ann.choose(page.getByLabel('Country of the number'), 'US');
  await ann.fill(page.getByLabel('Mobile number'), '(415) 555-0161');
  await ann.send(button('Text me a code'), page.getByLabel('Code from the text message'));
  await ann.fill(page.getByLabel('Code from the text message'), await sentCode(server, phone));
  await ann.send(button('Verify'), page.getByRole('heading', { name: 'Your agent is active' }));
  return { first_match, active: ann.counts };
}

interface Sides {
  readonly ann: Visitor;
  readonly bob: Visitor;
}

/** From the match to the escrow that is paid, and from the delivery to the release: the presses of both sides together. The buyer's
 * money is there. */
export async function wholeDeal(
  server: Served,
  { ann, bob }: Sides,
): Promise<{ readonly paid: Counts; readonly released: Counts }> {
  const asked = await callAs(bob, 'POST', '/api/wallet/fund', { amount_cents: 100_000 }, BOB);
  const { checkout_url } = asked as { checkout_url: string };
  await fetch(checkout_url, { method: 'POST', body: new URLSearchParams({ decision: 'pay' }), redirect: 'manual' });
  const both = new Counted();
  const button = ({ page }: Visitor, name: string): Locator => page.getByRole('button', { name, exact: true }).first();
  const step = ({ page }: Visitor): Locator => page.locator('.next-step');
  await ann.page.goto(`${server.url}/app/matches`);
  const card = ann.page.locator('.card.match').filter({ hasText: 'A logo for my bakery' });
  const propose = ann.page.getByText('Propose an amount', { exact: true });
  const talk = card.getByRole('button', { name: 'Go to the conversation' });
  await both.press(card.getByRole('button', { name: 'I am interested' }), talk);
  await both.press(talk, propose);
  const amount = ann.page.getByLabel('Amount in dollars');
  await both.press(propose, amount);
  await both.fill(amount, '480');
  await both.send(button(ann, 'Send the proposal'), ann.page.getByText(/\$480\.00/).first());
  await bob.page.goto(`${server.url}/app/conversations`);
  await both.press(
    bob.page.locator('main a', { hasText: '@ann_draws' }).first(),
    step(bob).getByRole('button', { name: 'Approve' }),
  );
  const sure = bob.page.getByRole('group', { name: /Approve/ }).getByRole('button', { name: 'Approve' });
  await both.press(step(bob).getByRole('button', { name: 'Approve' }).first(), sure);
  await both.press(sure, bob.page.locator('.figure-big', { hasText: '$480.00' }).first());
  const paid = both.counts;
  await ann.page.reload();
  await step(ann).getByLabel('Description').fill('The logo');
  await step(ann).getByLabel('Link to your work').fill('https://files.example/logo');
  await step(ann).getByRole('button', { name: 'Deliver' }).click();
  const after = new Counted();
  const pay = step(bob).getByRole('button', { name: 'Release the money' });
  await pay.first().waitFor();
  const yes = step(bob).getByRole('group').getByRole('button', { name: 'Release the money' });
  await after.press(pay.first(), yes);
  await after.press(yes, bob.page.getByText(/^Released: /).first());
  return { paid, released: after.counts };
}

/** A window for each of two people on one server. */
export async function twoWindows(browser: Parameters<typeof openWindow>[0]): Promise<readonly [Visitor, Visitor]> {
  const viewport = { width: 1280, height: 900 };
  return [await openWindow(browser, { viewport }), await openWindow(browser, { viewport })];
}
