// What the person of the acting agent has to decide, as one list in the order of urgency and money.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Decision, isBegun, onePerConversation } from '../../../domain/inbox/decision.ts';
import { saidOf } from '../../answers.ts';
import { count } from '../../parts/format.ts';
import { Empty, Failure, Skeleton, Way } from '../../parts/states.tsx';
import { type Resource, useRead } from '../../resource.ts';
import { agent } from '../../session.ts';
import { words } from '../../words/words.ts';
import { ActionCard } from '../approvals/action.tsx';
import { Decide } from '../approvals/answer.tsx';
import { ProposalCard } from '../approvals/card.tsx';
import { type Action, ActionOutcome, type ActionTold, Outcome, type Told } from '../approvals/outcome.tsx';
import { type Proposal, previousOf } from '../approvals/proposal.ts';
import { type Match, MatchCard } from '../match/card.tsx';
import {
  acceptedAt,
  type Deal,
  DeliverCard,
  DeliveryCard,
  DisputeCard,
  type Escrow,
  EventCard,
  type InboxEvent,
  PaymentCard,
  partOf,
  SettlementCard,
  textOf,
} from './cards.tsx';
import { KeyedList, KeyHint } from './list.tsx';

const SHOWN = 20;
/** The count of decisions looks at the 100 newest purchases; an older unpaid one stands here alone. */
const DEALS_SHOWN = 100;

interface Shown extends Decision {
  readonly card: () => JSX.Element;
}

const NOTHING = { ends_at: null, amount_cents: 0, score: 0, conversation_id: null } as const;

const endOf = (at: string | null): number | null => (at === null ? null : Date.parse(at));

function fromMatch(match: Match): Shown {
  return {
    ...NOTHING,
    kind: 'match',
    id: match.match_id,
    score: match.score_percent,
    conversation_id: match.conversation_id,
    card: () => <MatchCard match={match} />,
  };
}

function fromAction(of: Action, tell: (told: ActionTold) => void): Shown {
  const { id, amount_cents, expires_at } = of;
  const card = (): JSX.Element => <ActionCard of={of} tell={tell} />;
  return { ...NOTHING, kind: 'approval', id, amount_cents, ends_at: endOf(expires_at), card };
}

function fromProposal(of: Proposal, all: readonly Proposal[], tell: (told: Told) => void): Shown {
  const { id, amount_cents, expires_at, conversation_id } = of;
  const card = (): JSX.Element => (
    <ProposalCard of={of} before={previousOf(all, of)} linked>
      <Decide of={of} tell={tell} />
    </ProposalCard>
  );
  return { ...NOTHING, kind: 'proposal', id, amount_cents, ends_at: endOf(expires_at), conversation_id, card };
}

function fromDeal(deal: Deal): Shown {
  const card = (): JSX.Element => <PaymentCard deal={deal} />;
  const { deal_id: id, amount_cents, conversation_id } = deal;
  return { ...NOTHING, kind: 'payment', id, amount_cents, conversation_id, card };
}

/** The parts of an escrow that the acting agent has yet to deliver, as one. */
function fromEscrow(escrow: Escrow): Shown[] {
  const part = escrow.milestones.find(({ status, deliverable }) => status === 'held' && deliverable === null);
  if (!part || escrow.status !== 'active' || escrow.seller_handle !== agent.value) return [];
  const { id, conversation_id } = escrow;
  const card = (): JSX.Element => <DeliverCard escrow={escrow} part={part} />;
  const ends_at = endOf(part.due_at ?? escrow.expires_at);
  return [{ ...NOTHING, kind: 'deliver', id, ends_at, amount_cents: part.amount_cents, conversation_id, card }];
}

/** Proposals and what programs asked for are read by themselves, with all that a decision takes. */
const READ_ELSEWHERE: readonly string[] = ['negotiation.proposed', 'negotiation.escalated'];

function fromEvent(event: InboxEvent, escrows: readonly Escrow[]): Shown {
  const escrow = escrows.find(({ id }) => id === event.data['escrow_id']) ?? null;
  const { id, kind, respond_by } = event;
  const conversation_id = escrow?.conversation_id ?? textOf(event, 'conversation_id');
  const of = { ...NOTHING, id, conversation_id };
  if (kind === 'escrow.dispute_opened') {
    const card = (): JSX.Element => <DisputeCard event={event} escrow={escrow} />;
    return { ...of, kind: 'dispute', ends_at: endOf(respond_by), card };
  }
  if (kind === 'escrow.dispute_proposed') {
    const card = (): JSX.Element => <SettlementCard event={event} escrow={escrow} />;
    return { ...of, kind: 'proposal', amount_cents: escrow?.unreleased_cents ?? 0, card };
  }
  if (kind === 'escrow.delivered') {
    const part = partOf({ event, escrow });
    const card = (): JSX.Element => <DeliveryCard event={event} escrow={escrow} />;
    const ends_at = endOf(acceptedAt({ event, escrow }));
    return { ...of, kind: 'delivery', ends_at, amount_cents: part?.amount_cents ?? 0, card };
  }
  return { ...of, kind: 'other', ends_at: endOf(respond_by), card: () => <EventCard event={event} /> };
}

