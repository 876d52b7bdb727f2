// What people do for their agents in the web app: from the first sign-in to an active agent, and its settings.
import { beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { callAs, hasBrowser, openWindow, sentCode, signIn, type Visitor } from '../support/browser.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const PHONE = '+14155550123';
const BOBS_PHONE = '+14155550199';
/** Every one of these was a hole somewhere. */
const NAUGHTY = `"><script>throw new Error('ran')</script><img src=x onerror="throw 1"> ‮W`;

describe.skipIf(!hasBrowser)("a person's agents in the web app", () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    ann = await openWindow(browser, { viewport: { width: 1280, height: 900 } });
  });

  test('four steps lead from signing in to an active agent', async () => {
    await signIn(server, ann, 'ann@example.com', '/app/onboarding');
    const { page } = ann;
    await page.getByText('1 of 4 steps done').waitFor();
    await page.getByLabel('Handle').fill('postmaster');
    await page.getByText('This name is reserved.').waitFor();
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.getByText('This field is required.').waitFor();
    await page.getByLabel('Handle').fill('ann_sails');
    await page.getByText('@ann_sails is free.').waitFor();
    await page.getByLabel('Display name').fill('Ann');
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.getByText('2 of 4 steps done').waitFor();
    await page.getByRole('button', { name: 'Logo design' }).click();
    expect(await page.getByLabel('In one line').inputValue()).toBe('Logo design in two days');
    for (const label of ['logo-design', 'branding']) {
      await page.getByRole('button', { name: `Remove ${label}` }).click();
    }
    for (const [part, headline, label, amount, typed, read, button] of [
      ['What do you offer?', 'Sails cut to measure', 'sailmaking', 'Price in dollars', '$1,200', '$1,200', 'Continue'],
      [
        'What do you look for?',
        'A logo for my loft',
        'logo-design',
        'Budget in dollars',
        '900 €',
        '$900',
        'Publish and find matches',
      ],
    ] as const) {
      await page.getByRole('heading', { name: part }).waitFor();
      await page.getByLabel('In one line').fill(headline);
      await page.getByText('No match yet. You will be told when one comes.').waitFor();
      await page.getByLabel(amount).fill('about 9');
      await page.getByRole('button', { name: button }).click();
      await page.getByText('This field is required.').waitFor();
      await page.getByLabel('Labels', { exact: true }).fill(label);
      await page.getByLabel('Labels', { exact: true }).press('Enter');
      await page.getByRole('button', { name: `Remove ${label}` }).waitFor();
      await page.getByRole('button', { name: button }).click();
      await page.getByText('Enter an amount').waitFor();
      await page.getByLabel(amount).fill(typed);
      await page.getByText(`Understood as ${read}`).waitFor();
      await page.getByRole('button', { name: button }).click();
    }
    await page.getByText('Listings: 2. Matches so far: 0.').waitFor();
    await page.getByLabel('Country of the number').selectOption('US');
    await page.getByLabel('Mobile number').fill('12 345');
    await page.getByRole('button', { name: 'Text me a code' }).click();
    await page.getByText('No mobile number of that country.').waitFor();
    // The browser tells of the refusal too.
    expect(ann.complaints.splice(0)).toHaveLength(1);
    await page.getByLabel('Mobile number').fill('(415) 555-0123');
    await page.getByRole('button', { name: 'Text me a code' }).click();
    await page.getByText(`A code is on its way to ${PHONE}.`).waitFor();
    await page.getByText(`“meshwork outbox ${PHONE}” prints it`).waitFor();
    await page.getByLabel('Code from the text message').fill(await sentCode(server, PHONE));
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByRole('heading', { name: 'Your agent is active' }).waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('settings are kept, and whatever is written stays text', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/agents`);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ann' }).waitFor();
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await part('Profile').getByLabel('Display name').fill(NAUGHTY);
    await part('Profile').getByRole('button', { name: 'Save' }).click();
    await part('Profile').getByText('Saved.').waitFor();
    const bounds = part('Limits');
    await bounds.getByLabel('Pays at most, in dollars').fill('12.50');
    await bounds.getByRole('button', { name: 'Save' }).click();
    await bounds.getByText('Saved.').waitFor();
    const seen = part('Who can see this agent');
    await seen.getByRole('radio', { name: /^Matches only/ }).check();
    await seen.getByRole('button', { name: 'Save' }).click();
    await seen.getByText('Saved.').waitFor();
    await page.reload();
    await bounds.waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(NAUGHTY);
    expect(await bounds.getByLabel('Pays at most, in dollars').inputValue()).toBe('12.50');
    expect(await seen.getByRole('radio', { name: /^Matches only/ }).isChecked()).toBe(true);
    expect(ann.complaints).toEqual([]);
  });

  test('a change of the address says where the two letters are', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/account`);
    await page.getByLabel('New address').fill('ann@sails.example');
    await page.getByRole('button', { name: 'Send the codes' }).click();
    for (const to of ['ann@example.com', 'ann@sails.example']) {
      await page.getByText(`“meshwork outbox ${to}” prints it`).waitFor();
    }
    expect(ann.complaints).toEqual([]);
    await page.goto(`${server.url}/app/agents/ann_sails`);
  });

  test('policies are kept as they are written, and one that names nobody says so beside itself', async () => {
    const { page } = ann;
    const part = page.getByRole('region', { name: 'Policies', exact: true });
    await part.getByText('No policies yet').waitFor();
    await part.getByRole('button', { name: 'Add a policy' }).click();
    await part.getByLabel('Other agent (handle)').fill('nobody_at_all');
    await part.getByLabel('Minutes to answer').fill('45');
    await part.getByLabel('If I do not answer').selectOption({ label: 'allow' });
    await part.getByRole('button', { name: 'Save' }).click();
    await part.getByText('There is no agent with that handle.', { exact: true }).waitFor();
    // It stands at the field alone, which has the focus.
    expect(await part.getByRole('alert').count()).toBe(0);
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.value === 'nobody_at_all');
    // The browser tells of the refusal too.
    expect(ann.complaints.splice(0)).toHaveLength(1);
    await part.getByLabel('Other agent (handle)').fill('');
    await part.getByRole('button', { name: 'Save' }).click();
    await part.getByText('Saved.').waitFor();
    await part.getByRole('button', { name: 'Add a policy' }).click();
    await part.getByLabel('Action', { exact: true }).nth(1).selectOption({ label: 'Approving a proposal' });
    expect(await part.getByLabel('Minutes to answer').count()).toBe(1);
    await part.getByRole('button', { name: 'Save' }).click();
    await part.getByText('Saved.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.reload();
    await part.getByLabel('Minutes to answer').waitFor();
    expect(await part.getByLabel('Minutes to answer').inputValue()).toBe('45');
    expect(await part.getByLabel('If I do not answer').inputValue()).toBe('allow');
    for (const what of ['Sending money', 'Approving a proposal']) {
      await part.getByRole('button', { name: `Remove the policy: ${what}` }).click();
    }
    await part.getByRole('button', { name: 'Save' }).click();
    await part.getByText('Saved.').waitFor();
    await page.reload();
    await part.getByText('No policies yet').waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('hours that end before they begin are refused once, at the field of their end', async () => {
    const { page } = ann;
    const part = page.getByRole('region', { name: 'Available hours', exact: true });
    await part.getByRole('button', { name: 'Add hours' }).click();
    await part.getByLabel('From', { exact: true }).fill('18:00');
    await part.getByRole('button', { name: 'Save' }).click();
    await part.getByText('A window ends after it begins').waitFor();
    expect(await part.getByText('A window ends after it begins').count()).toBe(1);
    expect(await part.getByLabel('To', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await part.getByLabel('From', { exact: true }).getAttribute('aria-invalid')).toBe('false');
    expect(ann.complaints.splice(0)).toHaveLength(1);
  });

  test('a match is shown with its reasons, declined with one, and another approved', async () => {
    bob = await openWindow(browser);
    await signIn(server, bob, 'bob@example.com', '/app/onboarding');
    await callAs(bob, 'POST', '/api/agents', { handle: 'bob_draws', display_name: NAUGHTY });
    await callAs(bob, 'POST', '/api/trust/phone/send', { phone: BOBS_PHONE }, 'bob_draws');
    const code = await sentCode(server, BOBS_PHONE);
    await callAs(bob, 'POST', '/api/trust/phone/verify', { phone: BOBS_PHONE, code }, 'bob_draws');
    const offers = [{ headline: NAUGHTY, labels: ['logo-design'], price_cents: 50_000 }];
    const seeks = [{ headline: 'Sails for a dinghy', labels: ['sailmaking'], budget_cents: 90_000 }];
    const geo = { countries: ['US'], remote: true };
    await callAs(bob, 'POST', '/api/onboarding/intake', { offers, seeks, geo }, 'bob_draws');
    const { page } = ann;
    await page.goto(`${server.url}/app/matches`);
    const cards = page.locator('.card.match');
    const sails = cards.filter({ hasText: 'Sails for a dinghy' });
    await sails.getByText('You both named sailmaking').waitFor();
    expect(await barriers(page)).toEqual([]);
    await sails.getByRole('link', { name: 'Sails for a dinghy' }).click();
    await page.getByRole('button', { name: 'Not a fit' }).click();
    await page.getByLabel('Why is this not a fit?').selectOption({ label: 'The time' });
    await page.getByRole('button', { name: 'Decline this match' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page
      .getByRole('link', { name: /^Matches/ })
      .first()
      .click();
    await sails.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: NAUGHTY }).click();
    await page.getByRole('heading', { level: 1, name: NAUGHTY }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'I am interested' }).click();
    // Going elsewhere sends it at once.
    await page
      .getByRole('link', { name: /^Matches/ })
      .first()
      .click();
    await page.getByRole('status').getByRole('link', { name: 'Go to the conversation' }).click();
    await page.getByRole('heading', { level: 1, name: '@bob_draws' }).waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('messages arrive by the stream, are text whatever they say, and are answered', async () => {
    const { page } = ann;
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const log = page.getByRole('log');
    expect(await log.getAttribute('aria-live')).toBe('polite');
    await page.getByLabel('Your message').fill('Could you draw a sail?');
    await page.getByLabel('Your message').press('Enter');
    await log.getByText('Could you draw a sail?').waitFor();
    await callAs(bob, 'POST', `/api/conversations/${id}/messages`, { content: NAUGHTY }, 'bob_draws');
    await log.getByText(NAUGHTY).waitFor();
    expect(await page.getByLabel('Your message').inputValue()).toBe('');
    await page.getByText('Close the conversation').first().click();
    await page.getByRole('button', { name: 'Close the conversation' }).click();
    const sure = page.getByRole('group', { name: 'Close this conversation for good?' });
    await sure.getByRole('button', { name: 'Close the conversation' }).click();
    await page.getByText('This conversation is closed.').waitFor();
    await page.goto(`${server.url}/app/conversations`);
    await page.getByRole('link', { name: /@bob_draws Closed/ }).waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('a listing is written beside whom it would meet, published, made a draft and deleted', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/listings/new`);
    await page.getByLabel('Title').fill('Sails for dinghies');
    const preview = page.getByRole('region', { name: 'Preview matches' });
    await preview.getByText('a label, a price').waitFor();
    await page.getByLabel('Labels', { exact: true }).fill('sailmaking,');
    await page.getByLabel('Price in dollars').fill('700');
    await preview.getByText('Complete: ready to publish.').waitFor();
    await preview.getByText('Sails for a dinghy').waitFor();
    await page.getByLabel('Subcategory').selectOption({ label: 'Web development' });
    await page.getByLabel('Days from order to delivery').fill('12');
    await page.getByRole('button', { name: 'Create listing' }).click();
    const state = page.getByRole('region', { name: 'Status' });
    await state.getByText('Live').waitFor();
    expect(await page.getByLabel('Days from order to delivery').inputValue()).toBe('12');
    await page.getByLabel('Price in dollars').fill('');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await state.getByText('a price').waitFor();
    await state.getByText('Draft').waitFor();
    await state.getByRole('button', { name: 'Delete' }).click();
    await state.getByRole('group').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Listings' }).waitFor();
    await page.getByRole('link', { name: 'Sails cut to measure' }).waitFor();
    expect(await page.getByRole('link', { name: 'Sails for dinghies' }).count()).toBe(0);
    expect(ann.complaints).toEqual([]);
  });

  test('the directory is searched by words and labels, and a profile told in full', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/people`);
    await page.getByLabel('Search by name, headline or label').fill('nobody-at-all');
    await page.getByText('No results.').waitFor();
    await page.getByLabel('Search by name, headline or label').fill('bob_d logo');
    await page.getByLabel('Only with one of these labels').fill('logo-design,');
    await page.getByRole('link', { name: NAUGHTY }).click();
    await page.getByRole('heading', { level: 1, name: NAUGHTY }).waitFor();
    await page.getByRole('region', { name: 'Live listings' }).getByText('Sails for a dinghy').waitFor();
    await page.getByRole('region', { name: 'Verified' }).getByText('Phone').waitFor();
    await page.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('group').getByRole('button', { name: 'Block' }).click();
    await page.getByText('@bob_draws is blocked').waitFor();
    expect(ann.complaints).toEqual([]);
  });
});
