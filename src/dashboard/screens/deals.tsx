// The acting agent's deals, newest first, each with its status and a link to continue.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { DEAL_STATUSES, type DealStatus } from '../../domain/deal/deal.ts';
import { Agent, Chips, Facts, Money, More, Sums, Time } from '../parts/show.tsx';
import { Empty, Loaded, Way } from '../parts/states.tsx';
import { usePages, useRead } from '../resource.ts';
import type { Item } from '../server.ts';
import { agent } from '../session.ts';
import { words } from '../words/words.ts';
import { Cancel, DealState, type Late, Pay, Reviews, TooLate } from './room/deal.tsx';

type Deal = Item<'deal.list'>;

const SHOWN = 20;

interface CardProps {
  of: Deal;
  late: (told: Late) => void;
}

/** Pays for or cancels a deal without a conversation. */
function Agreed({ deal_id, late }: { deal_id: string; late: CardProps['late'] }): JSX.Element {
  const { deals } = words;
  const read = useRead('deal.read', { deal_id });
  return (
    <Loaded of={read}>
      {(of) => (
        <>
          <p class="quiet">{of.your_side === 'buyer' ? deals.payWhy : deals.theyPay(`@${of.buyer_handle}`)}</p>
          <div class="buttons">
            {of.your_side === 'buyer' && <Pay of={of} late={late} />}
            <Cancel of={of} late={late} />
          </div>
        </>
      )}
    </Loaded>
  );
}

/** The reviews, loaded when opened. */
function ReviewsOf({ deal_id }: { deal_id: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  const read = useRead('deal.read', open ? { deal_id } : null);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.deals.reviews}</summary>
      {open && <Loaded of={read}>{(of) => <Reviews of={of} />}</Loaded>}
    </details>
  );
}

/** The page of a deal's acts: its conversation, else this one and its escrow. */
function Ways({ of, late }: CardProps): JSX.Element {
  const { deals, room } = words;
  const { status, deal_id, conversation_id, escrow_id } = of;
  if (conversation_id !== null) {
    return (
      <p>
        <Way main href={`/conversations/${conversation_id}?deal=${deal_id}`} text={room.open} />
      </p>
    );
  }
  return (
    <>
      {escrow_id !== null && (
        <p>
          <Way href={`/escrows/${escrow_id}`} text={deals.escrow} />
        </p>
      )}
      {status === 'agreed' && <Agreed deal_id={deal_id} late={late} />}
      {status === 'completed' && <ReviewsOf deal_id={deal_id} />}
    </>
  );
}

function DealCard({ of, late }: CardProps): JSX.Element {
  const { deals } = words;
  const { title, amount_cents, fee_cents, net_cents, refunded_cents, your_side: side } = of;
  const { counterparty_handle, created_at, completed_at } = of;
  return (
    <li class="card deal">
      <header>
        <h2 dir="auto">{title}</h2>
        <DealState of={of} />
      </header>
      <p class="figure-big">
        <Money cents={amount_cents} />
      </p>
      <Sums {...{ amount_cents, fee_cents, net_cents, refunded_cents, side }} />
      <Facts
        of={[
          [deals.role, side === 'buyer' ? deals.buyer : deals.seller],
          [deals.with, <Agent key="with" handle={counterparty_handle} />],
          [deals.made, <Time key="made" at={created_at} />],
          ...(completed_at === null ? [] : [[deals.completed, <Time key="done" at={completed_at} />] as const]),
        ]}
      />
      <Ways of={of} late={late} />
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
