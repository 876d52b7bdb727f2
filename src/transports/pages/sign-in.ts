// The sign-in page: an e-mail address, then the mailed six-digit code, then the requested page. It works without scripts. A mailed
// link has its token in the fragment, which servers do not receive, so it needs a script; without one the page mails a code. A
// passkey needs a script too, and its response is sent by a form with this browser's token (against login CSRF). No response
// discloses whether an address has an account.
import { type Code, FAULTS } from '../../domain/fault.ts';
import type { JoinRules } from '../../domain/identity/join.ts';
import { relyingParty } from '../../domain/identity/passkey.ts';
import type { PlainRoute } from '../app.ts';
import { fixedReply } from '../wire.ts';
import { answered, appPath, type Going, nextOf, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { outsideSignInPages } from './outside-sign-in.ts';
import { alert, filled, type Html, html, marked, type Page, refusalPage } from './page.ts';
import { joiningText, type PageWords } from './words.ts';

// The sign-in page's only script; without it the page mails codes. A mailed link's token is in the fragment, which reaches no server
// or log; the script removes it from the URL, so that it stays out of the history, and puts it into a form. Only a click submits
// the form, since mail scanners follow links but do not click. Browsers with passkeys offer them in the address field
// (autofill) and by a button; their response is sent by a form too.

const SIGN_IN_SCRIPT = `'use strict';
const found = /^#token=([\\w.-]{1,200})$/.exec(location.hash);
const mailed = document.getElementById('mailed');
const passkey = document.getElementById('passkey');
if (found && mailed) {
  history.replaceState(null, '', location.pathname + location.search);
  mailed.elements.namedItem('token').value = found[1];
  for (const other of document.querySelectorAll('main > form')) other.hidden = other !== mailed;
  mailed.querySelector('button').focus();
} else if (passkey && window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  offerPasskeys();
}

async function offerPasskeys() {
  const told = passkey.querySelector('[role=status]');
  // A challenge waits for five minutes; who comes back to the page later gets another one.
  const FRESH_MS = 240000;
  let asking = null;
  let asked_at = 0;
  const ask = async (mediation) => {
    asking?.abort();
    const mine = (asking = new AbortController());
    asked_at = Date.now();
    const answer = await fetch('/api/auth/session/passkey/options', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
      signal: mine.signal,
    });
    if (!answer.ok) throw new Error('no challenge was given');
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await answer.json());
    const credential = await navigator.credentials.get({ publicKey, mediation, signal: mine.signal });
    passkey.elements.namedItem('credential').value = JSON.stringify(credential.toJSON());
    passkey.submit();
  };
  const offer = () => ask('conditional').catch(() => {});
  passkey.hidden = false;
  passkey.querySelector('button').addEventListener('click', () => {
    told.textContent = '';
    ask('optional').catch(() => {
      told.textContent = told.dataset.unused;
      asked_at = 0;
    });
  });
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  offer();
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && Date.now() - asked_at > FRESH_MS) offer();
  });
}
`;

interface Paths {
  readonly login: string;
  readonly code: string;
  readonly link: string;
  /** Null when the app's address does not support passkeys. */
  readonly passkey: string | null;
  readonly logout: string;
  readonly script: string;
  readonly home: string;
  /** Whether letters are kept in DATA_DIR/outbox. */
  readonly outbox: boolean;
  readonly joining: JoinRules;
}

function pathsOf(settings: PagePorts['settings']): Paths {
  const app = appPath(settings);
  const login = `${app}/login`;
  return {
    login,
    code: `${login}/code`,
    link: `${login}/link`,
    passkey: relyingParty(settings.app_url) && `${login}/passkey`,
    logout: `${app}/logout`,
    script: `${login}/link.js`,
    home: app === '' ? '/' : app,
    outbox: settings.outbox,
    joining: settings.joining,
  };
}

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`;

interface Asked {
  readonly next: string;
  readonly email?: string;
  readonly problem?: string;
  /** Whether the problem concerns the address. */
  readonly of_address?: boolean;
  readonly status?: number;
}

/** Displayed by the script when the URL has a mailed link's token. */
function mailedForm({ link }: Paths, { token_field, tongue }: PageVisit): Html {
  const { followed, finish } = tongue.words.signing_in;
  return html`<form id="mailed" method="post" action="${link}" hidden>${token_field}${hidden('token', '')}<p>${followed}</p><button class="main">${finish}</button></form>`;
}

/** Displayed by the script when the browser supports passkeys. */
function passkeyForm({ passkey }: Paths, { token_field, tongue }: PageVisit, next: string): Html {
  if (passkey === null) return html``;
  const words = tongue.words.signing_in;
  return html`<form id="passkey" method="post" action="${passkey}" hidden>${token_field}${hidden('next', next)}${hidden('credential', '')}<button type="button">${words.passkey}</button><p class="small" role="status" data-unused="${words.passkey_unused}"></p></form>`;
}

function addressPage(
  paths: Paths,
  visit: PageVisit,
  { next, email = '', problem, of_address = true, status }: Asked,
): Page {
  const { token_field, tongue } = visit;
  const words = tongue.words.signing_in;
  const wrong = of_address ? problem : undefined;
  const field = html`<label for="email">${words.email}</label><input id="email" name="email" type="email" autocomplete="username webauthn" maxlength="254" value="${email}" required autofocus${marked(wrong)}>`;
  const buttons = html`<button class="main" name="how" value="code">${words.mail_code}</button><button name="how" value="link">${words.mail_link}</button>`;
  return {
    title: problem === undefined ? words.title : tongue.words.mistake(words.title),
    ...(status !== undefined && { status }),
    script: paths.script,
    body: html`<h1>${words.title}</h1><p>${words.lead} ${joiningText(words.joining, paths.joining)}</p>${alert(problem)}<form method="post" action="${paths.login}">${token_field}${hidden('next', next)}${field}${buttons}</form>${passkeyForm(paths, visit, next)}${mailedForm(paths, visit)}<noscript><p class="small">${words.no_script}</p></noscript>`,
  };
}

function codePage(
  paths: Paths,
  { token_field, tongue }: PageVisit,
  { next, email = '', problem, status }: Asked,
): Page {
  const { mistake, signing_in } = tongue.words;
  const words = signing_in.code;
  const sent = filled(words.sent, html`<strong>${email}</strong>`);
  const kept = html`${token_field}${hidden('next', next)}${hidden('email', email)}`;
  const field = html`<label for="code">${words.label}</label><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,7}" maxlength="7" required autofocus${marked(problem)}>`;
  return {
    title: problem === undefined ? words.title : mistake(words.title),
    ...(status !== undefined && { status }),
    body: html`<h1>${words.title}</h1><p>${sent}</p>${keptNote(paths, signing_in.kept, email)}${alert(problem)}<form method="post" action="${paths.code}">${kept}${field}<button class="main">${words.done}</button></form><form method="post" action="${paths.login}" class="quiet">${kept}<button name="how" value="code">${words.again}</button><a class="button" href="${addressOf(paths, next)}">${words.other}</a></form>`,
  };
}

