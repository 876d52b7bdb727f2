// Sign-in through an external identity provider: a button that redirects there, and the callback. A callback is valid only in the
// browser that began it; the page to continue to is stored before the redirect.

import type { JoinRules } from '../../domain/identity/join.ts';
import { answered, appPath, type Going, nextOf, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { filled, html, type Page, refusalPage } from './page.ts';
import { joiningText } from './words.ts';

function welcomePage({ token_field, tongue }: PageVisit, issuer: string, rules: JoinRules, next: string): Page {
  const { host, origin } = new URL(issuer);
  const { title, outside } = tongue.words.signing_in;
  const lead = filled(outside.lead, html`<strong>${host}</strong>`);
  return {
    title,
    leads_to: origin,
    body: html`<h1>${title}</h1><p>${lead} ${joiningText(outside.joining, rules)}</p><form method="post">${token_field}<input type="hidden" name="next" value="${next}"><button class="main" autofocus>${outside.button(host)}</button></form>`,
  };
}

function signedInPage({ token_field, tongue }: PageVisit, logout: string, next: string): Page {
  const { title, lead_outside, on, out } = tongue.words.signing_in.signed_in;
  return {
    title,
    body: html`<h1>${title}</h1><p>${lead_outside}</p><form method="post" action="${logout}">${token_field}<a class="button main" href="${next}">${on}</a><button>${out}</button></form>`,
  };
}

/** A form may redirect to the configured provider only (CSP form-action); when its sign-in is on another origin, a link is used. */
function leadTo({ tongue }: PageVisit, address: string, issuer: string): Page | Going {
  const { origin, host } = new URL(address);
  if (origin === new URL(issuer).origin) return { to: address };
  const { what_next, signing_in } = tongue.words;
  const { title, heading, back, on } = signing_in.outside;
  return {
    title,
    body: html`<h1>${heading(host)}</h1><p>${back}</p><nav aria-label="${what_next}"><a class="button main" href="${address}" rel="noreferrer">${on}</a></nav>`,
  };
}

function unsignedPage({ tongue: { words } }: PageVisit, page: Page, login: string): Page {
  const { what_next, signing_in } = words;
  const again = html`<nav aria-label="${what_next}"><a class="button main" href="${login}">${signing_in.outside.again}</a></nav>`;
  return { ...page, body: html`${page.body}${again}` };
}

async function comeBack(visit: PageVisit, login: string, home: string): Promise<Page | Going> {
  const { searchParams } = visit.url;
  const brought = ['state', 'code', 'iss'].flatMap((name) => {
    const value = searchParams.get(name);
    return value === null || value === '' ? [] : [[name, value]];
  });
  const ended = await visit.ask('session.arrive', {
    browser: visit.browser,
    state: '',
    ...Object.fromEntries(brought),
  });
  if ('refusal' in ended) return unsignedPage(visit, refusalPage(ended.refusal, visit), login);
  if (!('reply' in ended)) throw new Error('signing in stays open');
  const { next } = ended.reply.value as { readonly next: string };
  return { to: nextOf(next, home), grant: ended.notes.refresh };
}

/** The sign-in pages with an external identity provider. */
export function outsideSignInPages(
  { settings }: Pick<PagePorts, 'settings'>,
  issuer: string,
  leave: PageRoute,
): readonly PageRoute[] {
  const app = appPath(settings);
  const login = `${app}/login`;
  const home = app === '' ? '/' : app;
  return [
    {
      path: login,
      get: async (visit) => {
        const next = nextOf(visit.url.searchParams.get('next'), home);
        return visit.session
          ? signedInPage(visit, leave.path, next)
          : welcomePage(visit, issuer, settings.joining, next);
      },
      post: async (visit) => {
        const next = nextOf(visit.form['next'], home);
        const sent = answered<{ readonly authorize_url: string }>(
          await visit.ask('session.depart', { browser: visit.browser, next }),
        );
        return 'refusal' in sent ? refusalPage(sent.refusal, visit) : leadTo(visit, sent.authorize_url, issuer);
      },
    },
    { path: `${login}/callback`, get: (visit) => comeBack(visit, login, home) },
    leave,
  ];
}
