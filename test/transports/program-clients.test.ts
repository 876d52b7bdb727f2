// Clients of the tool protocol that nobody here wrote connect by a person's consent, both lines, unmodified: they are given the address of
// the tool server and a way to open a browser. The person signs in and decides in a real one where there is one, else by the
// forms alone.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import {
  Client as ClientOfClient,
  StreamableHTTPClientTransport as TransportOfClient,
} from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as ClientOfSdk } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportOfSdk } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Browser, chromium } from 'playwright-core';
import { HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { AUTHORITY, RECEIVERS } from '../support/authority.ts';
import { newReader, signInOn } from '../support/reader.ts';
import { codeFor, openTestService, type TestService } from '../support/testbed.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const hasBrowser = existsSync(CHROMIUM);
if (!hasBrowser) console.warn(`skipped: there is no browser at ${CHROMIUM} to consent in`);
const INFO = { name: 'a test', version: '1' };

let t: TestService;
let ada: TestAgent;
let server: ReturnType<typeof Bun.serve>;
let publisher: ReturnType<typeof Bun.serve>;
let base_url: string;
let browser: Browser | null = null;
beforeAll(async () => {
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => t.fetch(request) });
  base_url = `http://127.0.0.1:${server.port}`;
  publisher = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { key: RECEIVERS.key, cert: RECEIVERS.cert },
    fetch: () =>
      Response.json({ client_id: documentUrl(), client_name: 'Bench', redirect_uris: ['http://127.0.0.1/cb'] }),
  });
  const allow = [{ host: 'receivers.example', port: publisher.port ?? 0 }];
  const parts = { clock: virtualClock(Date.now()), outside: { allow, ca: AUTHORITY } };
  t = await openTestService({ base_url, app_url: `${base_url}/app` }, 'memory', parts);
  t.zone.setAddresses('receivers.example', ['127.0.0.1']);
  ada = await newAgent(t, { handle: 'ada' });
  if (hasBrowser) browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
});
afterAll(async () => {
  await browser?.close();
  await server.stop(true);
  await publisher.stop(true);
  await t.close();
});

const documentUrl = (): string => `https://receivers.example:${publisher.port}/client.json`;

/** A program on the person's machine, which listens where it found a free port. */
class Program implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly waiting = Promise.withResolvers<URL>();
  readonly listener: ReturnType<typeof Bun.serve>;
  opened: URL | null = null;
  kept: Record<string, unknown> = {};

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    this.listener = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        const url = new URL(request.url);
        if (url.pathname === '/cb') this.waiting.resolve(url);
        return new Response('You can close this window.');
      },
    });
  }
  get redirectUrl(): string {
    return `http://127.0.0.1:${this.listener.port}/cb`;
  }
  get clientMetadata() {
    return { client_name: 'A bench of tools', redirect_uris: [this.redirectUrl] };
  }
  state(): string {
    return 'state-of-the-client';
  }
  clientInformation() {
    return this.kept['client'] as { client_id: string } | undefined;
  }
  saveClientInformation(client: unknown): void {
    this.kept['client'] = client;
  }
  tokens() {
    return this.kept['tokens'] as { access_token: string; token_type: string; refresh_token?: string } | undefined;
  }
  saveTokens(tokens: unknown): void {
    this.kept['tokens'] = tokens;
  }
  invalidateCredentials(what: string): void {
    if (what === 'all' || what === 'tokens') this.kept['tokens'] = undefined;
  }
  saveDiscoveryState(state: unknown): void {
    this.kept['discovered'] = state;
  }
  discoveryState() {
    return this.kept['discovered'] as undefined;
  }
  redirectToAuthorization(url: URL): void {
    this.opened = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.kept['verifier'] = verifier;
  }
  codeVerifier(): string {
    return String(this.kept['verifier']);
  }
}