function addressOf({ login }: Paths, next: string): string {
  return `${login}?next=${encodeURIComponent(next)}`;
}

/** Where an unsent letter is stored. The code is never displayed: behind a proxy all requests come from this machine. */
function keptNote({ outbox }: Paths, kept: (email: string) => string, email: string): Html {
  return outbox ? html`<p class="small">${kept(email)}</p>` : html``;
}

function linkSentPage(paths: Paths, { tongue }: PageVisit, email: string): Page {
  const { link_sent, kept } = tongue.words.signing_in;
  const { title, lead } = link_sent;
  return {
    title,
    body: html`<h1>${title}</h1><p role="status">${filled(lead, html`<strong>${email}</strong>`)}</p>${keptNote(paths, kept, email)}`,
  };
}

function signedInPage(paths: Paths, visit: PageVisit, next: string): Page {
  const { title, lead, on, out } = visit.tongue.words.signing_in.signed_in;
  return {
    title,
    script: paths.script,
    body: html`<h1>${title}</h1><p>${lead}</p><form method="post" action="${paths.logout}">${visit.token_field}<a class="button main" href="${next}">${on}</a><button>${out}</button></form>${mailedForm(paths, visit)}`,
  };
}

/** Sends a code or a link to the typed address. */
async function send(paths: Paths, visit: PageVisit): Promise<Page> {
  const { email = '', how } = visit.form;
  const { problems } = visit.tongue.words.signing_in;
  const next = nextOf(visit.form['next'], paths.home);
  const input = how === 'link' ? { email, next } : { email };
  const ended = await visit.ask(how === 'link' ? 'session.link' : 'session.start', input);
  if (!('refusal' in ended))
    return how === 'link' ? linkSentPage(paths, visit, email) : codePage(paths, visit, { next, email });
  const { fault } = ended.refusal;
  if (fault === 'invalid_request') {
    return addressPage(paths, visit, { next, email, problem: problems.address, status: 400 });
  }
  return refusalPage(ended.refusal, visit);
}

/** Errors of a code, as the code page words them. */
function problemOf(fault: Code, { signing_in: { problems } }: PageWords): string | undefined {
  const told: Readonly<Partial<Record<Code, string>>> = {
    invalid_code: problems.invalid_code,
    invalid_request: problems.invalid_request,
    too_many_tries: problems.too_many_tries,
  };
  return told[fault];
}

/** Exchanges the code for a session. */
async function verify(paths: Paths, visit: PageVisit): Promise<Page | Going> {
  const { email = '' } = visit.form;
  const next = nextOf(visit.form['next'], paths.home);
  const code = (visit.form['code'] ?? '').replaceAll(' ', '');
  const ended = await visit.ask('session.verify', { email, code });
  if ('reply' in ended) return { to: next, grant: ended.notes.refresh };
  if (!('refusal' in ended)) throw new Error('signing in stays open');
  const { fault } = ended.refusal;
  const problem = problemOf(fault, visit.tongue.words);
  if (problem === undefined) return refusalPage(ended.refusal, visit);
  return codePage(paths, visit, { next, email, problem, status: FAULTS[fault].status });
}

