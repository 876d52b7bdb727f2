// The sign-in page: an address, then the six digits that were mailed to it, then the page that asked for it. It works without any
// script. A mailed link carries its token where no server sees it, so following one takes a script; without it the same page
// mails a code. A passkey takes a script too, and its answer comes by a form that was shown to this browser, so that nobody is
// signed in to somebody else's account unawares. Whether an address has an account is told by nothing here.
import { FAULTS, isFault } from '../../domain/fault.ts';
import { relyingParty } from '../../domain/identity/passkey.ts';
import { parseNext } from '../../steps/link.ts';
import type { PlainRoute } from '../app.ts';
import { fixedReply } from '../fixed-reply.ts';
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { type Html, html } from './html.ts';
import { outsideSignInPages } from './outside-sign-in.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';
import { SIGN_IN_SCRIPT } from './sign-in-script.ts';

/** Where the pages of signing in stand. */
interface Paths {
  readonly login: string;
  readonly code: string;
  readonly link: string;
  /** Null where browsers make no passkeys for the app's address. */
  readonly passkey: string | null;
  readonly logout: string;
  readonly script: string;
  readonly home: string;
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
  };
}

/** Where to go on to: a path of this site, whatever was asked for. */
function nextOf(asked: string | null | undefined, { home }: Paths): string {
  const next = asked == null ? home : parseNext(asked);
  return isFault(next) ? home : next;
}

const alert = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p class="error" id="problem" role="alert">${problem}</p>`;

/** Said of a field that has a problem. */
const marked = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html` aria-invalid="true" aria-describedby="problem"`;

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`;

interface Asked {
  readonly next: string;
  readonly email?: string;
  readonly problem?: string;
  /** Whether the problem is with the address. */
  readonly of_address?: boolean;
  readonly status?: number;
}

/** Shown by the script where the browser knows passkeys. */
function passkeyForm({ passkey }: Paths, { token_field }: PageVisit, next: string): Html {
  if (passkey === null) return html``;
  return html`<form id="passkey" method="post" action="${passkey}" hidden>${token_field}${hidden('next', next)}${hidden('credential', '')}<button type="button">Use a passkey</button><p class="small" role="status"></p></form>`;
}

function addressPage(
  paths: Paths,
  visit: PageVisit,
  { next, email = '', problem, of_address = true, status }: Asked,
): Page {
  const { token_field } = visit;
  const wrong = of_address ? problem : undefined;
  const field = html`<label for="email">Email address</label><input id="email" name="email" type="email" autocomplete="username webauthn" maxlength="254" value="${email}" required autofocus${marked(wrong)}>`;
  const buttons = html`<button class="main" name="how" value="code">Mail me a code</button><button name="how" value="link">Mail me a link</button>`;
  return {
    title: problem === undefined ? 'Sign in' : 'Sign in: a mistake',
    ...(status !== undefined && { status }),
    script: paths.script,
    body: html`<h1>Sign in</h1><p>We mail you six digits. A new address gets an account with them.</p>${alert(problem)}<form method="post" action="${paths.login}">${token_field}${hidden('next', next)}${field}${buttons}</form>${passkeyForm(paths, visit, next)}<form id="mailed" method="post" action="${paths.link}" hidden>${token_field}${hidden('token', '')}<p>You followed a sign-in link. It signs this browser in to the account that it was mailed to.</p><button class="main">Finish signing in</button></form><noscript><p class="small">Did you follow a link from a letter? Following it needs JavaScript. Ask for a code here in its place.</p></noscript>`,
  };
}

function codePage(paths: Paths, { token_field }: PageVisit, { next, email = '', problem, status }: Asked): Page {
  const kept = html`${token_field}${hidden('next', next)}${hidden('email', email)}`;
  const field = html`<label for="code">Code</label><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,7}" maxlength="7" required autofocus${marked(problem)}>`;
  return {
    title: problem === undefined ? 'Enter the code' : 'Enter the code: a mistake',
    ...(status !== undefined && { status }),
    body: html`<h1>Enter the code</h1><p>Six digits are on their way to <strong>${email}</strong>. They work for ten minutes.</p>${alert(problem)}<form method="post" action="${paths.code}">${kept}${field}<button class="main">Sign in</button></form><form method="post" action="${paths.login}" class="quiet">${kept}<button name="how" value="code">Mail another code</button><a class="button" href="${addressOf(paths, next)}">Use another address</a></form>`,
  };
}

function addressOf({ login }: Paths, next: string): string {
  return `${login}?next=${encodeURIComponent(next)}`;
}

function linkSentPage(email: string): Page {
  return {
    title: 'Look into your mail',
    body: html`<h1>Look into your mail</h1><p role="status">If <strong>${email}</strong> has an account, a sign-in link is on its way. It works once, within 24 hours.</p>`,
  };
}

