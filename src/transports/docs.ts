// The API reference: /openapi.json from the registry and the page at /docs that shows it. The page's script comes
// from a package inside the binary; nothing is fetched from anywhere else, and the page's own policy forbids it.

import type { AnyOperation } from '../contract/operation.ts';
import { fault } from '../domain/fault.ts';
import { INSTANCE, type Instance } from '../domain/instance.ts';
import { isObject } from '../domain/json.ts';
import { type Look, lookOf, type Scheme } from '../domain/look.ts';
import type { PlainRoute } from './app.ts';
import { partsOf } from './openapi/part.ts';
import { documentSteps, openapiDocument } from './openapi.ts';
import { html, iconLink } from './pages/page.ts';
import { referenceScript } from './reference-script.ts';
import { fixedReply, refuseBare } from './wire.ts';

const PAGE_PATH = '/docs';
const DOCUMENT_PATH = '/openapi.json';
const SCRIPT_PATH = '/docs/reference.js';

/** The reference's settings; all but the first two turn off requests to its makers. */
const SETTINGS = {
  url: DOCUMENT_PATH,
  defaultOpenAllTags: true,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
} as const;

function policy(base_url: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    // Test requests go to the documented address, which may differ from the page's.
    `connect-src 'self' ${new URL(base_url).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The tokens of the reference in the colours of everything else. */
function colours({ light, dark }: Look): string {
  const of = (mode: string, scheme: Scheme): string =>
    `.${mode}-mode{--scalar-color-accent:${scheme.accent};--scalar-color-1:${scheme.ink};--scalar-color-2:${scheme.quiet};--scalar-background-1:${scheme.card};--scalar-background-2:${scheme.raised};--scalar-background-3:${scheme.tint};--scalar-border-color:${scheme.line};--scalar-button-1:${scheme.accent};--scalar-button-1-color:${scheme['on-accent']};--scalar-button-1-hover:${scheme.accent}}`;
  return of('light', light) + of('dark', dark);
}

async function page(instance: Instance): Promise<Uint8Array> {
  const name = `${instance.name} API`;
  const customCss = colours(lookOf(instance.color));
  const script = `${SCRIPT_PATH}?v=${Bun.hash(await referenceScript()).toString(36)}`;
  const head = html`<head><title>${name}</title><meta name="description" content="Reference of the ${name}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><style>body{margin:0}${customCss}</style>${iconLink(instance)}</head>`;
  const settings = JSON.stringify({ ...SETTINGS, customCss });
  const body = html`<body><script id="api-reference" data-configuration="${settings}"></script><script src="${script}" crossorigin></script></body>`;
  return new TextEncoder().encode(`<!doctype html>${html`<html lang="en">${head}${body}</html>`.text}`);
}

/** The whole document takes 80 ms, and its text 15 ms, in which nobody else would be served. */
const SLICE_MS = 5;
/** As deep as its text is written in steps: a method of a path, a schema. */
const STEP_DEPTH = 3;

/** The JSON of an object, its members in steps. */
function* jsonSteps(value: unknown, depth: number): Generator<void, string> {
  if (depth === 0 || !isObject(value)) {
    yield;
    return JSON.stringify(value);
  }
  const members: string[] = [];
  for (const [name, inner] of Object.entries(value)) {
    if (inner !== undefined) members.push(`${JSON.stringify(name)}:${yield* jsonSteps(inner, depth - 1)}`);
  }
  return `{${members.join(',')}}`;
}

function* textSteps(document: Generator<void, object>): Generator<void, string> {
  return yield* jsonSteps(yield* document, STEP_DEPTH);
}

async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (let began_ms = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - began_ms < SLICE_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    began_ms = performance.now();
  }
}

/** The part of the document that an address requests, or its problem; null for the whole. */
function partOf(
  { url }: Request,
  {
    operations,
    base_url,
    instance,
  }: { readonly operations: readonly AnyOperation[]; readonly base_url: string; readonly instance: Instance },
  headers: Readonly<Record<string, string>>,
): Response | null {
  if (!url.includes('?')) return null;
  const { searchParams } = new URL(url);
  const known = partsOf(operations);
  const asked: Record<string, string> = {};
  for (const by of ['tag', 'operation'] as const) {
    const name = searchParams.get(by);
    if (name === null) continue;
    if (!known[by].has(name)) {
      const message = `is none of ${[...known[by]].sort().join(', ')}`;
      return refuseBare(fault('invalid_request', `${by}: ${message}`));
    }
    asked[by] = name;
  }
  if (Object.keys(asked).length === 0) return null;
  return new Response(JSON.stringify(openapiDocument(operations, base_url, asked, instance)), { headers });
}

/** The document, the page and the page's script. */
export function documentRoutes(
  operations: readonly AnyOperation[],
  base_url: string,
  instance = INSTANCE,
): readonly PlainRoute[] {
  const page_headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(base_url),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  };
  const json = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache',
    'Access-Control-Allow-Origin': '*',
  };
  const document = async (): Promise<Uint8Array> =>
    new TextEncoder().encode(await inSlices(textSteps(documentSteps(operations, base_url, {}, instance))));
  const javascript = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    // The script's address contains its hash.
    'Cache-Control': 'public, max-age=31536000, immutable',
  };
  const whole = fixedReply(document, json);
  return [
    {
      method: 'GET',
      path: DOCUMENT_PATH,
      handle: (request) => partOf(request, { operations, base_url, instance }, json) ?? whole(request),
    },
    { method: 'GET', path: PAGE_PATH, handle: fixedReply(() => page(instance), page_headers) },
    { method: 'GET', path: SCRIPT_PATH, handle: fixedReply(referenceScript, javascript) },
  ];
}
