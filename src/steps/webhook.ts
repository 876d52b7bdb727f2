// Makes webhooks and their secrets: the developer's by its operation, the agent's own by the intake. A secret is shown
// once and rests sealed.
import { type Effect, insert, patch } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../contract/context.ts';
import { seal } from '../outbound/seal.ts';
import { SECRET_BYTES, webhookSecret } from '../outbound/webhook-signature.ts';

export interface MadeWebhook {
  readonly row: Row<'webhooks'>;
  readonly signing_secret: string;
  readonly effect: Effect<never>;
}

/** Where a webhook's secret is kept, for `seal`: bound to its row, so that it opens nowhere else. */
export const secretContext = (webhook_id: string): string => `webhook:${webhook_id}`;

/** A new secret for a webhook, in clear and as it is kept. */
export function newSecret(ctx: Ctx, webhook_id: string): { signing_secret: string; sealed: string } {
  const signing_secret = webhookSecret(ctx.random(SECRET_BYTES));
  return { signing_secret, sealed: seal(ctx.secrets.seal_key, signing_secret, secretContext(webhook_id)) };
}

export function makeWebhook(
  ctx: Ctx,
  wanted: {
    readonly agent_id: string;
    readonly kind: 'agent' | 'developer';
    readonly url: string;
    readonly events: readonly string[];
    readonly retry: boolean;
  },
): MadeWebhook {
  const id = ctx.id();
  const { signing_secret, sealed } = newSecret(ctx, id);
  const row: Row<'webhooks'> = {
    ...wanted,
    id,
    retry: wanted.retry ? 1 : 0,
    active: 1,
    secret: sealed,
    old_secret: null,
    old_secret_until: null,
    failure_count: 0,
    last_delivery_at: null,
    created_at: ctx.now_ms,
    version: 1,
  };
  return { row, signing_secret, effect: insert('webhooks', row) };
}

/** The agent's own webhook at an address: made, or moved there with a new secret. Null when it is there already. */
export function agentWebhook(
  ctx: Ctx,
  agent_id: string,
  url: string,
  existing: readonly Row<'webhooks'>[],
): MadeWebhook | null {
  const own = existing.find(({ kind }) => kind === 'agent');
  if (!own) return makeWebhook(ctx, { agent_id, kind: 'agent', url, events: ['*'], retry: false });
  if (own.url === url) return null;
  const { signing_secret, sealed } = newSecret(ctx, own.id);
  const set = { url, secret: sealed, old_secret: null, old_secret_until: null, active: 1, failure_count: 0 };
  return { row: { ...own, ...set }, signing_secret, effect: patch('webhooks', own, set) };
}
