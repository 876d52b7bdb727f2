// One escrow: what is held for what, how it went and what comes, and what this side may do.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { agent } from '../../acting.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { money } from '../../parts/format.ts';
import { Agent, Facts, Money, Section } from '../../parts/show.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { Sums } from '../../parts/sums.tsx';
import { type Moment, Timeline } from '../../parts/timeline.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';
import { EscrowState } from '../escrows.tsx';
import { DisputeSection, disputeMoments } from './dispute.tsx';
import { Milestones } from './milestones.tsx';

type Escrow = Output<'escrow.read'>;
type Dispute = Output<'dispute.read'>;

/** What its milestones and terms say of time. */
function escrowMoments({ status, milestones, created_at, expires_at, ended_at }: Escrow): Moment[] {
  const { escrows } = words;
  const held = status === 'active';
  const ofMilestones = milestones.flatMap(
    ({ title, deliverable, released_at, due_at, auto_release_at, ...milestone }) => [
      deliverable && { at: deliverable.submitted_at, text: escrows.delivered(title) },
      released_at !== null && { at: released_at, text: escrows.paid(title) },
      held && milestone.status === 'held' && due_at !== null && { at: due_at, text: escrows.due(title) },
      auto_release_at !== null && { at: auto_release_at, text: escrows.paysItself(title) },
    ],
  );
  const all = [
    { at: created_at, text: escrows.opened },
    ...ofMilestones,
    held && expires_at !== null && { at: expires_at, text: escrows.expires },
    ended_at !== null && { at: ended_at, text: escrows.ended },
  ];
  return all.filter((each) => each !== null && each !== false);
}

function Head({ escrow }: { escrow: Escrow }): JSX.Element {
  const { escrows } = words;
  const { buyer_handle, seller_handle, conversation_id, total_amount_cents, fee_cents, net_cents } = escrow;
  const buys = buyer_handle === agent.value;
  return (
    <Section title={escrows.state} aside={<EscrowState status={escrow.status} />}>
      <p class="figure-big">
        <Money cents={escrow.unreleased_cents} /> <small class="quiet">{escrows.held}</small>
      </p>
      <Sums {...{ amount_cents: total_amount_cents, fee_cents, net_cents }} side={buys ? 'buyer' : 'seller'} />
      <Facts
        of={[
          [escrows.released, money(escrow.released_cents)],
          [escrows.refunded, money(escrow.refunded_cents)],
          [escrows.role, buys ? escrows.buyer : escrows.seller],
          [escrows.other, <Agent key="other" handle={buys ? seller_handle : buyer_handle} />],
        ]}
      />
      {escrow.status === 'completed' && (
        <p>
          <Link class="button main" href="/deals">
            {escrows.review}
          </Link>
        </p>
      )}
      {conversation_id !== null && (
        <p>
          <Link href={`/conversations/${conversation_id}`}>{escrows.talk}</Link>
        </p>
      )}
    </Section>
  );
}

/** The seller's way out: all that is held goes back. */
function Refund({ id, unreleased_cents, buyer_handle }: Escrow): JSX.Element {
  const { escrows } = words;
  const refund = useAct('escrow.refund');
  return (
    <>
      <ConfirmButton
        danger
        busy={refund.busy}
        question={escrows.refundAsk(money(unreleased_cents), `@${buyer_handle}`)}
        sum={{ amount_cents: unreleased_cents, to: buyer_handle }}
        onClick={(yes) => refund.run({ escrow_id: id }, yes)}
      >
        {escrows.refund}
      </ConfirmButton>
      {refund.error && <Failure error={refund.error} />}
    </>
  );
}

function OpenDispute({ id }: { id: string }): JSX.Element {
  const { escrows } = words;
  const open = useAct('dispute.open');
  const [reason, setReason] = useState('');
  return (
    <details>
      <summary>{escrows.dispute}</summary>
      <Form onSubmit={() => open.run({ escrow_id: id, reason: reason.trim() })}>
        <p>{escrows.disputeWhy}</p>
        <Field
          label={escrows.reason}
          name="reason"
          value={reason}
          onInput={setReason}
          error={open.error}
          rows={4}
          maxLength={2_000}
          required
        />
        <Button danger submit busy={open.busy} disabled={reason.trim() === ''}>
          {escrows.disputeGo}
        </Button>
      </Form>
      {open.error && <Failure error={open.error} />}
    </details>
  );
}

function Whole({ escrow, dispute }: { escrow: Escrow; dispute: Dispute | null }): JSX.Element {
  const { escrows } = words;
  const sells = escrow.seller_handle === agent.value;
  return (
    <>
      <Head escrow={escrow} />
      {dispute && <DisputeSection dispute={dispute} />}
      <Milestones escrow={escrow} />
      <Section title={escrows.line}>
        <Timeline of={[...escrowMoments(escrow), ...(dispute ? disputeMoments(dispute) : [])]} />
      </Section>
      {escrow.status === 'active' && (
        <Section title={escrows.dispute}>
          {sells && <Refund {...escrow} />}
          <OpenDispute id={escrow.id} />
        </Section>
      )}
    </>
  );
}

export function EscrowScreen({ params }: { params: Readonly<Record<string, string | undefined>> }): JSX.Element {
  const { escrows, common } = words;
  const { id: escrow_id = '' } = params;
  const escrow = useRead('escrow.read', { escrow_id });
  const had =
    escrow.state === 'ready' &&
    (escrow.value.dispute_id !== null || escrow.value.milestones.some(({ status }) => status === 'settled'));
  const dispute = useRead('dispute.read', had ? { escrow_id } : null);
  return (
    <>
      <p>
        <Link href="/escrows">{common.back}</Link>
      </p>
      <h1 tabIndex={-1} dir="auto">
        {escrow.state === 'ready' ? escrow.value.title : escrows.title}
      </h1>
      <Loaded of={escrow}>
        {(own) => <Whole escrow={own} dispute={dispute.state === 'ready' ? dispute.value : null} />}
      </Loaded>
    </>
  );
}
