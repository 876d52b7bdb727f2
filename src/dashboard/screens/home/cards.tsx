// What a person has to decide beside matches and approvals, each as a card that leads to where it is decided: the amount, the other
// side and until when.
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { type EventKind, noticeOf } from '../../../domain/inbox/event.ts';
import { Button } from '../../parts/button.tsx';
import { money, zone } from '../../parts/format.ts';
import { Agent, Badge, Time } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import type { Item, Output } from '../../server.ts';
import { agent } from '../../session.ts';
import { words } from '../../words/words.ts';
import { Settlement } from '../room/settlement.tsx';

export type InboxEvent = Item<'inbox.recent'>;
export type Deal = Item<'deal.list'>;
export type Escrow = Output<'escrow.list'>['escrows'][number];

interface PlainProps {
  what: string;
  title: string;
  amount_cents: number | null;
  who: string | null;
  ends_at: string | null;
  /** What comes of silence, and the like. */
  why?: string;
  href: string;
  action: string;
  /** What is decided on the card itself; it leads to the rest, then. */
  decision?: JSX.Element;
  children?: JSX.Element | null;
}

/** The card: what is asked, about what, how much, of whom, until when; and the one way to where it is decided. */
function Plain({
  what,
  title,
  amount_cents,
  who,
  ends_at,
  why,
  href,
  action,
  decision,
  children,
}: PlainProps): JSX.Element {
  const { home } = words;
  return (
    <article class="card decision">
      <header>
        <div>
          <h3>{what}</h3>
          <p dir="auto">{title}</p>
        </div>
        {amount_cents !== null && <p class="figure-big">{money(amount_cents)}</p>}
      </header>
      <p class="marks quiet">
        {who !== null && <Agent handle={who} />}
        {ends_at !== null && (
          <Badge tone="wait">
            {home.until} <Time at={ends_at} />
          </Badge>
        )}
      </p>
      {why !== undefined && <p class="quiet lines">{why}</p>}
      {decision}
      <div class="buttons">
        <Link class={decision ? 'button' : 'button main'} href={href} data-key="Enter">
          {action}
        </Link>
        {children}
      </div>
    </article>
  );
}

export const textOf = ({ data }: InboxEvent, name: string): string | null => {
  const found = data[name];
  return typeof found === 'string' ? found : null;
};

interface EscrowEvent {
  event: InboxEvent;
  /** Null where it is older than those that were read. */
  escrow: Escrow | null;
}

/** The room of the escrow, where it has one. */
function placeOf({ event, escrow }: EscrowEvent): string {
  const room = escrow?.conversation_id ?? null;
  return room === null ? `/escrows/${textOf(event, 'escrow_id')}` : `/conversations/${room}`;
}

export function DisputeCard({ event, escrow }: EscrowEvent): JSX.Element {
  const { home } = words;
  const reason = textOf(event, 'reason');
  return (
    <Plain
      what={home.dispute}
      title={escrow?.title ?? ''}
      amount_cents={escrow?.unreleased_cents ?? null}
      who={textOf(event, 'counterparty_handle')}
      ends_at={event.respond_by}
      why={reason === null ? home.disputeWhy : home.disputeReason(reason)}
      href={placeOf({ event, escrow })}
      action={home.disputeGo}
    />
  );
}

const centsIn = ({ data }: InboxEvent, name: string): number => {
  const found = data[name];
  return typeof found === 'number' ? found : 0;
};

export function SettlementCard({ event, escrow }: EscrowEvent): JSX.Element {
  const { home } = words;
  const side = escrow && (escrow.seller_handle === agent.value ? 'seller' : 'buyer');
  return (
    <Plain
      what={home.settlement}
      title={escrow?.title ?? ''}
      amount_cents={escrow?.unreleased_cents ?? null}
      who={textOf(event, 'counterparty_handle')}
      ends_at={null}
      href={placeOf({ event, escrow })}
      action={home.settlementGo}
      decision={
        <Settlement
          escrow_id={textOf(event, 'escrow_id') ?? ''}
          by={textOf(event, 'proposed_by') ?? ''}
          refund_cents={centsIn(event, 'refund_cents')}
          release_cents={centsIn(event, 'release_cents')}
          fee_cents={centsIn(event, 'fee_cents')}
          net_cents={centsIn(event, 'net_cents')}
          side={side}
        />
      }
    />
  );
}

