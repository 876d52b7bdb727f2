// The session. The refresh cookie is HttpOnly; the access token is kept in this page's memory only and renewed a minute before it
// expires. Concurrent renewals of several tabs get the same response (rules.md 3).
import { signal } from '@preact/signals';
import type { Language } from '../domain/language.ts';

interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: 'free' | 'pro';
  /** Null: the browser's language. */
  readonly language: Language | null;
}

interface Session {
  readonly access_token: string;
  readonly expires_in: number;
  readonly account: Account;
  /** The last event id at the time of the response. */
  readonly last_event_id: string;
}

const SPARE_MS = 60_000;
/** Timeout of a request, so that a dead connection does not block. */
const PATIENCE_MS = 10_000;

/** Null until the first response. */
export const account = signal<Account | null>(null);
/** The last event id when the page loaded; all displayed data was read later. */
export let began_after = '';

let token = '';
let ends_at = 0;
let asked: Promise<boolean> | null = null;
/** Set while signing out: the page is about to be left, and further reads would be refused. */
let is_leaving = false;

/** Whether the session ended; the page is being redirected to the sign-in page. */
export let has_ended = false;

/** The app's base path, with a trailing slash. */
export const base = document.querySelector('meta[name="meshwork-app"]')?.getAttribute('content') ?? '/';

/** Redirects to the sign-in page, which returns to the current page. Never resolves, since the page unloads. */
export function signedOut(): Promise<never> {
  has_ended = true;
  const here = location.pathname + location.search + location.hash;
  location.replace(`${base}login?next=${encodeURIComponent(here)}`);
  return new Promise(() => {});
}

/** Leaves this page for the start page of whoever has signed in on this device since. Never resolves, since the page unloads. */
function leaveToOther(): Promise<never> {
  has_ended = true;
  location.replace(base);
  return new Promise(() => {});
}

/** Tries twice when no response comes: a used cookie stays valid for 30 seconds. */
async function askForSession(): Promise<Response> {
  const ask = (): Promise<Response> =>
    fetch('/api/auth/session/refresh', {
      method: 'POST',
      credentials: 'same-origin',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  return await ask().catch(ask);
}

async function refresh(): Promise<boolean> {
  const response = await askForSession();
  if (!response.ok) {
    // 404: with an external identity provider the server has no session of its own.
    if (response.status === 401 || response.status === 404) return false;
    throw new Error(`the session could not be asked for (${response.status})`);
  }
  const session = (await response.json()) as Session;
  // All tabs share the cookie. What this page displays and holds belongs to the person before.
  if (account.value && account.value.id !== session.account.id) return leaveToOther();
  token = session.access_token;
  ends_at = performance.now() + session.expires_in * 1_000 - SPARE_MS;
  if (!account.value) began_after = session.last_event_id;
  account.value = session.account;
  return true;
}

/** Requests a new token; false without a session. Concurrent calls share one request. */
export function renewToken(): Promise<boolean> {
  asked ??= refresh().finally(() => {
    asked = null;
  });
  return asked;
}

/** A token valid for at least a minute. */
export async function freshToken(): Promise<string> {
  if (is_leaving) return new Promise(() => {});
  if (performance.now() < ends_at) return token;
  return (await renewToken()) ? token : signedOut();
}

/** The current token, for a request that must start before the page unloads. */
export function heldToken(): string {
  return token;
}

/** Unsubscribes this browser from the person's pushes; the service removes the subscription at the next push. */
async function endPushes(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration(base);
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
}

/** Runs before signing out, to send pending calls. */
export const beforeSignOut: (() => Promise<void>)[] = [];

/** Removes the person's texts from this browser, for the next one who uses it. */
function forgetPerson(): void {
  const { id } = account.value ?? {};
  for (const stored of [localStorage, sessionStorage]) {
    for (const key of Object.keys(stored)) if (id !== undefined && key.includes(id)) stored.removeItem(key);
  }
  localStorage.removeItem(PLACE);
}

/** Signs out, here and in all tabs of this session. */
export async function signOut(): Promise<void> {
  await Promise.allSettled(beforeSignOut.map((done) => done()));
  is_leaving = true;
  await endPushes().catch(() => {});
  await fetch('/api/auth/session/end', {
    method: 'POST',
    credentials: 'same-origin',
    headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
  }).catch((error) => {
    is_leaving = false;
    throw error;
  });
  token = '';
  ends_at = 0;
  forgetPerson();
  location.assign(`${base}login`);
}

// The acting agent: which of the person's agents the screens act as; stored in the browser.

const PLACE = 'meshwork-agent';

/** The handle; undefined when the account has no agent or has not been read. */
export const agent = signal<string | undefined>(localStorage.getItem(PLACE) ?? undefined);

/** Acts as this agent from now on. */
export function actAs(handle: string | undefined): void {
  agent.value = handle;
  if (handle === undefined) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, handle);
}
