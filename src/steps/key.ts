// Makes an API key: the text that is shown once, and the row that keeps only its hash.
import { type Effect, insert } from '../../db/effects.ts';
import type { NewRow } from '../../db/schema/tables.ts';
import { KEY_LIFE_MS, keyPrefixShown, mintKey } from '../domain/identity/key.ts';
import type { Ctx } from '../operations/context.ts';
import { sha256Hex } from '../outbound/hash.ts';

const KEY_BYTES = 32;

export interface Minted {
  readonly api_key: string;
  readonly row: NewRow<'api_keys'>;
  readonly effect: Effect<never>;
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
  return { api_key, row, effect: insert('api_keys', row) };
}
