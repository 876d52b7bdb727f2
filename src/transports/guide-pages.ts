// The documents for people at /docs/guide, beside the API reference: the source documents, rendered at the first request, and one search
// over them and the operations. They work without scripts and load nothing.

import { type DocumentName, documents } from '../docs/documents.ts';
import type { Passage } from '../domain/concierge/search.ts';
import { fault } from '../domain/fault.ts';
import type { Instance } from '../domain/instance.ts';
import type { PlainRoute } from './app.ts';
import type { DoorPorts } from './door-ports.ts';
import { brandOf, type Html, html, iconLink, sheets } from './pages/page.ts';
import { fixedReply, refuseBare } from './wire.ts';

const INDEX_PATH = '/docs/guide';
/** The longest search question. */
const QUESTION_MAX = 200;

interface Document {
  /** The last segment of its address. */
  readonly slug: string;
  /** Its name in links of other documents. */
  readonly file: DocumentName;
  readonly title: string;
  readonly about: string;
}

const DOCUMENTS: readonly Document[] = [
  {
    slug: 'guide',
    file: 'guide.md',
    title: 'Questions and answers',
    about: 'how to join, publish, talk, trade and be paid',
  },
  {
    slug: 'host',
    file: 'operate.md',
    title: 'Hosting',
    about: 'start, settings, mail, money, backups, logs, several machines',
  },
  {
    slug: 'client',
    file: 'client/README.md',
    title: 'The client package',
    about: 'JavaScript and TypeScript: calls, inbox, webhooks, tests',
  },
  {
    slug: 'states',
    file: 'states.md',
    title: 'States of money',
    about: 'what becomes of proposals, deals, escrows, disputes, subscriptions and payouts, with diagrams',
  },
  {
    slug: 'errors',
    file: 'errors.md',
    title: 'Errors',
    about: 'each code, what it means, and what to do',
  },
  {
    slug: 'events',
    file: 'events.md',
    title: 'Events',
    about: 'each kind, what it holds, and how it is answered',
  },
  {
    slug: 'a2a',
    file: 'a2a.md',
    title: 'A2A',
    about: 'the agent-to-agent protocol: cards, tasks, push',
  },
  {
    slug: 'matching',
    file: 'matching.md',
    title: 'Matching',
    about: 'how offers and seeks are paired and ranked',
  },
  {
    slug: 'negotiation',
    file: 'negotiation.md',
    title: 'Negotiation',
    about: 'turns, proposals, bounds, approvals',
  },
  {
    slug: 'operations',
    file: 'operations.md',
    title: 'Operations',
    about: 'all of them, with their addresses and tools',
  },
  {
    slug: 'security',
    file: 'security.md',
    title: 'Security',
    about: 'what is trusted, what each credential may do, what an operator sees, what is not defended against',
  },
  {
    slug: 'changelog',
    file: 'CHANGELOG.md',
    title: 'Changelog',
    about: 'what changed, what may change, and how things go out of use',
  },
];

const sheetOf = sheets(`
body{line-height:1.6}
body>header,main{width:100%;max-width:60rem;margin-inline:auto;padding:var(--space-4) 1.25rem}
body>header{display:flex;flex-wrap:wrap;gap:var(--space-2) var(--space-5);align-items:center;border-bottom:1px solid var(--line)}
header nav{display:flex;flex-wrap:wrap;gap:var(--space-2) var(--space-4)}
header form{display:flex;flex:1 1 14rem;gap:var(--space-2);justify-content:end}
header input{flex:0 1 16rem}
header button{flex:none}
h1,h2,h3{scroll-margin-top:var(--space-4)}
h1{font-size:var(--text-xxl)}
h2{margin-top:2.5rem;font-size:1.25rem}
h1 a,h2 a,h3 a{color:inherit;text-decoration:none}
p,li,td{overflow-wrap:anywhere}
code{background:var(--raised);padding:.1em .3em;border-radius:var(--round-s);font-size:.9em}
pre{background:var(--raised);padding:.9rem;border-radius:var(--round-m);overflow-x:auto}
pre code{padding:0;background:none}
table{display:block;overflow-x:auto;border-collapse:collapse}
th,td{text-align:start;vertical-align:top;padding:.4rem .7rem;border-bottom:1px solid var(--line)}
`);

