// What people read and decide in a browser, made on the server; it works without any script. A page is answered with a policy that
// lets it load nothing, be framed by nobody, send its form nowhere but here, and tell no other site its address, which may be a
// credential; it is kept by no cache.
import { createHash } from 'node:crypto';
import { readForm } from '../body.ts';
import { type Html, html } from './html.ts';
import { STYLE } from './style.ts';
import type { Tongue } from './words/tongue.ts';

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** 200 unless said. */
  readonly status?: number;
  /** The path of the one script that makes it more than it is without. */
  readonly script?: string;
  /** An origin beside our own where its form may lead: browsers hold redirects to the policy too. */
  readonly leads_to?: string;
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

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Scripts may make no markup of texts. */
const SCRIPTED = [
  "script-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "connect-src 'self'",
];

function policyOf({ script, leads_to }: Page): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
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

/** The whole document. Without an icon of its own a browser would ask for one. */
function documentOf({ title, body, script, wide }: Page, { lang, dir }: Tongue): string {
  const page = html`<html lang="${lang}" dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,">`;
  const scripted = script === undefined ? [] : html`<script src="${script}" defer></script>`;
  const main = wide ? html`<main class="wide">${body}</main>` : html`<main>${body}</main>`;
  // The stylesheet is the one text that is no markup of a template: its hash stands in the policy.
  return `<!doctype html>${page.text}<style>${STYLE}</style>${html`${scripted}</head><body>${main}</body></html>`.text}`;
}

/** A page as a browser is answered. */
export function showPage(page: Page, { request_id, tongue, cookies = [], names_itself }: Beside): Response {
  const sent = {
    ...HEADERS,
    'Content-Security-Policy': policyOf(page),
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
