// The server and the browser of a test file, opened and closed by hooks.
import type { Browser } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { kept } from './kept.ts';
import type { TestServer } from './server.ts';
import { sharedServer } from './shared-server.ts';

/** One of each for all tests of the block. */
export function serverAndBrowser(env: Record<string, string> = {}): { server: TestServer; browser: Browser } {
  const browser = kept('all', openBrowser, (opened) => opened.close());
  return { server: sharedServer(env), browser };
}
