// What people read and decide in a browser, made on the server; it works without any script. A page is answered with a policy that
// lets it load nothing, be framed by nobody, send its form nowhere but here, and tell no other site its address, which may be a
// credential; it is kept by no cache.
import { createHash } from 'node:crypto';
import type { AnyOperation } from '../../contract/operation.ts';
import { type Code, FAULTS, type Fault } from '../../domain/fault.ts';
import { type Instance, withName } from '../../domain/instance.ts';
import { lookOf, markSvg, tokenSheet } from '../../domain/look.ts';
import { escapeHtml } from '../../domain/text/escape-html.ts';
import { type Ended, NO_CREDENTIALS } from '../../pipeline/call.ts';
import { readForm } from '../body.ts';
import { senderOf } from '../caller.ts';
import type { DoorPorts } from '../door-ports.ts';
import type { RestDoor } from '../rest.ts';
import { retryHeaders } from '../wire.ts';
import type { PageWords, Tongue } from './words.ts';

// HTML that is escaped by its make: what is put into a template is text, unless it was made by the template itself. Attributes
// stand in double quotes; an address that is linked to is the service's own, or that of a site which its operator set up.

/** Markup; made by `html` alone. */
export class Html {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Of the parts of a template. */
  static of(texts: readonly string[], parts: readonly Part[]): Html {
    return new Html(texts.map((text, at) => text + markupOf(parts[at] ?? '')).join(''));
  }
}

type Part = string | number | Html | readonly Html[];

function markupOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escapeHtml(String(part));
}

/** Writes markup: html`<p>${name}</p>`. */
export function html(texts: readonly string[], ...parts: readonly Part[]): Html {
  return Html.of(texts, parts);
}

/** What is wrong with what was sent, said above its form. */
export const alert = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p class="error" id="problem" role="alert">${problem}</p>`;

/** Said of a field that has a problem. */
export const marked = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html` aria-invalid="true" aria-describedby="problem"`;

/** Private characters, which no text holds: one for each gap. */
const GAP = 0xe000;
const GAPS = /[\ue000-\ue00f]/;

/** A text of the catalogue, which holds no markup, with markup in its gaps, wherever its language has them. */
export function filled<P extends readonly Html[]>(
  text: (...gaps: { [K in keyof P]: string }) => string,
  ...parts: P
): Html {
  const gaps = parts.map((_, at) => String.fromCharCode(GAP + at)) as { [K in keyof P]: string };
  const written = text(...gaps);
  const order = [...written].filter((sign) => GAPS.test(sign)).map((sign) => parts[sign.charCodeAt(0) - GAP] ?? html``);
  return Html.of(written.split(GAPS).map(escapeHtml), order);
}

/** What pages for people and the guide have in common, beside the tokens. */
const BASE_STYLE = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 var(--font)}
h1,h2,h3{font-weight:650;line-height:1.25;overflow-wrap:anywhere}
h1{margin:0 0 var(--space-2);font-size:var(--text-xl);letter-spacing:-.015em}
h2{margin:var(--space-5) 0 var(--space-2);font-size:var(--text-l)}
.brand{display:flex;align-items:center;gap:.6rem;color:inherit;font-size:var(--text-l);font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere;text-decoration:none}
.brand img{flex:none;height:1.75rem;min-width:1.75rem;max-width:6rem;object-fit:contain}
.small{color:var(--quiet);font-size:var(--text-s)}
button,a.button{min-height:2.75rem;padding:.6rem var(--space-4);border:1px solid var(--line);border-radius:var(--round-m);background:var(--card);box-shadow:var(--shade-1);color:inherit;font:inherit;font-weight:550;text-align:center;text-decoration:none;overflow-wrap:anywhere;cursor:pointer;display:inline-flex;align-items:center;justify-content:center}
button:hover,a.button:hover{background:var(--raised)}
button.main,a.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
button.main:hover,a.main:hover{background:color-mix(in srgb,var(--accent) 88%,var(--ink))}
input,select{min-width:0;min-height:2.75rem;padding:.5rem var(--space-3);border:1px solid var(--edge);border-radius:var(--round-m);background:var(--card);color:inherit;font:inherit}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (forced-colors:active){button,a.button{border:1px solid}}
`;

