// A request for quotes: the requester reads quotes and accepts one, a seller submits one.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { centsOf, count } from '../../parts/format.ts';
import { Agent, Badge, Facts, Money, PlanFees, Section, Sums, sumColumns, Table, Time } from '../../parts/show.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type Detail = Extract<Output<'demand.mine'>, readonly unknown[]>[number];
type Quote = Detail['quotes'][number];

export function DemandState({ status }: Pick<Detail, 'status'>): JSX.Element {
  const tone = { open: 'wait', awarded: 'good', closed: 'plain' } as const;
  return <Badge tone={tone[status]}>{words.demand.statuses[status]}</Badge>;
}

/** Its gross, fee and net. */
function sumOf({ price_cents, fee_cents, net_cents }: Pick<Quote, 'price_cents' | 'fee_cents' | 'net_cents'>) {
  return { amount_cents: price_cents, fee_cents, net_cents };
}

/** The quotes; the requester of an open request can accept one. */
function Quotes({ request_id, status, quotes }: Detail): JSX.Element {
  const { demand, common } = words;
  const award = useAct('demand.award');
  const close = useAct('demand.close');
  const failed = award.error ?? close.error;
  const deed = ({ quote_id, status: now, handle, ...quote }: Quote): JSX.Element | string => {
    if (status !== 'open') return now === 'awarded' ? demand.statuses.awarded : common.none;
    return (
      <ConfirmButton
        main
        busy={award.busy}
        question={demand.awardAsk}
        sum={{ ...sumOf(quote), to: handle }}
        onClick={(yes) => award.run({ request_id, quote_id }, yes)}
      >
        {demand.award}
      </ConfirmButton>
    );
  };
  return (
    <Section title={demand.quotes}>
      {quotes.length === 0 ? (
        <Empty text={demand.quotesNone} />
      ) : (
        <Table
          caption={demand.quotes}
          rows={quotes}
          keyOf={({ quote_id }) => quote_id}
          columns={[
            { name: demand.seller, cell: ({ handle }) => <Agent handle={handle} /> },
            ...sumColumns(sumOf, 'buyer'),
            {
              name: demand.within,
              cell: ({ delivery_days }) => (delivery_days === null ? common.none : demand.inDays(count(delivery_days))),
            },
            { name: demand.message, cell: ({ message }) => <span dir="auto">{message ?? common.none}</span> },
            { name: demand.state, cell: deed },
          ]}
        />
      )}
      {status === 'open' && (
        <div class="buttons">
          <ConfirmButton
            danger
            busy={close.busy}
            question={demand.endAsk}
            onClick={(yes) => close.run({ request_id }, yes)}
          >
            {demand.end}
          </ConfirmButton>
        </div>
      )}
      {failed && <Failure error={failed} />}
    </Section>
  );
}

/** A new or changed price. */
function QuoteForm({ request_id, again }: { request_id: string; again: boolean }): JSX.Element {
  const { demand } = words;
  const { run, busy, error } = useAct('demand.quote');
  const [price, setPrice] = useState('');
  const [days, setDays] = useState('');
  const [message, setMessage] = useState('');
  const price_cents = centsOf(price);
  const go = async (): Promise<void> => {
    if (price_cents === null) return;
    const within = days.trim() === '' ? {} : { delivery_days: Number(days) };
    const said = message.trim() === '' ? {} : { message: message.trim() };
    if (await run({ request_id, price_cents, ...within, ...said })) setPrice('');
  };
  return (
    <Form onSubmit={go}>
      <p class="quiet">{demand.quoteWhy}</p>
      <PlanFees />
      <Field
        label={demand.price}
        name="price_cents"
        value={price}
        onInput={setPrice}
        mode="decimal"
        error={error}
        required
      />
      <Field
        label={demand.deliveryDays}
        name="delivery_days"
        value={days}
        onInput={setDays}
        mode="numeric"
        error={error}
      />
      <Field
        label={demand.message}
        name="message"
        value={message}
        onInput={setMessage}
        rows={3}
        maxLength={2_000}
        error={error}
      />
      <Button main submit busy={busy} disabled={price_cents === null}>
        {again ? demand.quoteAgain : demand.quoteGo}
      </Button>
      {error && <Failure error={error} />}
    </Form>
  );
}

/** A seller's own quote, with a form to change it. */
function OwnQuote({ request_id, status, quotes }: Detail): JSX.Element | null {
  const { demand, common } = words;
  const [standing] = quotes;
  if (!standing && status !== 'open') return null;
  return (
    <Section title={demand.yours}>
      {standing && (
        <>
          <Sums {...sumOf(standing)} side="seller" />
          <Facts
            of={[
              [
                demand.within,
                standing.delivery_days === null ? common.none : demand.inDays(count(standing.delivery_days)),
              ],
              [demand.message, standing.message ?? common.none],
            ]}
          />
        </>
      )}
      {status === 'open' && <QuoteForm request_id={request_id} again={standing !== undefined} />}
    </Section>
  );
}

/** The request and its result. */
function About(request: Detail): JSX.Element {
  const { demand } = words;
  const { status, handle, budget_cents, closes_at, labels, description, conversation_id } = request;
  return (
    <Section title={demand.state} aside={<DemandState status={status} />}>
      {description !== '' && <p dir="auto">{description}</p>}
      <Facts
        of={[
          [demand.by, <Agent key="by" handle={handle} />],
          [demand.most, <Money key="most" cents={budget_cents} />],
          [demand.until, <Time key="until" at={closes_at} />],
          [demand.labels, labels.join(', ')],
        ]}
      />
      {conversation_id !== null && (
        <p>
          <Link class="button" href={`/conversations/${conversation_id}`}>
            {demand.talk}
          </Link>
        </p>
      )}
    </Section>
  );
}

export function DemandRequestScreen({ params }: { params: Readonly<Record<string, string | undefined>> }): JSX.Element {
  const { demand, common } = words;
  const found = useRead('demand.read', { request_id: params['id'] ?? '' });
  return (
    <>
      <p>
        <Link href="/demand">{common.back}</Link>
      </p>
      <h1 tabIndex={-1} dir="auto">
        {found.state === 'ready' ? found.value.headline : demand.title}
      </h1>
      <Loaded of={found}>
        {(request) => {
          // Signed-in people get the full request.
          if (!('quotes' in request)) return <Empty text={demand.boardNone} href="/demand" action={demand.title} />;
          return (
            <>
              <About {...request} />
              {request.quotes_count === null ? <OwnQuote {...request} /> : <Quotes {...request} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}
