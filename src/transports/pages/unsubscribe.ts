// Where letters are stopped (RFC 8058). A mail program posts to the address in the letter's header and is done; a person who opens it is
// asked first, since what reads mail for people follows links. The address is its credential: no cookie, no sign-in, no form token,
// and nothing that is sent along is read.
import type { PlainRoute } from '../app.ts';
import type { DoorPorts } from '../door-ports.ts';
import type { RestDoor } from '../rest.ts';
import { answered, appPath, type PagePorts } from './door.ts';
import { html } from './html.ts';
import { nobodyAsks } from './nobody.ts';
import { type Page, showPage } from './page.ts';
import { refusalPage } from './refusal.ts';
import type { PageWords, Tongue, TongueOf } from './words.ts';

/** As notification.letters answers it. */
interface Asked {
  readonly kind: keyof PageWords['unsubscribe']['kinds'];
  readonly stopped: boolean;
}

function askedPage({ kind }: Asked, { words: { unsubscribe } }: Tongue): Page {
  const { title, heading, button, kinds } = unsubscribe;
  return {
    title,
    body: html`<h1>${heading}</h1><p>${kinds[kind].asked}</p><form method="post"><button class="main">${button}</button></form>`,
  };
}

function stoppedPage({ kind }: Asked, app: string, { words: { unsubscribe, what_next } }: Tongue): Page {
  const { stopped, choose, kinds } = unsubscribe;
  return {
    title: stopped,
    body: html`<h1 role="status">${stopped}</h1><p>${kinds[kind].done}</p><nav aria-label="${what_next}"><a class="button main" href="${app}/notifications">${choose}</a></nav>`,
  };
}

/** The page, and what a mail program posts to. */
export function unsubscribeRoutes(
  ports: Pick<DoorPorts, 'operations' | 'pipeline'> & Pick<PagePorts, 'settings'>,
  door: RestDoor,
  tongueOf: TongueOf,
): readonly PlainRoute[] {
  const ask = nobodyAsks(ports, door);
  const app = appPath(ports.settings);
  const handle: PlainRoute['handle'] = async (request, { token = '' }) => {
    const told = { request_id: Bun.randomUUIDv7(), tongue: tongueOf(request) };
    const posted = request.method === 'POST';
    const name = posted ? 'notification.unsubscribe' : 'notification.letters';
    const asked = answered<Asked>(await ask(request, name, { token }, told.request_id));
    if ('refusal' in asked) return showPage(refusalPage(asked.refusal, told), told);
    const { tongue } = told;
    return showPage(posted || asked.stopped ? stoppedPage(asked, app, tongue) : askedPage(asked, tongue), told);
  };
  const path = `${app}/unsubscribe/{token}`;
  return [
    { method: 'GET', path, handle },
    { method: 'POST', path, handle },
  ];
}
