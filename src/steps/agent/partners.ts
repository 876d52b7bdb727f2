// Whom an agent has dealt with, by account, and which accounts belong together: what trust counts, once for each account, and not at all
// for one that shares a proof, a payout account or its bank with the agent's own. What is shared is known by a hash under a key of the
// service, so that no copy of the database tells what it is.
import { apply, type Effect, insert } from '../../../db/effects.ts';
import { accountsWithMarksOf, marksOfAccount, partnersOfAgent } from '../../../db/queries/deal.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Partnership, partnership } from '../../domain/agent/track-record.ts';
import { registrable } from '../../outbound/domain-name.ts';
import { hmac } from '../../outbound/hash.ts';
import { remindNow } from '../reminder.ts';
import { REFRESH_TRUST } from './record.ts';

/** Accounts that are looked at; beyond the first hundred the score moves by less than a point. */
const PARTNERS_MAX = 1_000;
/** What an account may be known by, as far as anybody looks. */
const MARKS_MAX = 1_000;

type Met = Pick<Row<'partners'>, 'deals' | 'cents' | 'reviews' | 'rating_sum'>;

/** What is known of a thing that an account has. */
export function markOf(kind: string, external_id: string, { secrets }: Pick<Ctx, 'secrets'>): string {
  // Whoever has a domain makes names under it as many as they like.
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

/** The proofs of an agent that its account is not known by: they are older than the service's knowledge of such things. None is told
 * where the account has more marks than are read. */
export async function readUnmarked(
  read: Read,
  { account_id }: Pick<Row<'agents'>, 'account_id'>,
  claims: readonly Row<'claims'>[],
  ctx: Pick<Ctx, 'secrets'>,
): Promise<readonly Row<'claims'>[]> {
  const known = await read.peek(marksOfAccount, { account_id, limit: MARKS_MAX });
  const marks = new Set(known.map(({ mark }) => mark));
  if (known.length === MARKS_MAX) return [];
  return claims.filter(({ provider, external_id }) => !marks.has(markOf(provider, external_id, ctx)));
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

/** Whether two accounts belong together. */
export async function areRelated(read: Read, account_id: string, other_id: string): Promise<boolean> {
  if (account_id === other_id) return true;
  const together = await read.peek(accountsWithMarksOf, { account_id });
  return together.some((each) => each.account_id === other_id);
}

/** What counts of an agent's dealings, and the accounts that do not count although it dealt with them. */
export async function readPartnership(
  read: Read,
  { id: agent_id, account_id }: Pick<Row<'agents'>, 'id' | 'account_id'>,
): Promise<Partnership & { readonly related: readonly string[] }> {
  const [met, known] = await Promise.all([
    read(partnersOfAgent, { agent_id, limit: PARTNERS_MAX }),
    read(accountsWithMarksOf, { account_id }),
  ]);
  const together = new Set([account_id, ...known.map((each) => each.account_id)]);
  const apart = met.filter((each) => !together.has(each.account_id));
  const related = met.filter((each) => together.has(each.account_id)).map((each) => each.account_id);
  return { ...partnership(apart), related };
}
