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

/** As notification.letters answers it. */
interface Asked {
  readonly kind: keyof typeof WORDS;
  readonly stopped: boolean;
}

const WORDS = {
  events: {
    what: 'letters about what happens to your agents',
    but: 'You still hear of disputes and of decisions that cannot wait, and get what you ask for, as sign-in codes.',
  },
  digest: { what: 'the daily digest', but: 'Letters about single events are another setting.' },
} as const;

function askedPage({ kind }: Asked): Page {
  const { what, but } = WORDS[kind];
  return {
    title: 'Stop these letters',
    body: html`<h1>Stop these letters?</h1><p>You will no longer get ${what}. ${but}</p><form method="post"><button class="main">Stop them</button></form>`,
  };
}

function stoppedPage({ kind }: Asked, app: string): Page {
  const { what, but } = WORDS[kind];
  return {
    title: 'Stopped',
    body: html`<h1 role="status">Stopped</h1><p>You no longer get ${what}. ${but}</p><nav aria-label="What next"><a class="button main" href="${app}/notifications">Choose what you hear of</a></nav>`,
  };
}

/** The page, and what a mail program posts to. */
export function unsubscribeRoutes(
  ports: Pick<DoorPorts, 'operations' | 'pipeline'> & Pick<PagePorts, 'settings'>,
  door: RestDoor,
): readonly PlainRoute[] {
  const ask = nobodyAsks(ports, door);
  const app = appPath(ports.settings);
  const handle: PlainRoute['handle'] = async (request, { token = '' }) => {
    const request_id = Bun.randomUUIDv7();
    const posted = request.method === 'POST';
    const name = posted ? 'notification.unsubscribe' : 'notification.letters';
    const asked = answered<Asked>(await ask(request, name, { token }, request_id));
    if ('refusal' in asked) return showPage(refusalPage(asked.refusal, request_id), { request_id });
    return showPage(posted || asked.stopped ? stoppedPage(asked, app) : askedPage(asked), { request_id });
  };
  const path = `${app}/unsubscribe/{token}`;
  return [
    { method: 'GET', path, handle },
    { method: 'POST', path, handle },
  ];
}
