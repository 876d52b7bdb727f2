// The transport of pages for signed-in people. Only the page cookie authenticates. Every form is checked before it is read: its
// Origin must be our own, and its token must belong to this browser (CSRF). Pages act through operations, with the session as
// the principal, as any other transport.

import type { AnyOperation } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import type { RefreshGrant } from '../../domain/notes.ts';
import { hmac, sameSecret } from '../../outbound/hash.ts';
import { type Caller, type Ended, NO_CREDENTIALS, type Refused } from '../../pipeline/call.ts';
import { NO_CREDENTIAL } from '../../pipeline/pipeline.ts';
import { ANYBODY } from '../../pipeline/principals.ts';
import { parseNext } from '../../steps/link.ts';
import type { PlainRoute } from '../app.ts';
import { pageCookie, pageCookieOf, senderOf, sessionCookies } from '../caller.ts';
import type { DoorPorts } from '../door-ports.ts';
import type { RestDoor } from '../rest.ts';
import { foreignFormPage, type Html, html, type Page, refusalPage, sentForm, showPage } from './page.ts';
import type { Tongue, TongueOf } from './words.ts';

export interface PageSession {
  readonly account_id: string;
  readonly session_id: string;
}

/** A redirect, always by GET. */
export interface Going {
  /** A path of this site, or a URL that the handler has checked. */
  readonly to: string;
  /** A new session; null when it ended. */
  readonly grant?: RefreshGrant | null;
}

/** JSON for a page's own script. */
export interface Data {
  readonly data: unknown;
}

/** A page handler's argument. */
export interface PageVisit {
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly request_id: string;
  readonly tongue: Tongue;
  /** Null when not signed in. */
  readonly session: PageSession | null;
  /** Identifies this browser, independent of who is signed in; derived from its cookie, and not a credential. */
  readonly browser: string;
  /** The hidden field of the form token, which every form requires. */
  readonly token_field: Html;
  /** Its value. */
  readonly token: string;
  /** The form's fields by name; empty without a form. */
  readonly form: Readonly<Record<string, string>>;
  /** Redirects to the sign-in page, which returns here. */
  readonly sign_in: Going;
  /** Runs an operation as the session, or without a principal; `acting` is the acting agent's handle. */
  ask(operation: string, input: Readonly<Record<string, unknown>>, acting?: string): Promise<Ended>;
}

type Handle = (visit: PageVisit) => Promise<Page | Going | Data>;

/** A page at a path; pages with forms have both handlers. */
export interface PageRoute {
  readonly path: string;
  readonly get: Handle;
  readonly post?: Handle;
}

/** What pages use of the service. */
export type PagePorts = Pick<DoorPorts, 'operations' | 'pipeline' | 'settings' | 'secrets' | 'random'>;
export type PageDoor = Pick<RestDoor, 'ip' | 'secure' | 'addresses'>;

/** The base path of the app and the pages; empty at the root of the host. */
export function appPath({ app_url }: Pick<PagePorts['settings'], 'app_url'>): string {
  return new URL(app_url).pathname.replace(/\/$/, '');
}

/** The path to continue to; always one of this site, against open redirects. */
export function nextOf(asked: string | null | undefined, home: string): string {
  const next = asked == null ? home : parseNext(asked);
  return isFault(next) ? home : next;
}

const TOKEN = 'form_token';
/** Lifetime of the cookie that ties forms to a browser without a session. */
const VISITOR_SECONDS = 86_400;
const VISITOR_BYTES = 32;
/** The page cookie's value: a page token, or a visitor's random number. */
const COOKIE_VALUE = /^[\w.-]{40,120}$/;

/** A request's caller and page cookie. */
interface Sent {
  readonly caller: Caller;
  readonly cookie: string;
  /** The response sets the cookie, because the request had none. */
  readonly fresh: boolean;
}

/** The form token for a cookie. */
function formToken(cookie: string, { secrets }: Pick<PagePorts, 'secrets'>): string {
  return Buffer.from(hmac(secrets.seal_key, `page-form:${cookie}`), 'hex').toString('base64url');
}

/** Whether a form's Origin is our own. Over plain http any host name that reached the service counts as own. */
function isOwnOrigin(request: Request, { settings }: PagePorts, { secure }: PageDoor): boolean {
  const origin = request.headers.get('origin');
  if (origin === null) return false;
  const own = [settings.base_url, settings.app_url].map((url) => new URL(url).origin);
  return own.includes(origin) || (!secure && origin === new URL(request.url).origin);
}

function sessionOf({ principal }: Caller): PageSession | null {
  const { kind, account_id, credential_id } = principal;
  if (kind !== 'session' || account_id === null || credential_id === null) return null;
  return { account_id, session_id: credential_id };
}

/** A form with text fields only; null for any other body. */
async function fieldsOf(request: Request): Promise<Readonly<Record<string, string>> | null> {
  const sent = await sentForm(request);
  return sent && (sent as Readonly<Record<string, string>>);
}

