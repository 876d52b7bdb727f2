// Links by which an agent asks its person for something that it cannot do itself. Whoever opens one is nobody by that: the person signs
// in as ever. The token is marked by the service, so that a link which was used or has expired is told from one that never was.
import { type Effect, insert } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { codeById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { HANDOFF_PURPOSES, type HandoffPurpose } from '../../domain/agent/handoff.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { revokedSince } from '../account/revoked.ts';
import { isLink, linkId, mintLink } from '../link.ts';

const PURPOSES: ReadonlySet<string> = new Set(HANDOFF_PURPOSES);

/** A new link: its address, and the row that keeps no more than a hash of the token. */
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

/** Finds it: 404 for what was never a link, 410 for one that was used or has expired. */
export async function readHandoff(read: Read, token: string, ctx: Ctx): Promise<Handoff | Fault<'not_found' | 'gone'>> {
  if (!isLink(token, ctx)) return fault('not_found');
  const row = await read(codeById, { id: linkId('handoff', token) });
  const purpose = row?.data['purpose'] ?? '';
  if (!row || row.expires_at <= ctx.now_ms || !PURPOSES.has(purpose)) return fault('gone');
  // Its person has ended since what a stranger may have made.
  if (await revokedSince(read, row.data['account_id'] ?? '', row.sent_at)) return fault('gone');
  const agent_id = row.data['agent_id'] ?? '';
  const agent = agent_id === '' ? null : await read(agentById, { id: agent_id });
  // Whose it was may have left, or lost it to another account.
  if (agent_id !== '' && (!agent || agent.deactivated_at !== null || agent.account_id !== row.data['account_id'])) {
    return fault('gone');
  }
  return { row, purpose: purpose as HandoffPurpose, agent };
}
