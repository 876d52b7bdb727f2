// Paying for a deal that was agreed on, and taking back one that nobody has paid for. Who finds that somebody else was faster is told so
// beside what the deal is now.
import type { JSX } from 'preact';
import { useLocation } from 'wouter-preact';
import type { MeshworkError } from '../../../client/error.ts';
import type { Yes } from '../../final.ts';
import { pulse } from '../../live.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { money } from '../../parts/format.ts';
import { Notice, Way } from '../../parts/notice.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import type { Item, Output } from '../../server.ts';
import { words } from '../../words/words.ts';
import { RefusedBy } from '../market/checkout.tsx';

export type Deal = Item<'deal.list'>;

/** A press that came too late: what it was for, and the escrow that was opened meanwhile; null where the deal was cancelled. */
export interface Late {
  readonly of: Deal;
  readonly deed: 'pay' | 'cancel';
  readonly escrow_id: string | null;
}

interface DeedProps {
  of: Deal;
  /** Hears of a press that came too late; the buttons go away with what the deal was. */
  late: (told: Late) => void;
}

const TOO_LATE = { pay: 'conflict', cancel: 'deal_not_cancelable' } as const;

/** Tells of what somebody else did meanwhile, and has the deals asked for anew. */
function hearing({ of, late }: DeedProps, deed: Late['deed']): (refused: MeshworkError) => void {
  return ({ code, body: { escrow_id } }) => {
    if (code !== TOO_LATE[deed]) return;
    late({ of, deed, escrow_id: typeof escrow_id === 'string' ? escrow_id : null });
    pulse.value += 1;
  };
}

/** What somebody else did meanwhile, and that this press did nothing. */
export function TooLate({ told: { of, deed, escrow_id } }: { told: Late }): JSX.Element {
  const { deals, approvals } = words;
  return (
    <Notice good={false}>
      <p>
        <strong>{deals.late[deed](money(of.amount_cents))}</strong>
      </p>
      <p>{escrow_id === null ? deals.lateOver : deals.latePaid}</p>
      {escrow_id !== null && (
        <div class="buttons">
          <Way href={`/escrows/${escrow_id}`} text={approvals.toEscrow} />
        </div>
      )}
    </Notice>
  );
}

interface PayProps extends DeedProps {
  /** What both agreed to be paid for one by one; none where it is the whole. */
  parts: Output<'deal.read'>['milestones'];
}

/** Puts the money of a deal into escrow, and leads there. */
export function Pay({ of, late, parts }: PayProps): JSX.Element {
  const { deals } = words;
  const { run, busy, error } = useAct('escrow.create', { onRefused: hearing({ of, late }, 'pay') });
  const [, go] = useLocation();
  const { deal_id, conversation_id, amount_cents, fee_cents, net_cents, title, listing_id, seller_handle } = of;
  const pay = async (yes: Yes): Promise<void> => {
    const agreed = parts.map(({ due_at, ...part }) => ({ ...part, ...(due_at !== null && { due_at }) }));
    const milestones = agreed.length > 0 ? agreed : [{ title, amount_cents }];
    const talk = conversation_id !== null && { conversation_id };
    const opened = await run({ deal_id, seller_handle, title, milestones, ...talk }, yes);
    if (opened) go(`/escrows/${opened.id}`);
  };
  return (
    <>
      <ConfirmButton
        main
        busy={busy}
        question={deals.payAsk(money(amount_cents), `@${seller_handle}`)}
        sum={{ amount_cents, fee_cents, net_cents, to: seller_handle }}
        onClick={pay}
      >
        {deals.pay}
      </ConfirmButton>
      {error && error.code !== TOO_LATE.pay && (
        <RefusedBy error={error} of={{ handle: seller_handle, listing_id: listing_id ?? '' }} tried />
      )}
    </>
  );
}

export function Cancel({ of, late }: DeedProps): JSX.Element {
  const { deals } = words;
  const { run, busy, error } = useAct('deal.cancel', { onRefused: hearing({ of, late }, 'cancel') });
  return (
    <>
      <ConfirmButton danger busy={busy} question={deals.cancelAsk} onClick={(yes) => run({ deal_id: of.deal_id }, yes)}>
        {deals.cancel}
      </ConfirmButton>
      {error && error.code !== TOO_LATE.cancel && <Failure error={error} />}
    </>
  );
}
