// The documents for people at /docs/guide, beside the API reference: as they lie in the sources, made into pages at their first request,
// and one search over all of them and the operations. They work without any script and load nothing.
import { createHash } from 'node:crypto';
import client from '../client/README.md' with { type: 'text' };
import a2a from '../docs/a2a.md' with { type: 'text' };
import changelog from '../docs/CHANGELOG.md' with { type: 'text' };
import errors from '../docs/errors.md' with { type: 'text' };
import events from '../docs/events.md' with { type: 'text' };
import guide from '../docs/guide.md' with { type: 'text' };
import matching from '../docs/matching.md' with { type: 'text' };
import negotiation from '../docs/negotiation.md' with { type: 'text' };
import operate from '../docs/operate.md' with { type: 'text' };
import operations from '../docs/operations.md' with { type: 'text' };
import security from '../docs/security.md' with { type: 'text' };
import states from '../docs/states.md' with { type: 'text' };
import type { Passage } from '../domain/concierge/search.ts';
import { fault } from '../domain/fault.ts';
import type { PlainRoute } from './app.ts';
import type { DoorPorts } from './door-ports.ts';
import { type Html, html } from './pages/page.ts';
import { fixedReply, refuseBare } from './wire.ts';

const INDEX_PATH = '/docs/guide';
/** A question is as long as people type one. */
const QUESTION_MAX = 200;

interface Document {
  /** Its last part of the address. */
  readonly slug: string;
  /** As other documents link to it. */
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly markdown: string;
}

const DOCUMENTS: readonly Document[] = [
  {
    slug: 'guide',
    file: 'guide.md',
    title: 'Questions and answers',
    about: 'how to join, publish, talk, trade and be paid',
    markdown: guide,
  },
  {
    slug: 'host',
    file: 'operate.md',
    title: 'Hosting',
    about: 'start, settings, mail, money, backups, logs, several machines',
    markdown: operate,
  },
  {
    slug: 'client',
    file: 'client/README.md',
    title: 'The client package',
    about: 'JavaScript and TypeScript: calls, inbox, webhooks, tests',
    markdown: client,
  },
  {
    slug: 'states',
    file: 'states.md',
    title: 'States of money',
    about: 'what becomes of proposals, deals, escrows, disputes, subscriptions and payouts, with diagrams',
    markdown: states,
  },
  {
    slug: 'errors',
    file: 'errors.md',
    title: 'Errors',
    about: 'each code, what it means, and what to do',
    markdown: errors,
  },
  {
    slug: 'events',
    file: 'events.md',
    title: 'Events',
    about: 'each kind, what it holds, and how it is answered',
    markdown: events,
  },
  {
    slug: 'a2a',
    file: 'a2a.md',
    title: 'A2A',
    about: 'the agent-to-agent protocol: cards, tasks, push',
    markdown: a2a,
  },
  {
    slug: 'matching',
    file: 'matching.md',
    title: 'Matching',
    about: 'how offers and seeks are paired and ranked',
    markdown: matching,
  },
  {
    slug: 'negotiation',
    file: 'negotiation.md',
    title: 'Negotiation',
    about: 'turns, proposals, bounds, approvals',
    markdown: negotiation,
  },
  {
    slug: 'operations',
    file: 'operations.md',
    title: 'Operations',
    about: 'all of them, with their addresses and tools',
    markdown: operations,
  },
  {
    slug: 'security',
    file: 'security.md',
    title: 'Security',
    about: 'what is trusted, what each credential may do, what an operator sees, what is not defended against',
    markdown: security,
  },
  {
    slug: 'changelog',
    file: 'CHANGELOG.md',
    title: 'Changelog',
    about: 'what changed, what may change, and how things go out of use',
    markdown: changelog,
  },
];

