// What the acting agent has agreed to, newest first: how each deal stands, and what its person can do about it.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { DEAL_STATUSES, type DealStatus } from '../../domain/deal/deal.ts';
import { agent } from '../acting.ts';
import { Chips } from '../parts/chips.tsx';
import { Agent, Facts, Money, More, Time } from '../parts/show.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Sums } from '../parts/sums.tsx';
import { usePages, useRead } from '../resource.ts';
import { words } from '../words/words.ts';
import { Cancel, type Deal, type Late, Pay, TooLate } from './deals/pay.tsx';
import { Reviews } from './deals/reviews.tsx';
import { DealState } from './deals/state.tsx';

const SHOWN = 20;

function Ways({ of: { escrow_id, conversation_id } }: { of: Deal }): JSX.Element {
  const { deals } = words;
  return (
    <p class="marks">
      {escrow_id !== null && <Link href={`/escrows/${escrow_id}`}>{deals.escrow}</Link>}
      {conversation_id !== null && <Link href={`/conversations/${conversation_id}`}>{deals.talk}</Link>}
    </p>
  );
}

interface CardProps {
  of: Deal;
  late: (told: Late) => void;
}

/** What is to be done before it is paid for. */
function Agreed({ of, late }: CardProps): JSX.Element {
  const { deals } = words;
  const buys = of.your_side === 'buyer';
  const read = useRead('deal.read', buys ? { deal_id: of.deal_id } : null);
  return (
    <>
      <p class="quiet">{buys ? deals.payWhy : deals.theyPay(`@${of.buyer_handle}`)}</p>
      <div class="buttons">
        {buys && <Loaded of={read}>{({ milestones }) => <Pay of={of} late={late} parts={milestones} />}</Loaded>}
        <Cancel of={of} late={late} />
      </div>
    </>
  );
}

function DealCard({ of, late }: CardProps): JSX.Element {
  const { deals } = words;
  const { status, title, amount_cents, fee_cents, net_cents, your_side: side } = of;
  const { counterparty_handle, created_at, completed_at } = of;
  return (
    <li class="card deal">
      <header>
        <h2 dir="auto">{title}</h2>
        <DealState status={status} />
      </header>
      <p class="figure-big">
        <Money cents={amount_cents} />
      </p>
      <Sums {...{ amount_cents, fee_cents, net_cents, side }} />
      <Facts
        of={[
          [deals.role, side === 'buyer' ? deals.buyer : deals.seller],
          [deals.with, <Agent key="with" handle={counterparty_handle} />],
          [deals.made, <Time key="made" at={created_at} />],
          ...(completed_at === null ? [] : [[deals.completed, <Time key="done" at={completed_at} />] as const]),
        ]}
      />
      <Ways of={of} />
      {status === 'agreed' && <Agreed of={of} late={late} />}
      {status === 'completed' && <Reviews deal_id={of.deal_id} />}
    </li>
  );
}

function List({ all, narrowed }: { all: readonly Deal[]; narrowed: boolean }): JSX.Element {
  const { deals } = words;
  const [told, setTold] = useState<Late | null>(null);
  return (
    <>
      {told && <TooLate key={`${told.of.deal_id} ${told.deed}`} told={told} />}
      {all.length > 0 ? (
        <ul class="stack" aria-label={deals.own}>
          {all.map((each) => (
            <DealCard key={each.deal_id} of={each} late={setTold} />
          ))}
        </ul>
      ) : narrowed ? (
        <Empty text={deals.noneOf} />
      ) : (
        <Empty text={deals.none} href="/market" action={deals.noneGo} />
      )}
    </>
  );
}

export function DealsScreen(): JSX.Element {
  const { deals } = words;
  const [status, setStatus] = useState<DealStatus | ''>('');
  const pages = usePages('deal.list', { limit: SHOWN, ...(status !== '' && { status }) }, ({ deal_id }) => deal_id);
  return (
    <>
      <h1 tabIndex={-1}>{deals.title}</h1>
      <p class="quiet">{deals.lead}</p>
      <Chips
        label={deals.filter}
        value={status}
        options={[['', deals.all] as const, ...DEAL_STATUSES.map((each) => [each, deals.statuses[each]] as const)]}
        onChange={setStatus}
      />
      <Loaded key={`${agent.value} ${status}`} of={pages}>
        {(of) => (
          <>
            <List all={of.items} narrowed={status !== ''} />
            <More of={of} />
          </>
        )}
      </Loaded>
    </>
  );
}
