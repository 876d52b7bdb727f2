// What the acting agent has agreed to, newest first: how each deal stands, and what its person can do about it.
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { MeshworkError } from '../../client/error.ts';
import { DEAL_STATUSES, type DealStatus } from '../../domain/deal/deal.ts';
import type { Yes } from '../final.ts';
import { pulse } from '../live.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Field, Form, problemOf } from '../parts/field.tsx';
import { count, money } from '../parts/format.ts';
import { Agent, Badge, Chips, Facts, Money, More, Sums, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded, Notice, Way } from '../parts/states.tsx';
import { useAct, usePages, useRead } from '../resource.ts';
import type { Item, Output } from '../server.ts';
import { agent } from '../session.ts';
import { words } from '../words/words.ts';
import { RefusedBy } from './market/checkout.tsx';

// Paying for a deal that was agreed on, and taking back one that nobody has paid for. Who finds that somebody else was faster is told so
// beside what the deal is now.

type Deal = Item<'deal.list'>;

/** A press that came too late: what it was for, and the escrow that was opened meanwhile; null where the deal was cancelled. */
interface Late {
  readonly of: Deal;
  readonly deed: 'pay' | 'cancel';
  readonly escrow_id: string | null;
}

interface DeedProps {
  of: Deal;
  /** Hears of a press that came too late; the buttons go away with what the deal was. */
  late: (told: Late) => void;
}

const TOO_LATE = { pay: 'conflict', cancel: 'deal_not_cancelable' } as const;

/** Tells of what somebody else did meanwhile, and has the deals asked for anew. */
function hearing({ of, late }: DeedProps, deed: Late['deed']): (refused: MeshworkError) => void {
  return ({ code, body: { escrow_id } }) => {
    if (code !== TOO_LATE[deed]) return;
    late({ of, deed, escrow_id: typeof escrow_id === 'string' ? escrow_id : null });
    pulse.value += 1;
  };
}

/** What somebody else did meanwhile, and that this press did nothing. */
function TooLate({ told: { of, deed, escrow_id } }: { told: Late }): JSX.Element {
  const { deals, approvals } = words;
  return (
    <Notice good={false}>
      <p>
        <strong>{deals.late[deed](money(of.amount_cents))}</strong>
      </p>
      <p>{escrow_id === null ? deals.lateOver : deals.latePaid}</p>
      {escrow_id !== null && (
        <div class="buttons">
          <Way href={`/escrows/${escrow_id}`} text={approvals.toEscrow} />
        </div>
      )}
    </Notice>
  );
}

interface PayProps extends DeedProps {
  /** What both agreed to be paid for one by one; none where it is the whole. */
  parts: Output<'deal.read'>['milestones'];
}

/** Puts the money of a deal into escrow, and leads there. */
function Pay({ of, late, parts }: PayProps): JSX.Element {
  const { deals } = words;
  const { run, busy, error } = useAct('escrow.create', { onRefused: hearing({ of, late }, 'pay') });
  const [, go] = useLocation();
  const { deal_id, conversation_id, amount_cents, fee_cents, net_cents, title, listing_id, seller_handle } = of;
  const pay = async (yes: Yes): Promise<void> => {
    const agreed = parts.map(({ due_at, ...part }) => ({ ...part, ...(due_at !== null && { due_at }) }));
    const milestones = agreed.length > 0 ? agreed : [{ title, amount_cents }];
    const talk = conversation_id !== null && { conversation_id };
    const opened = await run({ deal_id, seller_handle, title, milestones, ...talk }, yes);
    if (opened) go(`/escrows/${opened.id}`);
  };
  return (
    <>
      <ConfirmButton
        main
        busy={busy}
        question={deals.payAsk(money(amount_cents), `@${seller_handle}`)}
        sum={{ amount_cents, fee_cents, net_cents, to: seller_handle }}
        onClick={pay}
      >
        {deals.pay}
      </ConfirmButton>
      {error && error.code !== TOO_LATE.pay && (
        <RefusedBy error={error} of={{ handle: seller_handle, listing_id: listing_id ?? '' }} tried />
      )}
    </>
  );
}

