// Links by which an agent asks its person for something that it cannot do itself. A link does not authenticate: the person signs in
// as usual. The service signs the token, so that a used or expired link can be told from one that never existed.
import { type Effect, insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import type { HandoffPurpose } from '../../domain/agent/handoff.ts';
import { linkId, mintLink } from '../link.ts';

/** A new link: its address, and the row with only a hash of the token. */
export function beginHandoff(
  { purpose, agent }: { purpose: HandoffPurpose; agent: Row<'agents'> | null },
  life_ms: number,
  ctx: Ctx,
): { url: string; expires_at: number; effect: Effect<never> } {
  const token = mintLink(ctx);
  const expires_at = ctx.now_ms + life_ms;
  const data = { purpose, account_id: ctx.account_id, agent_id: agent?.id ?? '' };
  const row = { id: linkId('handoff', token), hash: '', data, sent_at: ctx.now_ms, expires_at };
  return { url: `${ctx.settings.app_url}/handoff/${token}`, expires_at, effect: insert('codes', row) };
}

export interface Handoff {
  readonly row: Row<'codes'>;
  readonly purpose: HandoffPurpose;
  /** Null where the account has none yet. */
  readonly agent: Row<'agents'> | null;
}
