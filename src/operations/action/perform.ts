// Decides on an action in one turn: a no is recorded; a yes runs the operation as the person, so that the agent's bounds do not
// apply and all other rules do. If the operation refuses, this refuses too, and the action stays pending. Called by `action.decide`
// and by answers to the event in the inbox.
import { Type } from 'typebox';
import { actionById } from '../../../db/queries/action.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { decidedFault, silenceFault } from '../../domain/negotiation/action.ts';
import { actionView, DecidedAction } from '../../schemas/action.ts';
import { Id } from '../../schemas/wire.ts';
import { gateFault } from '../../steps/admission.ts';
import { decideAction } from '../../steps/negotiation/action.ts';
import { payeesOf } from '../../steps/negotiation/find.ts';
import { demandAward } from '../demand/award.ts';
import { demandQuote } from '../demand/quote.ts';
import { escrowCreate } from '../escrow/create.ts';
import { marketplaceCheckout } from '../marketplace/checkout.ts';
import { subscriptionCreate } from '../subscription/create.ts';
import { walletSend } from '../wallet/send.ts';
import { type Performed, performing } from './perform/performed.ts';

const FAULTS = [
  ...new Set([
    ...walletSend.faults,
    ...marketplaceCheckout.faults,
    ...escrowCreate.faults,
    ...subscriptionCreate.faults,
    ...demandQuote.faults,
    ...demandAward.faults,
  ]),
] as const;
type Refusal = (typeof FAULTS)[number];

const performedBy = performing<[input: object]>();

/** The input was validated when the action was made, and is stored unchanged. */
const kept = <I>(input: object): I => input as I;

const PERFORM: Readonly<Record<string, Performed<[input: object], Refusal>>> = {
  'wallet.send': performedBy(walletSend, kept),
  'marketplace.checkout': performedBy(marketplaceCheckout, kept),
  'escrow.create': performedBy(escrowCreate, kept),
  'subscription.create': performedBy(subscriptionCreate, kept),
  'demand.quote': performedBy(demandQuote, kept),
  'demand.award': performedBy(demandAward, kept),
};

const NOT_HERE = 'A routed call takes too long to be answered from an inbox: decide on the action itself.';

/** Only the person's own decision counts, through any transport, or their silence where a policy allows that. */
function wordFault({ principal, approved, now_ms }: Ctx, action: Row<'actions'>) {
  if (approved) return silenceFault(action, now_ms);
  return principal.kind === 'session' ? decidedFault(action, now_ms) : fault('session_required');
}

export const actionPerform = command({
  name: 'action.perform',
  summary: 'Decide on an action',
  input: Type.Object({ action_id: Id, decision: Type.Enum(['approve', 'reject']) }),
  output: DecidedAction,
  effect: 'spends',
  access: 'internal',
  agent: 'required',
  faults: ['session_required', 'already_answered', 'expired', 'invalid_action', 'verification_required', ...FAULTS],
  load: async (read, { action_id, decision }, ctx, ports) => {
    const action = await read(actionById, { id: action_id });
    if (action?.agent_id !== actor(ctx).id) return null;
    const payee = (await payeesOf(read, [action]))(action);
    const barred = wordFault(ctx, action);
    if (barred || decision === 'reject') return { action, payee, barred, decide: null };
    const perform = Object.hasOwn(PERFORM, action.operation) ? PERFORM[action.operation] : undefined;
    if (!perform) return { action, payee, barred: fault('invalid_action', NOT_HERE), decide: null };
    const shut = gateFault(perform.declared(action.input), ctx.agent);
    if (shut) return { action, payee, barred: shut, decide: null };
    const { amount_cents, to_id } = action;
    const decide = await perform.load(read, [action.input], { ...ctx, approved: { amount_cents, to_id } }, ports);
    return { action, payee, barred: null, decide };
  },
  decide: (state, { decision }, ctx) => {
    if (!state) return fault('not_found');
    const { action, payee, barred, decide } = state;
    if (barred) return barred;
    const done = decide?.() ?? { reply: null };
    if (isFault(done)) return done;
    // A function would be a reply completed by the commit; none of these operations returns one.
    const result = typeof done.reply === 'function' ? null : (done.reply as Readonly<Record<string, unknown>> | null);
    const { row, effects } = decideAction(ctx, action, decision, result);
    return {
      reply: { action: actionView(row, { payee, own_plan: ctx.principal.plan }, ctx.now_ms), result },
      effects: [...effects, ...(done.effects ?? [])],
    };
  },
});
