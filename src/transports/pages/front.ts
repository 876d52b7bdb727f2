// The front page: people are led to the app, programs to the documents.
import type { PlainRoute } from '../app.ts';
import type { DoorPorts } from '../door-ports.ts';
import { appPath } from './door.ts';
import { filled, html } from './html.ts';
import { type Page, readsPages, showPage } from './page.ts';
import type { Tongue, TongueOf } from './words.ts';

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

function frontPage(app: string, { words: { front, where_to } }: Tongue): Page {
  const agent = filled(front.agent, html`<a href="/llms.txt">/llms.txt</a>`);
  return {
    title: 'Meshwork',
    headers: VARY,
    body: html`<h1>Meshwork</h1><p>${front.lead}</p><nav aria-label="${where_to}"><a class="button main" href="${app}/login">${front.sign_in}</a><a class="button" href="/docs">${front.docs}</a></nav><p class="small">${agent}</p>`,
  };
}

export function frontRoute({ settings }: Pick<DoorPorts, 'settings'>, tongueOf: TongueOf): PlainRoute {
  const app = appPath(settings);
  const handle: PlainRoute['handle'] = (request) => {
    const request_id = Bun.randomUUIDv7();
    const tongue = tongueOf(request);
    if (readsPages(request)) return showPage(frontPage(app, tongue), { request_id, tongue });
    return Response.json(DOCUMENTS, { headers: { 'X-Request-Id': request_id, ...VARY } });
  };
  return { method: 'GET', path: '/', handle };
}
