// The wallet of the acting agent: what it has, how that went, what came in and left, and adding money.
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { Bars } from '../parts/chart.tsx';
import { day, fullDay, money, month, shortMoney } from '../parts/format.ts';
import { Agent, Facts, Money, More, Section, Sums, Table, Time } from '../parts/show.tsx';
import { Back, Empty, Loaded } from '../parts/states.tsx';
import { usePages, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';
import { Fund, Returned } from './funding.tsx';

type Entry = Extract<Output<'wallet.transactions'>, readonly unknown[]>[number];

function Balance(): JSX.Element {
  const wallet = useRead('wallet.read', {});
  const { wallet: text } = words;
  return (
    <Section title={text.balance}>
      <Loaded of={wallet}>
        {({ balance_cents, held_cents, withdrawable_cents }) => (
          <>
            <p class="figure-big">{money(balance_cents)}</p>
            <Facts
              of={[
                [text.held, <span title={text.heldWhy}>{money(held_cents)}</span>],
                [
                  text.withdrawable,
                  <span key="withdrawable">
                    {money(withdrawable_cents)} <Link href="/payouts">{words.payouts.withdraw}</Link>
                  </span>,
                ],
              ]}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The balance by day, week or month since the first posting. */
function BalanceChart(): JSX.Element | null {
  const { wallet: text, analytics } = words;
  const history = useRead('wallet.history', {});
  const wallet = useRead('wallet.read', {});
  // The balance above it says why.
  if (history.state === 'failed' && wallet.state === 'failed') return null;
  return (
    <Loaded of={history}>
      {({ by, points }) => {
        const [first, last] = [points[0], points.at(-1)];
        if (!first || !last) return null;
        const named = (from: string): string => (by === 'month' ? month(from.slice(0, 7)) : day(from));
        const values = points.map(({ balance_cents }) => balance_cents);
        const [low, high] = [money(Math.min(...values)), money(Math.max(...values))];
        return (
          <Section title={text.chart}>
            <Bars
              title={text.chart}
              text={text.chartText(fullDay(first.from), fullDay(last.from), low, high)}
              bars={points.map(({ from, balance_cents }) => ({ name: named(from), value: balance_cents }))}
              nameName={analytics[by]}
              valueName={text.balance}
              showValue={money}
              showScale={shortMoney}
            />
          </Section>
        );
      }}
    </Loaded>
  );
}

/** A payment as one line: where its fee was a posting of its own, both together are what left. */
function asPayments(entries: readonly Entry[]): Entry[] {
  const payments: Entry[] = [];
  for (const entry of entries) {
    const later = payments.at(-1);
    if (later?.journal_id !== entry.journal_id) payments.push(entry);
    else {
      const [amount_cents, { balance_after_cents }] = [later.amount_cents + entry.amount_cents, later];
      payments[payments.length - 1] = { ...entry, amount_cents, balance_after_cents };
    }
  }
  return payments;
}

/** What it was for, and what of it was the fee. */
function What({ of }: { of: Entry }): JSX.Element {
  const { wallet: text } = words;
  const { kind, note, amount_cents, gross_cents, fee_cents, net_cents } = of;
  return (
    <div>
      {text.kinds[kind] ?? kind}
      {note !== null && `: ${note}`}
      {gross_cents !== null && (
        <Sums {...{ amount_cents: gross_cents, fee_cents, net_cents }} side={amount_cents < 0 ? 'buyer' : 'seller'} />
      )}
    </div>
  );
}

function Statement(): JSX.Element {
  const { wallet: text } = words;
  const pages = usePages('wallet.transactions', {});
  return (
    <Section title={text.statement}>
      <Loaded of={pages}>
        {(of) => (
          <>
            {of.items.length === 0 ? (
              <Empty text={text.statementNone} />
            ) : (
              <Table
                caption={text.statement}
                rows={asPayments(of.items)}
                keyOf={({ journal_id, amount_cents }) => `${journal_id} ${amount_cents}`}
                columns={[
                  { name: text.time, cell: ({ at }) => <Time at={at} exact /> },
                  { name: text.what, cell: (entry) => <What of={entry} /> },
                  { name: text.with, cell: ({ counterparty_handle }) => <Agent handle={counterparty_handle} /> },
                  {
                    name: text.amount,
                    cell: ({ amount_cents }) => <Money cents={amount_cents} signed />,
                    figure: true,
                  },
                  { name: text.after, cell: ({ balance_after_cents }) => money(balance_after_cents), figure: true },
                ]}
              />
            )}
            <More of={of} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

export function WalletScreen(): JSX.Element {
  return (
    <>
      <h1 tabIndex={-1}>{words.wallet.title}</h1>
      <Returned />
      <Back />
      <Balance />
      <BalanceChart />
      <Statement />
      <Fund />
    </>
  );
}