/** The person in a browser: signs in, reads, presses the button, and ends up at the program. */
async function consentInBrowser(opened: Browser, url: URL, program: Program): Promise<URL> {
  const context = await opened.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(url.href);
  await page.getByLabel('Email address').fill(ada.email);
  await page.getByRole('button', { name: /code/i }).first().click();
  await page.getByLabel(/code/i).fill(codeFor(t, ada.email));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: /^Let .* in\?$/ }).waitFor();
  expect(new URL(page.url()).origin).toBe(base_url);
  const shots = process.env['PAGE_SHOTS'];
  if (shots) await page.screenshot({ path: `${shots}/consent.png`, fullPage: true });
  await page.getByRole('button', { name: 'Let it in' }).click();
  const back = await program.waiting.promise;
  expect(complaints).toEqual([]);
  await context.close();
  return back;
}

/** The same by the forms alone. */
async function consentByForms(url: URL): Promise<URL> {
  const reader = newReader(t, base_url);
  const path = `${url.pathname}${url.search}`;
  await signInOn(t, reader, ada.email, path);
  await reader.get(path);
  return new URL((await reader.post(path, { decision: 'allow', agent: 'ada', days: '30' })).location ?? '');
}

const LINES = {
  '@modelcontextprotocol/sdk': {
    transport: (authProvider: Program) => new TransportOfSdk(new URL(`${base_url}/mcp`), { authProvider }),
    client: () => new ClientOfSdk(INFO),
  },
  '@modelcontextprotocol/client': {
    transport: (authProvider: Program) =>
      new TransportOfClient(new URL(`${base_url}/mcp`), { authProvider: authProvider as never }),
    client: () => new ClientOfClient(INFO),
  },
} as const;

/** From the address of the tool server to a call of a tool, a refresh, and the end. */
async function wholeWay(
  line: keyof typeof LINES,
  program: Program,
  consent: (url: URL) => Promise<URL>,
): Promise<void> {
  const { transport, client } = LINES[line];
  const first = transport(program);
  await expect(client().connect(first as never)).rejects.toThrow();
  expect(program.opened?.searchParams.get('resource')).toBe(`${base_url}/mcp`);
  const back = await consent(program.opened ?? new URL('about:blank'));
  expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['state-of-the-client', base_url]);
  await (line === '@modelcontextprotocol/client'
    ? (first as TransportOfClient).finishAuth(back.searchParams)
    : (first as TransportOfSdk).finishAuth(back.searchParams.get('code') ?? ''));
  const say = async (): Promise<unknown> => {
    const speaking = client();
    await speaking.connect(transport(program) as never);
    const { structuredContent } = await speaking.callTool({ name: 'mesh_whoami' });
    await speaking.close();
    return structuredContent;
  };
  expect(await say()).toMatchObject({ handle: 'ada', kind: 'access_token' });
  const before = program.tokens();
  await t.advance(HOUR_MS);
  expect(await say()).toMatchObject({ handle: 'ada' });
  expect(program.tokens()?.access_token).not.toBe(before?.access_token);
  expect(program.tokens()?.refresh_token).not.toBe(before?.refresh_token);
  const token = await signIn(t, ada.email);
  const [newest] = (await t.call('GET', '/api/account/programs', { token })).body;
  expect((await t.call('DELETE', `/api/account/programs/${newest.id}`, { token })).status).toBe(200);
  program.opened = null;
  await expect(say()).rejects.toThrow();
  expect(program.opened).not.toBeNull();
  await program.listener.stop(true);
}

describe.each(Object.keys(LINES) as (keyof typeof LINES)[])('%s', (line) => {
  test('registers, is let in, calls, refreshes, and is thrown out', async () => {
    await wholeWay(line, new Program(), consentByForms);
  }, 600_000);

  test('says at its own address who it is, is let in, calls, refreshes, and is thrown out', async () => {
    const program = new Program(documentUrl());
    await wholeWay(line, program, consentByForms);
    expect(program.clientInformation()?.client_id).toBe(documentUrl());
  }, 600_000);

  test.skipIf(!hasBrowser)(
    'is let in by a person in a real browser',
    async () => {
      const program = new Program();
      if (browser) await wholeWay(line, program, (url) => consentInBrowser(browser as Browser, url, program));
    },
    600_000,
  );
});
