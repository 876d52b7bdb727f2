// An agent's partners by account, and which accounts are linked. Trust counts each account once, and none that shares a proof, a payout
// account or its bank with the agent's own. Shared things are stored as keyed hashes, so that a copy of the database does not reveal
// them.
import { apply, type Effect, insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { registrable } from '../../outbound/domain-name.ts';
import { hmac } from '../../outbound/hash.ts';
import { remindNow } from '../reminder.ts';
import { REFRESH_TRUST } from './record.ts';

type Met = Pick<Row<'partners'>, 'deals' | 'cents' | 'reviews' | 'rating_sum'>;

/** The keyed hash of a thing that an account has. */
export function markOf(kind: string, external_id: string, { secrets }: Pick<Ctx, 'secrets'>): string {
  // The owner of a domain can create any number of names under it, so only the registered domain counts.
  const known_by = kind === 'domain' ? registrable(external_id) : external_id;
  return hmac(secrets.code_key, `account-mark:${kind}:${known_by}`);
}

/** Notes something that an account has, such as what proved one of its agents. */
export function markAccount(
  account_id: string,
  kind: string,
  external_id: string,
  ctx: Pick<Ctx, 'secrets'>,
): Effect<never> {
  const mark = markOf(kind, external_id, ctx);
  return insert('account_marks', { id: `${account_id}:${mark}`, account_id, mark }, 'ignore');
}

/** The same for one of its agents, whose trust may depend on it. */
export function markAgent(
  { id, account_id }: Pick<Row<'agents'>, 'id' | 'account_id'>,
  kind: string,
  external_id: string,
  ctx: Pick<Ctx, 'secrets' | 'now_ms'>,
): Effect<never>[] {
  const { now_ms } = ctx;
  return [
    markAccount(account_id, kind, external_id, ctx),
    remindNow(REFRESH_TRUST, { agent_id: id }, { key: id, now_ms }),
  ];
}

/** Counts what an agent did with another account. */
export function countPartner(
  agent_id: string,
  account_id: string,
  change: (now: Met) => Partial<Met>,
): Effect<never>[] {
  const id = `${agent_id}:${account_id}`;
  return [insert('partners', { id, agent_id, account_id }, 'ignore'), apply('partners', id, change)];
}