const STYLE = `
body{min-height:100vh;min-height:100dvh;display:grid;grid-template-columns:minmax(0,1fr);align-content:center;justify-items:center;gap:var(--space-4);padding:1.25rem}
main{width:100%;min-width:0;max-width:27rem;padding:1.75rem;background:var(--card);border:1px solid var(--line);border-radius:var(--round-l);box-shadow:var(--shade-1)}
body>header,body>footer{width:100%;max-width:27rem;display:flex;flex-wrap:wrap;gap:var(--space-2) var(--space-4);padding-inline:var(--space-1)}
p{margin:.35rem 0 1rem;color:var(--quiet);overflow-wrap:anywhere}
strong{color:var(--ink)}
dl{margin:1.25rem 0;display:grid;grid-template-columns:auto 1fr;gap:var(--space-2) var(--space-4);border-block:1px solid var(--line);padding:var(--space-4) 0}
dt{color:var(--quiet)}
dd{margin:0;text-align:end;font-weight:600;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.note{margin:1.25rem 0;padding:.7rem .9rem;border-radius:var(--round-m);background:var(--wait-tint);color:var(--wait);font-weight:600}
.error{color:var(--bad);font-weight:600}
form,nav{display:flex;flex-wrap:wrap;gap:.6rem}
form+form,form+p,nav+p{margin-top:1.25rem}
form>p{flex:1 1 100%;margin:0}
button,a.button{flex:1 1 9rem}
label{flex:1 1 100%;font-weight:600}
input,select{flex:1 1 100%;width:100%}
input[aria-invalid]{border-color:var(--bad)}
[hidden],input[type=hidden]{display:none}
.wide>*{max-width:44rem!important}
input.code{font-size:1.4rem;letter-spacing:.15em;text-transform:uppercase;font-variant-numeric:tabular-nums}
ul{margin:.35rem 0 1rem;padding-inline-start:1.25rem}
`;

/** A stylesheet that stands within a page, and what the page's policy knows it by. */
interface Sheet {
  readonly text: string;
  readonly hash: string;
}

/** The styles of one kind of pages in the colour of an instance. */
export function sheets(style: string): (instance: Pick<Instance, 'color'>) => Sheet {
  const made = new Map<string, Sheet>();
  return ({ color }) => {
    const known = made.get(color);
    if (known) return known;
    const text = tokenSheet(lookOf(color)) + BASE_STYLE + style;
    const sheet = { text, hash: createHash('sha256').update(text).digest('base64') };
    made.set(color, sheet);
    return sheet;
  };
}

const sheetOf = sheets(STYLE);

/** The mark as a picture within the page, which loads nothing. */
const markOf = ({ color }: Pick<Instance, 'color'>): string =>
  `data:image/svg+xml;base64,${Buffer.from(markSvg(lookOf(color))).toString('base64')}`;

export const iconLink = (instance: Pick<Instance, 'color'>): Html => html`<link rel="icon" href="${markOf(instance)}">`;

/** The picture and the name of the service. */
export const brandOf = (instance: Instance): Html =>
  html`<img src="${instance.logo ?? markOf(instance)}" alt="" height="28"><strong>${instance.name}</strong>`;

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** 200 unless said. */
  readonly status?: number;
  /** The path of the one script that makes it more than it is without. */
  readonly script?: string;
  /** An origin beside our own where its form may lead: browsers hold redirects to the policy too. */
  readonly leads_to?: string;
  /** What programs that read the page find there. */
  readonly head?: Html;
  /** For what is read, not decided: a wider column. */
  readonly wide?: true;
  /** Beside those of every page. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Beside {
  readonly request_id: string;
  readonly tongue: Tongue;
  readonly cookies?: readonly string[];
  /** Our own forms say where they come from: a browser tells the origin of a form only where the page may tell its address, and
   * here it tells both to us alone. */
  readonly names_itself?: boolean;
}

/** Forms hold a decision or an address, never a text. */
const FORM_BYTES_MAX = 16_384;

/** Scripts may make no markup of texts. */
const SCRIPTED = [
  "script-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "connect-src 'self'",
];

function policyOf({ script, leads_to }: Page, { hash }: Sheet): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    ...(script === undefined ? [] : SCRIPTED),
    'img-src data:',
    `form-action 'self'${leads_to === undefined ? '' : ` ${leads_to}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

function termsOf({ terms_url, privacy_url }: Instance, { terms }: PageWords): Html {
  const links = [
    ...(terms_url === null ? [] : [html`<a href="${terms_url}">${terms.terms}</a>`]),
    ...(privacy_url === null ? [] : [html`<a href="${privacy_url}">${terms.privacy}</a>`]),
  ];
  return links.length === 0 ? html`` : html`<footer class="small">${links}</footer>`;
}

