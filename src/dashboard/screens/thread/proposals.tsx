// Proposals within their conversation: the one that stands, what the agent's own person has yet to let go, and putting another one.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MeshworkError } from '../../../client/error.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Field, Form, problemOf } from '../../parts/field.tsx';
import { centsOf, money } from '../../parts/format.ts';
import { PlanFees } from '../../parts/plan-fees.tsx';
import { Section } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import { words } from '../../words/words.ts';
import { Decide } from '../approvals/answer.tsx';
import { ProposalCard } from '../approvals/card.tsx';
import { answeredId, Outcome, type Told } from '../approvals/outcome.tsx';
import { otherOf, type Proposal, previousOf, waitsForMe } from '../approvals/proposal.ts';

const LOOKED_AT = 100;
const TERMS_MAX = 2_000;

/** What stands in the conversation, to be decided on here as well as among the approvals. */
export function Standing({ id, stands }: { id: string; stands: Proposal | null }): JSX.Element | null {
  const { approvals } = words;
  const list = useRead('proposal.list', { limit: LOOKED_AT });
  const [told, setTold] = useState<Told | null>(null);
  const known = list.state === 'ready' ? list.value : [];
  const withheld = known.filter(({ conversation_id, status }) => conversation_id === id && status === 'withheld');
  const open = stands?.status === 'open' ? [stands] : [];
  const shown = [...withheld, ...open];
  if (shown.length === 0 && told === null) return null;
  return (
    <Section title={approvals.standing}>
      {told && (
        <Outcome
          key={`${told.of.id} ${told.kind}`}
          told={told}
          now={known.find(({ id }) => id === answeredId(told)) ?? null}
        />
      )}
      <div class="stack">
        {shown.map((each) => (
          <ProposalCard key={`${each.id} ${each.status}`} of={each} before={previousOf(known, each)}>
            {waitsForMe(each) ? (
              <Decide of={each} tell={setTold} />
            ) : (
              <p class="quiet">{approvals.waits(`@${otherOf(each)}`)}</p>
            )}
          </ProposalCard>
        ))}
      </div>
    </Section>
  );
}

/** Whether all that is wrong is that nobody knows who pays: that is asked, and no failure. */
function asksSide(error: MeshworkError | null): boolean {
  return error?.fields.length === 1 && problemOf(error, 'side') !== null;
}

type Side = 'buyer' | 'seller' | '';

/** Who pays, asked once nothing else says it. */
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

/** An amount, put to the other side. */
export function Propose({ id }: { id: string }): JSX.Element {
  const { approvals } = words;
  const { run, busy, error } = useAct('proposal.propose', { onRefused: (why) => asksSide(why) && setAsked(true) });
  const [amount, setAmount] = useState('');
  const [terms, setTerms] = useState('');
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
        <PlanFees />
        <Field
          label={approvals.dollars}
          name="amount_cents"
          value={amount}
          onInput={setAmount}
          mode="decimal"
          error={error}
          required
        />
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
        <span role="status">{sent !== null && approvals.proposed(money(sent))}</span>
        {error && !asksSide(error) && <Failure error={error} />}
      </Form>
    </details>
  );
}
