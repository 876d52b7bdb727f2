// Signing in through an identity provider elsewhere: a button that leads there, and the way back. What comes back counts in the browser
// that was sent alone; where it goes on to was said before it left.

import { isFault } from '../../domain/fault.ts';
import { parseNext } from '../../steps/link.ts';
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { html } from './html.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';

/** Where to go on to: a path of this site, whatever was asked for. */
function nextOf(asked: string | null | undefined, home: string): string {
  const next = asked == null ? home : parseNext(asked);
  return isFault(next) ? home : next;
}

function welcomePage({ token_field }: PageVisit, issuer: string, next: string): Page {
  const { host, origin } = new URL(issuer);
  return {
    title: 'Sign in',
    leads_to: origin,
    body: html`<h1>Sign in</h1><p>People of this service are known by <strong>${host}</strong>. Whoever comes for the first time gets an account.</p><form method="post">${token_field}<input type="hidden" name="next" value="${next}"><button class="main" autofocus>Sign in with ${host}</button></form>`,
  };
}

function signedInPage({ token_field }: PageVisit, logout: string, next: string): Page {
  return {
    title: 'You are signed in',
    body: html`<h1>You are signed in</h1><p>Go on, or sign out here. At the identity provider you stay signed in.</p><form method="post" action="${logout}">${token_field}<a class="button main" href="${next}">Continue</a><button>Sign out</button></form>`,
  };
}

/** A form may lead to the provider that was named; where that has its people sign in at another place, a link does. */
function leadTo(address: string, issuer: string): Page | Going {
  const { origin, host } = new URL(address);
  if (origin === new URL(issuer).origin) return { to: address };
  return {
    title: 'Continue',
    body: html`<h1>Continue at ${host}</h1><p>There you say who you are; you come back by yourself.</p><nav aria-label="What next"><a class="button main" href="${address}" rel="noreferrer">Continue</a></nav>`,
  };
}

function unsignedPage(page: Page, login: string): Page {
  const again = html`<nav aria-label="What next"><a class="button main" href="${login}">Try again</a></nav>`;
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
  if ('refusal' in ended) return unsignedPage(refusalPage(ended.refusal, visit.request_id), login);
  if (!('reply' in ended)) throw new Error('signing in stays open');
  const { next } = ended.reply.value as { readonly next: string };
  return { to: nextOf(next, home), grant: ended.notes.refresh };
}

/** The pages of signing in, where an identity provider elsewhere says who people are. */
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
        return visit.session ? signedInPage(visit, leave.path, next) : welcomePage(visit, issuer, next);
      },
      post: async (visit) => {
        const next = nextOf(visit.form['next'], home);
        const sent = answered<{ readonly authorize_url: string }>(
          await visit.ask('session.depart', { browser: visit.browser, next }),
        );
        return 'refusal' in sent ? refusalPage(sent.refusal, visit.request_id) : leadTo(sent.authorize_url, issuer);
      },
    },
    { path: `${login}/callback`, get: (visit) => comeBack(visit, login, home) },
    leave,
  ];
}
