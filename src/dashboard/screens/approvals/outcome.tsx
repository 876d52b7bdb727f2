// The outcome of an answer to a proposal or a program's request, and the next step.
import type { JSX } from 'preact';
import { money } from '../../parts/format.ts';
import { Notice, Way } from '../../parts/states.tsx';
import type { Item } from '../../server.ts';
import { words } from '../../words/words.ts';
import { type Answer, otherOf, type Proposal } from './proposal.ts';

/** An answer, given or too late. */
export type Told =
  | {
      readonly kind: 'answered';
      readonly of: Proposal;
      readonly decision: 'approve' | 'reject';
      readonly answer: Answer;
    }
  | {
      readonly kind: 'late';
      readonly of: Proposal;
      readonly code: keyof typeof words.approvals.late & string;
      readonly current: Proposal | null;
    };

/** The answered proposal: approving an own one re-issues it under a new id. */
export const answeredId = (told: Told): string => (told.kind === 'answered' ? told.answer.proposal.id : told.of.id);

interface MadeProps {
  of: Proposal;
  answer: Answer;
  /** Displayed in the conversation itself, whose next step continues. */
  here: boolean;
}

/** What is missing before a deal is paid, and the next step of the party concerned. */
function Unpaid({ of, answer: { unpaid, payment_required }, here }: MadeProps): JSX.Element {
  const { approvals } = words;
  const reason = unpaid ?? 'approval_required';
  if (of.your_side === 'seller' && reason === 'seller_cannot_be_paid') {
    return (
      <>
        <p>{approvals.youCannotBePaid}</p>
        <div class="buttons">
          <Way main href="/trust" text={words.agents.verify} />
        </div>
      </>
    );
  }
  if (of.your_side === 'seller' || reason === 'waits_for_buyer') return <p>{approvals.theyPay(`@${otherOf(of)}`)}</p>;
  return (
    <>
      <p>{approvals.unpaid[reason]}</p>
      {payment_required && <p>{approvals.short(money(payment_required.shortfall_cents))}</p>}
      <div class="buttons">
        {reason === 'account_restricted' && <Way main href="/wallet" text={words.nav.wallet} />}
        {reason === 'verification_required' && <Way main href="/trust" text={words.agents.verify} />}
        {reason === 'spending_limit' && <Way main href="/payouts" text={approvals.limits} />}
        {!here && (
          <Way
            main={reason === 'payment_required'}
            href={`/conversations/${of.conversation_id}`}
            text={approvals.deals}
          />
        )}
      </div>
    </>
  );
}

function ToRoom({ of }: { of: Proposal }): JSX.Element {
  return (
    <div class="buttons">
      <Way href={`/conversations/${of.conversation_id}`} text={words.room.open} />
    </div>
  );
}

function Made({ of, answer, here }: MadeProps): JSX.Element {
  const { approvals } = words;
  const amount = money(of.amount_cents);
  return (
    <Notice good={answer.unpaid === null}>
      <p>
        <strong>{approvals.made(amount, `@${otherOf(of)}`)}</strong>
      </p>
      {answer.escrow_id === null ? (
        <Unpaid of={of} answer={answer} here={here} />
      ) : (
        <>
          <p>{of.your_side === 'buyer' ? approvals.held(amount) : approvals.heldForYou(amount)}</p>
          {!here && <ToRoom of={of} />}
        </>
      )}
    </Notice>
  );
}

/** The outcome of a proposal that no longer waits for the other side. */
function Since({ now, here }: { now: Proposal; here: boolean }): JSX.Element {
  const { approvals } = words;
  const [amount, other] = [money(now.amount_cents), `@${otherOf(now)}`];
  if (now.status === 'approved') {
    return (
      <Notice good>
        <p>
          <strong>{approvals.made(amount, other)}</strong>
        </p>
        {!here && <ToRoom of={now} />}
      </Notice>
    );
  }
  return (
    <Notice good={false}>
      <p>{approvals.since[now.status === 'rejected' || now.status === 'replaced' ? now.status : 'expired'](amount)}</p>
    </Notice>
  );
}

interface OutcomeProps {
  told: Told;
  /** The proposal's current state; null when not known. */
  now: Proposal | null;
  here?: boolean;
}

