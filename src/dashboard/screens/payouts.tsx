// Payouts of the acting agent's wallet, their destination, and spending limits.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { worded } from '../../domain/inbox/events/spec.ts';
import type { Yes } from '../final.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton, SaveForm } from '../parts/confirm.tsx';
import { Field } from '../parts/field.tsx';
import { centsOf, dollarsOf, money } from '../parts/format.ts';
import { Badge, Facts, Money, More, Section, Table, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, usePages, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

type Wallet = Output<'wallet.read'>;
type Payee = Output<'payee.status'>;

/** The known parts of a bank account. */
function accountText(destination: Payee['destination']): string {
  const { payouts } = words;
  if (destination === null) return payouts.accountUnknown;
  return payouts.accountAt(destination.bank_name, destination.last4, destination.country);
}

function Connect(): JSX.Element {
  const { payouts } = words;
  const connect = useAct('payee.connect');
  const go = async (): Promise<void> => {
    const begun = await connect.run({});
    if (begun) location.assign(begun.onboarding_url);
  };
  return (
    <>
      <p>{payouts.notConnected}</p>
      <Button main busy={connect.busy} onClick={go}>
        {payouts.connect}
      </Button>
      {connect.error && <Failure error={connect.error} />}
    </>
  );
}

/** The payout destination, what connected it, and a button to disconnect it. */
function Account({ destination, connected_by, connected_at }: Payee): JSX.Element {
  const { payouts } = words;
  const disconnect = useAct('payee.disconnect');
  const by = connected_by ? payouts.byKind[connected_by.kind](connected_by.name ?? '') : payouts.byNobody;
  const facts = [
    [payouts.account, accountText(destination)] as const,
    [payouts.by, by] as const,
    connected_at !== null && ([payouts.since, <Time key="since" at={connected_at} exact />] as const),
  ];
  return (
    <>
      <Facts of={facts.filter((each) => each !== false)} />
      <div class="buttons">
        <ConfirmButton
          danger
          busy={disconnect.busy}
          question={payouts.disconnectAsk(accountText(destination))}
          onClick={(yes) => disconnect.run({}, yes)}
        >
          {payouts.disconnect}
        </ConfirmButton>
      </div>
      {disconnect.error && <Failure error={disconnect.error} />}
    </>
  );
}

function Withdraw({ minimum_withdrawal_cents: least_cents, destination }: Payee): JSX.Element {
  const { payouts } = words;
  const request = useAct('payout.request');
  const [amount, setAmount] = useState('');
  const amount_cents = centsOf(amount);
  const go = async (yes: Yes): Promise<void> => {
    if (amount_cents !== null && (await request.run({ amount_cents }, yes))) setAmount('');
  };
  return (
    <>
      <Field
        label={payouts.amount}
        hint={payouts.least(money(least_cents))}
        name="amount_cents"
        value={amount}
        onInput={setAmount}
        error={request.error}
        mode="decimal"
        required
      />
      <ConfirmButton
        main
        busy={request.busy}
        disabled={amount_cents === null}
        tells
        question={payouts.ask(money(amount_cents ?? 0), accountText(destination))}
        onClick={go}
      >
        {payouts.go}
      </ConfirmButton>
      {request.error && <Failure error={request.error} />}
    </>
  );
}

const inDollars = (cents: number | null | undefined): string => dollarsOf(cents || null);

function Limits({ spending_limit, default_key_limit, low_balance_cents }: Wallet): JSX.Element {
  const { payouts } = words;
  const limit = useAct('wallet.limit');
  const [each, setEach] = useState(inDollars(spending_limit?.per_transaction_cents));
  const [day, setDay] = useState(inDollars(spending_limit?.per_day_cents));
  const [low, setLow] = useState(inDollars(low_balance_cents));
  const save = (): Promise<unknown> => {
    // An absent field would keep its value, so an empty one is sent to remove its limit.
    const spending_limit = { per_transaction_cents: centsOf(each), per_day_cents: centsOf(day) };
    // While the default limit of keys applies, two empty fields keep it.
    const says = default_key_limit === null || each.trim() !== '' || day.trim() !== '';
    return limit.run({ ...(says && { spending_limit }), low_balance_cents: centsOf(low) ?? 0 });
  };
  const fields = [
    [payouts.each, each, setEach, 'spending_limit.per_transaction_cents'],
    [payouts.day, day, setDay, 'spending_limit.per_day_cents'],
    [payouts.low, low, setLow, 'low_balance_cents'],
  ] as const;
  const fits = fields.every(([, value]) => value.trim() === '' || centsOf(value) !== null);
  return (
    <Section title={payouts.limits}>
      <p>{payouts.limitsWhy}</p>
      {default_key_limit && (
        <p>
          {payouts.keyLimit(money(default_key_limit.per_transaction_cents), money(default_key_limit.per_day_cents))}{' '}
          <ConfirmButton question={payouts.keyLimitAsk} onClick={() => limit.run({ spending_limit: null })}>
            {payouts.keyLimitLift}
          </ConfirmButton>
        </p>
      )}
      <SaveForm act={limit} save={save} disabled={!fits}>
        {fields.map(([label, value, onInput, name]) => (
          <Field
            key={label}
            label={label}
            name={name}
            value={value}
            onInput={onInput}
            error={limit.error}
            mode="decimal"
          />
        ))}
      </SaveForm>
    </Section>
  );
}

function Withdrawals(): JSX.Element {
  const { payouts, subscriptions, events } = words;
  const list = usePages('payout.list', {});
  const tone = { pending: 'wait', submitted: 'wait', finalized: 'good', failed: 'bad', reversed: 'bad' } as const;
  return (
    <Section title={payouts.list}>
      <Loaded of={list}>
        {(pages) =>
          pages.items.length === 0 ? (
            <Empty text={payouts.none} />
          ) : (
            <>
              <Table
                caption={payouts.list}
                rows={pages.items}
                keyOf={({ id }) => id}
                columns={[
                  { name: subscriptions.when, cell: ({ created_at }) => <Time at={created_at} /> },
                  {
                    name: payouts.rail,
                    cell: ({ rail, destination }) => (destination ? accountText(destination) : payouts.rails[rail]),
                  },
                  {
                    name: subscriptions.amount,
                    figure: true,
                    cell: ({ amount_cents }) => <Money cents={amount_cents} />,
                  },
                  {
                    name: payouts.state,
                    cell: ({ status, reason, needs_action }) => (
                      <>
                        <Badge tone={tone[status]}>{payouts.statuses[status]}</Badge>{' '}
                        <span class="quiet">
                          {needs_action
                            ? payouts.needsAction
                            : reason && worded(events['payment.failed'].payouts, reason)}
                        </span>
                      </>
                    ),
                  },
                ]}
              />
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Withdrawals and spending limits. */
export function PayoutsScreen(): JSX.Element {
  const { payouts } = words;
  const wallet = useRead('wallet.read', {});
  const payee = useRead('payee.status', {});
  return (
    <>
      <h1 tabIndex={-1}>{payouts.title}</h1>
      <Section title={payouts.withdraw}>
        <Loaded of={wallet}>
          {({ withdrawable_cents }) => <Facts of={[[payouts.withdrawable, money(withdrawable_cents)]]} />}
        </Loaded>
        <Loaded of={payee}>
          {(status) =>
            status.connected ? (
              <>
                <Account {...status} />
                <Withdraw {...status} />
              </>
            ) : (
              <Connect />
            )
          }
        </Loaded>
      </Section>
      <Withdrawals />
      <Loaded of={wallet}>{(own) => <Limits {...own} />}</Loaded>
    </>
  );
}
