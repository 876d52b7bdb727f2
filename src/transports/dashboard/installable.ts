// Makes the web app installable: its manifest, its icons, and its service worker.
import { crc32, deflateSync } from 'node:zlib';
import type { Instance } from '../../domain/instance.ts';
import { channels, type Look, lookOf, MARK, markSvg } from '../../domain/look.ts';
import type { PlainRoute } from '../app.ts';
import { fixedReply } from '../wire.ts';
import type { DashboardBundle } from './bundle.ts';

// The app's service worker. It caches only the shell (the empty page, its script and its style), no user data, so that the app opens
// offline and says so. It shows push messages, and sends the answers pressed on a notification as the app would; it opens the app
// when an answer is refused or needs more input.

interface WorkerPlace {
  /** The path of the app, without a slash at its end. */
  readonly base: string;
  /** The addresses that show the app. */
  readonly screens: readonly string[];
  /** The files that the page loads; their names change with their texts. */
  readonly files: readonly string[];
  readonly icon: string;
}

const WORKER = `
const CACHE = 'meshwork-shell-' + PLACE.files.join('-');
const SHELL = PLACE.base || '/';

const isScreen = (path) => path === SHELL || PLACE.screens.some((each) => path === each || path.startsWith(each + '/'));

async function keep(request, answer) {
  if (answer.ok && !answer.redirected) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(PLACE.files);
  // Who is signed out is led elsewhere, and the page is kept when it is next shown.
  await fetch(SHELL).then((answer) => keep(SHELL, answer));
  await self.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith('meshwork-shell-') && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
  await self.clients.claim();
}

const kept = (what) => caches.match(what, { ignoreVary: true });

async function page(request) {
  try {
    return await keep(SHELL, await fetch(request));
  } catch (error) {
    const shell = await kept(SHELL);
    if (shell) return shell;
    throw error;
  }
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (PLACE.files.includes(pathname)) event.respondWith(kept(pathname).then((file) => file ?? fetch(request)));
  else if (request.mode === 'navigate' && isScreen(pathname)) event.respondWith(page(request));
});

const show = (told, more) =>
  self.registration.showNotification(told.title, { body: told.body, tag: told.id, icon: PLACE.icon, data: told, ...more });

self.addEventListener('push', (event) => {
  const told = event.data?.json();
  if (told) event.waitUntil(show(told, { actions: told.actions, timestamp: Date.parse(told.created_at) }));
});

async function openPage(path) {
  const address = new URL(path, location.origin);
  if (address.origin !== location.origin) return;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const own = windows.find(({ url }) => isScreen(new URL(url).pathname));
  // A window that this worker does not lead yet cannot be led elsewhere; then there is a new one.
  await own?.focus().catch(() => {});
  const went = await own?.navigate(address.href).catch(() => null);
  if (!went) await self.clients.openWindow(address.href);
}

async function token() {
  const answer = await fetch('/api/auth/session/refresh', { method: 'POST', credentials: 'same-origin' });
  return answer.ok ? (await answer.json()).access_token : null;
}

async function call(method, path, headers, body) {
  const bearer = await token();
  if (bearer === null) return false;
  const all = { Authorization: 'Bearer ' + bearer, 'Content-Type': 'application/json', ...headers };
  return (await fetch(path, { method, headers: all, body: JSON.stringify(body) })).ok;
}

function open(notification) {
  notification.close();
  return openPage(notification.data.path);
}

// The notification stays until it is answered: what is shown then replaces it, since both have one tag.
async function answer(notification, action) {
  const told = notification.data;
  const headers = { 'X-Agent-Handle': told.handle, 'Idempotency-Key': 'pressed-' + told.id + '-' + action };
  const done = await call('POST', '/api/inbox/' + told.id + '/respond', headers, { action }).catch(() => false);
  if (!done) return open(notification);
  const pressed = told.actions.find((each) => each.action === action);
  await show({ ...told, body: pressed.title + ' \\u2713' }, { silent: true });
}

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  event.waitUntil(action === '' ? open(notification) : answer(notification, action));
});

self.addEventListener('pushsubscriptionchange', (event) => {
  const again = async () => {
    const made = event.newSubscription ?? (await self.registration.pushManager.subscribe(event.oldSubscription.options));
    await call('POST', '/api/notifications/browsers', {}, { subscription: made.toJSON() });
  };
  event.waitUntil(again());
});
`;

function workerScript(place: WorkerPlace): string {
  return `'use strict';\nconst PLACE = ${JSON.stringify(place)};${WORKER}`;
}

type Point = (typeof MARK.nodes)[number];

function fromLine(x: number, y: number, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - a.x - along * dx, y - a.y - along * dy);
}

/** The signed distance of a point from the drawn shape; negative inside. */
function outside(x: number, y: number): number {
  const [a, b, c] = MARK.nodes;
  const lines = Math.min(fromLine(x, y, a, b), fromLine(x, y, b, c), fromLine(x, y, c, a)) - MARK.line / 2;
  return Math.min(lines, ...MARK.nodes.map((node) => Math.hypot(x - node.x, y - node.y) - MARK.radius));
}