/** The part that was delivered; null where it is not known. */
export function partOf({ event: { data }, escrow }: EscrowEvent): Escrow['milestones'][number] | null {
  return escrow?.milestones.find(({ milestone_index }) => milestone_index === data['milestone_index']) ?? null;
}

/** When a delivery is accepted without an answer; null for never. */
export function acceptedAt(of: EscrowEvent): string | null {
  return partOf(of)?.auto_release_at ?? textOf(of.event, 'auto_release_at');
}

export function DeliveryCard({ event, escrow }: EscrowEvent): JSX.Element {
  const { home } = words;
  const part = partOf({ event, escrow });
  const ends_at = acceptedAt({ event, escrow });
  return (
    <Plain
      what={home.delivery}
      title={part?.title ?? escrow?.title ?? ''}
      amount_cents={part?.amount_cents ?? null}
      who={textOf(event, 'counterparty_handle')}
      ends_at={ends_at}
      {...(ends_at !== null && { why: home.deliveryWhy })}
      href={placeOf({ event, escrow })}
      action={home.deliveryGo}
    />
  );
}

export function DeliverCard({
  escrow,
  part: { title, amount_cents, due_at },
}: {
  escrow: Escrow;
  part: Escrow['milestones'][number];
}): JSX.Element {
  const { home } = words;
  const { id, buyer_handle, conversation_id, expires_at } = escrow;
  return (
    <Plain
      what={home.deliver}
      title={title}
      amount_cents={amount_cents}
      who={buyer_handle}
      ends_at={due_at ?? expires_at}
      why={home.deliverWhy}
      href={conversation_id === null ? `/escrows/${id}` : `/conversations/${conversation_id}`}
      action={home.deliverGo}
    />
  );
}

export function PaymentCard({ deal }: { deal: Deal }): JSX.Element {
  const { home } = words;
  const { title, amount_cents, counterparty_handle, conversation_id } = deal;
  return (
    <Plain
      what={home.payment}
      title={title}
      amount_cents={amount_cents}
      who={counterparty_handle}
      ends_at={null}
      why={home.paymentWhy}
      href={conversation_id === null ? '/deals' : `/conversations/${conversation_id}`}
      action={home.paymentGo}
    />
  );
}

/** Lets a request go by. */
function Pass({ event_id }: { event_id: string }): JSX.Element {
  const { home } = words;
  const respond = useAct('inbox.respond');
  return (
    <>
      <Button busy={respond.busy} shortcut="x" onClick={() => respond.run({ event_id, action: 'pass' })}>
        {home.pass}
      </Button>
      {respond.error && <Failure error={respond.error} />}
    </>
  );
}

/** Any other event that waits for an answer. */
export function EventCard({ event }: { event: InboxEvent }): JSX.Element {
  const { home } = words;
  const { id, kind, handle, data, respond_by } = event;
  const { title, body, path } = noticeOf(kind as EventKind, handle, data, words.events, zone);
  const amount = data['budget_cents'] ?? data['amount_cents'];
  const said = home.others[kind] ?? home.other;
  return (
    <Plain
      what={said.what}
      title={title}
      amount_cents={typeof amount === 'number' ? amount : null}
      who={textOf(event, 'counterparty_handle')}
      ends_at={respond_by}
      {...(body !== '' && { why: body })}
      href={path}
      action={said.go}
    >
      {kind === 'demand.posted' ? <Pass event_id={id} /> : null}
    </Plain>
  );
}