/** A form field parsed as JSON; null when invalid. */
function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** Exchanges a passkey's response, which the script put into the form, for a session. */
async function show(paths: Paths, visit: PageVisit): Promise<Page | Going> {
  const next = nextOf(visit.form['next'], paths.home);
  const ended = await visit.ask('session.passkey', { credential: parsed(visit.form['credential']) });
  if ('reply' in ended) return { to: next, grant: ended.notes.refresh };
  if (!('refusal' in ended)) throw new Error('signing in stays open');
  const { fault } = ended.refusal;
  if (fault !== 'invalid_passkey' && fault !== 'invalid_request') return refusalPage(ended.refusal, visit);
  const problem = visit.tongue.words.signing_in.problems.passkey;
  return addressPage(paths, visit, { next, problem, of_address: false, status: FAULTS[fault].status });
}

/** Redeems the token of a mailed link, which the script took from the address. */
async function follow(paths: Paths, visit: PageVisit): Promise<Page | Going> {
  const redeemed = answered<{ token_hash: string; next: string }>(
    await visit.ask('link.redeem', { token: visit.form['token'] ?? '' }),
  );
  if ('refusal' in redeemed) return refusalPage(redeemed.refusal, visit);
  const ended = await visit.ask('session.exchange', { token_hash: redeemed.token_hash });
  if ('refusal' in ended) return refusalPage(ended.refusal, visit);
  if (!('reply' in ended)) throw new Error('signing in stays open');
  return { to: nextOf(redeemed.next, paths.home), grant: ended.notes.refresh };
}

async function leave({ login }: Paths, visit: PageVisit): Promise<Page | Going> {
  const ended = await visit.ask('session.end', {});
  return 'refusal' in ended ? refusalPage(ended.refusal, visit) : { to: login, grant: null };
}

// The invitation page: admits the typed address, which then signs in as on the sign-in page.

function invitedPage({ token_field, tongue }: PageVisit, outside: boolean, email = '', problem?: string): Page {
  const { mistake, signing_in } = tongue.words;
  const words = signing_in.invited;
  const field = html`<label for="email">${signing_in.email}</label><input id="email" name="email" type="email" autocomplete="email" maxlength="254" value="${email}" required autofocus${marked(problem)}>`;
  return {
    title: problem === undefined ? words.title : mistake(words.title),
    ...(problem !== undefined && { status: 400 }),
    body: html`<h1>${words.title}</h1><p>${words.lead}</p>${alert(problem)}<form method="post">${token_field}${field}<button class="main">${outside ? words.button_outside : words.button}</button></form>`,
  };
}

function invitationPage(paths: Paths, { app_url, outside_issuer }: PagePorts['settings']): PageRoute {
  const outside = outside_issuer !== null;
  return {
    path: `${appPath({ app_url })}/invite/{token}`,
    get: async (visit) => invitedPage(visit, outside),
    post: async (visit) => {
      const { email = '' } = visit.form;
      const token = visit.params['token'] ?? '';
      const taken = answered<object>(await visit.ask('invitation.accept', { token, email }));
      if (!('refusal' in taken)) return outside ? { to: paths.login } : send(paths, visit);
      const { refusal } = taken;
      const { problem } = visit.tongue.words.signing_in.invited;
      const typed = refusal.fault === 'invalid_request';
      return typed ? invitedPage(visit, outside, email, problem) : refusalPage(refusal, visit);
    },
  };
}

export function signInPages({ settings }: Pick<PagePorts, 'settings'>): readonly PageRoute[] {
  const paths = pathsOf(settings);
  const back = async (): Promise<Going> => ({ to: paths.login });
  const out = { path: paths.logout, get: back, post: (visit: PageVisit) => leave(paths, visit) };
  const invited = invitationPage(paths, settings);
  if (settings.outside_issuer !== null) {
    return [invited, ...outsideSignInPages({ settings }, settings.outside_issuer, out)];
  }
  return [
    invited,
    {
      path: paths.login,
      get: async (visit) => {
        const next = nextOf(visit.url.searchParams.get('next'), paths.home);
        return visit.session ? signedInPage(paths, visit, next) : addressPage(paths, visit, { next });
      },
      post: (visit) => send(paths, visit),
    },
    { path: paths.code, get: back, post: (visit) => verify(paths, visit) },
    { path: paths.link, get: back, post: (visit) => follow(paths, visit) },
    ...(paths.passkey === null
      ? []
      : [{ path: paths.passkey, get: back, post: (visit: PageVisit) => show(paths, visit) }]),
    out,
  ];
}

export function signInScript({ settings }: Pick<PagePorts, 'settings'>): PlainRoute {
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
    'X-Content-Type-Options': 'nosniff',
  };
  const load = async (): Promise<Uint8Array> => new TextEncoder().encode(SIGN_IN_SCRIPT);
  return { method: 'GET', path: pathsOf(settings).script, handle: fixedReply(load, headers) };
}
