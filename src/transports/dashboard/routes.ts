// The routes of the web app: one page for all of its screens, and its files. The page's Content-Security-Policy allows only files of
// this service: no foreign script, no inline script, no frames around it.

import { PLANS } from '../../domain/identity/plan.ts';
import type { Instance } from '../../domain/instance.ts';
import { lookOf, tokenSheet } from '../../domain/look.ts';
import type { PlainRoute } from '../app.ts';
import { pageCookieOf } from '../caller.ts';
import type { DoorPorts } from '../door-ports.ts';
import { appPath, signInFor } from '../pages/door.ts';
import { type Html, html } from '../pages/page.ts';
import type { RestDoor } from '../rest.ts';
import { fixedReply } from '../wire.ts';
import { type DashboardBundle, type DashboardFile, dashboardBundle } from './bundle.ts';
import { installableHead, installableRoutes } from './installable.ts';

/** The first segments of the app's addresses, for an app without a path of its own; src/dashboard/app.tsx has their screens. */
const SCREENS = [
  'onboarding',
  'activity',
  'agents',
  'listings',
  'matches',
  'conversations',
  'inbox',
  'people',
  'market',
  'demand',
  'calls',
  'analytics',
  'approvals',
  'deals',
  'wallet',
  'escrows',
  'payouts',
  'subscriptions',
  'billing',
  'webhooks',
  'keys',
  'passkeys',
  'invitations',
  'knowledge',
  'trust',
  'notifications',
  'account',
  'admin',
] as const;

const POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'connect-src', 'font-src', 'manifest-src', 'worker-src', 'form-action'].map(
    (each) => `${each} 'self'`,
  ),
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types meshwork',
].join('; ');

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  // Visitors who are not signed in are redirected.
  Vary: 'Cookie',
  'Cache-Control': 'no-cache',
};

/** The app's stylesheet with the tokens of this instance. */
function coloured({ type, text }: DashboardFile, { color }: Instance): DashboardFile {
  const whole = tokenSheet(lookOf(color)) + text;
  return { name: `app-${Bun.hash(whole).toString(36)}.css`, type, text: whole };
}

const ROWS = ['', 'short', 'middle', '', 'short', 'middle'] as const;

/** The placeholder of the app: its frame, and rows in place of texts. */
function frameText(base: string, { name }: Instance): string {
  const rows = (each: readonly string[]): Html[] => each.map((kind) => html`<div class="skeleton-row ${kind}"></div>`);
  const brand = html`<span class="brand"><img src="${base}/logo" alt="" height="28">${name}</span>`;
  const noscript = html`<noscript><p>This app needs scripts. Signing in and all that asks for a decision by a link works without: <a href="${base}/login">sign in</a>.</p></noscript>`;
  return html`<header class="frame">${brand}<div class="side skeleton">${rows(ROWS)}</div></header><main>${noscript}<p class="hidden" role="status">Loading</p><div class="skeleton"><div class="skeleton-row title"></div></div><div class="card skeleton">${rows(ROWS.slice(3))}</div></main><div class="foot"></div>`
    .text;
}

/** The page: the app's shell until its script has run, and advice for browsers without scripts. */
function pageText({ script, style, first }: DashboardBundle, base: string, kept: string, instance: Instance): string {
  const asset = (name: string): string => `${base}/assets/${name}`;
  const told = [
    ...Object.values(PLANS).map(({ plan, name }) => [`plan-${plan}`, name] as const),
    ['terms', instance.terms_url] as const,
    ['privacy', instance.privacy_url] as const,
  ];
  const ahead = first.map((name) => `<link rel="modulepreload" href="${asset(name)}">`).join('');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<meta name="meshwork-app" content="${base}/"><meta name="meshwork-outbox" content="${kept}">`,
    html`<meta name="meshwork-name" content="${instance.name}"><title>${instance.name}</title>`.text,
    ...told.flatMap(([name, content]) =>
      content === null ? [] : [html`<meta name="meshwork-${name}" content="${content}">`.text],
    ),
    installableHead(base, lookOf(instance.color)),
    `<link rel="stylesheet" href="${asset(style.name)}">${ahead}<script type="module" src="${asset(script.name)}"></script>`,
    `</head><body><div id="app">${frameText(base, instance)}</div>`,
    '</body></html>',
  ].join('');
}

/** Whether a browser may be signed in; others are redirected to sign-in at once. The app itself notices a session that has
 * ended. */
function maySignedIn(request: Request, { secure }: Pick<RestDoor, 'secure'>): boolean {
  return pageCookieOf(request, secure)?.includes('.') === true;
}

/** The handlers of the bundle's files by name, which contains a hash of the text. */
function repliesOf(bundle: () => Promise<DashboardBundle>) {
  let made: Promise<Readonly<Record<string, PlainRoute['handle']>>> | null = null;
  const reply = ({ type, text }: DashboardFile): PlainRoute['handle'] =>
    fixedReply(async () => new TextEncoder().encode(text), {
      'Content-Type': type,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  return () => {
    made ??= bundle().then(({ script, style, parts }) =>
      Object.fromEntries([script, style, ...parts].map((file) => [file.name, reply(file)])),
    );
    return made;
  };
}

/** The routes of the web app at the address that links lead to. */
export function dashboardRoutes(
  { operations, settings }: Pick<DoorPorts, 'operations' | 'settings'>,
  door: Pick<RestDoor, 'secure'>,
): readonly PlainRoute[] {
  const base = appPath(settings);
  const kept = [settings.outbox && 'mail', settings.text_outbox && 'text'].filter(Boolean).join(' ');
  let made: Promise<DashboardBundle> | null = null;
  const bundle = (): Promise<DashboardBundle> => {
    made ??= dashboardBundle(operations).then((files) => ({
      ...files,
      style: coloured(files.style, settings.instance),
    }));
    return made;
  };
  const bytes = async (text: Promise<string>): Promise<Uint8Array> => new TextEncoder().encode(await text);
  const shown = fixedReply(
    () => bytes(bundle().then((files) => pageText(files, base, kept, settings.instance))),
    PAGE_HEADERS,
  );
  const page: PlainRoute['handle'] = (request) => {
    if (maySignedIn(request, door)) return shown(request);
    const { to } = signInFor(new URL(request.url), settings);
    return new Response(null, { status: 303, headers: { Location: to, 'Cache-Control': 'no-store' } });
  };
  const replies = repliesOf(bundle);
  const assets: PlainRoute['handle'] = async (request, { name = '' }) =>
    // An older page requests files that are gone; the 404 makes it reload.
    (await replies())[name]?.(request, {}) ??
    new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
  const get = (path: string, handle: PlainRoute['handle']): PlainRoute => ({ method: 'GET', path, handle });
  const named = SCREENS.map((screen) => `${base}/${screen}`);
  const screens = base === '' ? named : [base];
  return [
    ...installableRoutes(base, settings.instance, named, bundle),
    get(`${base}/assets/{name}`, assets),
    ...screens.flatMap((path) => [get(path, page), get(`${path}/*`, page)]),
  ];
}
