// The verification page of a person's agent: available proofs and those done. Phone and external accounts are verified here, without
// scripts; domains in the app.
import { isFault } from '../../domain/fault.ts';
import { isAccountHost } from '../../domain/identity/account-host.ts';
import { plainPhone } from '../../domain/identity/code.ts';
import { parseNext } from '../../steps/link.ts';
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { alert, filled, type Html, html, marked, type Page, refusalPage } from './page.ts';
import type { PageWords } from './words.ts';

// Verification of an account on another site: a page that states the target and purpose, and the callback. A link, not a form, leaves
// this site; the callback redirects at once, so that its parameters do not stay in the browser's history.

type Words = PageWords['agents']['proofs'];

/** Response of trust.providers. */
interface Site {
  readonly provider: string;
  readonly title: string;
}

/** The configured sites. */
async function sitesOf(visit: PageVisit): Promise<readonly Site[]> {
  const listed = answered<{ readonly providers: readonly Site[] }>(await visit.ask('trust.providers', {}));
  return 'refusal' in listed ? [] : listed.providers;
}

/** The sites' buttons, for a form of the verification page. */
function siteButtons(sites: readonly Site[], kept: Html, { elsewhere }: Words): Html {
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

/** Begins a verification: the page with the link to the site. */
async function beginAccountProof(visit: PageVisit, agent: string, app: string): Promise<Page> {
  const { provider = '' } = visit.form;
  const begun = answered<{ readonly authorize_url: string }>(await visit.ask('trust.connect', { provider }, agent));
  if ('refusal' in begun) return refusalPage(begun.refusal, visit);
  const site = (await sitesOf(visit)).find((each) => each.provider === provider);
  return leavingPage(visit, site?.title ?? provider, begun.authorize_url, app);
}

/** Why the verification failed, with a retry. */
function unprovenPage({ tongue: { words } }: PageVisit, page: Page, app: string): Page {
  const { what_next, agents } = words;
  const back = html`<nav aria-label="${what_next}"><a class="button main" href="${app}/proofs">${agents.proofs.site.again}</a></nav>`;
  return { ...page, body: html`${page.body}${back}` };
}

async function comeBack(visit: PageVisit, app: string): Promise<Page | Going> {
  const { searchParams } = visit.url;
  const { provider = '' } = visit.params;
  // The callback belongs to a session that has ended.
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

/** The callback page of the sites. */
export function accountProofPage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  const app = appPath(settings);
  return {
    path: `${app}/proofs/{provider}/callback`,
    get: async (visit) =>
      isAccountHost(visit.params['provider'] ?? '') ? comeBack(visit, app) : { to: `${app}/proofs` },
  };
}

interface Trying {
  readonly phone?: string;
  readonly problem?: string;
  readonly status?: number;
}

/** The settings that the pages use. */
interface Place {
  readonly app: string;
  /** Whether text messages are kept in DATA_DIR/outbox. */
  readonly kept: boolean;
}

const wordsOf = ({ tongue }: PageVisit): PageWords['agents']['proofs'] => tongue.words.agents.proofs;

/** An agent's completed proofs. An e-mail address is not one. */
async function provenOf(visit: PageVisit, agent: string): Promise<Html> {
  const read = answered<{ readonly credentials: readonly { readonly kind: string; readonly status: string }[] }>(
    await visit.ask('trust.signals', {}, agent),
  );
  const { kinds, failing, proven } = wordsOf(visit);
  const names: Readonly<Partial<Record<string, string>>> = kinds;
  const each = ('refusal' in read ? [] : read.credentials).flatMap(({ kind, status }) => {
    const name = names[kind];
    return name === undefined ? [] : [html`<li>${status === 'failing' ? failing(name) : name}</li>`];
  });
  return each.length === 0 ? html`` : html`<h2>${proven}</h2><ul>${each}</ul>`;
}

async function listPage(
  visit: PageVisit,
  agent: string,
  app: string,
  { phone = '', problem, status }: Trying,
): Promise<Page> {
  const { token_field } = visit;
  const words = wordsOf(visit);
  const kept = html`${token_field}<input type="hidden" name="agent" value="${agent}">`;
  const sites = siteButtons(await sitesOf(visit), kept, words);
  const lead = filled(words.lead, html`<strong>@${agent}</strong>`);
  const proven = await provenOf(visit, agent);
  const field = html`<label for="phone">${words.number}</label><input id="phone" name="phone" type="tel" autocomplete="tel" maxlength="32" value="${phone}" required${marked(problem)}>`;
  return {
    title: words.title,
    ...(status !== undefined && { status }),
    body: html`<h1>${words.title}</h1><p>${lead}</p>${proven}<h2>${words.phone}</h2>${alert(problem)}<form method="post">${kept}${field}<button class="main" name="step" value="phone">${words.text}</button></form>${sites}<h2>${words.in_app}</h2><ul><li><a href="${app}/trust">${words.domain}</a></li></ul>`,
  };
}

function codePage(visit: PageVisit, agent: string, kept_here: boolean, { phone = '', problem, status }: Trying): Page {
  const { token_field } = visit;
  const words = wordsOf(visit).code;
  const sent = filled(words.sent, html`<strong>${phone}</strong>`);
  const note = kept_here ? html`<p class="small">${words.kept(plainPhone(phone))}</p>` : html``;
  const kept = html`${token_field}<input type="hidden" name="agent" value="${agent}"><input type="hidden" name="phone" value="${phone}">`;
  return {
    title: words.title,
    ...(status !== undefined && { status }),
    body: html`<h1>${words.title}</h1><p>${sent}</p>${note}${alert(problem)}<form method="post">${kept}<label for="code">${words.label}</label><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,7}" maxlength="7" required autofocus${marked(problem)}><button class="main" name="step" value="code">${words.done}</button></form><form method="post">${kept}<button name="step" value="phone">${words.again}</button></form>`,
  };
}

function provenPage(visit: PageVisit, agent: string, app: string): Page {
  const { done, done_lead, done_next } = wordsOf(visit);
  const { what_next } = visit.tongue.words;
  const lead = filled(done_lead, html`<strong>@${agent}</strong>`);
  return {
    title: done,
    body: html`<h1 role="status">${done}</h1><p>${lead}</p><nav aria-label="${what_next}"><a class="button main" href="${app}/trust">${done_next}</a></nav>`,
  };
}

async function take(visit: PageVisit, { app, kept }: Place): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const { agent = '', phone = '', code = '', step } = visit.form;
  if (step === 'account') return beginAccountProof(visit, agent, app);
  const of_code = step === 'code';
  const digits = code.replaceAll(' ', '');
  const ended = of_code
    ? await visit.ask('phone.verify', { phone, code: digits }, agent)
    : await visit.ask('phone.send', { phone }, agent);
  if (!('refusal' in ended)) return of_code ? provenPage(visit, agent, app) : codePage(visit, agent, kept, { phone });
  const problems: Readonly<Partial<Record<string, string>>> = wordsOf(visit).problems;
  const problem = problems[ended.refusal.fault];
  if (problem === undefined) return refusalPage(ended.refusal, visit);
  const trying = { phone, problem, status: 400 };
  return of_code ? codePage(visit, agent, kept, trying) : listPage(visit, agent, app, trying);
}

/** The agent to verify: the named one, or the only one. */
async function agentOf(visit: PageVisit): Promise<string | null> {
  const own = answered<readonly { readonly handle: string }[]>(await visit.ask('agent.list', {}));
  if ('refusal' in own) return null;
  const asked = visit.url.searchParams.get('agent');
  const found = asked === null ? own[0] : own.find(({ handle }) => handle === asked);
  return found?.handle ?? null;
}

export function proofsPage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  const app = appPath(settings);
  return {
    path: `${app}/proofs`,
    get: async (visit) => {
      if (!visit.session) return visit.sign_in;
      const agent = await agentOf(visit);
      return agent === null ? { to: `${app}/onboarding` } : listPage(visit, agent, app, {});
    },
    post: (visit) => take(visit, { app, kept: settings.text_outbox }),
  };
}
