// Proposes an amount to the other side, and displays the seller's net while it is typed.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MeshworkError } from '../../../client/error.ts';
import { takeFee } from '../../../domain/money/fee.ts';
import { useDraft } from '../../drafts.ts';
import { PLAN_NAMES } from '../../instance.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Field, Form } from '../../parts/field.tsx';
import { centsOf, money } from '../../parts/format.ts';
import { problemOf } from '../../parts/refused.ts';
import { PlanFees, Sums } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import { words } from '../../words/words.ts';

const TERMS_MAX = 2_000;

/** Whether the only error is the unknown payer: the form then asks for it. */
function asksSide(error: MeshworkError | null): boolean {
  return error?.fields.length === 1 && problemOf(error, 'side') !== null;
}

type Side = 'buyer' | 'seller' | '';

/** Asks who pays, when not known otherwise. */
function SideChoice({ side, choose }: { side: Side; choose: (side: Side) => void }): JSX.Element {
  const { approvals } = words;
  return (
    <div role="status">
      <p class="notice">{approvals.sideWhy}</p>
      <Choice
        label={approvals.side}
        value={side}
        options={[
          ['', approvals.sideNone],
          ['buyer', approvals.sides.buyer],
          ['seller', approvals.sides.seller],
        ]}
        onChange={choose}
      />
    </div>
  );
}

/** The amount's fee and net: by the own plan when the reader is paid, by each plan when the other side is. */
function Net({ amount_cents, side }: { amount_cents: number | null; side: Side }): JSX.Element | null {
  const plans = useRead('billing.plans', {});
  const own = useRead('account.read', {});
  if (amount_cents === null || plans.state !== 'ready' || own.state !== 'ready') return <PlanFees />;
  const sums = plans.value.map(({ plan, outcome_fee_bps }) => ({ plan, ...takeFee(amount_cents, outcome_fee_bps) }));
  const mine = sums.find(({ plan }) => plan === own.value.plan);
  if (side === 'seller' && mine) {
    const { fee_cents, rest_cents: net_cents } = mine;
    return <Sums {...{ amount_cents, fee_cents, net_cents, side }} />;
  }
  const { room } = words;
  return (
    <p class="quiet" role="status">
      {sums.map(({ plan, rest_cents }) => room.gets(PLAN_NAMES[plan], money(rest_cents))).join(' ')}
    </p>
  );
}

interface ProposeProps {
  id: string;
  /** The reader's side; null when not known. */
  known: 'buyer' | 'seller' | null;
}

/** An amount, put to the other side. */
export function Propose({ id, known }: ProposeProps): JSX.Element {
  const { approvals } = words;
  const { run, busy, error } = useAct('proposal.propose', { onRefused: (why) => asksSide(why) && setAsked(true) });
  const [amount, setAmount] = useDraft(`${id} amount`);
  const [terms, setTerms] = useDraft(`${id} terms`);
  const [side, setSide] = useState<Side>('');
  const [asked, setAsked] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const amount_cents = centsOf(amount);
  const go = async (): Promise<void> => {
    setSent(null);
    if (amount_cents === null) return;
    const put = await run({
      conversation_id: id,
      amount_cents,
      ...(terms.trim() !== '' && { terms: terms.trim() }),
      ...(side !== '' && { side }),
    });
    if (!put) return;
    setSent(put.amount_cents);
    setAmount('');
    setTerms('');
  };
  return (
    <details class="card">
      <summary>{approvals.propose}</summary>
      <Form onSubmit={go}>
        <p class="quiet">{approvals.proposeWhy}</p>
        <Field
          label={approvals.dollars}
          name="amount_cents"
          value={amount}
          onInput={setAmount}
          mode="decimal"
          error={error}
          required
        />
        <Net amount_cents={amount_cents} side={known ?? side} />
        <Field
          label={approvals.for}
          name="terms"
          value={terms}
          onInput={setTerms}
          rows={3}
          maxLength={TERMS_MAX}
          error={error}
        />
        {asked && <SideChoice side={side} choose={setSide} />}
        <Button main submit busy={busy} disabled={amount_cents === null || (asked && side === '')}>
          {approvals.proposeGo}
        </Button>
        <p role="status" class="quiet">
          {sent !== null && approvals.proposed(money(sent))}
        </p>
        {error && !asksSide(error) && <Failure error={error} />}
      </Form>
    </details>
  );
}
