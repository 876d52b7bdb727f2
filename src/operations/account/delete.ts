// Deletes the account of the person who asks: refused while others have something open with it, or money is left that is not given
// up. In one turn its credentials end, its agents lose their names and are met nowhere, and its plan ends; the rest of what it
// leaves goes behind the answer (account.erase).
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { agentsOfAccount, deactivatedAgents } from '../../../db/queries/agent.ts';
import { guardedBalance } from '../../../db/queries/ledger.ts';
import { counterById } from '../../../db/queries/turn.ts';
import { blanked } from '../../../db/schema/personal-columns.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { goodbyeLetter } from '../../outbound/mailer/letters.ts';
import { namedObject } from '../../schemas/named.ts';
import { Cents, Id } from '../../schemas/wire.ts';
import { eraseLater, forfeit, withoutName } from '../../steps/account/leave.ts';
import { sendLetter } from '../../steps/letter.ts';
import { renewPlanAt } from '../../steps/money/follow.ts';
import { noObligations, obligationsKey } from '../../steps/money/obligation.ts';
import { readTerm } from '../../steps/money/wallet-view.ts';

/** The plan's row ends in this turn; the processor is told right after it, and again until it has heard. The account's own plan is
 * the caller's to set. */
function endPlanNow(term: Row<'plan_terms'> | null, now_ms: number): Effect<never>[] {
  if (!term || term.status === 'ended') return [];
  return [patch('plan_terms', term, { status: 'ended', past_due_at: null }), renewPlanAt(term.id, now_ms, now_ms)];
}

/** An agent with what keeps it, and what is left of it. */
interface Leaving {
  readonly agent: Row<'agents'>;
  /** Whether something of it is open, or money is put aside. */
  readonly bound: boolean;
  readonly balance_cents: number;
}

async function leaving(read: Read, agent: Row<'agents'>): Promise<Leaving> {
  const [open, wallet, held] = await Promise.all([
    read.peek(counterById, { id: obligationsKey(agent.id) }),
    read.peek(guardedBalance, { id: `wallet:${agent.id}` }),
    read.peek(guardedBalance, { id: `held:${agent.id}` }),
  ]);
  const bound = (open?.n ?? 0) > 0 || (held?.balance_cents ?? 0) > 0;
  return { agent, bound, balance_cents: wallet?.balance_cents ?? 0 };
}

/** In words; amounts are in USD. */
const money = (cents: number): string => `${(cents / 100).toFixed(2)} USD`;

export const accountDelete = command({
  name: 'account.delete',
  noun: 'The account of a person: leaving it, taking its data along, its address, its sessions.',
  summary: 'Delete the account',
  description: describe`Final. Its agents and listings are gone, its keys, sessions and webhooks work no more, and the plan ends. Messages stay with those they were written to, and the ledger keeps its amounts, both without your name. While escrows, payouts, subscriptions or debts are open it is 409 \`open_obligations\`; with money left 409 \`balance_left\` unless \`forfeit\` gives it up. ${step('account.export')} takes everything along before.`,
  input: Type.Object({
    forfeit: Type.Optional(Type.Boolean({ description: 'give up the money that is left' })),
  }),
  output: namedObject('AccountDeleted', 'an account that is no more', {
    deleted: Type.Literal(true),
    id: Id,
    forfeited_cents: Cents,
  }),
  example: {},
  effect: 'destroys',
  access: 'session',
  faults: ['not_found', 'open_obligations', 'balance_left', 'conflict'],
  rest: [{ method: 'DELETE', path: '/api/account', takes_body: true }],
  load: async (read, _input, { account_id }) => {
    const { account, term } = await readTerm(read, account_id);
    const [there, deactivated] = await Promise.all([
      read(agentsOfAccount, { account_id }),
      read(deactivatedAgents, { account_id }),
    ]);
    const agents = await Promise.all([...there, ...deactivated].map((agent) => leaving(read, agent)));
    return { account, term, agents };
  },
  decide: ({ account, term, agents }, input, ctx) => {
    if (!account || account.deleted_at !== null) return fault('not_found');
    if (agents.some(({ bound }) => bound)) return fault('open_obligations');
    const forfeited_cents = agents.reduce((sum, { balance_cents }) => sum + balance_cents, 0);
    if (forfeited_cents > 0 && !input.forfeit) {
      return fault('balance_left', undefined, { balance_cents: forfeited_cents, currency: 'USD' });
    }
    const { now_ms } = ctx;
    const { id, email } = account;
    const letter = goodbyeLetter(forfeited_cents > 0 ? money(forfeited_cents) : null);
    return {
      reply: { deleted: true as const, id, forfeited_cents },
      notes: { refresh: null },
      effects: [
        ...agents.map(({ agent }) => noObligations(agent.id)),
        ...agents.flatMap(({ agent, balance_cents }) =>
          balance_cents > 0 ? [forfeit(ctx, agent, balance_cents)] : [],
        ),
        patch('accounts', account, { ...blanked('accounts', account, id), deleted_at: now_ms }),
        ...agents.flatMap(({ agent }) => withoutName(agent, now_ms)),
        ...endPlanNow(term, now_ms),
        ...(email === null ? [] : [sendLetter({ channel: 'mail', to: email, ...letter }, ctx)]),
        eraseLater(id, now_ms),
      ],
    };
  },
});
