// Paying for an agreed deal, cancelling an unpaid one, and reviewing a completed one. When another party acted first, the page
// says so next to the deal's current state.
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { MeshworkError } from '../../../client/error.ts';
import { useDraft } from '../../drafts.ts';
import type { Yes } from '../../final.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { count, money, shortMoney } from '../../parts/format.ts';
import { Badge, Time } from '../../parts/show.tsx';
import { Failure, Notice, Way } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import { touch } from '../../touched.ts';
import { words } from '../../words/words.ts';
import { RefusedBy } from '../market/checkout.tsx';
import type { Deal } from './next-step.ts';

/** A late act: its kind, and the escrow that was opened meanwhile; null when the deal was cancelled. */
export interface Late {
  readonly of: Deal;
  readonly deed: 'pay' | 'cancel';
  readonly escrow_id: string | null;
}

interface DeedProps {
  of: Deal;
  /** Called for a late act, outside the buttons, which disappear with the deal's previous state. */
  late: (told: Late) => void;
}

const TOO_LATE = { pay: 'conflict', cancel: 'deal_not_cancelable' } as const;

/** Reports that another party acted first, and reads the deals again. */
function hearing({ of, late }: DeedProps, deed: Late['deed']): (refused: MeshworkError) => void {
  return ({ code, body: { escrow_id } }) => {
    if (code !== TOO_LATE[deed]) return;
    late({ of, deed, escrow_id: typeof escrow_id === 'string' ? escrow_id : null });
    touch('all');
  };
}

/** Says that another party acted first and this press had no effect. */
export function TooLate({ told: { of, deed, escrow_id } }: { told: Late }): JSX.Element {
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
  /** Opens the confirmation at once, after funding for this deal. */
  asks?: boolean;
}

/** Pays a deal into escrow; without a conversation it then opens the escrow. */
export function Pay({ of, late, asks }: PayProps): JSX.Element {
  const { deals } = words;
  const { run, busy, error } = useAct('escrow.create', { onRefused: hearing({ of, late }, 'pay') });
  const [, go] = useLocation();
  const {
    deal_id,
    conversation_id,
    amount_cents,
    fee_cents,
    net_cents,
    title,
    listing_id,
    seller_handle,
    milestones: parts,
  } = of;
  const pay = async (yes: Yes): Promise<void> => {
    const agreed = parts.map(({ due_at, ...part }) => ({ ...part, ...(due_at !== null && { due_at }) }));
    const milestones = agreed.length > 0 ? agreed : [{ title, amount_cents }];
    const talk = conversation_id !== null && { conversation_id };
    const opened = await run({ deal_id, seller_handle, title, milestones, ...talk }, yes);
    if (opened && conversation_id === null) go(`/escrows/${opened.id}`);
  };
  return (
    <>
      <ConfirmButton
        main
        asks={asks ?? false}
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

export function Cancel({ of, late }: DeedProps): JSX.Element {
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

// Both sides' reviews of a completed deal, and the form to review.

const STARS = [1, 2, 3, 4, 5] as const;
const MOST = STARS.length;
const TEXT_MAX = 2_000;

/** A rating as stars, with the number for screen readers. */
function Stars({ rating }: { rating: number }): JSX.Element {
  return (
    <>
      <span aria-hidden="true">{'★'.repeat(rating) + '☆'.repeat(MOST - rating)}</span>
      <span class="hidden">{words.deals.rated(count(rating))}</span>
    </>
  );
}

export function WriteReview({ deal_id }: { deal_id: string }): JSX.Element {
  const { deals } = words;
  const { run, busy, error } = useAct('deal.review');
  const name = useId();
  const [rating, setRating] = useState<number | null>(null);
  const [text, setText] = useDraft(`${deal_id} review`);
  const go = async (): Promise<void> => {
    if (rating === null) return;
    if (await run({ deal_id, rating, ...(text.trim() !== '' && { text: text.trim() }) })) setText('');
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
      {error && <Failure error={error} />}
    </Form>
  );
}

/** A deal's reviews, with the form unless it is elsewhere on the page. */
export function Reviews({ of, above }: { of: Deal; above?: boolean }): JSX.Element {
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
      {!mine && !above && <WriteReview deal_id={deal_id} />}
    </>
  );
}

// A deal's status.

const TONES = {
  agreed: 'wait',
  funded: 'plain',
  disputed: 'wait',
  completed: 'good',
  refunded: 'bad',
  cancelled: 'plain',
} as const;

/** The status; of a partly refunded deal how the money was split. */
export function DealState({ of }: { of: Pick<Deal, 'status' | 'amount_cents' | 'refunded_cents'> }): JSX.Element {
  const { deals } = words;
  const { status, amount_cents, refunded_cents } = of;
  const paid_cents = amount_cents - refunded_cents;
  if (status !== 'refunded' || paid_cents === 0) return <Badge tone={TONES[status]}>{deals.statuses[status]}</Badge>;
  return <Badge tone="wait">{deals.settled(shortMoney(paid_cents), shortMoney(amount_cents))}</Badge>;
}
