// Where a person proves an account on another site: a page that says where they are sent and what for, and the way back. No form leads
// out of the house, a link does; whoever comes back is sent on at once, so that no history keeps what they brought.

import { isFault } from '../../domain/fault.ts';
import { isAccountHost } from '../../domain/identity/account-host.ts';
import { parseNext } from '../../steps/link.ts';
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { filled, type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';
import type { PageWords } from './words.ts';

type Words = PageWords['agents']['proofs'];

/** As trust.providers answers it. */
interface Site {
  readonly provider: string;
  readonly title: string;
}

/** The sites to choose from; none where this server has none. */
export async function sitesOf(visit: PageVisit): Promise<readonly Site[]> {
  const listed = answered<{ readonly providers: readonly Site[] }>(await visit.ask('trust.providers', {}));
  return 'refusal' in listed ? [] : listed.providers;
}

/** The buttons of the sites, for a form of the page of proofs. */
export function siteButtons(sites: readonly Site[], kept: Html, { elsewhere }: Words): Html {
  if (sites.length === 0) return html``;
  const each = sites.map(({ provider, title }) => html`<button name="provider" value="${provider}">${title}</button>`);
  return html`<h2>${elsewhere}</h2><form method="post">${kept}<input type="hidden" name="step" value="account">${each}</form>`;
}

function leavingPage({ tongue }: PageVisit, name: string, address: string, app: string): Page {
  const { agents, what_next } = tongue.words;
  const { title: to, lead, back } = agents.proofs.site;
  const title = to(name);
  const why = filled(lead, html`<strong>${new URL(address).host}</strong>`);
  return {
    title,
    body: html`<h1>${title}</h1><p>${why}</p><nav aria-label="${what_next}"><a class="button main" href="${address}" rel="noreferrer">${title}</a><a class="button" href="${app}/proofs">${back}</a></nav>`,
  };
}

/** Begins a proof: the page that leads there. */
export async function beginAccountProof(visit: PageVisit, agent: string, app: string): Promise<Page> {
  const { provider = '' } = visit.form;
  const begun = answered<{ readonly authorize_url: string }>(await visit.ask('trust.connect', { provider }, agent));
  if ('refusal' in begun) return refusalPage(begun.refusal, visit);
  const site = (await sitesOf(visit)).find((each) => each.provider === provider);
  return leavingPage(visit, site?.title ?? provider, begun.authorize_url, app);
}

/** Why nothing was proven, and the way to try again. */
function unprovenPage({ tongue: { words } }: PageVisit, page: Page, app: string): Page {
  const { what_next, agents } = words;
  const back = html`<nav aria-label="${what_next}"><a class="button main" href="${app}/proofs">${agents.proofs.site.again}</a></nav>`;
  return { ...page, body: html`${page.body}${back}` };
}

async function comeBack(visit: PageVisit, app: string): Promise<Page | Going> {
  const { searchParams } = visit.url;
  const { provider = '' } = visit.params;
  // What they brought belongs to a session that is no more.
  if (!visit.session) return { to: `${app}/login?next=${encodeURIComponent(`${app}/proofs`)}` };
  const brought = ['state', 'code', 'error', 'iss'].flatMap((name) => {
    const value = searchParams.get(name);
    return value === null || value === '' ? [] : [[name, value]];
  });
  const input = { provider, state: '', ...Object.fromEntries(brought) };
  const proven = answered<{ readonly handle: string; readonly next: string }>(await visit.ask('trust.finish', input));
  if ('refusal' in proven) return unprovenPage(visit, refusalPage(proven.refusal, visit), app);
  const next = proven.next === '' ? null : parseNext(proven.next);
  const shown = `${app}/proofs?agent=${encodeURIComponent(proven.handle)}`;
  return { to: next === null || isFault(next) ? shown : next };
}

/** The page to which sites send people back; unlike any other site, none of ours. */
export function accountProofPage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  const app = appPath(settings);
  return {
    path: `${app}/proofs/{provider}/callback`,
    get: async (visit) =>
      isAccountHost(visit.params['provider'] ?? '') ? comeBack(visit, app) : { to: `${app}/proofs` },
  };
}
