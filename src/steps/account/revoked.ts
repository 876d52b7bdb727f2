// When a person last revoked all access to the account. Approved device codes and mailed links that were not used yet have no row
// of the account; this mark ends them, and outlives all of them.
import { type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { EXCHANGE_LIFE_MS, LINK_LIFE_MS } from '../link.ts';

const LIFE_MS = LINK_LIFE_MS + EXCHANGE_LIFE_MS;

export const markId = (account_id: string): string => `revoked:${account_id}`;

export function markRevoked(mark: Row<'codes'> | null, account_id: string, now_ms: number): Effect<never> {
  const set = { sent_at: now_ms, expires_at: now_ms + LIFE_MS };
  return mark ? patch('codes', mark, set) : insert('codes', { id: markId(account_id), hash: '', data: {}, ...set });
}
