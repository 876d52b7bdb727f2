// One escrow: what is held for what, how it went and what comes, and what this side may do.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, Redirect } from 'wouter-preact';
import { linkFaultText } from '../../../domain/escrow/link-fault.ts';
import { useDraft } from '../../drafts.ts';
import type { Yes } from '../../final.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { dateTime, money } from '../../parts/format.ts';
import { Agent, Badge, Facts, Money, Outside, Section, Sums, Time, Timeline } from '../../parts/show.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { agent } from '../../session.ts';
import { words } from '../../words/words.ts';
import { EscrowState } from '../escrows.tsx';
import { Reviews } from './deal.tsx';
import { DisputePart, DisputeState } from './dispute.tsx';
import type { Dispute, Escrow, Milestone } from './next-step.ts';
import { disputeMoments, escrowMoments } from './timeline.ts';

/** Its place in the page of its conversation. */
export const ESCROW_PLACE = 'escrow';

// The milestones of an escrow: what each is worth, what was delivered for it, and what this side does next.

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

export function Release({ escrow, milestone }: { escrow: Escrow; milestone: Milestone }): JSX.Element {
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
        {found &&
          (found.verified
            ? escrows.looked
            : escrows.notThere(
                linkFaultText(found.code, found.status, words.events['escrow.verification_failed'].why) ??
                  found.reason ??
                  words.common.none,
              ))}
      </span>
      {look.error && <Failure error={look.error} />}
    </>
  );
}

/** What was typed as an address, with the https that people leave out. */
function addressOf(typed: string): string {
  const text = typed.trim();
  return text.includes('://') ? text : `https://${text}`;
}

export function Deliver({ id, milestone }: { id: string; milestone: Milestone }): JSX.Element {
  const { escrows } = words;
  const deliver = useAct('escrow.deliver');
  const part = `${id} ${milestone.milestone_index}`;
  const [url, setUrl] = useDraft(`${part} url`);
  const [description, setDescription] = useDraft(`${part} description`);
  const page = milestone.backlink !== null;
  const go = async (): Promise<void> => {
    const given = await deliver.run({
      escrow_id: id,
      milestone_index: milestone.milestone_index,
      ...(page ? { page_url: addressOf(url) } : { url: addressOf(url) }),
      ...(description.trim() !== '' && { description: description.trim() }),
    });
    if (given) setUrl('');
    if (given) setDescription('');
  };
  return (
    <>
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
    </>
  );
}

interface ItemProps {
  escrow: Escrow;
  milestone: Milestone;
  /** What is to be done for it stands elsewhere on the page. */
  above: boolean;
}

function Item({ escrow, milestone, above }: ItemProps): JSX.Element {
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
      {escrow.milestones.length > 1 && <Sums {...{ amount_cents, ...sold }} side={sideOf(escrow)} />}
      <Delivered {...milestone} />
      {auto_release_at !== null && (
        <p class="quiet">
          {escrows.paysItself(title)}: {dateTime(auto_release_at)}
        </p>
      )}
      {acts && !above && escrow.buyer_handle === agent.value && <Release escrow={escrow} milestone={milestone} />}
      {acts && !above && escrow.seller_handle === agent.value && (
        <details>
          <summary>{escrows.deliver}</summary>
          <Deliver id={escrow.id} milestone={milestone} />
        </details>
      )}
      {acts && backlink !== null && deliverable !== null && <Look escrow={escrow} milestone={milestone} />}
    </li>
  );
}

/** What is held; of an escrow that is over the larger of what was paid and what went back. */
function mainFigure({ status, unreleased_cents, released_cents, refunded_cents }: Escrow): readonly [number, string] {
  const { escrows } = words;
  if (status === 'active' || status === 'disputed') return [unreleased_cents, escrows.held];
  return refunded_cents > released_cents ? [refunded_cents, escrows.refunded] : [released_cents, escrows.released];
}

