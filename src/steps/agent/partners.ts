// Whom an agent has dealt with, by account, and which accounts belong together: what trust counts, once for each account, and not at all
// for one that shares a proof, a payout account or its bank with the agent's own. What is shared is known by a hash under a key of the
// service, so that no copy of the database tells what it is.
import { apply, type Effect, insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { registrable } from '../../outbound/domain-name.ts';
import { hmac } from '../../outbound/hash.ts';
import { remindNow } from '../reminder.ts';
import { REFRESH_TRUST } from './record.ts';

type Met = Pick<Row<'partners'>, 'deals' | 'cents' | 'reviews' | 'rating_sum'>;

/** What is known of a thing that an account has. */
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

/** The same of one of its agents, whose trust may hang on it. */
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
