// Paying for a deal that was agreed on, and taking back one that nobody has paid for.
import type { JSX } from 'preact';
import { useLocation } from 'wouter-preact';
import { ConfirmButton } from '../../parts/button.tsx';
import { money } from '../../parts/format.ts';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import type { Item } from '../../server.ts';
import { words } from '../../words/words.ts';
import type { Proposal } from '../approvals/proposal.ts';
import { RefusedBy } from '../market/checkout.tsx';

export type Deal = Item<'deal.list'>;

interface PayProps {
  of: Deal;
  /** What was agreed on, where that is known: the parts are paid for as parts. */
  agreed: Proposal | null;
}

/** Puts the money of a deal into escrow, and leads there. */
export function Pay({ of, agreed }: PayProps): JSX.Element {
  const { deals } = words;
  const { run, busy, error } = useAct('escrow.create');
  const [, go] = useLocation();
  const { deal_id, conversation_id, amount_cents, title, listing_id, seller_handle } = of;
  const parts = agreed?.milestones ?? [];
  const pay = async (): Promise<void> => {
    const opened = await run({
      deal_id,
      seller_handle,
      title,
      milestones: parts.length > 0 ? [...parts] : [{ title, amount_cents }],
      ...(conversation_id !== null && { conversation_id }),
    });
    if (opened) go(`/escrows/${opened.id}`);
  };
  return (
    <>
      <ConfirmButton main busy={busy} question={deals.payAsk(money(amount_cents), `@${seller_handle}`)} onClick={pay}>
        {deals.pay}
      </ConfirmButton>
      {error && <RefusedBy error={error} of={{ handle: seller_handle, listing_id: listing_id ?? '' }} tried />}
    </>
  );
}

/** Takes the deal back. */
export function Cancel({ of: { deal_id } }: { of: Deal }): JSX.Element {
  const { deals } = words;
  const { run, busy, error } = useAct('deal.cancel');
  return (
    <>
      <ConfirmButton danger busy={busy} question={deals.cancelAsk} onClick={() => run({ deal_id })}>
        {deals.cancel}
      </ConfirmButton>
      {error && <Failure error={error} />}
    </>
  );
}
