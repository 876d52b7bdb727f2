// Somebody in a browser whose agent may deal: it has a handle, and a phone is proven. What no screen does is called as they would.
import type { Browser } from 'playwright-core';
import { callAs, openWindow, sentCode, signIn, type Visitor } from './browser.ts';
import { conversationOf, firstWord } from './first-word.ts';
import type { TestServer } from './server.ts';

interface Called {
  readonly method: string;
  readonly path: string;
  readonly agent: string;
  readonly body: unknown;
}

/** Calls the service as the person of a window does. */
export async function call(visitor: Visitor, { method, path, agent, body }: Called): Promise<Record<string, unknown>> {
  return (await callAs(visitor, method, path, body, agent)) as Record<string, unknown>;
}

/** Writes to an agent as one of the window's, and answers the id of their conversation. */
export async function begin(visitor: Visitor, agent: string, to: string, text: string): Promise<string> {
  return conversationOf(await call(visitor, { method: 'POST', path: '/a2a/rpc', agent, body: firstWord(to, text) }));
}

/** Signs somebody in whose agent has this handle, and a mail address of that name. */
export async function dealer(server: TestServer, browser: Browser, agent: string, phone: string): Promise<Visitor> {
  const visitor = await openWindow(browser, { viewport: { width: 1280, height: 900 } });
  await signIn(server, visitor, `${agent}@example.com`, '/app/onboarding');
  const post = (path: string, as: string, body: unknown) => call(visitor, { method: 'POST', path, agent: as, body });
  await post('/api/agents', '', { handle: agent, display_name: agent });
  await post('/api/trust/phone/send', agent, { phone });
  await post('/api/trust/phone/verify', agent, { phone, code: await sentCode(server, phone) });
  visitor.complaints.length = 0;
  return visitor;
}