function signedInPage(paths: Paths, { token_field }: PageVisit, next: string): Page {
  return {
    title: 'You are signed in',
    script: paths.script,
    body: html`<h1>You are signed in</h1><p>Go on, or sign out to use another address.</p><form method="post" action="${paths.logout}">${token_field}<a class="button main" href="${next}">Continue</a><button>Sign out</button></form><form id="mailed" method="post" action="${paths.link}" hidden>${token_field}${hidden('token', '')}<p>You followed a sign-in link. It signs this browser in to the account that it was mailed to.</p><button class="main">Finish signing in</button></form>`,
  };
}

/** Sends a code or a link to the address that was typed. */
async function send(paths: Paths, visit: PageVisit): Promise<Page> {
  const { email = '', how } = visit.form;
  const next = nextOf(visit.form['next'], paths);
  const input = how === 'link' ? { email, next } : { email };
  const ended = await visit.ask(how === 'link' ? 'session.link' : 'session.start', input);
  if (!('refusal' in ended)) return how === 'link' ? linkSentPage(email) : codePage(paths, visit, { next, email });
  const { fault } = ended.refusal;
  if (fault === 'invalid_request') {
    return addressPage(paths, visit, { next, email, problem: 'That is no email address.', status: 400 });
  }
  return refusalPage(ended.refusal, visit.request_id);
}

const PROBLEMS = {
  invalid_code: 'That code is wrong, or its ten minutes are over.',
  invalid_request: 'A code has six digits.',
  too_many_tries: 'Too many wrong codes. Ask for another one.',
} as const;

/** Trades the code for a session. */
async function verify(paths: Paths, visit: PageVisit): Promise<Page | Going> {
  const { email = '' } = visit.form;
  const next = nextOf(visit.form['next'], paths);
  const code = (visit.form['code'] ?? '').replaceAll(' ', '');
  const ended = await visit.ask('session.verify', { email, code });
  if ('reply' in ended) return { to: next, grant: ended.notes.refresh };
  if (!('refusal' in ended)) throw new Error('signing in stays open');
  const { fault } = ended.refusal;
  if (!(fault in PROBLEMS)) return refusalPage(ended.refusal, visit.request_id);
  const problem = PROBLEMS[fault as keyof typeof PROBLEMS];
  return codePage(paths, visit, { next, email, problem, status: FAULTS[fault].status });
}

/** What a form's field holds as JSON; null for what is none. */
function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** Trades a passkey's answer, which the script put into the form, for a session. */
async function show(paths: Paths, visit: PageVisit): Promise<Page | Going> {
  const next = nextOf(visit.form['next'], paths);
  const ended = await visit.ask('session.passkey', { credential: parsed(visit.form['credential']) });
  if ('reply' in ended) return { to: next, grant: ended.notes.refresh };
  if (!('refusal' in ended)) throw new Error('signing in stays open');
  const { fault } = ended.refusal;
  if (fault !== 'invalid_passkey' && fault !== 'invalid_request') return refusalPage(ended.refusal, visit.request_id);
  const problem = 'That passkey was not taken. Try again, or have a code mailed to you.';
  return addressPage(paths, visit, { next, problem, of_address: false, status: FAULTS[fault].status });
}

/** Redeems the token of a mailed link, which the script took from the address. */
async function follow(paths: Paths, visit: PageVisit): Promise<Page | Going> {
  const redeemed = answered<{ token_hash: string; next: string }>(
    await visit.ask('link.redeem', { token: visit.form['token'] ?? '' }),
  );
  if ('refusal' in redeemed) return refusalPage(redeemed.refusal, visit.request_id);
  const ended = await visit.ask('session.exchange', { token_hash: redeemed.token_hash });
  if ('refusal' in ended) return refusalPage(ended.refusal, visit.request_id);
  if (!('reply' in ended)) throw new Error('signing in stays open');
  return { to: nextOf(redeemed.next, paths), grant: ended.notes.refresh };
}

async function leave({ login }: Paths, visit: PageVisit): Promise<Page | Going> {
  const ended = await visit.ask('session.end', {});
  return 'refusal' in ended ? refusalPage(ended.refusal, visit.request_id) : { to: login, grant: null };
}

/** The pages of signing in and out. */
export function signInPages({ settings }: Pick<PagePorts, 'settings'>): readonly PageRoute[] {
  const paths = pathsOf(settings);
  const back = async (): Promise<Going> => ({ to: paths.login });
  const out = { path: paths.logout, get: back, post: (visit: PageVisit) => leave(paths, visit) };
  if (settings.outside_issuer !== null) return outsideSignInPages({ settings }, settings.outside_issuer, out);
  return [
    {
      path: paths.login,
      get: async (visit) => {
        const next = nextOf(visit.url.searchParams.get('next'), paths);
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

/** The one script of it. */
export function signInScript({ settings }: Pick<PagePorts, 'settings'>): PlainRoute {
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
    'X-Content-Type-Options': 'nosniff',
  };
  const load = async (): Promise<Uint8Array> => new TextEncoder().encode(SIGN_IN_SCRIPT);
  return { method: 'GET', path: pathsOf(settings).script, handle: fixedReply(load, headers) };
}
