// Every link that letters and notifications hold leads somewhere: to a screen of the app or a page that the service makes.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { EVENT_KINDS, noticeOf } from '../../src/domain/inbox/event.ts';
import { eventWords } from '../../src/domain/words/events.ts';

const ROOT = join(import.meta.dir, '../..');
/** Parts of the product that are not there yet, of which is told already. Whoever builds one takes it out of here. */
const TO_COME = ['/login/callback'];

const sourceOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Paths under the app's address, a part in the place of each parameter: its screens, and pages that the server makes. */
function places(): RegExp[] {
  const screens = [...sourceOf('src/dashboard/app.tsx').matchAll(/^ {4}\['(\/[^']*)',/gm)].map(
    ([, path]) => path ?? '',
  );
  const pages = [...new Glob('src/transports/pages/*.ts').scanSync(ROOT)].flatMap((path) =>
    [...sourceOf(path).matchAll(/`\$\{app\w*(?:\([^)]*\))?\}(\/[\w/{}-]+)`/g)].map(([, at]) => at ?? ''),
  );
  return [...screens, ...pages].map(
    (path) => new RegExp(`^${path.replaceAll(/:\w+|\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`),
  );
}

const known = places();
const leads = (path: string): boolean => known.some((place) => place.test(path.replace(/[?#].*$/, '')));

/** What an event may name, so that no part of a path stays empty. */
const DATA = { conversation_id: 'x', escrow_id: 'x', match_id: 'x', listing_id: 'x', request_id: 'x' };

test('of the notification of every kind of event', () => {
  const paths = EVENT_KINDS.flatMap((kind) =>
    [DATA, { ...DATA, payment_refused: true, reason: 'x' }, { ...DATA, escrow_id: '', subscription_id: 'x' }].map(
      (data) => noticeOf(kind, 'ada', data, eventWords()).path,
    ),
  );
  expect([...new Set(paths)].filter((path) => !leads(path) && !TO_COME.includes(path))).toEqual([]);
});

test('of every letter and answer that names a page of the app', () => {
  const found = new Map<string, string>();
  for (const file of new Glob('src/{operations,steps,outbound,domain,schemas}/**/*.ts').scanSync(ROOT)) {
    for (const [, path = ''] of sourceOf(file).matchAll(/\$\{(?:[\w.]+\.)?app_url\}(\/[^`\s]*)/g)) {
      found.set(path.replaceAll(/\$\{[^}]*\}/g, 'x'), file);
    }
  }
  expect(found.size).toBeGreaterThan(8);
  // The sandbox leads back to one of two screens, which others lead to as well.
  found.delete('/x');
  expect([...found].filter(([path]) => !leads(path) && !TO_COME.includes(path))).toEqual([]);
});
