// The door for pages: what people read and decide in a browser, made on the server without any script. A page is answered with a
// policy that lets it load nothing, be framed by nobody, send its form nowhere but here, and tell nobody its address, which may
// be a credential; it is kept by no cache.
import { createHash } from 'node:crypto';
import { readForm } from '../body.ts';
import { type Html, html } from './html.ts';
import { STYLE } from './style.ts';

/** What is shown. */
export interface Page {
  readonly title: string;
  readonly body: Html;
  /** 200 unless said. */
  readonly status?: number;
}

/** Forms hold a decision or an address, never a text. */
const FORM_BYTES_MAX = 16_384;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** The whole document. Without an icon of its own a browser would ask for one. */
function documentOf({ title, body }: Page): string {
  const page = html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,">`;
  // The stylesheet is the one text that is no markup of a template: its hash stands in the policy.
  return `<!doctype html>${page.text}<style>${STYLE}</style></head>${html`<body><main>${body}</main></body></html>`.text}`;
}

/** A page as a browser is answered. */
export function showPage(page: Page, request_id: string): Response {
  return new Response(documentOf(page), {
    status: page.status ?? 200,
    headers: { ...HEADERS, 'X-Request-Id': request_id },
  });
}

/** What a page's form sent, by the names of its fields; null where it is none that this service shows. */
export async function sentForm(request: Request): Promise<Readonly<Record<string, unknown>> | null> {
  const { input, bytes } = await readForm(request, FORM_BYTES_MAX);
  if (bytes > FORM_BYTES_MAX || 'refusal' in input) return null;
  return input as Readonly<Record<string, unknown>>;
}
