// Subscriptions that the person's agents pay or receive, and a single one with its charges.
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { count, date, money } from '../parts/format.ts';
import { Agent, Badge, Facts, More, Section, Sums, sumColumns, Table, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, usePages, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

type Summary = Extract<Output<'subscription.list'>, readonly unknown[]>[number];
type Subscription = Output<'subscription.read'>;

function State({ status }: Pick<Summary, 'status'>): JSX.Element {
  const tone = { active: 'good', past_due: 'bad', paused: 'wait', cancelled: 'plain', completed: 'plain' } as const;
  return <Badge tone={tone[status]}>{words.subscriptions.statuses[status]}</Badge>;
}

function priceOf({ amount_cents, interval }: Summary): string {
  const { subscriptions } = words;
  return subscriptions.every(money(amount_cents), subscriptions.intervals[interval]);
}

/** Whether an own agent is the payer. */
function useIsBuyer(): (handle: string) => boolean {
  const agents = useRead('agent.list', {});
  const own = new Set(agents.state === 'ready' ? agents.value.map(({ handle }) => handle) : []);
  return (handle) => own.has(handle);
}

/** The list, newest first. */
export function SubscriptionsScreen(): JSX.Element {
  const { subscriptions, common } = words;
  const list = usePages('subscription.list', {});
  const isOwn = useIsBuyer();
  return (
    <>
      <h1 tabIndex={-1}>{subscriptions.title}</h1>
      <Section title={subscriptions.own}>
        <Loaded of={list}>
          {(pages) =>
            pages.items.length === 0 ? (
              <Empty text={subscriptions.none} />
            ) : (
              <>
                <Table
                  caption={subscriptions.own}
                  rows={pages.items}
                  keyOf={({ id }) => id}
                  columns={[
                    {
                      name: subscriptions.what,
                      cell: ({ id, headline }) => (
                        <Link href={`/subscriptions/${id}`} dir="auto">
                          {headline ?? subscriptions.untitled}
                        </Link>
                      ),
                    },
                    {
                      name: subscriptions.other,
                      cell: ({ buyer_handle, seller_handle }) => (
                        <Agent handle={isOwn(buyer_handle) ? seller_handle : buyer_handle} />
                      ),
                    },
                    {
                      name: subscriptions.role,
                      cell: ({ buyer_handle }) => (isOwn(buyer_handle) ? subscriptions.buyer : subscriptions.seller),
                    },
                    ...sumColumns<Summary>((each) => each, 'either'),
                    { name: subscriptions.each, cell: ({ interval }) => subscriptions.intervals[interval] },
                    { name: subscriptions.state, cell: ({ status }) => <State status={status} /> },
                    {
                      name: subscriptions.next,
                      cell: ({ next_charge_at }) =>
                        next_charge_at === null ? common.none : <Time at={next_charge_at} />,
                    },
                  ]}
                />
                <More of={pages} />
              </>
            )
          }
        </Loaded>
      </Section>
    </>
  );
}

function Deeds({ of, pays }: { of: Subscription; pays: boolean }): JSX.Element {
  const { subscriptions } = words;
  const { id: subscription_id, status, seller_handle } = of;
  const price = priceOf(of);
  const [pause, resume, cancel] = [
    useAct('subscription.pause'),
    useAct('subscription.resume'),
    useAct('subscription.cancel'),
  ];
  const failed = pause.error ?? resume.error ?? cancel.error;
  const over = status === 'cancelled' || status === 'completed';
  return (
    <>
      <div class="buttons">
        {pays && (status === 'active' || status === 'past_due') && (
          <Button busy={pause.busy} onClick={() => pause.run({ subscription_id })}>
            {subscriptions.pause}
          </Button>
        )}
        {pays && status === 'paused' && (
          <Button main busy={resume.busy} onClick={() => resume.run({ subscription_id })}>
            {subscriptions.resume}
          </Button>
        )}
        {!over && (
          <ConfirmButton
            danger
            busy={cancel.busy}
            question={subscriptions.cancelAsk(price, `@${seller_handle}`)}
            onClick={(yes) => cancel.run({ subscription_id }, yes)}
          >
            {subscriptions.cancel}
          </ConfirmButton>
        )}
      </div>
      {failed && <Failure error={failed} />}
    </>
  );
}

function Charges({ of: { charges }, pays }: { of: Subscription; pays: boolean }): JSX.Element {
  const { subscriptions } = words;
  return (
    <Section title={subscriptions.charges}>
      {charges.length === 0 ? (
        <Empty text={subscriptions.chargesNone} />
      ) : (
        <Table
          caption={subscriptions.charges}
          rows={charges}
          keyOf={({ at, period_start, status }) => `${period_start} ${at} ${status}`}
          columns={[
            { name: subscriptions.when, cell: ({ at }) => <Time at={at} /> },
            { name: subscriptions.period, cell: ({ period_start }) => date(period_start) },
            ...sumColumns<Subscription['charges'][number]>((charge) => charge, pays ? 'buyer' : 'seller'),
            {
              name: subscriptions.result,
              cell: ({ status, reason }) => (
                <>
                  <Badge tone={status === 'succeeded' ? 'good' : 'bad'}>
                    {status === 'succeeded' ? subscriptions.paid : subscriptions.failed}
                  </Badge>{' '}
                  {reason !== null && <span class="quiet">{subscriptions.reasons[reason] ?? reason}</span>}
                </>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

export function SubscriptionScreen({ params }: { params: Readonly<Record<string, string | undefined>> }): JSX.Element {
  const { subscriptions, common } = words;
  const found = useRead('subscription.read', { subscription_id: params['id'] ?? '' });
  const isOwn = useIsBuyer();
  return (
    <>
      <p>
        <Link href="/subscriptions">{common.back}</Link>
      </p>
      <h1 tabIndex={-1} dir="auto">
        {(found.state === 'ready' && found.value.headline) || subscriptions.untitled}
      </h1>
      <Loaded of={found}>
        {(own) => {
          const { status, buyer_handle, seller_handle, next_charge_at, charges_made, max_charges, ends_at } = own;
          const { amount_cents, fee_cents, net_cents } = own;
          const pays = isOwn(buyer_handle);
          return (
            <>
              <Section title={subscriptions.state} aside={<State status={status} />}>
                <p class="figure-big">{priceOf(own)}</p>
                <Sums {...{ amount_cents, fee_cents, net_cents }} side={pays ? 'buyer' : 'seller'} />
                {own.failed_attempts > 0 && <p class="notice">{subscriptions.failing(count(own.failed_attempts))}</p>}
                <Facts
                  of={[
                    [subscriptions.other, <Agent key="other" handle={pays ? seller_handle : buyer_handle} />],
                    [subscriptions.role, pays ? subscriptions.buyer : subscriptions.seller],
                    [
                      subscriptions.next,
                      next_charge_at === null ? common.none : <Time key="next" at={next_charge_at} />,
                    ],
                    [
                      subscriptions.made,
                      max_charges === null
                        ? count(charges_made)
                        : subscriptions.ofMost(count(charges_made), count(max_charges)),
                    ],
                    [subscriptions.ends, ends_at === null ? common.none : date(ends_at)],
                  ]}
                />
                <Deeds of={own} pays={pays} />
              </Section>
              <Charges of={own} pays={pays} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}