const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#16181d;--quiet:#565d6b;--line:#d9dde4;--main:#1f5fd6;--code:#f1f3f6}
@media (prefers-color-scheme:dark){:root{--paper:#101216;--ink:#eceef2;--quiet:#a5adbb;--line:#333945;--main:#7aa7ff;--code:#1d2128}}
*{box-sizing:border-box}
body{margin:0;display:grid;grid-template-columns:minmax(0,1fr);background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main{width:100%;max-width:60rem;margin-inline:auto;padding:1rem 1.25rem}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;border-bottom:1px solid var(--line)}
header form{margin-inline-start:auto}
input{font:inherit;min-height:2.5rem;padding:.3rem .7rem;border:1px solid var(--quiet);border-radius:.5rem;background:transparent;color:inherit}
button{font:inherit;min-height:2.5rem;padding:.3rem .9rem;border:1px solid var(--line);border-radius:.5rem;background:var(--main);color:var(--paper);cursor:pointer}
a{color:var(--main)}
h1,h2,h3{line-height:1.25;scroll-margin-top:1rem}
h2{margin-top:2.5rem}
h1 a,h2 a,h3 a{color:inherit;text-decoration:none}
p,li,td{overflow-wrap:anywhere}
code{background:var(--code);padding:.1em .3em;border-radius:.25rem;font-size:.9em}
pre{background:var(--code);padding:.9rem;border-radius:.5rem;overflow-x:auto}
pre code{padding:0;background:none}
table{display:block;overflow-x:auto;border-collapse:collapse}
th,td{text-align:start;vertical-align:top;padding:.4rem .7rem;border-bottom:1px solid var(--line)}
.small{color:var(--quiet);font-size:.9rem}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}
`;

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};

/** A page of markup; `body` is made here or of our own documents, never of what somebody sent. */
function pageOf(title: string, question: string, body: string): string {
  const head = html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} – Meshwork</title><link rel="icon" href="data:,">`;
  const bar = html`<header><a href="${INDEX_PATH}">Guide</a><a href="/docs">API reference</a><form action="${INDEX_PATH}" role="search"><input name="q" type="search" maxlength="${QUESTION_MAX}" value="${question}" aria-label="Search the documents" placeholder="Search"> <button>Search</button></form></header>`;
  return `<!doctype html>${head.text}<style>${STYLE}</style></head><body>${bar.text}<main>${body}</main></body></html>`;
}

/** Words by which the documents are searched; nobody reads them. */
const COMMENTS = /^<!--.*$/gm;
/** A link to another document, with its place there. */
const LINKS = /<a href="([^"#:]*\.(?:md|txt))(#[^"]*)?">([^<]*)<\/a>/g;

/** The document of a path, as others link to it; undefined for what is in the sources alone. */
function documentAt(path: string): Document | undefined {
  return DOCUMENTS.find(({ file }) => path === file || path.endsWith(`/${file}`));
}

const addressOf = ({ slug }: Document): string => `${INDEX_PATH}/${slug}`;

function documentPage({ title, markdown }: Document): string {
  const made = Bun.markdown.html(markdown.replaceAll(COMMENTS, ''), { headings: { ids: true } });
  const linked = made.replaceAll(LINKS, (_link, path: string, place: string | undefined, text: string) => {
    const found = documentAt(path);
    return found ? `<a href="${addressOf(found)}${place ?? ''}">${text}</a>` : text;
  });
  return pageOf(title, '', linked);
}

function indexPage(): string {
  const rows = DOCUMENTS.map(
    (document) => html`<li><a href="${addressOf(document)}">${document.title}</a>: ${document.about}</li>`,
  );
  const reference = html`<li><a href="/docs">API reference</a>: each call with its fields, to be tried out</li>`;
  return pageOf('Guide', '', html`<h1>Guide</h1><ul>${[...rows, reference]}</ul>`.text);
}

/** The place of a heading, as it is made of its text. */
function placeOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** A text in which code stands between backquotes. */
const coded = (text: string): readonly Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

function foundRow({ document, title, text }: Passage): Html {
  const found = documentAt(document);
  const to = found ? `${addressOf(found)}#${placeOf(title)}` : '/docs';
  return html`<li><a href="${to}">${title}</a> <span class="small">${found?.title ?? document}</span><p>${coded(text.http)}</p></li>`;
}

function resultsPage(question: string, found: readonly Passage[]): string {
  const none = html`<p>Nothing was found. Try other words, or look through the <a href="${INDEX_PATH}">guide</a>.</p>`;
  const rows = found.length === 0 ? none : html`<ol>${found.map(foundRow)}</ol>`;
  return pageOf(`Search: ${question}`, question, html`<h1>Search</h1>${rows}`.text);
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The guide's pages, and its search. */
export function guidePages({ manual }: Pick<DoorPorts, 'manual'>): readonly PlainRoute[] {
  const index = fixedReply(async () => bytes(indexPage()), HEADERS);
  const search = async (request: Request): Promise<Response> => {
    const question = new URL(request.url).searchParams.get('q')?.trim() ?? '';
    if (question === '') return index(request);
    if (question.length > QUESTION_MAX) {
      return refuseBare(fault('invalid_request', `q: has at most ${QUESTION_MAX} characters`));
    }
    await manual.prepare();
    return new Response(resultsPage(question, manual.find(question)), { headers: HEADERS });
  };
  return [
    {
      method: 'GET',
      path: INDEX_PATH,
      handle: (request) => (request.url.includes('?') ? search(request) : index(request)),
    },
    ...DOCUMENTS.map(
      (document): PlainRoute => ({
        method: 'GET',
        path: addressOf(document),
        handle: fixedReply(async () => bytes(documentPage(document)), HEADERS),
      }),
    ),
  ];
}