function Cancel({ of, late }: DeedProps): JSX.Element {
  const { deals } = words;
  const { run, busy, error } = useAct('deal.cancel', { onRefused: hearing({ of, late }, 'cancel') });
  return (
    <>
      <ConfirmButton danger busy={busy} question={deals.cancelAsk} onClick={(yes) => run({ deal_id: of.deal_id }, yes)}>
        {deals.cancel}
      </ConfirmButton>
      {error && error.code !== TOO_LATE.cancel && <Failure error={error} />}
    </>
  );
}

// What both sides say of a deal that is done, and saying it.

type Reviewed = Output<'deal.read'>;

const STARS = [1, 2, 3, 4, 5] as const;
const MOST = STARS.length;
const TEXT_MAX = 2_000;

/** So many stars of five, and the figure for those who hear it. */
function Stars({ rating }: { rating: number }): JSX.Element {
  return (
    <>
      <span aria-hidden="true">{'★'.repeat(rating) + '☆'.repeat(MOST - rating)}</span>
      <span class="hidden">{words.deals.rated(count(rating))}</span>
    </>
  );
}

function Write({ deal_id }: { deal_id: string }): JSX.Element {
  const { deals } = words;
  const { run, busy, error } = useAct('deal.review');
  const name = useId();
  const [rating, setRating] = useState<number | null>(null);
  const [text, setText] = useState('');
  const go = async (): Promise<void> => {
    if (rating !== null) await run({ deal_id, rating, ...(text.trim() !== '' && { text: text.trim() }) });
  };
  return (
    <Form onSubmit={go}>
      <fieldset class="stars">
        <legend>{deals.rating}</legend>
        {STARS.map((each) => (
          <label key={each} class="check">
            <input type="radio" name={name} checked={each === rating} onChange={() => setRating(each)} />
            <span>
              <Stars rating={each} />
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        label={deals.text}
        hint={deals.textHint}
        name="text"
        value={text}
        onInput={setText}
        error={error}
        rows={3}
        maxLength={TEXT_MAX}
      />
      <Button main submit busy={busy} disabled={rating === null}>
        {deals.review}
      </Button>
      {error && problemOf(error, 'text') === null && <Failure error={error} />}
    </Form>
  );
}

function Said({ of }: { of: Reviewed }): JSX.Element {
  const { deals, common } = words;
  const { deal_id, reviews, counterparty_handle } = of;
  const mine = reviews.some(({ handle }) => handle !== counterparty_handle);
  return (
    <>
      {reviews.length === 0 && <p class="quiet">{deals.reviewNone}</p>}
      <ul class="news">
        {reviews.map(({ handle, rating, text, at }) => (
          <li key={handle}>
            <strong>{deals.by(handle === counterparty_handle ? `@${handle}` : common.you)}</strong>{' '}
            <Stars rating={rating} />{' '}
            <span class="quiet">
              <Time at={at} />
            </span>
            {text !== '' && (
              <p class="said-plain" dir="auto">
                {text}
              </p>
            )}
          </li>
        ))}
      </ul>
      {!mine && <Write deal_id={deal_id} />}
    </>
  );
}

/** The reviews of a deal; read when somebody opens them. */
function Reviews({ deal_id }: { deal_id: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  const read = useRead('deal.read', open ? { deal_id } : null);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.deals.reviews}</summary>
      {open && <Loaded of={read}>{(of) => <Said of={of} />}</Loaded>}
    </details>
  );
}

// How a deal stands, in a word.

const TONES = {
  agreed: 'wait',
  funded: 'plain',
  disputed: 'wait',
  completed: 'good',
  refunded: 'bad',
  cancelled: 'plain',
} as const;

function DealState({ status }: { status: DealStatus }): JSX.Element {
  return <Badge tone={TONES[status]}>{words.deals.statuses[status]}</Badge>;
}

/** Reads the deal first, and shows nothing until then. */
export function DealStateOf({ deal_id }: { deal_id: string }): JSX.Element | null {
  const deal = useRead('deal.read', { deal_id });
  return deal.state === 'ready' ? <DealState status={deal.value.status} /> : null;
}

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
