// The pages of the built-in payment processor: paying into a wallet, buying a plan, connecting where an account is paid to. Each
// says that no real money moves. The address of a page is its credential, and whoever has it decides: the form goes to the same
// address with `decision=pay` or `decision=cancel`, and a second decision is shown what stands.
import type { Ended } from '../../pipeline/call.ts';
import type { PlainRoute } from '../app.ts';
import type { DoorPorts } from '../door-ports.ts';
import type { RestDoor } from '../rest.ts';
import { type Html, html } from './html.ts';
import { nobodyAsks } from './nobody.ts';
import { type Page, sentForm, showPage } from './page.ts';

const ADDRESS = '/sandbox/{page}/{id}/{token}';

/** As sandbox.page answers it. */
interface Shown {
  readonly state: 'open' | 'paid' | 'cancelled' | 'expired';
  readonly amount_cents: number;
  readonly who: string;
  readonly back_url: string;
}

/** The words of one kind of page. */
interface Words {
  readonly title: string;
  readonly lead: string;
  /** The label of whose it is. */
  readonly who: string;
  readonly amount: string | null;
  readonly yes: string;
  readonly done: readonly [title: string, lead: string];
}

const WORDS: Readonly<Record<string, Words>> = {
  pay: {
    title: 'Fund a wallet',
    lead: 'An agent asks you to add money to its wallet.',
    who: 'Wallet of',
    amount: '',
    yes: 'Pay',
    done: ['Paid', 'The money is in the wallet.'],
  },
  plan: {
    title: 'Subscribe to Pro',
    lead: 'The plan renews each month until you cancel it.',
    who: 'Account',
    amount: ' a month',
    yes: 'Subscribe',
    done: ['Subscribed', 'The account is on Pro.'],
  },
  payee: {
    title: 'Connect a payout account',
    lead: 'Withdrawals go to the account that you connect here.',
    who: 'Account',
    amount: null,
    yes: 'Connect',
    done: ['Connected', 'Withdrawals can be asked for.'],
  },
};

const NO_MONEY = html`<p class="note" role="note">This is a test. No real money moves.</p>`;
const ABSENT: Page = {
  status: 404,
  title: 'Not found',
  body: html`<h1>There is no such page</h1><p>Ask for a new link where you got this one.</p>`,
};
const BUSY: Page = {
  status: 503,
  title: 'Try again',
  body: html`<h1>That did not work</h1><p>Nothing was decided. Please try again in a moment.</p>`,
};
const UNCLEAR: Page = {
  status: 400,
  title: 'Not understood',
  body: html`<h1>That was not understood</h1><p>Go back and press one of the buttons.</p>`,
};

function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}

/** What it is about. */
function facts({ who, amount }: Words, shown: Shown): Html {
  const sum = amount === null ? [] : [html`<dt>Amount</dt><dd>${dollars(shown.amount_cents) + amount}</dd>`];
  return html`<dl><dt>${who}</dt><dd>${shown.who}</dd>${sum}</dl>`;
}

function back({ back_url }: Shown): Html {
  return html`<a class="button main" href="${back_url}">Back to Meshwork</a>`;
}

/** What stands, once it is decided. */
function endOf({ done }: Words, { state }: Shown): readonly [title: string, lead: string] {
  if (state === 'paid') return done;
  if (state === 'cancelled') return ['Cancelled', 'Nothing was paid.'];
  return ['This page has expired', 'Nothing was paid. Ask for a new link where you got this one.'];
}

function pageOf(words: Words, shown: Shown, left: boolean): Page {
  if (left || shown.state !== 'open') {
    const [title, lead] = left ? (['Not connected', 'You can come back to this page.'] as const) : endOf(words, shown);
    return {
      title,
      body: html`<h1 role="status">${title}</h1><p>${lead}</p>${facts(words, shown)}${NO_MONEY}${back(shown)}`,
    };
  }
  const buttons = html`<button class="main" name="decision" value="pay">${words.yes}</button><button name="decision" value="cancel">Cancel</button>`;
  return {
    title: words.title,
    body: html`<h1>${words.title}</h1><p>${words.lead}</p>${facts(words, shown)}${NO_MONEY}<form method="post">${buttons}</form>`,
  };
}

/** The page after a refusal. */
function refusedPage(ended: Ended): Page {
  const code = 'refusal' in ended ? ended.refusal.fault : '';
  return code === 'not_found' || code === 'invalid_request' ? ABSENT : BUSY;
}

/** The sandbox's pages; without the sandbox each is 404. */
export function sandboxRoutes(
  ports: Pick<DoorPorts, 'operations' | 'pipeline'>,
  door: RestDoor,
): readonly PlainRoute[] {
  const ask = nobodyAsks(ports, door);
  const shown = async (
    request: Request,
    address: Record<string, unknown>,
    id: string,
    left: boolean,
  ): Promise<Page> => {
    const words = WORDS[String(address['page'])];
    const ended = await ask(request, 'sandbox.page', address, id);
    if (!words || !('reply' in ended)) return refusedPage(ended);
    return pageOf(words, ended.reply.value as Shown, left);
  };
  const handle: PlainRoute['handle'] = async (request, { page = '', id = '', token = '' }) => {
    const request_id = Bun.randomUUIDv7();
    const address = { page, id, token };
    let left = false;
    if (request.method === 'POST') {
      const { decision = null } = (await sentForm(request)) ?? {};
      if (decision !== 'pay' && decision !== 'cancel') return showPage(UNCLEAR, { request_id });
      const ended = await ask(request, 'sandbox.decide', { ...address, decision }, request_id);
      // Somebody else decided in the same moment: what stands is shown.
      if ('refusal' in ended && ended.refusal.fault !== 'conflict') return showPage(refusedPage(ended), { request_id });
      left = page === 'payee' && decision === 'cancel';
    }
    return showPage(await shown(request, address, request_id, left), { request_id });
  };
  return [
    { method: 'GET', path: ADDRESS, handle },
    { method: 'POST', path: ADDRESS, handle },
  ];
}
