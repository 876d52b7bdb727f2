// The immediate part of deleting an account, in one turn of bounded size: its address and plan, the names of its agents, its money.
// From that commit on none of its credentials is valid and none of its agents is visible. The rest is erased later in slices
// (operations/account/erase.ts).

import { type Static, Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { blanked } from '../../../db/schema/personal-columns.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { goneHandle } from '../../domain/identity/handle.ts';
import { post } from '../../domain/money/ledger.ts';
import { goodbyeLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { namedObject } from '../../schemas/named.ts';
import { Cents, Id, NullableText } from '../../schemas/wire.ts';
import { sendLetter } from '../letter.ts';
import { renewPlanAt } from '../money/follow.ts';
import { noObligations } from '../money/obligation.ts';
import { remind } from '../reminder.ts';

/** An agent without a name and without anything that its person said of it; its id, and what it did, stay. */
export function withoutName(agent: Row<'agents'>, now_ms: number): Effect<never>[] {
  const handle = goneHandle(agent.id);
  const named = { id: handle, kind: 'current' as const, agent_id: agent.id, email: null, expires_at: null };
  const nameless = patch('agents', agent, {
    ...blanked('agents', agent, agent.account_id),
    deactivated_at: agent.deactivated_at ?? now_ms,
    updated_at: now_ms,
  });
  return [nameless, insert('handles', named, 'ignore')];
}

/** Moves the rest of a wallet to the platform. A balance that changed meanwhile is read again. */
function forfeit(
  { now_ms }: Pick<Ctx, 'now_ms'>,
  { id, account_id }: Pick<Row<'agents'>, 'id' | 'account_id'>,
  amount_cents: number,
): Effect<'conflict'> {
  const journal = { id: `forfeit:${id}`, kind: 'forfeit', subject_id: account_id, created_at: now_ms };
  const leg = { debit: `wallet:${id}`, credit: 'platform_fees', amount_cents } as const;
  return post(journal, [leg], 'again', fault('conflict'));
}

/** The call that takes the next slice. Agents go in the order of their ids, from `agent_id` on; null is the account itself. */
export const ERASE = {
  name: 'account.erase',
  input: Type.Object({
    account_id: Id,
    agent_id: NullableText,
    stage: Type.String(),
    after: Type.String(),
  }),
} as const;

/** Starts the erasure after the answer. */
export function eraseLater(account_id: string, now_ms: number): Effect<never> {
  return remind(ERASE, { account_id, agent_id: '', stage: '', after: '' }, { at: now_ms, key: account_id, now_ms });
}

/** Ends the plan's row in this turn; the processor is told right after it, with retries. The caller sets the account's own
 * plan. */
function endPlanNow(term: Row<'plan_terms'> | null, now_ms: number): Effect<never>[] {
  if (!term || term.status === 'ended') return [];
  return [patch('plan_terms', term, { status: 'ended', past_due_at: null }), renewPlanAt(term.id, now_ms, now_ms)];
}

/** An agent with what prevents its deletion, and what remains of it. */
export interface Leaver {
  readonly agent: Row<'agents'>;
  /** Whether something of it is open, or money is put aside. */
  readonly bound: boolean;
  readonly balance_cents: number;
}

export interface Leaving {
  readonly account: Row<'accounts'> | null;
  readonly term: Row<'plan_terms'> | null;
  readonly agents: readonly Leaver[];
}

export const LeaveInput = Type.Object({
  forfeit: Type.Optional(Type.Boolean({ description: 'give up the remaining money' })),
});

export const AccountDeleted = namedObject('AccountDeleted', 'a deleted account', {
  deleted: Type.Literal(true),
  id: Id,
  forfeited_cents: Cents,
});

type Kept = Fault<'not_found' | 'open_obligations' | 'balance_left'>;

/** All that leaving does at once; refused while others have something open with it, or money is left that is not given up. */
export function leaveNow(
  { account, term, agents }: Leaving,
  input: Static<typeof LeaveInput>,
  ctx: Ctx,
): Kept | { reply: Static<typeof AccountDeleted>; effects: Effect<'open_obligations' | 'conflict'>[] } {
  if (!account || account.deleted_at !== null) return fault('not_found');
  if (agents.some(({ bound }) => bound)) return fault('open_obligations');
  const forfeited_cents = agents.reduce((sum, { balance_cents }) => sum + balance_cents, 0);
  if (forfeited_cents > 0 && !input.forfeit) {
    return fault('balance_left', undefined, { balance_cents: forfeited_cents, currency: 'USD' });
  }
  const { now_ms } = ctx;
  const { id, email } = account;
  const letter = goodbyeLetter(forfeited_cents, letterWordsFor(account));
  return {
    reply: { deleted: true, id, forfeited_cents },
    effects: [
      ...agents.map(({ agent }) => noObligations(agent.id)),
      ...agents.flatMap(({ agent, balance_cents }) => (balance_cents > 0 ? [forfeit(ctx, agent, balance_cents)] : [])),
      patch('accounts', account, { ...blanked('accounts', account, id), deleted_at: now_ms }),
      ...agents.flatMap(({ agent }) => withoutName(agent, now_ms)),
      ...endPlanNow(term, now_ms),
      ...(email === null ? [] : [sendLetter({ channel: 'mail', to: email, ...letter }, ctx)]),
      eraseLater(id, now_ms),
    ],
  };
}
