// Server-rendered pages, which work without scripts. Their policy forbids loading resources, framing, sending forms elsewhere, and
// disclosing their URL to other sites (Referrer-Policy), since it may be a credential; they are not
// cached.
import { createHash } from 'node:crypto';
import type { AnyOperation } from '../../contract/operation.ts';
import { type Code, FAULTS, type Fault } from '../../domain/fault.ts';
import { type Instance, withName } from '../../domain/instance.ts';
import { type Look, lookOf, markSvg, tokenSheet } from '../../domain/look.ts';
import { escapeHtml } from '../../domain/text/escape-html.ts';
import { type Ended, NO_CREDENTIALS } from '../../pipeline/call.ts';
import { readForm } from '../body.ts';
import { senderOf } from '../caller.ts';
import type { DoorPorts } from '../door-ports.ts';
import type { RestDoor } from '../rest.ts';
import { retryHeaders } from '../wire.ts';
import type { PageWords, Tongue } from './words.ts';

// HTML escaped by construction: template values are text unless the template made them. Attributes are in double quotes; linked
// URLs are the service's own, or of a site that the operator configured.

/** Markup; only `html` creates it. */
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

/** A form's error, displayed above it. */
export const alert = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p class="error" id="problem" role="alert">${problem}</p>`;

/** Attributes of an invalid field. */
export const marked = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html` aria-invalid="true" aria-describedby="problem"`;

/** Private-use characters, which no text holds: one per placeholder. */
const GAP = 0xe000;
const GAPS = /[\ue000-\ue00f]/;

/** Inserts markup into the placeholders of a catalogue text, wherever the language puts them. */
export function filled<P extends readonly Html[]>(
  text: (...gaps: { [K in keyof P]: string }) => string,
  ...parts: P
): Html {
  const gaps = parts.map((_, at) => String.fromCharCode(GAP + at)) as { [K in keyof P]: string };
  const written = text(...gaps);
  const order = [...written].filter((sign) => GAPS.test(sign)).map((sign) => parts[sign.charCodeAt(0) - GAP] ?? html``);
  return Html.of(written.split(GAPS).map(escapeHtml), order);
}

/** Styles shared by pages and the guide, in addition to the tokens. */
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
.tour li+li{margin-top:var(--space-4)}
.tour button,.tour a.button{flex:0 1 auto}
.people{list-style:none;padding:0}
.people li{display:flex;flex-wrap:wrap;gap:.6rem;padding:var(--space-3) 0;border-top:1px solid var(--line)}
.people li>p{flex:1 1 100%;margin:0}
.people form{flex:1 1 14rem;margin:0}
details{border-top:1px solid var(--line)}
summary{padding:var(--space-3) 0;overflow-wrap:anywhere;cursor:pointer}
summary .small{display:block}
pre{margin:0 0 var(--space-4);font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}
details+nav{margin-top:var(--space-4)}
`;

/** An inline stylesheet and its hash for the CSP. */
interface Sheet {
  readonly text: string;
  readonly hash: string;
}

/** Derives something from the instance's colour, once. */
function perColor<T>(derive: (look: Look) => T): (instance: Pick<Instance, 'color'>) => T {
  const made = new Map<string, T>();
  return ({ color }) => {
    const one = made.get(color) ?? derive(lookOf(color));
    made.set(color, one);
    return one;
  };
}

/** The styles of a kind of page, in the instance's colour. */
export const sheets = (style: string): ((instance: Pick<Instance, 'color'>) => Sheet) =>
  perColor((look) => {
    const text = tokenSheet(look) + BASE_STYLE + style;
    return { text, hash: createHash('sha256').update(text).digest('base64') };
  });

const sheetOf = sheets(STYLE);

/** The logo as an inline image, which needs no request. */
const markOf = perColor((look) => `data:image/svg+xml;base64,${Buffer.from(markSvg(look)).toString('base64')}`);

export const iconLink = (instance: Pick<Instance, 'color'>): Html => html`<link rel="icon" href="${markOf(instance)}">`;

/** The service's logo and name. */
export const brandOf = (instance: Instance): Html =>
  html`<img src="${instance.logo ?? markOf(instance)}" alt="" height="28"><strong>${instance.name}</strong>`;

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** 200 by default. */
  readonly status?: number;
  /** The path of the page's optional script. */
  readonly script?: string;
  /** A further origin for its form: browsers apply form-action to redirects too. */
  readonly leads_to?: string;
  /** Metadata for programs that read the page. */
  readonly head?: Html;
  /** A wider column, for pages of text. */
  readonly wide?: true;
  /** In addition to those of every page. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Beside {
  readonly request_id: string;
  readonly tongue: Tongue;
  readonly cookies?: readonly string[];
  /** same-origin: browsers send a form's Origin only when the page's referrer policy permits, and this one
   * permits it to us alone. */
  readonly names_itself?: boolean;
}

/** Forms hold a decision or an address, never long text. */
const FORM_BYTES_MAX = 16_384;

/** Scripts may not turn text into markup (Trusted Types). */
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

/** The HTML document. */
function documentOf(
  { title, body, script, wide, head = html`` }: Page,
  { lang, dir, words, instance }: Tongue,
): string {
  const page = html`<html lang="${lang}" dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${iconLink(instance)}${head}`;
  const scripted = script === undefined ? [] : html`<script src="${script}" defer></script>`;
  const main = html`<main>${body}</main>`;
  // The stylesheet is the only unescaped text; its hash is in the CSP.
  const text =
    html`${scripted}</head><body${wide ? html` class="wide"` : html``}><header class="brand">${brandOf(instance)}</header>${main}${termsOf(instance, words)}</body></html>`
      .text;
  return withName(
    `<!doctype html>${page.text}<style>${sheetOf(instance).text}</style>${text}`,
    escapeHtml(instance.name),
  );
}

/** A page's HTTP response. */
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

/** A form's fields by name; null for a body that no form of this service sends. */
export async function sentForm(request: Request): Promise<Readonly<Record<string, unknown>> | null> {
  const { input, bytes } = await readForm(request, FORM_BYTES_MAX);
  if (bytes > FORM_BYTES_MAX || 'refusal' in input) return null;
  return input as Readonly<Record<string, unknown>>;
}

// Calls of pages whose URL is their credential: without a principal, a cookie or an Origin check.

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

// Error pages: what happened and what to do next, by the refusal's code. Field errors are displayed by the form with the
// field.

interface Told {
  readonly request_id: string;
  readonly tongue: Tongue;
}

/** The error page for a form that is not from our pages, or is from before a sign-in or sign-out. */
export function foreignFormPage({ words }: Tongue): Page {
  const { title, next } = words.refusals.foreign_form;
  return { status: 403, title, body: html`<h1>${title}</h1><p role="alert">${next}</p>` };
}

/** The page for an unknown path. */
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
