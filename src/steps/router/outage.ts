// Failures that turn out to be our own: what they had done to providers is taken back, in their figures too.
import { type Effect, patch } from '../../../db/effects.ts';
import { providerById, unansweredSince } from '../../../db/queries/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { isOutage, OUTAGE_MS } from '../../domain/router/outage.ts';
import { afterOutage } from '../../domain/router/provider.ts';
import { isUnanswered } from '../../domain/router/verdict.ts';

type Attempt = Row<'router_attempts'>;

/** Attempts that are looked at. */
const LATELY_MAX = 100;

const isWithoutAnswer = ({ http_status, reason }: Attempt): boolean =>
  isUnanswered({ http_status, reason: reason ?? '' });

/** The attempts of the last seconds that were counted, where a failure shows them and itself to be our own; null where it is its
 * provider's. */
export async function outageWith(read: Read, failure: Attempt): Promise<readonly Attempt[] | null> {
  if (!isWithoutAnswer(failure)) return null;
  const since = failure.created_at - OUTAGE_MS;
  const lately = (await read(unansweredSince, { since, limit: LATELY_MAX })).filter(isWithoutAnswer);
  return isOutage([failure, ...lately]) ? lately.filter(({ counted }) => counted === 1) : null;
}

/** Takes failures back. */
export async function forgive(read: Read, failures: readonly Attempt[]): Promise<Effect<never>[]> {
  const since_ms = Math.min(...failures.map(({ created_at }) => created_at));
  const ids = [...new Set(failures.map(({ provider_id }) => provider_id))];
  const providers = await Promise.all(
    ids.map(async (id) => {
      const row = await read(providerById, { id });
      const own = failures.filter(({ provider_id }) => provider_id === id);
      const gathered = own.filter(({ gathered_at }) => gathered_at !== null);
      if (!row) return [];
      const attempts = row.attempts - gathered.length;
      return [patch('providers', row, { ...afterOutage(row, own.length, since_ms), attempts })];
    }),
  );
  return [...failures.map((row) => patch('router_attempts', row, { counted: 0 })), ...providers.flat()];
}