export function Outcome({ told, now, here = false }: OutcomeProps): JSX.Element {
  const { approvals } = words;
  const { of } = told;
  const [amount, other] = [money(of.amount_cents), `@${otherOf(of)}`];
  if (told.kind === 'late') {
    const { current } = told;
    return (
      <Notice good={false}>
        <p>
          <strong>{approvals.late[told.code](amount)}</strong>
        </p>
        {told.code === 'proposal_replaced' && (
          <p>{current ? approvals.standsNow(money(current.amount_cents)) : approvals.standsNone}</p>
        )}
      </Notice>
    );
  }
  if (told.answer.deal_id !== null) return <Made of={of} answer={told.answer} here={here} />;
  const waits = now === null || now.status === 'open' || now.status === 'withheld';
  if (told.decision === 'approve' && !waits) return <Since now={now} here={here} />;
  const unsent = of.status === 'withheld';
  const said =
    told.decision === 'reject'
      ? unsent
        ? approvals.rejectedUnsent(amount)
        : approvals.rejected(amount, other)
      : unsent
        ? approvals.sent(amount, other)
        : approvals.agreedNow(amount, other);
  return (
    <Notice good>
      <p>{said}</p>
    </Notice>
  );
}

// Reads of a program's request: payee and text fields.

export type Action = Item<'action.list'>;

/** The payee or payer; a routed call has any provider as payee. */
export function payeeOf({ operation, to_handle }: Action): string {
  const { actions } = words;
  if (to_handle !== null) return `@${to_handle}`;
  return operation === 'router_call.make' ? actions.anybody : actions.somebody;
}

/** A non-blank text field of the request; null otherwise. */
export function textIn({ input }: Action, name: string): string | null {
  const value = input[name];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

// The outcome of an answer to a program's request, with a link to the result.

/** An answer, given or too late. */
export type ActionTold =
  | {
      readonly kind: 'decided';
      readonly of: Action;
      readonly decision: 'approve' | 'reject';
      readonly result: unknown;
    }
  | { readonly kind: 'late'; readonly of: Action; readonly code: keyof typeof words.actions.late & string };

/** An id in the operation's response, by field name; null when absent. */
function idIn(result: unknown, name: string): string | null {
  const found = result !== null && typeof result === 'object' ? (result as Record<string, unknown>)[name] : null;
  return typeof found === 'string' ? found : null;
}

/** The page of the result. */
function placeOf(of: Action, result: unknown): readonly [href: string, text: string] {
  const { nav, approvals } = words;
  const [id, escrow_id] = [idIn(result, 'id'), idIn(result, 'escrow_id')];
  switch (of.operation) {
    case 'wallet.send':
      return ['/wallet', nav.wallet];
    case 'escrow.create':
      return [id === null ? '/escrows' : `/escrows/${id}`, approvals.toEscrow];
    case 'marketplace.checkout':
      return escrow_id === null ? ['/deals', approvals.toDeals] : [`/escrows/${escrow_id}`, approvals.toEscrow];
    case 'subscription.create':
      return [id === null ? '/subscriptions' : `/subscriptions/${id}`, nav.subscriptions];
    case 'demand.quote':
      return [`/demand/${textIn(of, 'request_id')}`, words.actions.request];
    case 'demand.award':
      return ['/deals', approvals.toDeals];
    case 'router_call.make':
      return ['/calls', nav.calls];
  }
}

export function ActionOutcome({ told }: { told: ActionTold }): JSX.Element {
  const { actions } = words;
  const { of } = told;
  const amount = money(of.amount_cents);
  if (told.kind === 'late') {
    return (
      <Notice good={false}>
        <p>
          <strong>{actions.late[told.code](amount)}</strong>
        </p>
      </Notice>
    );
  }
  if (told.decision === 'reject') {
    return (
      <Notice good>
        <p>{actions.rejected(amount)}</p>
      </Notice>
    );
  }
  const [href, text] = placeOf(of, told.result);
  return (
    <Notice good>
      <p>
        <strong>{actions.done[of.operation](amount, payeeOf(of))}</strong>
      </p>
      <div class="buttons">
        <Way href={href} text={text} />
      </div>
    </Notice>
  );
}
