// The account and administration in the web app: sessions, taking all along, leaving; a dispute that an administrator rules.
import { beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, openWindow, seen, signIn, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import type { TestServer } from '../support/server.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const NAUGHTY = `"><script>throw new Error('ran')</script><img src=x onerror="throw 1">`;
const ADMIN = 'judge@example.com';

/** The sign-in link that was mailed last to an address. */
async function mailedLink({ url, data_dir }: TestServer, to: string): Promise<string> {
  const token = (await Bun.file(`${data_dir}/internal-token`).text()).trim();
  const read = async (): Promise<string> =>
    (await fetch(`${url}/internal/outbox?to=${to}`, { headers: { 'X-Internal-Token': token } })).text();
  const letters = await seen(read, (text) => text.includes('/login#token='));
  return letters.match(/http[^\s"<\\]+\/login#token=[\w.-]+/g)?.at(-1) ?? '';
}

describe.skipIf(!hasBrowser)('the account and administration in the web app', () => {
  const { server, browser } = serverAndBrowser({ ADMIN_EMAILS: ADMIN });
  let ann: Visitor;
  let bob: Visitor;
  let judge: Visitor;

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_buys', '+14155550121');
    bob = await dealer(server, browser, 'bob_sells', '+14155550122');
    judge = await openWindow(browser, { viewport: { width: 1280, height: 900 } });
    await signIn(server, judge, ADMIN, '/app/');
    // An administrator without an agent lands on the administration.
    await judge.page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor();
    await ann.page.goto(`${server.url}/app/wallet`);
    await ann.page.getByLabel('Amount in dollars').fill('100');
    await ann.page.getByRole('button', { name: 'Continue to payment' }).click();
    await ann.page.getByRole('button', { name: 'Pay' }).click();
    await ann.page.getByRole('link', { name: 'Back to Meshwork' }).click();
    const path = '/api/wallet/escrow';
    const milestones = [{ title: 'Sails', amount_cents: 5_000 }];
    const body = { seller_handle: 'bob_sells', milestones };
    const { id } = await call(ann, { method: 'POST', path, agent: 'ann_buys', body });
    const reason = `They leak. ${NAUGHTY}`;
    await call(ann, { method: 'POST', path: `${path}/${id}/dispute`, agent: 'ann_buys', body: { reason } });
    const statement = `They do not. ${NAUGHTY}`;
    const answer = { method: 'POST', path: `${path}/${id}/dispute/evidence`, agent: 'bob_sells', body: { statement } };
    await call(bob, answer);
    for (const { complaints } of [ann, bob, judge]) complaints.length = 0;
  });

  test('administration is shown to administrators alone', async () => {
    await ann.page.goto(`${server.url}/app/account`);
    await ann.page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await ann.page.getByText('ann_buys@example.com').first().waitFor();
    expect(await ann.page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    await judge.page.getByRole('link', { name: 'Administration' }).click();
    await judge.page.getByRole('heading', { name: 'Server' }).waitFor();
    expect(await barriers(judge.page)).toEqual([]);
    await judge.page.getByRole('button', { name: 'Send a test email' }).click();
    await judge.page.getByText(/outbox folder/).waitFor();
    await judge.page.getByRole('button', { name: 'Reviews', exact: true }).click();
    await judge.page.getByText('Nothing needs a decision.').waitFor();
  });

  test('a dispute is ruled, with what each side said shown as text', async () => {
    const { page } = judge;
    await page.getByRole('button', { name: 'Disputes', exact: true }).click();
    await page.getByRole('heading', { name: '@ann_buys against @bob_sells' }).waitFor();
    await page.getByText(NAUGHTY).first().waitFor();
    await page.getByLabel('Refund to the buyer, in dollars').fill('20');
    await page.getByText('The seller gets $30.00, minus the fee.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Note to both sides').fill('Half of it was delivered.');
    await page.getByRole('button', { name: 'Decide', exact: true }).click();
    const asked = page.getByRole('group', { name: 'Confirm this decision?' });
    expect(await asked.textContent()).toContain('$20.00 is refunded to the buyer, and $30.00, minus the fee');
    await asked.getByRole('button', { name: 'Decide' }).click();
    await page.getByText('No open disputes.').waitFor();
  });

  test('the ledger is proved, an account is looked at for a reason, and both are written down', async () => {
    const { page } = judge;
    await page.getByRole('button', { name: 'Ledger', exact: true }).click();
    await page.getByRole('button', { name: 'Check the ledger' }).click();
    await page.getByText('No errors found.').waitFor();
    await page.getByRole('button', { name: 'People', exact: true }).click();
    await page.getByLabel('Address starts with').fill('bob');
    await page.getByRole('button', { name: 'Open bob_sells@example.com' }).waitFor();
    await page.getByLabel('Email address or agent handle').fill('@bob_sells');
    await page.getByLabel('Reason').fill(`asked for help ${NAUGHTY}`);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('group').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Account suspended.').waitFor();
    await page.getByRole('button', { name: 'Reinstate' }).click();
    await page.getByText('Account reinstated.').waitFor();
    await page.getByText('Vouch for this agent').first().click();
    await page.getByLabel('Document or check number').fill('check 2041-77');
    await page.getByLabel('What you checked, and how').fill('Passport seen in a video call');
    await page.getByRole('button', { name: 'Vouch for this agent' }).click();
    await page.getByText('vouched for', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Audit log' }).click();
    await page.getByRole('row').filter({ hasText: 'Dispute decided' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'asked for help' }).first().waitFor();
    expect(judge.complaints).toEqual([]);
  });

  test('a sign-in that was reset ends where it was, and the mailed link signs in again, once', async () => {
    const { page } = judge;
    await page.getByRole('button', { name: 'People', exact: true }).click();
    await page.getByLabel('Email address or agent handle').fill('@bob_sells');
    await page.getByLabel('Reason').fill('the phone was stolen');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('button', { name: 'Reset sign-in' }).click();
    const asked = page.getByRole('group', { name: /^Reset sign-in\?/ });
    await asked.getByRole('button', { name: 'Reset sign-in' }).click();
    await page.getByText('Sessions and passkeys ended. A sign-in link was sent.').waitFor();
    await bob.page.goto(`${server.url}/app/wallet`);
    await bob.page.getByLabel('Email address').waitFor();
    const link = await mailedLink(server, 'bob_sells@example.com');
    await bob.page.goto(link);
    await bob.page.getByRole('button', { name: 'Finish signing in' }).click();
    await bob.page.getByRole('navigation', { name: 'Main' }).waitFor();
    bob.complaints.length = 0;
    const thief = await openWindow(browser);
    await thief.page.goto(link);
    await thief.page.getByRole('button', { name: 'Finish signing in' }).click();
    await thief.page.getByRole('alert').first().waitFor();
    expect(await thief.page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    await thief.context.close();
  });

  test('a session elsewhere is ended, and there somebody has to sign in again', async () => {
    const elsewhere = await openWindow(browser);
    await signIn(server, elsewhere, 'ann_buys@example.com', '/app/account');
    const { page } = ann;
    await page.reload();
    await page.getByRole('button', { name: 'End session' }).first().click();
    await page.getByRole('group').getByRole('button', { name: 'End session' }).click();
    await page.getByRole('button', { name: 'End session' }).first().waitFor({ state: 'detached' });
    // What it reads next leads there as well, and may do so before it is loaded anew.
    await elsewhere.page.reload().catch(() => undefined);
    await elsewhere.page.getByLabel('Email address').waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('all is taken along as one file', async () => {
    const { page } = ann;
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export my data' }).click();
    const file = await (await saved).path();
    const { account, sections } = await Bun.file(file).json();
    expect(account.email).toBe('ann_buys@example.com');
    expect(Object.keys(sections)).toContain('escrows');
    await page.getByText(/^Export complete: \d+ rows\.$/).waitFor();
  });

  test('money that is left is given up only when that is asked for', async () => {
    const { page } = ann;
    await page.getByRole('button', { name: 'Delete account' }).click();
    const sure = page.getByRole('group', { name: 'Delete your account?' });
    await sure.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('Your wallet still holds $70.00').waitFor();
    ann.complaints.length = 0;
    await page.getByRole('button', { name: 'Give up the money and delete' }).click();
    await sure.getByRole('button', { name: 'Give up the money and delete' }).click();
    await page.getByLabel('Email address').waitFor();
  });
});
