// Pushes in a real browser, as far as they go without a maker's push service: the worker shows what it is handed, with its buttons;
// what is pressed is answered as the app would, and what is refused opens its page.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { CDPSession, Worker } from 'playwright-core';
import { hasBrowser, openWindow, seen, signIn, type Visitor } from '../support/browser.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const EVENT = '0199d3a2-7c41-7d3e-8a04-5f0c1d2e3a04';
const TOLD = {
  id: EVENT,
  handle: 'ann_sails',
  title: 'New match with bob_boats',
  body: 'Say whether you are interested.',
  path: '/app/inbox',
  created_at: '2026-06-15T12:00:00.000Z',
  actions: [
    { action: 'interested', title: 'Approve' },
    { action: 'not_a_fit', title: 'Decline' },
  ],
};

/** Far more than a push takes until it is shown. */
const DELIVERED_MS = 5_000;

/** A notification as the worker shows it. */
interface Shown {
  readonly title: string;
  readonly body: string;
  readonly actions: readonly string[];
  readonly push: number;
}

describe.skipIf(!hasBrowser)('a push in a browser', () => {
  const { server, browser } = serverAndBrowser();
  let visitor: Visitor;
  let worker: Worker;
  let devtools: CDPSession;
  let registrationId = '';
  let pushes = 0;

  beforeAll(async () => {
    visitor = await openWindow(browser);
    const { context, page } = visitor;
    await context.grantPermissions(['notifications']);
    const begun = context.waitForEvent('serviceworker');
    devtools = await context.newCDPSession(page);
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      registrationId = registrations[0]?.registrationId ?? registrationId;
    });
    await devtools.send('ServiceWorker.enable');
    await signIn(server, visitor, 'ann@example.com', '/app/notifications');
    worker = await begun;
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await seen(
      async () => registrationId,
      (id) => id !== '',
    );
  });

  const shown = (): Promise<Shown[]> =>
    visitor.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const all = await registration.getNotifications();
      return all.map((each) => {
        const { actions = [] } = each as Notification & { actions?: readonly { title: string }[] };
        return { title: each.title, body: each.body, actions: actions.map(({ title }) => title), push: each.data.push };
      });
    });

  /** Pushes it once more, and waits until this push is shown: one that is shown later would replace what came of the one before. */
  const push = async (): Promise<void> => {
    pushes += 1;
    const data = JSON.stringify({ ...TOLD, push: pushes });
    let delivered = Number.NEGATIVE_INFINITY;
    const lookAgain = async (): Promise<Shown[]> => {
      // The browser drops a push for a worker that it is just replacing, and does not say so.
      if (performance.now() - delivered > DELIVERED_MS) {
        delivered = performance.now();
        await devtools.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data });
      }
      return shown();
    };
    await seen(lookAgain, ([one]) => one?.push === pushes);
  };

  /** Presses a button of the one notification, or the notification itself. */
  const press = (action: string): Promise<unknown> =>
    worker.evaluate(async (pressed) => {
      const scope = globalThis as unknown as { registration: ServiceWorkerRegistration };
      const [notification] = await scope.registration.getNotifications();
      const Click = (globalThis as unknown as { NotificationEvent: new (type: string, init: object) => Event })
        .NotificationEvent;
      dispatchEvent(new Click('notificationclick', { notification, action: pressed }));
    }, action);

  /** Has the service answer so to what is pressed; what else the worker asks for goes to the service. */
  const answering = (status: number): Promise<unknown> =>
    worker.evaluate((code) => {
      const scope = globalThis as unknown as { real?: typeof fetch; asked: object[]; fetch: unknown };
      scope.real ??= fetch;
      const { real } = scope;
      scope.asked = [];
      scope.fetch = async (url: string, init?: RequestInit) => {
        if (!url.endsWith('/respond')) return real(url, init);
        const headers = new Headers(init?.headers);
        const [bearer, acting, key] = ['authorization', 'x-agent-handle', 'idempotency-key'].map((name) =>
          headers.get(name),
        );
        scope.asked.push({ url, bearer: bearer?.slice(0, 9), acting, key, body: init?.body });
        return new Response('{}', { status: code });
      };
    }, status);
  const asked = () => worker.evaluate(() => (globalThis as unknown as { asked: object[] }).asked);

  test('is shown with its buttons', async () => {
    await push();
    const { title, body } = TOLD;
    expect(await shown()).toEqual([{ title, body, actions: ['Approve', 'Decline'], push: 1 }]);
    // One that comes twice is shown once.
    await push();
    expect(await shown()).toHaveLength(1);
  });

  test('is answered by its button, once and in the name of whoever is signed in, and says that it was', async () => {
    await answering(200);
    await press('interested');
    await seen(shown, ([one]) => one?.body === 'Approve ✓');
    expect(await asked()).toEqual([
      {
        url: `/api/inbox/${EVENT}/respond`,
        bearer: 'Bearer ey',
        acting: 'ann_sails',
        key: `pressed-${EVENT}-interested`,
        body: '{"action":"interested"}',
      },
    ]);
  });

  test('whose answer is refused opens its page, and does not say that it was given', async () => {
    await answering(403);
    await push();
    await press('not_a_fit');
    await visitor.page.waitForURL('**/app/activity?show=inbox');
    expect(await asked()).toHaveLength(1);
    expect(await shown()).toEqual([]);
  });

  test('can be turned on in its screen, which says what stands in the way', async () => {
    const { page } = visitor;
    await page.goto(`${server.url}/app/account/notifications`);
    await page.getByRole('button', { name: 'Turn on for this device' }).click();
    // There is no maker's push service to subscribe at.
    await page.getByRole('alert').filter({ hasText: 'could not be turned on' }).waitFor();
    await page.getByLabel('Send').selectOption('all');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
  });
});
