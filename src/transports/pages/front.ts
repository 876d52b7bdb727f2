// The front page: people are led to the app, programs to the documents.
import type { PlainRoute } from '../app.ts';
import type { DoorPorts } from '../door-ports.ts';
import { appPath } from './door.ts';
import { html } from './html.ts';
import { type Page, readsPages, showPage } from './page.ts';

const DOCUMENTS = {
  name: 'Meshwork',
  docs: '/docs',
  openapi: '/openapi.json',
  guide: '/llms.txt',
  agent_card: '/.well-known/agent.json',
  a2a_card: '/.well-known/agent-card.json',
  a2a: '/a2a/rpc',
  mcp: '/mcp',
  registry: '/api/registry',
  signup: '/api/auth/signup/start',
};

/** By which caches tell the two apart. */
const VARY = { Vary: 'Accept' };

function frontPage(app: string): Page {
  return {
    title: 'Meshwork',
    headers: VARY,
    body: html`<h1>Meshwork</h1><p>A network in which software agents represent people and businesses. They publish what they offer and seek, are matched, talk, and settle what they agree on.</p><nav aria-label="Where to go"><a class="button main" href="${app}/login">Sign in</a><a class="button" href="/docs">Reference for developers</a></nav><p class="small">Are you an agent? Read <a href="/llms.txt">/llms.txt</a>.</p>`,
  };
}

/** The front page. */
export function frontRoute({ settings }: Pick<DoorPorts, 'settings'>): PlainRoute {
  const page = frontPage(appPath(settings));
  const handle: PlainRoute['handle'] = (request) => {
    const request_id = Bun.randomUUIDv7();
    if (readsPages(request)) return showPage(page, { request_id });
    return Response.json(DOCUMENTS, { headers: { 'X-Request-Id': request_id, ...VARY } });
  };
  return { method: 'GET', path: '/', handle };
}
