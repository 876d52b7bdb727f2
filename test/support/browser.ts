// A real browser, where there is one, and a person in it who signs in as people do: by the code that was mailed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  errors,
  type Locator,
  type Page,
} from 'playwright-core';
import type { TestServer } from './server.ts';

const CHROMIUM = '/usr/bin/chromium';
/** Beside headless: nothing that the browser itself would say to the outside. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** For what never comes. Ten times as long as a loaded machine needs for the slowest step. */
const PATIENCE_MS = 60_000;
/** Between two looks at what a page or a worker shows. */
const LOOK_MS = 20;
/** How much of a page an error tells. */
const TOLD_MAX = 1_500;

/** What of a page or a locator answers with a locator. */
const LOCATES = new Set([
  ...['locator', 'getByRole', 'getByLabel', 'getByText', 'getByTitle', 'getByPlaceholder', 'getByAltText'],
  ...['getByTestId', 'filter', 'first', 'last', 'nth', 'and', 'or'],
]);

/** Whether this machine has one; tests that need it say loudly that they are skipped. */
export const hasBrowser = existsSync(CHROMIUM);
// The bench tells of it in its table.
if (!hasBrowser && Bun.main.endsWith('.test.ts')) console.warn(`skipped: there is no browser at ${CHROMIUM}`);

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** Adds to the error of a wait that ran out what the page showed then. */
async function tellWhatIsShown(error: unknown, page: Page): Promise<never> {
  if (!(error instanceof errors.TimeoutError)) throw error;
  const shown = await page.locator('body').ariaSnapshot().catch(String);
  error.message += `\nThe page at ${page.url()} showed:\n${shown.slice(0, TOLD_MAX)}`;
  throw error;
}

/** A page, or a locator of it, whose waits say what they saw when they run out. */
function telling<T extends Page | Locator>(one: T, page: Page): T {
  return new Proxy(one, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        const answer: unknown = member.apply(target, given);
        if (answer instanceof Promise) return answer.catch((error) => tellWhatIsShown(error, page));
        return LOCATES.has(String(name)) ? telling(answer as Locator, page) : answer;
      };
    },
  });
}

/** Looks until what is seen is as it should be, and answers it; after a minute it says what was seen last. */
export async function seen<T>(look: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  const ends_at = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await look();
    if (isSo(value)) return value;
    if (performance.now() > ends_at) throw new Error(`waited for a minute; seen last: ${JSON.stringify(value)}`);
    await Bun.sleep(LOOK_MS);
  }
}

/** A person's window, and what its pages complained of. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, breaches of the policy, answers that failed. */
  readonly complaints: string[];
}

/** Opens a window of its own: no cookies, no memory. */
export async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const bare = await context.newPage();
  const page = telling(bare, bare);
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return { context, page, complaints };
}

/** A service as a browser's person reaches it; its folder holds what the outbox asks for. */
type Visited = Pick<TestServer, 'url' | 'data_dir'>;

/** The code that was sent last to a mail address or a phone. */
export async function sentCode(server: Visited, to: string): Promise<string> {
  const token = (await Bun.file(join(server.data_dir, 'internal-token')).text()).trim();
  const address = `${server.url}/internal/outbox?to=${encodeURIComponent(to)}`;
  const answer = await fetch(address, { headers: { 'X-Internal-Token': token } });
  const code = /^\d{6}$/m.exec((await answer.text()).replaceAll('\\n', '\n'))?.[0];
  if (code === undefined) throw new Error(`no code was sent to ${to}`);
  return code;
}

/** Goes to an address of the app, is led to sign in, does so, and ends where it wanted to go; `navigation` is what the app calls its own. */
export async function signIn(
  server: Visited,
  { page }: Visitor,
  email: string,
  path = '/app',
  navigation = 'Main',
): Promise<void> {
  await page.goto(`${server.url}${path}`);
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Mail me a code' }).click();
  await page.getByLabel('Code').waitFor();
  await page.getByLabel('Code').fill(await sentCode(server, email));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: navigation }).waitFor();
}

/** Calls the service as the person who is signed in on a page; `handle` is the agent that acts. */
export async function callAs(
  { page }: Visitor,
  method: string,
  path: string,
  body: unknown,
  handle?: string,
): Promise<unknown> {
  const { status, answer } = await page.evaluate(
    async ([method, path, body, handle]) => {
      const session = await (await fetch('/api/auth/session/refresh', { method: 'POST' })).json();
      const headers = new Headers({ 'Content-Type': 'application/json' });
      headers.set('Authorization', `Bearer ${session.access_token}`);
      if (handle !== undefined) headers.set('X-Agent-Handle', handle);
      const reply = await fetch(path, { method, headers, body: JSON.stringify(body) });
      return { status: reply.status, answer: (await reply.json()) as unknown };
    },
    [method, path, body, handle] as const,
  );
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`);
  return answer;
}
