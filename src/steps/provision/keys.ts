// The keys of a provisional account that work: one, or those that it was renewed to.
import { type Effect, patch } from '../../../db/effects.ts';
import { keysOfAccount } from '../../../db/queries/identity.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';

/** More than an account gets by renewing for as long as it may live. */
const KEYS_MAX = 100;

export async function readLiveKeys(read: Read, account_id: string, now_ms: number): Promise<Row<'api_keys'>[]> {
  const found = await read(keysOfAccount, { account_id, now_ms, before: HIGHEST_ID, limit: KEYS_MAX });
  return found.map(({ key }) => key);
}

/** Stops them at once. */
export function revokeKeys(keys: readonly Row<'api_keys'>[], now_ms: number): Effect<never>[] {
  return keys.map((key) => patch('api_keys', key, { revoked_at: now_ms }));
}