/** A chunk of a PNG: length, name, bytes, checksum. */
function chunk(name: string, bytes: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name), bytes]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(bytes.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The icon as a square PNG; its background fills the square, which home screens round themselves. */
function iconPng({ mark }: Look, side: number): Uint8Array {
  const [ground, ink] = [channels(mark.ground), channels(mark.ink)];
  const rows = Buffer.alloc(side * (1 + 3 * side));
  const unit = 100 / side;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const covered = Math.min(1, Math.max(0, 0.5 - outside((column + 0.5) * unit, (row + 0.5) * unit) / unit));
      for (let each = 0; each < 3; each++) {
        const [from = 0, to = 0] = [ground[each], ink[each]];
        rows[row * (1 + 3 * side) + 1 + 3 * column + each] = Math.round(from + (to - from) * covered);
      }
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  // Eight bits a channel, three channels.
  head.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.of())]);
}

/** The sizes that home screens need. */
const SIDES = [192, 512] as const;

/** Tabs draw it at 16 to 32 pixels. */
const FAVICON_SIDE = 48;

/** Its tags in the page's head. */
export function installableHead(base: string, { light, dark }: Look): string {
  return [
    `<link rel="manifest" href="${base}/app.webmanifest">`,
    `<link rel="icon" href="${base}/icon.svg" type="image/svg+xml">`,
    `<link rel="apple-touch-icon" href="${base}/icon-192.png">`,
    `<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.card}">`,
    `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.card}">`,
  ].join('');
}

function manifestOf(base: string, name: string, { light, mark }: Look): string {
  const home = base === '' ? '/' : base;
  return JSON.stringify({
    id: home,
    name,
    short_name: name,
    description: 'A network in which software agents represent people and businesses.',
    start_url: home,
    scope: home,
    display: 'standalone',
    background_color: light.paper,
    theme_color: mark.ground,
    icons: [
      { src: `${base}/icon.svg`, sizes: 'any', type: 'image/svg+xml' },
      ...SIDES.map((side) => ({
        src: `${base}/icon-${side}.png`,
        sizes: `${side}x${side}`,
        type: 'image/png',
        purpose: 'any maskable',
      })),
    ],
  });
}

/** It loads nothing, and calls only this service. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'";

/** A picture that is opened as a page of its own runs nothing. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const SVG = 'image/svg+xml; charset=utf-8';

/** What a data: URL holds. */
function pictureOf(url: string): { readonly type: string; readonly bytes: Uint8Array } {
  const [, type = '', text = ''] = /^data:([^,]*);base64,(.*)$/.exec(url) ?? [];
  return { type, bytes: Buffer.from(text, 'base64') };
}

const FOR_A_DAY = 'public, max-age=86400';

export function installableRoutes(
  base: string,
  { name, color, logo }: Instance,
  screens: readonly string[],
  bundle: () => Promise<DashboardBundle>,
): readonly PlainRoute[] {
  const look = lookOf(color);
  const svg = markSvg(look);
  const shown = logo === null ? { type: SVG, bytes: svg } : pictureOf(logo);
  const file = (
    name: string,
    type: string,
    load: () => Promise<string | Uint8Array>,
    headers: Readonly<Record<string, string>> = { 'Cache-Control': FOR_A_DAY },
  ): PlainRoute => {
    const bytes = async (): Promise<Uint8Array> => {
      const made = await load();
      return typeof made === 'string' ? new TextEncoder().encode(made) : made;
    };
    const sent = { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff', ...headers };
    return { method: 'GET', path: name.startsWith('/') ? name : `${base}/${name}`, handle: fixedReply(bytes, sent) };
  };
  const worker = async (): Promise<string> => {
    const { script, style, parts } = await bundle();
    const files = [script, style, ...parts].map(({ name }) => `${base}/assets/${name}`);
    return workerScript({ base, screens, files, icon: `${base}/icon-192.png` });
  };
  return [
    file('app.webmanifest', 'application/manifest+json; charset=utf-8', async () => manifestOf(base, name, look)),
    file('icon.svg', SVG, async () => svg),
    file('logo', shown.type, async () => shown.bytes, {
      'Cache-Control': FOR_A_DAY,
      'Content-Security-Policy': PICTURE_POLICY,
    }),
    // The default path of browsers for pages without an icon.
    file('/favicon.ico', 'image/png', async () => iconPng(look, FAVICON_SIDE)),
    file('/favicon.svg', SVG, async () => svg),
    ...SIDES.map((side) => file(`icon-${side}.png`, 'image/png', async () => iconPng(look, side))),
    file('worker.js', 'text/javascript; charset=utf-8', worker, {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': WORKER_POLICY,
      // The app's first page has no trailing slash, so it would be outside the worker's default scope.
      'Service-Worker-Allowed': base === '' ? '/' : base,
    }),
  ];
}