const headersOf = (instance: Instance) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${sheetOf(instance).hash}'`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
});

/** A page; `body` is trusted HTML made here or from our own documents, never from user input. */
type PageOf = (title: string, question: string, body: string) => string;

const pagesOf =
  (instance: Instance): PageOf =>
  (title, question, body) => {
    const head = html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} – ${instance.name}</title>${iconLink(instance)}`;
    const bar = html`<header><a class="brand" href="/">${brandOf(instance)}</a><nav aria-label="Documents"><a href="${INDEX_PATH}">Guide</a><a href="/docs">API reference</a></nav><form action="${INDEX_PATH}" role="search"><input name="q" type="search" maxlength="${QUESTION_MAX}" value="${question}" aria-label="Search the documents" placeholder="Search"> <button class="main">Search</button></form></header>`;
    return `<!doctype html>${head.text}<style>${sheetOf(instance).text}</style></head><body>${bar.text}<main>${body}</main></body></html>`;
  };

/** Comments with search words, which are not rendered. */
const COMMENTS = /^<!--.*$/gm;
/** A link to another document, with its fragment. */
const LINKS = /<a href="([^"#:]*\.(?:md|txt))(#[^"]*)?">([^<]*)<\/a>/g;

/** The document of a linked path; undefined for one that is only in the sources. */
function documentAt(path: string): Document | undefined {
  return DOCUMENTS.find(({ file }) => path === file || path.endsWith(`/${file}`));
}

const addressOf = ({ slug }: Document): string => `${INDEX_PATH}/${slug}`;

function documentPage(pageOf: PageOf, { title, file }: Document): string {
  const made = Bun.markdown.html(documents()[file].replaceAll(COMMENTS, ''), { headings: { ids: true } });
  const linked = made.replaceAll(LINKS, (_link, path: string, place: string | undefined, text: string) => {
    const found = documentAt(path);
    return found ? `<a href="${addressOf(found)}${place ?? ''}">${text}</a>` : text;
  });
  return pageOf(title, '', linked);
}

function indexPage(pageOf: PageOf): string {
  const rows = DOCUMENTS.map(
    (document) => html`<li><a href="${addressOf(document)}">${document.title}</a>: ${document.about}</li>`,
  );
  const reference = html`<li><a href="/docs">API reference</a>: each call with its fields, to be tried out</li>`;
  return pageOf('Guide', '', html`<h1>Guide</h1><ul>${[...rows, reference]}</ul>`.text);
}

/** The fragment id of a heading, made from its text. */
function placeOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Renders a text with code between backquotes. */
const coded = (text: string): readonly Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

function foundRow({ document, title, text }: Passage): Html {
  const found = documentAt(document);
  const to = found ? `${addressOf(found)}#${placeOf(title)}` : '/docs';
  return html`<li><a href="${to}">${title}</a> <span class="small">${found?.title ?? document}</span><p>${coded(text.http)}</p></li>`;
}

function resultsPage(pageOf: PageOf, question: string, found: readonly Passage[]): string {
  const none = html`<p>Nothing was found. Try other words, or look through the <a href="${INDEX_PATH}">guide</a>.</p>`;
  const rows = found.length === 0 ? none : html`<ol>${found.map(foundRow)}</ol>`;
  return pageOf(`Search: ${question}`, question, html`<h1>Search</h1>${rows}`.text);
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The guide's pages, and its search. */
export function guidePages({ manual, settings }: Pick<DoorPorts, 'manual' | 'settings'>): readonly PlainRoute[] {
  const headers = headersOf(settings.instance);
  const pageOf = pagesOf(settings.instance);
  const index = fixedReply(async () => bytes(indexPage(pageOf)), headers);
  const search = async (request: Request): Promise<Response> => {
    const question = new URL(request.url).searchParams.get('q')?.trim() ?? '';
    if (question === '') return index(request);
    if (question.length > QUESTION_MAX) {
      return refuseBare(fault('invalid_request', `q: has at most ${QUESTION_MAX} characters`));
    }
    await manual.prepare();
    return new Response(resultsPage(pageOf, question, manual.find(question)), { headers });
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
        handle: fixedReply(async () => bytes(documentPage(pageOf, document)), headers),
      }),
    ),
  ];
}
