// The pages of the built-in payment processor: funding a wallet, buying a plan, connecting a payout account. Each says that no
// real money moves. The URL is the credential: its holder decides by a form to the same URL with `decision=pay` or
// `decision=cancel`. A second decision displays the first one's outcome.
import type { Ended } from '../../pipeline/call.ts';
import type { PlainRoute } from '../app.ts';
import type { DoorPorts } from '../door-ports.ts';
import type { RestDoor } from '../rest.ts';
import { type Beside, type Html, html, nobodyAsks, type Page, sentForm, showPage } from './page.ts';
import { money, type PageWords, type Tongue, type TongueOf } from './words.ts';

const ADDRESS = '/sandbox/{page}/{id}/{token}';

/** Response of sandbox.page. */
interface Shown {
  readonly state: 'open' | 'paid' | 'cancelled' | 'expired';
  readonly amount_cents: number;
  readonly who: string;
  readonly back_url: string;
}

type Words = PageWords['sandbox'];
type Kind = keyof Words['pages'];

const noMoney = ({ no_money }: Words): Html => html`<p class="note" role="note">${no_money}</p>`;

/** A page without a decision. */
function saidPage(status: number, { title, heading, lead }: Words['absent']): Page {
  return { status, title, body: html`<h1>${heading}</h1><p>${lead}</p>` };
}

function facts(kind: Kind, shown: Shown, tongue: Tongue): Html {
  const { amount, monthly, pages } = tongue.words.sandbox;
  const sum = money(tongue, shown.amount_cents);
  const row = html`<dt>${amount}</dt><dd>${kind === 'plan' ? monthly(sum) : sum}</dd>`;
  return html`<dl><dt>${pages[kind].who}</dt><dd>${shown.who}</dd>${kind === 'payee' ? html`` : row}</dl>`;
}

/** The outcome, once decided. */
function endOf(kind: Kind, { state }: Shown, words: Words): Words['cancelled'] {
  if (state === 'paid') return words.pages[kind].done;
  return state === 'cancelled' ? words.cancelled : words.expired;
}

function pageOf(kind: Kind, shown: Shown, left: boolean, tongue: Tongue): Page {
  const words = tongue.words.sandbox;
  const about = html`${facts(kind, shown, tongue)}${noMoney(words)}`;
  if (left || shown.state !== 'open') {
    const { title, lead } = left ? words.left : endOf(kind, shown, words);
    const back = html`<a class="button main" href="${shown.back_url}">${words.back}</a>`;
    return { title, body: html`<h1 role="status">${title}</h1><p>${lead}</p>${about}${back}` };
  }
  const { title, lead, yes } = words.pages[kind];
  const buttons = html`<button class="main" name="decision" value="pay">${yes}</button><button name="decision" value="cancel">${words.cancel}</button>`;
  return { title, body: html`<h1>${title}</h1><p>${lead}</p>${about}<form method="post">${buttons}</form>` };
}

/** A refusal's page. */
function refusedPage(ended: Ended, { absent, busy }: Words): Page {
  const code = 'refusal' in ended ? ended.refusal.fault : '';
  return code === 'not_found' || code === 'invalid_request' ? saidPage(404, absent) : saidPage(503, busy);
}

/** The sandbox's pages; 404 without the sandbox. */
export function sandboxRoutes(
  ports: Pick<DoorPorts, 'operations' | 'pipeline'>,
  door: RestDoor,
  tongueOf: TongueOf,
): readonly PlainRoute[] {
  const ask = nobodyAsks(ports, door);
  const shown = async (
    request: Request,
    address: { readonly page: string } & Record<string, unknown>,
    { request_id, tongue }: Beside,
    left: boolean,
  ): Promise<Page> => {
    const ended = await ask(request, 'sandbox.page', address, request_id);
    if (!('reply' in ended)) return refusedPage(ended, tongue.words.sandbox);
    // The operation has validated the URL.
    return pageOf(address.page as Kind, ended.reply.value as Shown, left, tongue);
  };
  const handle: PlainRoute['handle'] = async (request, { page = '', id = '', token = '' }) => {
    const told = { request_id: Bun.randomUUIDv7(), tongue: tongueOf(request, null) };
    const words = told.tongue.words.sandbox;
    const address = { page, id, token };
    let left = false;
    if (request.method === 'POST') {
      const { decision = null } = (await sentForm(request)) ?? {};
      if (decision !== 'pay' && decision !== 'cancel') return showPage(saidPage(400, words.unclear), told);
      const ended = await ask(request, 'sandbox.decide', { ...address, decision }, told.request_id);
      // A concurrent request decided first: displays its outcome.
      if ('refusal' in ended && ended.refusal.fault !== 'conflict') return showPage(refusedPage(ended, words), told);
      left = page === 'payee' && decision === 'cancel';
    }
    return showPage(await shown(request, address, told, left), told);
  };
  return [
    { method: 'GET', path: ADDRESS, handle },
    { method: 'POST', path: ADDRESS, handle },
  ];
}