/** The whole document. */
function documentOf(
  { title, body, script, wide, head = html`` }: Page,
  { lang, dir, words, instance }: Tongue,
): string {
  const page = html`<html lang="${lang}" dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${iconLink(instance)}${head}`;
  const scripted = script === undefined ? [] : html`<script src="${script}" defer></script>`;
  const main = html`<main>${body}</main>`;
  // The stylesheet is the one text that is no markup of a template: its hash stands in the policy.
  const text =
    html`${scripted}</head><body${wide ? html` class="wide"` : html``}><header class="brand">${brandOf(instance)}</header>${main}${termsOf(instance, words)}</body></html>`
      .text;
  return withName(
    `<!doctype html>${page.text}<style>${sheetOf(instance).text}</style>${text}`,
    escapeHtml(instance.name),
  );
}

/** A page as a browser is answered. */
export function showPage(page: Page, { request_id, tongue, cookies = [], names_itself }: Beside): Response {
  const sent = {
    ...HEADERS,
    'Content-Security-Policy': policyOf(page, sheetOf(tongue.instance)),
    'Referrer-Policy': names_itself ? 'same-origin' : 'no-referrer',
    'X-Request-Id': request_id,
    ...page.headers,
  };
  return new Response(documentOf(page, tongue), {
    status: page.status ?? 200,
    headers: [...Object.entries(sent), ...cookies.map((cookie): [string, string] => ['Set-Cookie', cookie])],
  });
}

export function readsPages(request: Request): boolean {
  return request.headers.get('accept')?.includes('text/html') ?? false;
}

/** What a page's form sent, by the names of its fields; null where it is none that this service shows. */
export async function sentForm(request: Request): Promise<Readonly<Record<string, unknown>> | null> {
  const { input, bytes } = await readForm(request, FORM_BYTES_MAX);
  if (bytes > FORM_BYTES_MAX || 'refusal' in input) return null;
  return input as Readonly<Record<string, unknown>>;
}

// How pages ask whose address is their credential: in nobody's name, without a cookie and without a look at where a form comes from.

/** Calls one of the operations behind a page. */
type Ask = (request: Request, name: string, input: Record<string, unknown>, request_id: string) => Promise<Ended>;

export function nobodyAsks(
  { operations, pipeline }: Pick<DoorPorts, 'operations' | 'pipeline'>,
  { ip }: Pick<RestDoor, 'ip'>,
): Ask {
  const named = (name: string): AnyOperation => {
    const found = operations.find((operation) => operation.name === name);
    if (!found) throw new Error(`no operation is named ${name}`);
    return found;
  };
  return (request, name, input, request_id) => {
    const { origin } = senderOf(request, ip);
    const sent = { input, bytes: 0, credential: NO_CREDENTIALS, acting: null, origin };
    return pipeline.run({ operation: named(name), ...sent, idempotency_key: null, request_id });
  };
}

// Pages that say no: what happened, and what to do next. Words for people, by the code of the refusal; what an operation says of a
// field is told by the form that has the field.

interface Told {
  readonly request_id: string;
  readonly tongue: Tongue;
}

/** A form that none of our pages sent, or one that was shown before somebody signed in or out. */
export function foreignFormPage({ words }: Tongue): Page {
  const { title, next } = words.refusals.foreign_form;
  return { status: 403, title, body: html`<h1>${title}</h1><p role="alert">${next}</p>` };
}

/** Of an address where nothing stands. */
export function absentPage({ words: { refusals, where_to } }: Tongue): Page {
  const { title, next } = refusals.codes.not_found;
  return {
    status: 404,
    title,
    body: html`<h1>${title}</h1><p>${next}</p><nav aria-label="${where_to}"><a class="button main" href="/">${refusals.start}</a></nav>`,
  };
}

export function refusalPage(refusal: Fault, { request_id, tongue }: Told): Page {
  const { codes, otherwise, request } = tongue.words.refusals;
  const { status } = FAULTS[refusal.fault];
  const said = typeof refusal.message === 'string' ? refusal.message : FAULTS[refusal.fault].message;
  const told: Partial<Record<Code, (typeof codes)['gone']>> = codes;
  const { title, next } = told[refusal.fault] ?? { title: otherwise, next: said };
  return {
    status,
    title,
    headers: retryHeaders(refusal),
    body: html`<h1>${title}</h1><p role="alert">${next}</p><p class="small">${request(request_id)}</p>`,
  };
}
