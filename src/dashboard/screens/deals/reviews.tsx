// What both sides say of a deal that is done, and saying it.
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Field, Form, problemOf } from '../../parts/field.tsx';
import { count } from '../../parts/format.ts';
import { Time } from '../../parts/show.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

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
export function Reviews({ deal_id }: { deal_id: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  const read = useRead('deal.read', open ? { deal_id } : null);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.deals.reviews}</summary>
      {open && <Loaded of={read}>{(of) => <Said of={of} />}</Loaded>}
    </details>
  );
}
