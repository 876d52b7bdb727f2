// The account's plan and its usage; buying and cancelling Pro.
import type { JSX } from 'preact';
import { PLAN_NAMES } from '../instance.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { count, date, feePercent, money } from '../parts/format.ts';
import { Badge, Facts, Section, Table } from '../parts/show.tsx';
import { Failure, Loaded } from '../parts/states.tsx';
import { useAct, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

type Limits = Output<'billing.limits'>;

/** What a limit counts; a newer server's own text where it is not known here. */
function countedText(name: string, counts: string): string {
  return words.billing.counted[name] ?? counts;
}

/** Redirects to the payment processor's page, which returns here. */
function Upgrade(): JSX.Element {
  const { billing } = words;
  const buy = useAct('billing.checkout');
  const go = async (): Promise<void> => {
    const begun = await buy.run({ plan: 'pro' });
    if (begun) location.assign(begun.checkout_url);
  };
  return (
    <>
      <p>{billing.upgradeWhy(PLAN_NAMES.pro, PLAN_NAMES.free)}</p>
      <Button main busy={buy.busy} onClick={go}>
        {billing.upgrade(PLAN_NAMES.pro)}
      </Button>
      {buy.error && <Failure error={buy.error} />}
    </>
  );
}

function Cancel(): JSX.Element {
  const { billing } = words;
  const cancel = useAct('billing.cancel');
  return (
    <>
      <ConfirmButton
        danger
        busy={cancel.busy}
        question={billing.cancelAsk(PLAN_NAMES.pro)}
        onClick={(yes) => cancel.run({}, yes)}
      >
        {billing.cancel(PLAN_NAMES.pro)}
      </ConfirmButton>
      {cancel.error && <Failure error={cancel.error} />}
    </>
  );
}

function Usage({ limits, resets_at }: Limits): JSX.Element {
  const { billing } = words;
  return (
    <>
      <Table
        caption={billing.usage}
        rows={limits}
        keyOf={({ name }) => name}
        columns={[
          { name: billing.counter, cell: ({ name, counts }) => countedText(name, counts) },
          {
            name: billing.used,
            figure: true,
            cell: ({ name, counts, used, limit }) =>
              used !== null && (
                <>
                  {limit !== null && (
                    <meter min={0} max={limit} value={used} high={limit * 0.9} aria-label={countedText(name, counts)} />
                  )}{' '}
                  {count(used)}
                </>
              ),
          },
          {
            name: billing.limit,
            figure: true,
            cell: ({ limit }) => (limit === null ? billing.unlimited : count(limit)),
          },
        ]}
      />
      <p class="quiet">{billing.resets(date(resets_at))}</p>
    </>
  );
}

/** Each plan's monthly price and fee. */
function Plans(): JSX.Element {
  const { billing } = words;
  const plans = useRead('billing.plans', {});
  return (
    <Section title={billing.plans}>
      <Loaded of={plans}>
        {(all) => (
          <Table
            caption={billing.plans}
            rows={all}
            keyOf={({ plan }) => plan}
            columns={[
              { name: billing.name, cell: ({ name }) => name },
              { name: billing.monthly, figure: true, cell: ({ price_cents }) => money(price_cents) },
              { name: billing.salesFee, figure: true, cell: ({ outcome_fee_bps }) => feePercent(outcome_fee_bps) },
              { name: billing.callsFee, figure: true, cell: ({ router_fee_bps }) => feePercent(router_fee_bps) },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** The plan, and what it allows. */
export function BillingScreen(): JSX.Element {
  const { billing } = words;
  const status = useRead('billing.status', {});
  const limits = useRead('billing.limits', {});
  return (
    <>
      <h1 tabIndex={-1}>{billing.title}</h1>
      <Section title={billing.plan}>
        <Loaded of={status}>
          {({ plan, status: standing, renews_at, ends_at }) => (
            <>
              <p class="figure-big">{PLAN_NAMES[plan]}</p>
              {plan === 'pro' && (
                <p>
                  <Badge tone={standing === 'active' ? 'good' : 'wait'}>{billing.statuses[standing]}</Badge>
                </p>
              )}
              <Facts
                of={[
                  ...(renews_at === null ? [] : [[billing.renews, date(renews_at)] as const]),
                  ...(ends_at === null ? [] : [[billing.ends, date(ends_at)] as const]),
                ]}
              />
              {plan === 'free' ? <Upgrade /> : standing !== 'cancelling' && <Cancel />}
            </>
          )}
        </Loaded>
      </Section>
      <Plans />
      <Section title={billing.usage}>
        <Loaded of={limits}>{(all) => <Usage {...all} />}</Loaded>
      </Section>
    </>
  );
}
