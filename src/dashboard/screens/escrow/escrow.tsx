// One escrow: what is held for what, how it went and what comes, and what this side may do.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Yes } from '../../final.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { dateTime, money } from '../../parts/format.ts';
import { Agent, Badge, Facts, type Moment, Money, Outside, Section, Sums, Time, Timeline } from '../../parts/show.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { agent } from '../../session.ts';
import { words } from '../../words/words.ts';
import { EscrowState } from '../escrows.tsx';
import { DisputeSection, disputeMoments } from './dispute.tsx';

// The milestones of an escrow: what each is worth, what was delivered for it, and what this side does next.

type Milestone = Escrow['milestones'][number];

/** Which side of it the acting agent is. */
function sideOf({ seller_handle }: Escrow): 'buyer' | 'seller' {
  return seller_handle === agent.value ? 'seller' : 'buyer';
}

type Handed = Milestone['deliverables'][number];

/** What was handed over: its words, where it is, and whether the buyer has looked. */
function HandedOver({ of: { description, submitted_at, seen_at, url, page_url, links } }: { of: Handed }): JSX.Element {
  const { escrows } = words;
  return (
    <>
      {description !== null && <p dir="auto">{description}</p>}
      <Facts
        of={[
          [escrows.handedOver, <Time key="at" at={submitted_at} />],
          ...(seen_at === null ? [] : [[escrows.seen, <Time key="seen" at={seen_at} />] as const]),
          ...(url === null ? [] : [[escrows.deliverUrl, <Outside key="url" url={url} />] as const]),
          ...(page_url === null ? [] : [[escrows.page, <Outside key="page" url={page_url} />] as const]),
          ...links.map((link) => [link.name, <Outside key={link.url} url={link.url} />] as const),
        ]}
      />
    </>
  );
}

function Delivered({ deliverable, deliverables, backlink }: Milestone): JSX.Element {
  const { escrows } = words;
  return (
    <>
      {deliverable === null ? <p class="quiet">{escrows.nothingYet}</p> : <HandedOver of={deliverable} />}
      {deliverables.length > 1 && (
        <details>
          <summary>{escrows.earlier}</summary>
          {deliverables.slice(0, -1).map((each) => (
            <HandedOver key={each.n} of={each} />
          ))}
        </details>
      )}
      {backlink !== null && <Facts of={[[escrows.linkTo, <Outside key="to" url={backlink.target_url} />]]} />}
    </>
  );
}

function Release({ escrow, milestone }: { escrow: Escrow; milestone: Milestone }): JSX.Element {
  const { escrows } = words;
  const release = useAct('escrow.release');
  const { milestone_index, amount_cents, fee_cents, net_cents } = milestone;
  return (
    <>
      <ConfirmButton
        main
        busy={release.busy}
        question={escrows.releaseAsk(money(amount_cents), `@${escrow.seller_handle}`)}
        sum={{ amount_cents, fee_cents, net_cents, to: escrow.seller_handle }}
        onClick={(yes) => release.run({ escrow_id: escrow.id, milestone_index }, yes)}
      >
        {escrows.release}
      </ConfirmButton>
      {release.error && <Failure error={release.error} />}
    </>
  );
}

/** Where the buyer asked for a link on a page, the page itself is evidence. */
function Look({ escrow, milestone }: { escrow: Escrow; milestone: Milestone }): JSX.Element {
  const { escrows } = words;
  const look = useAct('escrow.verify_deliverable');
  const [found, setFound] = useState<Output<'escrow.verify_deliverable'> | null>(null);
  const { amount_cents, fee_cents, net_cents } = milestone;
  const go = async (yes: Yes): Promise<void> => setFound(await look.run({ escrow_id: escrow.id }, yes));
  return (
    <>
      <ConfirmButton
        busy={look.busy}
        question={escrows.lookAsk}
        sum={{ amount_cents, fee_cents, net_cents, side: sideOf(escrow), to: escrow.seller_handle }}
        onClick={go}
      >
        {escrows.look}
      </ConfirmButton>
      <span role="status">
        {found && (found.verified ? escrows.looked : escrows.notThere(found.reason ?? words.common.none))}
      </span>
      {look.error && <Failure error={look.error} />}
    </>
  );
}

function Deliver({ id, milestone }: { id: string; milestone: Milestone }): JSX.Element {
  const { escrows } = words;
  const deliver = useAct('escrow.deliver');
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const page = milestone.backlink !== null;
  const go = async (): Promise<void> => {
    const given = await deliver.run({
      escrow_id: id,
      milestone_index: milestone.milestone_index,
      ...(page ? { page_url: url.trim() } : { url: url.trim() }),
      ...(description.trim() !== '' && { description: description.trim() }),
    });
    if (given) setUrl('');
    if (given) setDescription('');
  };
  return (
    <details>
      <summary>{escrows.deliver}</summary>
      <Form onSubmit={go}>
        <Field
          label={page ? escrows.deliverPage : escrows.deliverUrl}
          name={page ? 'page_url' : 'url'}
          value={url}
          onInput={setUrl}
          error={deliver.error}
          hint={escrows.deliverWhy}
          mode="url"
          maxLength={2_000}
          required
        />
        <Field
          label={escrows.deliverText}
          name="description"
          value={description}
          onInput={setDescription}
          error={deliver.error}
          rows={3}
          maxLength={2_000}
        />
        <Button main submit busy={deliver.busy} disabled={url.trim() === ''}>
          {escrows.deliver}
        </Button>
      </Form>
      {deliver.error && <Failure error={deliver.error} />}
    </details>
  );
}

function Item({ escrow, milestone }: { escrow: Escrow; milestone: Milestone }): JSX.Element {
  const { escrows } = words;
  const { title, amount_cents, fee_cents, net_cents, status, auto_release_at, backlink, deliverable } = milestone;
  // What goes back, or is shared by a settlement, bears no fee of its own.
  const sold = (status === 'held' || status === 'released') && { fee_cents, net_cents };
  const acts = escrow.status === 'active' && status === 'held';
  return (
    <li class="card">
      <header>
        <h3 dir="auto">{title}</h3>
        <Badge tone={status === 'released' ? 'good' : 'plain'}>{escrows.milestoneStatuses[status]}</Badge>
      </header>
      <Sums {...{ amount_cents, ...sold }} side={sideOf(escrow)} />
      <Delivered {...milestone} />
      {auto_release_at !== null && (
        <p class="quiet">
          {escrows.paysItself(title)}: {dateTime(auto_release_at)}
        </p>
      )}
      {acts && escrow.buyer_handle === agent.value && <Release escrow={escrow} milestone={milestone} />}
      {acts && escrow.seller_handle === agent.value && <Deliver id={escrow.id} milestone={milestone} />}
      {acts && backlink !== null && deliverable !== null && <Look escrow={escrow} milestone={milestone} />}
    </li>
  );
}

/** All of them, in their order. */
function Milestones({ escrow }: { escrow: Escrow }): JSX.Element {
  return (
    <Section title={words.escrows.milestones}>
      <ol class="plain">
        {escrow.milestones.map((milestone) => (
          <Item key={milestone.milestone_index} escrow={escrow} milestone={milestone} />
        ))}
      </ol>
    </Section>
  );
}

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