/** What is held, what was paid and what went back. */
function Held({ escrow }: { escrow: Escrow }): JSX.Element {
  const { escrows } = words;
  const { buyer_handle, seller_handle, total_amount_cents, fee_cents, net_cents } = escrow;
  const side = sideOf(escrow);
  const [cents, name] = mainFigure(escrow);
  return (
    <>
      <p class="figure-big">
        <Money cents={cents} /> <small class="quiet">{name}</small>
      </p>
      <Sums {...{ amount_cents: total_amount_cents, fee_cents, net_cents, side }} />
      <Facts
        of={[
          ...(escrow.released_cents === 0 ? [] : [[escrows.released, money(escrow.released_cents)] as const]),
          ...(escrow.refunded_cents === 0 ? [] : [[escrows.refunded, money(escrow.refunded_cents)] as const]),
          [escrows.role, escrows[side]],
          [escrows.other, <Agent key="other" handle={side === 'buyer' ? seller_handle : buyer_handle} />],
        ]}
      />
    </>
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

/** An escrow with its parts, and the ways out of it. */
export function EscrowParts({ escrow, above }: { escrow: Escrow; above: number | null }): JSX.Element {
  const { escrows } = words;
  return (
    <>
      <Held escrow={escrow} />
      <h3>{escrows.milestones}</h3>
      <ol class="plain">
        {escrow.milestones.map((milestone) => (
          <Item
            key={milestone.milestone_index}
            escrow={escrow}
            milestone={milestone}
            above={milestone.milestone_index === above}
          />
        ))}
      </ol>
      {escrow.status === 'active' && (
        <>
          <OpenDispute id={escrow.id} />
          {sideOf(escrow) === 'seller' && <Refund {...escrow} />}
        </>
      )}
    </>
  );
}

/** The latest dispute of an escrow, where there was one. */
export function useDispute(escrow: Escrow | null): Dispute | null {
  const had =
    escrow !== null && (escrow.dispute_id !== null || escrow.milestones.some(({ status }) => status === 'settled'));
  const dispute = useRead('dispute.read', had ? { escrow_id: escrow.id } : null);
  return dispute.state === 'ready' ? dispute.value : null;
}

/** One that belongs to no conversation. */
function Whole({ escrow }: { escrow: Escrow }): JSX.Element {
  const { escrows, deals } = words;
  const dispute = useDispute(escrow);
  const deal = useRead('deal.read', escrow.status === 'completed' ? { deal_id: escrow.deal_id } : null);
  return (
    <>
      <Section title={escrows.state} aside={<EscrowState {...escrow} />}>
        <EscrowParts escrow={escrow} above={null} />
      </Section>
      {dispute && (
        <Section title={words.disputes.title} aside={<DisputeState of={dispute} />}>
          <DisputePart dispute={dispute} above={false} />
        </Section>
      )}
      {deal.state === 'ready' && (
        <Section title={deals.reviews}>
          <Reviews of={deal.value} />
        </Section>
      )}
      <Section title={escrows.line}>
        <Timeline of={[...escrowMoments(escrow), ...(dispute ? disputeMoments(dispute) : [])]} />
      </Section>
    </>
  );
}

/** An escrow by its own address; what belongs to a conversation is shown there. */
export function EscrowScreen({ params }: { params: Readonly<Record<string, string | undefined>> }): JSX.Element {
  const { escrows, common } = words;
  const { id: escrow_id = '' } = params;
  const escrow = useRead('escrow.read', { escrow_id });
  if (escrow.state === 'ready' && escrow.value.conversation_id !== null) {
    const { conversation_id, deal_id } = escrow.value;
    return <Redirect to={`/conversations/${conversation_id}?deal=${deal_id}#${ESCROW_PLACE}`} replace />;
  }
  return (
    <>
      <p>
        <Link href="/escrows">{common.back}</Link>
      </p>
      <h1 tabIndex={-1} dir="auto">
        {escrow.state === 'ready' ? escrow.value.title : escrows.title}
      </h1>
      <Loaded of={escrow}>{(own) => <Whole escrow={own} />}</Loaded>
    </>
  );
}