/** The page cookie and its caller; an ended session has no principal. */
async function senderWith(request: Request, request_id: string, at: Doorway): Promise<Sent | Refused> {
  const { ports, door } = at;
  const brought = pageCookieOf(request, door.secure);
  const fresh = brought === null || !COOKIE_VALUE.test(brought);
  const cookie = fresh ? Buffer.from(ports.random(VISITOR_BYTES)).toString('base64url') : brought;
  const { origin } = senderOf(request, door.ip);
  const credential = { ...NO_CREDENTIALS, page: cookie.includes('.') ? cookie : null };
  const caller = await ports.pipeline.enter({ credential, origin, request_id, what: 'pages' });
  if (!('refusal' in caller)) return { caller, cookie, fresh };
  return NO_CREDENTIAL.has(caller.refusal.fault) ? { caller: ANYBODY, cookie, fresh } : caller;
}

/** The page and the transport of a visit. */
interface Doorway {
  readonly ports: PagePorts;
  readonly door: PageDoor;
  readonly named: ReadonlyMap<string, AnyOperation>;
  readonly tongueOf: TongueOf;
}

function asker(request: Request, request_id: string, { caller, cookie }: Sent, at: Doorway): PageVisit['ask'] {
  const { origin } = senderOf(request, at.door.ip);
  const credential = { ...NO_CREDENTIALS, page: sessionOf(caller) ? cookie : null };
  return (name, input, acting) => {
    const operation = at.named.get(name);
    if (!operation) throw new Error(`no operation is named ${name}`);
    const sent = { input: { ...input }, bytes: 0, credential, acting: acting ?? null, origin, entered: caller };
    return at.ports.pipeline.run({ operation, ...sent, idempotency_key: null, request_id });
  };
}

/** An admitted visit, or the page that refuses it. */
async function visitOf(
  request: Request,
  params: Readonly<Record<string, string>>,
  request_id: string,
  at: Doorway,
): Promise<{ visit: PageVisit; cookies: readonly string[] } | { shown: Page; tongue: Tongue }> {
  const sent = await senderWith(request, request_id, at);
  const tongue = at.tongueOf(request, 'refusal' in sent ? null : sent.caller.principal.language);
  if ('refusal' in sent) return { shown: refusalPage(sent.refusal, { request_id, tongue }), tongue };
  const { caller, cookie, fresh } = sent;
  const token = formToken(cookie, at.ports);
  let form: Readonly<Record<string, string>> = {};
  if (request.method === 'POST') {
    const foreign = { shown: foreignFormPage(tongue), tongue };
    if (fresh || !isOwnOrigin(request, at.ports, at.door)) return foreign;
    const fields = await fieldsOf(request);
    if (!fields || !sameSecret(fields[TOKEN] ?? '', token)) return foreign;
    form = fields;
  }
  const url = new URL(request.url);
  const visit: PageVisit = {
    request,
    url,
    params,
    request_id,
    tongue,
    session: sessionOf(caller),
    browser: hmac(at.ports.secrets.seal_key, `page-browser:${cookie}`),
    token,
    token_field: html`<input type="hidden" name="${TOKEN}" value="${token}">`,
    form,
    sign_in: signInFor(url, at.ports.settings),
    ask: asker(request, request_id, sent, at),
  };
  return { visit, cookies: fresh ? [pageCookie(cookie, VISITOR_SECONDS, at.door.secure)] : [] };
}

/** A redirect response. */
function go({ to, grant }: Going, request_id: string, cookies: readonly string[], secure: boolean): Response {
  const kept = grant === undefined ? cookies : sessionCookies(grant, secure);
  const headers = { Location: to, 'X-Request-Id': request_id, 'Cache-Control': 'no-store' };
  const sent: [string, string][] = [
    ...Object.entries(headers),
    ...kept.map((set): [string, string] => ['Set-Cookie', set]),
  ];
  return new Response(null, { status: 303, headers: sent });
}

/** A redirect to the sign-in page, with the requesting page as `next`. */
export function signInFor({ pathname, search }: URL, settings: PagePorts['settings']): Going {
  const next = `${pathname}${search}`.replaceAll('\\', '%5C');
  return { to: `${appPath(settings)}/login?next=${encodeURIComponent(next)}` };
}

const DATA_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

export function pageRoutes(
  ports: PagePorts,
  door: PageDoor,
  pages: readonly PageRoute[],
  tongueOf: TongueOf,
): readonly PlainRoute[] {
  const named = new Map(ports.operations.map((operation) => [operation.name as string, operation]));
  const at = { ports, door, named, tongueOf };
  const routed = (handle: Handle): PlainRoute['handle'] => {
    return async (request, params) => {
      const request_id = Bun.randomUUIDv7();
      const entered = await visitOf(request, params, request_id, at);
      if ('shown' in entered)
        return showPage(entered.shown, { request_id, tongue: entered.tongue, names_itself: true });
      const { visit, cookies } = entered;
      const shown = await handle(visit);
      if ('data' in shown) return Response.json(shown.data, { headers: DATA_HEADERS });
      if ('to' in shown) return go(shown, request_id, cookies, door.secure);
      return showPage(shown, { request_id, tongue: visit.tongue, cookies, names_itself: true });
    };
  };
  return pages.flatMap(({ path, get, post }): PlainRoute[] => [
    { method: 'GET', path, handle: routed(get) },
    ...(post ? [{ method: 'POST' as const, path, handle: routed(post) }] : []),
  ]);
}

/** The value of a success, or the refusal. */
export function answered<T>(ended: Ended): T | Refused {
  if ('refusal' in ended) return ended;
  if ('reply' in ended) return ended.reply.value as T;
  throw new Error('a page asked for what stays open');
}
