// Makes an API key: the text that is shown once, and the row that keeps only its hash. A week before it ends its person is told.

import { Type } from 'typebox';
import { type Effect, insert } from '../../db/effects.ts';
import type { NewRow } from '../../db/schema/tables.ts';
import type { Ctx } from '../contract/context.ts';
import { KEY_LIFE_MS, keyPrefixShown, mintKey } from '../domain/identity/key.ts';
import { DAY_MS } from '../domain/time.ts';
import { sha256Hex } from '../outbound/hash.ts';
import { Id } from '../schemas/wire.ts';
import { remind } from './reminder.ts';

const KEY_BYTES = 32;

/** What the reminders of keys know of the operation that tells of their end; `told` where only the letter is left to send. */
export const WARN_OF_KEY = {
  name: 'key.warn',
  input: Type.Object({ key_id: Id, told: Type.Optional(Type.Boolean()) }),
} as const;

/** Long enough for somebody who is away to be back. */
export const KEY_WARN_MS = 7 * DAY_MS;

export interface Minted {
  readonly api_key: string;
  readonly row: NewRow<'api_keys'>;
  readonly effects: readonly Effect<never>[];
}

/** A new key for an account; it lives 90 days unless `expires_at` says less. */
export function mintApiKey(
  ctx: Ctx,
  wanted: Pick<NewRow<'api_keys'>, 'account_id' | 'agent_id' | 'name' | 'kind' | 'scopes'> &
    Partial<Pick<NewRow<'api_keys'>, 'expires_at' | 'budget'>>,
): Minted {
  const api_key = mintKey(ctx.settings.key_prefix, ctx.random(KEY_BYTES));
  const row: NewRow<'api_keys'> = {
    ...wanted,
    id: ctx.id(),
    hash: sha256Hex(api_key),
    prefix: keyPrefixShown(api_key),
    created_at: ctx.now_ms,
    expires_at: wanted.expires_at ?? ctx.now_ms + KEY_LIFE_MS,
  };
  // Of a key that lives as short as that its person still knows, and a provisional one has no person.
  const at = row.expires_at - KEY_WARN_MS;
  const warned = row.kind !== 'provisional' && at - ctx.now_ms >= KEY_WARN_MS;
  const warning = { at, key: row.id, now_ms: ctx.now_ms };
  return {
    api_key,
    row,
    effects: [insert('api_keys', row), ...(warned ? [remind(WARN_OF_KEY, { key_id: row.id }, warning)] : [])],
  };
}
