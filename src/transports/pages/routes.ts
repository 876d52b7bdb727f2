// Routes of all server-rendered pages: of the built-in payment processor, and of people who sign in.
import type { PlainRoute } from '../app.ts';
import type { DoorPorts } from '../door-ports.ts';
import { CATALOG_LINK, CATALOG_PATH } from '../found.ts';
import type { RestDoor } from '../rest.ts';
import { CONSENT_PAGE } from './consent.ts';
import { demoPages, demoScript } from './demo.ts';
import { devicePage } from './device.ts';
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit, pageRoutes } from './door.ts';
import { filled, type Html, html, nobodyAsks, type Page, readsPages, refusalPage, showPage } from './page.ts';
import { profileRoutes } from './profile.ts';
import { accountProofPage, proofsPage } from './proofs.ts';
import { sandboxRoutes } from './sandbox.ts';
import { signInPages, signInScript } from './sign-in.ts';
import { tongueFor } from './tongue.ts';
import { day, figure, money, type PageWords, type Tongue, type TongueOf } from './words.ts';

// The front page: directs people to the app and programs to the documentation.

const DOCUMENTS = {
  docs: '/docs',
  openapi: '/openapi.json',
  guide: '/llms.txt',
  ai_catalog: CATALOG_PATH,
  agent_card: '/.well-known/agent.json',
  a2a_card: '/.well-known/agent-card.json',
  a2a: '/a2a/rpc',
  mcp: '/mcp',
  registry: '/api/registry',
  signup: '/api/auth/signup/start',
};

/** Vary, for caches, and links for discovery by agents. */
const FRONT_HEADERS = { Vary: 'Accept, Accept-Language', ...CATALOG_LINK };

function frontPage(app: string, { words: { front, where_to }, instance: { name } }: Tongue): Page {
  const agent = filled(front.agent, html`<a href="/llms.txt">/llms.txt</a>`);
  return {
    title: name,
    headers: FRONT_HEADERS,
    head: html`<link rel="ai-catalog" href="${CATALOG_PATH}">`,
    body: html`<h1>${name}</h1><p>${front.lead}</p><nav aria-label="${where_to}"><a class="button main" href="${app}/login">${front.sign_in}</a><a class="button" href="/docs/guide">${front.docs}</a></nav><p class="small">${agent}</p>`,
  };
}

function frontRoute({ settings }: Pick<DoorPorts, 'settings'>, tongueOf: TongueOf): PlainRoute {
  const app = appPath(settings);
  const handle: PlainRoute['handle'] = (request) => {
    const request_id = Bun.randomUUIDv7();
    const tongue = tongueOf(request, null);
    if (readsPages(request)) return showPage(frontPage(app, tongue), { request_id, tongue });
    return Response.json(
      { name: settings.instance.name, ...DOCUMENTS },
      { headers: { 'X-Request-Id': request_id, ...FRONT_HEADERS } },
    );
  };
  return { method: 'GET', path: '/', handle };
}

// One-click unsubscribe (RFC 8058). A mail program's POST to the URL in the letter's header takes effect at once; a GET asks first,
// since mail scanners follow links. The URL is the credential: no cookie, sign-in or form token is needed, and the body is
// not read.

/** Response of notification.letters. */
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

