// A settlement that one side of a dispute proposed: what each side gets of it, and accepting or rejecting it.
import type { JSX } from 'preact';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { money } from '../../parts/format.ts';
import { Sums, type SumsProps } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import { agent } from '../../session.ts';
import { words } from '../../words/words.ts';

interface SettlementProps {
  escrow_id: string;
  /** The handle of the side that proposed it. */
  by: string;
  refund_cents: number;
  release_cents: number;
  fee_cents: number | null;
  net_cents: number | null;
  side: 'buyer' | 'seller' | null;
}

export function Settlement({ escrow_id, by, side, ...split }: SettlementProps): JSX.Element {
  const { disputes } = words;
  const { refund_cents, release_cents, fee_cents, net_cents } = split;
  const [accept, reject] = [useAct('dispute.accept'), useAct('dispute.reject')];
  const sum: SumsProps = { amount_cents: release_cents, fee_cents, net_cents, side: side ?? 'either' };
  const amounts = { escrow_id, refund_cents, release_cents };
  const failed = accept.error ?? reject.error;
  return (
    <>
      <p>{disputes.proposed(`@${by}`, money(refund_cents), money(release_cents))}</p>
      <Sums {...sum} />
      {by !== agent.value && (
        <div class="buttons">
          <ConfirmButton
            main
            shortcut="a"
            busy={accept.busy}
            question={disputes.acceptAsk(money(refund_cents), money(release_cents))}
            sum={sum}
            onClick={(yes) => accept.run(amounts, yes)}
          >
            {disputes.accept}
          </ConfirmButton>
          <Button danger shortcut="x" busy={reject.busy} onClick={() => reject.run(amounts)}>
            {disputes.reject}
          </Button>
        </div>
      )}
      {failed && <Failure error={failed} />}
    </>
  );
}