const readyOf = <T,>(of: Resource<T>, otherwise: T): T => (of.state === 'ready' ? of.value : otherwise);

interface Reads {
  readonly matches: Resource<readonly Match[]>;
  readonly proposals: Resource<readonly Proposal[]>;
  readonly all: Resource<readonly Proposal[]>;
  readonly actions: Resource<readonly Action[]>;
  readonly events: Resource<readonly InboxEvent[]>;
  readonly escrows: Resource<{ readonly escrows: readonly Escrow[] }>;
  readonly deals: Resource<readonly Deal[]>;
}

/** All that decisions are made of, asked for at once. */
function useReads(): Reads {
  return {
    matches: useRead('match.feed', { only: 'undecided' }),
    proposals: useRead('proposal.list', { waiting: true, limit: SHOWN }),
    all: useRead('proposal.list', { limit: SHOWN }),
    actions: useRead('action.list', { waiting: true, limit: SHOWN }),
    events: useRead('inbox.recent', { waiting: true }),
    escrows: useRead('escrow.list', { limit: DEALS_SHOWN }),
    deals: useRead('deal.list', { status: 'agreed', side: 'buyer', limit: DEALS_SHOWN }),
  };
}

/** What could not be read. A plan whose matches of the month are used up has a page where that is changed. */
function Failed({ of }: { of: Reads }): JSX.Element {
  const { home, billing } = words;
  const used_up = of.matches.state === 'failed' && of.matches.error.code === 'plan_limit';
  const failed = Object.values(of).flatMap((each: Resource<unknown>) =>
    each.state === 'failed' && each.error.code !== 'plan_limit' ? [each] : [],
  );
  const retry = (): void => {
    for (const each of failed) each.retry();
  };
  return (
    <>
      {used_up && (
        <div class="notice">
          <p>{home.usedUp}</p>
          <Way href="/billing" text={billing.title} />
        </div>
      )}
      {failed[0] && <Failure error={failed[0].error} retry={retry} />}
    </>
  );
}

/** Nothing to decide: what would stand here, or that weaker matches stand elsewhere. */
function Nothing({ strong }: { strong: number }): JSX.Element {
  const { home, nav } = words;
  const counts = useRead('notification.unread', {});
  const left = counts.state === 'ready' ? counts.value.matches - strong : 0;
  if (left > 0) return <Empty text={home.onlyWeak(count(left))} href="/matches" action={nav.matches} />;
  return <Empty text={home.none} href="/listings" action={nav.listings} />;
}

export function Decisions(): JSX.Element {
  const { home } = words;
  const reads = useReads();
  const [told, setTold] = useState<readonly Told[]>([]);
  const [did, setDid] = useState<readonly ActionTold[]>([]);
  const resources: readonly Resource<unknown>[] = Object.values(reads);
  if (resources.some(({ state }) => state === 'loading')) return <Skeleton />;
  const all = readyOf(reads.all, []);
  const { escrows } = readyOf(reads.escrows, { escrows: [] });
  const begun = new Set(all.filter(({ status }) => isBegun(status)).map(({ conversation_id }) => conversation_id));
  // Their outcome above says how the payment goes on.
  const made = told.map((each) => (each.kind === 'answered' ? each.answer.deal_id : null));
  const decisions = [
    ...readyOf(reads.matches, [])
      .filter(({ match_id, conversation_id }) => saidOf(match_id) === null && !begun.has(conversation_id ?? ''))
      .map(fromMatch),
    ...readyOf(reads.proposals, []).map((each) => fromProposal(each, all, (news) => setTold([news, ...told]))),
    ...readyOf(reads.actions, []).map((each) => fromAction(each, (news) => setDid([news, ...did]))),
    ...readyOf(reads.deals, [])
      .filter(({ deal_id }) => !made.includes(deal_id))
      .map(fromDeal),
    ...readyOf(reads.events, [])
      .filter(({ kind }) => !READ_ELSEWHERE.includes(kind))
      .map((each) => fromEvent(each, escrows)),
    ...escrows.flatMap(fromEscrow),
  ];
  const shown = onePerConversation(decisions, Date.now());
  return (
    <>
      <Failed of={reads} />
      {did.map((each) => (
        <ActionOutcome key={each.of.id} told={each} />
      ))}
      {told.map((each) => (
        <Outcome key={each.of.id} told={each} now={null} />
      ))}
      {shown.length === 0 ? (
        resources.every(({ state }) => state === 'ready') && <Nothing strong={readyOf(reads.matches, []).length} />
      ) : (
        <>
          <KeyedList of={shown} keyOf={({ id }) => id} label={home.waiting}>
            {({ card: Card }) => Card()}
          </KeyedList>
          <KeyHint />
        </>
      )}
    </>
  );
}
