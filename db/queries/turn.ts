// Reads of guarded counters, the moved service time, and the service's own notes. Only a count effect changes a counter; a figure
// read here may be outdated by the commit.
import { count, sql } from 'drizzle-orm';
import { byId, one } from '../query.ts';

export const counterById = byId('counters', null);

export const movedTimeById = byId('service_time', null);

export const noteById = byId('service_notes', 'service_notes');

/** The number of rows with sealed data, by kind. Read only when the seal key was lost. */
export const sealedRows = one<Record<string, never>>()(null, (db, t) => {
  const webhooks = db
    .select({ n: count().as('n_webhooks') })
    .from(t.webhooks)
    .as('w');
  const letters = db
    .select({ n: count().as('n_letters') })
    .from(t.outbound)
    .as('o');
  const providers = db
    .select({ n: count().as('n_providers') })
    .from(t.providers)
    .as('p');
  const browsers = db
    .select({ n: count().as('n_browsers') })
    .from(t.push_subscriptions)
    .as('b');
  return db
    .select({ webhooks: webhooks.n, letters: letters.n, providers: providers.n, browsers: browsers.n })
    .from(webhooks)
    .innerJoin(letters, sql`1 = 1`)
    .innerJoin(providers, sql`1 = 1`)
    .innerJoin(browsers, sql`1 = 1`);
});