/** The page, and the endpoint for mail programs. */
function unsubscribeRoutes(
  ports: Pick<DoorPorts, 'operations' | 'pipeline'> & Pick<PagePorts, 'settings'>,
  door: RestDoor,
  tongueOf: TongueOf,
): readonly PlainRoute[] {
  const ask = nobodyAsks(ports, door);
  const app = appPath(ports.settings);
  const handle: PlainRoute['handle'] = async (request, { token = '' }) => {
    const told = { request_id: Bun.randomUUIDv7(), tongue: tongueOf(request, null) };
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

// The page of the setup link, which the server prints while it has no administrator: its holder names the administrator's address and
// then signs in with it as usual. It lists what remains to be set up.

function askPage({ token_field, tongue }: PageVisit, email: string, problem: string | null): Page {
  const { mistake, signing_in } = tongue.words;
  const words = signing_in.set_up;
  const said = problem === null ? html`` : html`<p class="error" id="problem" role="alert">${problem}</p>`;
  const marked = problem === null ? html`` : html` aria-invalid="true" aria-describedby="problem"`;
  return {
    title: problem === null ? words.title : mistake(words.title),
    ...(problem !== null && { status: 400 }),
    body: html`<h1>${words.title}</h1><p>${words.lead}</p>${said}<form method="post">${token_field}<label for="email">${words.email}</label><input id="email" name="email" type="email" autocomplete="email" maxlength="254" value="${email}" required autofocus${marked}><button class="main">${words.button}</button></form>`,
  };
}

/** It goes on with the code for the address that was just given. */
function donePage(
  app: string,
  email: string,
  { base_url, outside_issuer }: PagePorts['settings'],
  { token_field, tongue }: PageVisit,
): Page {
  const { signing_in, what_next } = tongue.words;
  const words = signing_in.set_up;
  const next = `${app}/admin`;
  const administers = filled(words.administers, html`<strong>${email}</strong>`);
  const fields = html`${token_field}<input type="hidden" name="next" value="${next}"><input type="hidden" name="email" value="${email}">`;
  const go =
    outside_issuer === null
      ? html`<form method="post" action="${app}/login">${fields}<button class="main" name="how" value="code">${signing_in.mail_code}</button></form>`
      : html`<nav aria-label="${what_next}"><a class="button main" href="${app}/login?next=${encodeURIComponent(next)}">${words.sign_in}</a></nav>`;
  return {
    title: words.done,
    body: html`<h1 role="status">${words.done}</h1><p>${administers}</p><dl><dt>${words.reached}</dt><dd>${base_url} (BASE_URL)</dd></dl>${go}`,
  };
}

function setUpPage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  const app = appPath(settings);
  return {
    path: `${app}/setup/{token}`,
    get: async (visit) => askPage(visit, '', null),
    post: async (visit) => {
      const { email = '' } = visit.form;
      const token = visit.params['token'] ?? '';
      const made = answered<{ email: string }>(await visit.ask('admin.set_up', { token, email }));
      if (!('refusal' in made)) return donePage(app, made.email, settings, visit);
      const { refusal } = made;
      return refusal.fault === 'invalid_request'
        ? askPage(visit, email, visit.tongue.words.signing_in.set_up.problem)
        : refusalPage(refusal, visit);
    },
  };
}

// The page of an agent's handoff link: the request, the agent and a button. Its reader must sign in; the link is not a credential. An
// unclaimed agent's page lists its acts, so that its owner recognises it.

/** Response of handoff.read. */
interface HandoffAsked {
  readonly purpose: 'onboarding' | 'verify' | 'approve';
  readonly handle: string | null;
  readonly provisional: boolean;
  readonly done: {
    readonly created_at: string;
    readonly conversations: number;
    readonly balance_cents: number;
  } | null;
}

/** The app's page for a handoff. */
const PAGES = { onboarding: '/onboarding', verify: '/proofs', approve: '/inbox' } as const;

function facts({ done }: HandoffAsked, tongue: Tongue): Html {
  if (!done) return html``;
  const words = tongue.words.agents.handoff;
  const [since, balance] = [day(tongue, done.created_at, true), money(tongue, done.balance_cents)];
  const talks = figure(tongue, done.conversations);
  return html`<dt>${words.set_up}</dt><dd>${since}</dd><dt>${words.conversations}</dt><dd>${talks}</dd><dt>${words.balance}</dt><dd>${balance}</dd>`;
}

function handoffAskedPage(visit: PageVisit, asked: HandoffAsked): Page {
  const { purpose, handle, provisional } = asked;
  const { agents, what_next } = visit.tongue.words;
  const { [purpose]: said, claim, on, agent, sign_in } = agents.handoff;
  const { title, lead } = provisional ? claim : said;
  const who = handle === null ? html`` : html`<dt>${agent}</dt><dd>@${handle}</dd>`;
  const go = visit.session
    ? html`<form method="post">${visit.token_field}<button class="main">${provisional ? claim.yes : on}</button></form>`
    : html`<nav aria-label="${what_next}"><a class="button main" href="${visit.sign_in.to}">${sign_in}</a></nav>`;
  return { title, body: html`<h1>${title}</h1><p>${lead}</p><dl>${who}${facts(asked, visit.tongue)}</dl>${go}` };
}

function claimedPage({ tongue }: PageVisit, handle: string, app: string): Page {
  const { agents, what_next } = tongue.words;
  const { claimed, claimed_lead, next } = agents.handoff;
  const lead = filled(claimed_lead, html`<strong>@${handle}</strong>`);
  return {
    title: claimed,
    body: html`<h1 role="status">${claimed}</h1><p>${lead}</p><nav aria-label="${what_next}"><a class="button main" href="${app}/onboarding">${next}</a></nav>`,
  };
}

async function go(visit: PageVisit, app: string): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const token = visit.params['token'] ?? '';
  const used = answered<{ purpose: HandoffAsked['purpose']; handle: string | null; claimed: boolean }>(
    await visit.ask('handoff.use', { token }),
  );
  if ('refusal' in used) return refusalPage(used.refusal, visit);
  if (used.claimed) return claimedPage(visit, used.handle ?? '', app);
  const query = used.handle === null ? '' : `?agent=${encodeURIComponent(used.handle)}`;
  return { to: `${app}${PAGES[used.purpose]}${query}` };
}

function handoffPage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  const app = appPath(settings);
  return {
    path: `${app}/handoff/{token}`,
    get: async (visit) => {
      const token = visit.params['token'] ?? '';
      const asked = answered<HandoffAsked>(await visit.ask('handoff.read', { token }));
      return 'refusal' in asked ? refusalPage(asked.refusal, visit) : handoffAskedPage(visit, asked);
    },
    post: (visit) => go(visit, app),
  };
}

/** The routes; each page is in its reader's language. */
export function peopleRoutes(
  ports: DoorPorts,
  door: RestDoor,
  tongueOf: TongueOf = (request, own) => tongueFor(request, own, ports.settings.instance),
): readonly PlainRoute[] {
  return [
    ...sandboxRoutes(ports, door, tongueOf),
    ...pageRoutes(
      ports,
      door,
      [
        ...signInPages(ports),
        devicePage(ports),
        CONSENT_PAGE,
        handoffPage(ports),
        setUpPage(ports),
        proofsPage(ports),
        accountProofPage(ports),
        ...profileRoutes(ports),
        ...demoPages(ports),
      ],
      tongueOf,
    ),
    ...unsubscribeRoutes(ports, door, tongueOf),
    signInScript(ports),
    demoScript(),
    frontRoute(ports, tongueOf),
  ];
}
