// The app's service worker. It keeps the shell (the empty page, its script and its style) and nothing that anybody has written, so
// that the app opens without a network and says so; shows what is pushed; and gives the answers that are pressed on a notification
// as the app would, opening the app's page for whatever is refused or asks for more.

export interface WorkerPlace {
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

export function workerScript(place: WorkerPlace): string {
  return `'use strict';\nconst PLACE = ${JSON.stringify(place)};${WORKER}`;
}
