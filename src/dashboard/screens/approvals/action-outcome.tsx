// What came of a person's word on what a program asked for, and where to see it.
import type { JSX } from 'preact';
import { money } from '../../parts/format.ts';
import { Notice, Way } from '../../parts/notice.tsx';
import { words } from '../../words/words.ts';
import { type Action, payeeOf, textIn } from './asked.ts';

/** A word that was said, or one that came too late. */
export type ActionTold =
  | {
      readonly kind: 'decided';
      readonly of: Action;
      readonly decision: 'approve' | 'reject';
      readonly result: unknown;
    }
  | { readonly kind: 'late'; readonly of: Action; readonly code: keyof typeof words.actions.late & string };

/** The id that the operation's answer has under a name; null where it has none. */
function idIn(result: unknown, name: string): string | null {
  const found = result !== null && typeof result === 'object' ? (result as Record<string, unknown>)[name] : null;
  return typeof found === 'string' ? found : null;
}

/** Where what was done is seen. */
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
