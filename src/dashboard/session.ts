// Who is signed in. The refresh cookie is the browser's and no script sees it; the access token lives in this page's memory only,
// and is asked for anew a minute before it ends. Tabs that ask at once get the same answer (rules.md 3).
import { signal } from '@preact/signals';
import type { Language } from '../domain/language.ts';

interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: 'free' | 'pro';
  /** Null: the browser's. */
  readonly language: Language | null;
}

interface Session {
  readonly access_token: string;
  readonly expires_in: number;
  readonly account: Account;
  /** Up to where its news had come when it was answered. */
  readonly last_event_id: string;
}

const SPARE_MS = 60_000;
/** For one answer; a connection that died in silence is not waited for. */
const PATIENCE_MS = 10_000;

/** Null until the first answer came. */
export const account = signal<Account | null>(null);
/** Up to where the news had come when the page began: all that it shows was read later. */
export let began_after = '';

let token = '';
let ends_at = 0;
let asked: Promise<boolean> | null = null;
/** Whoever signs out is on the way to another page: what this one would still read, nobody looks at, and it would be refused. */
let is_leaving = false;

/** Whether the session ended under the page, which leaves for signing in. */
export let has_ended = false;

/** Where the app stands, with a slash at its end. */
export const base = document.querySelector('meta[name="meshwork-app"]')?.getAttribute('content') ?? '/';

/** Leaves for the page that signs people in; whoever did comes back to where they were. Never resolves: the page goes. */
export function signedOut(): Promise<never> {
  has_ended = true;
  const here = location.pathname + location.search + location.hash;
  location.replace(`${base}login?next=${encodeURIComponent(here)}`);
  return new Promise(() => {});
}

/** Asks twice where no answer comes: for 30 seconds a cookie that was used may be used again. */
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
    // Where people sign in elsewhere, there is none to be had here.
    if (response.status === 401 || response.status === 404) return false;
    throw new Error(`the session could not be asked for (${response.status})`);
  }
  const session = (await response.json()) as Session;
  token = session.access_token;
  ends_at = performance.now() + session.expires_in * 1_000 - SPARE_MS;
  if (!account.value) began_after = session.last_event_id;
  account.value = session.account;
  return true;
}

/** Asks for a new token; false where nobody is signed in. Calls at once are one. */
export function renewToken(): Promise<boolean> {
  asked ??= refresh().finally(() => {
    asked = null;
  });
  return asked;
}

/** A token that works for the next minute. */
export async function freshToken(): Promise<string> {
  if (is_leaving) return new Promise(() => {});
  if (performance.now() < ends_at) return token;
  return (await renewToken()) ? token : signedOut();
}

/** The token as it is, for a request that must leave before the page does and can wait for none. */
export function heldToken(): string {
  return token;
}

/** What is pushed to this browser is for whoever is signed in here; the service forgets it at the next push. */
async function endPushes(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration(base);
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
}

/** What is done before somebody signs out: calls that wait to be made. */
export const beforeSignOut: (() => Promise<void>)[] = [];

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
  location.assign(`${base}login`);
}

// As which of the person's agents the screens act. The choice is the browser's, kept from visit to visit.

const PLACE = 'meshwork-agent';

/** The handle; undefined where the account has none, or has not been asked. */
export const agent = signal<string | undefined>(localStorage.getItem(PLACE) ?? undefined);

/** Acts as this agent from now on. */
export function actAs(handle: string | undefined): void {
  agent.value = handle;
  if (handle === undefined) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, handle);
}
