// What a call answered, kept sealed for a day: for whoever sends the same request again, and whoever asks for the call. Each under a key
// of its own, since more are sealed than one key may seal.
import { hkdfSync } from 'node:crypto';
import { type Effect, insert } from '../../../db/effects.ts';
import { routerResultById } from '../../../db/queries/router.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { RESULT_KEPT_MS } from '../../domain/router/call.ts';
import { open, SEAL_KEY_BYTES, seal } from '../../outbound/seal.ts';

type Sealing = Pick<Ctx, 'secrets'>;

function keyOf({ secrets }: Sealing, call_id: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secrets.seal_key, call_id, 'meshwork router result', SEAL_KEY_BYTES));
}

/** A longer answer that cost nothing is not kept: whoever asks again gets the receipt, and may call anew. */
const FREE_BYTES_MAX = 65_536;

export function keepResult(
  ctx: Sealing,
  { id, charged }: { readonly id: string; readonly charged: boolean },
  result: unknown,
  now_ms: number,
): Effect<never>[] {
  const text = JSON.stringify(result);
  if (!charged && Buffer.byteLength(text) > FREE_BYTES_MAX) return [];
  const sealed = seal(keyOf(ctx, id), text, id);
  return [insert('router_results', { id, sealed, expires_at: now_ms + RESULT_KEPT_MS })];
}

/** What a call answered; null where that is not kept any more, or never was. */
export async function keptResult(
  read: Read,
  ctx: Sealing,
  call_id: string,
  now_ms: number,
): Promise<{ readonly result: unknown } | null> {
  const row = await read(routerResultById, { id: call_id });
  if (!row || row.expires_at <= now_ms) return null;
  const text = open(keyOf(ctx, call_id), row.sealed, call_id);
  return text === null ? null : { result: JSON.parse(text) };
}
