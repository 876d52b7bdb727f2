// What asks for a payout connection, as its person is told of it later: the key, the program or the session, and what it was called then.
import { grantById, keyById } from '../../../db/queries/identity.ts';
import type { ConnectorColumn } from '../../../db/schema/processor.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { registrarOf } from '../key-pair.ts';

async function nameOf(
  read: Read['peek'],
  { by, by_id: id }: Pick<ConnectorColumn, 'by' | 'by_id'>,
): Promise<string | null> {
  if (by === 'sessions') return null;
  if (by === 'api_keys') return (await read(keyById, { id }))?.name ?? null;
  return (await read(grantById, { id }))?.client_name ?? null;
}

/** Who asked: a key that once did stays named, though its person goes on with what it began. */
export async function readConnector(
  { peek }: Read,
  ctx: Ctx,
  before: ConnectorColumn | null,
): Promise<ConnectorColumn | null> {
  const asks = registrarOf(ctx, actor(ctx));
  if (asks === null || (asks.by === 'sessions' && before !== null)) return before;
  return { by: asks.by, by_id: asks.by_id, name: await nameOf(peek, asks) };
}
