// One of the acting agent's webhooks by its id; another's is as absent as what does not exist.
import { webhookById } from '../../../db/queries/webhook.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../operation.ts';

/** The webhook, or null. */
export async function ownWebhook(read: Read, ctx: Ctx, id: string): Promise<Row<'webhooks'> | null> {
  const row = await read(webhookById, { id });
  return row?.agent_id === actor(ctx).id ? row : null;
}
