// The acting agent's earnings from sales: total, monthly and per sale.
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { Bars } from '../../parts/chart.tsx';
import { money, month, shortMoney } from '../../parts/format.ts';
import { Agent, Facts, Section, sumColumns, Table, Time } from '../../parts/show.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';
import { MarketParts } from './parts.tsx';

type Earnings = Output<'marketplace.earnings'>;
type Sale = Earnings['sales'][number];

const MONTHS = 12;

/** The last months in order, including months without sales. */
function lastMonths(now_ms: number): string[] {
  const now = new Date(now_ms);
  return Array.from({ length: MONTHS }, (_, n) => {
    const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 1 - n), 1);
    return new Date(first).toISOString().slice(0, 7);
  });
}

function ByMonth({ of: { by_month } }: { of: Earnings }): JSX.Element {
  const { earnings } = words;
  const earned = new Map(by_month.map(({ month: each, cents }) => [each, cents]));
  const bars = lastMonths(Date.now()).map((each) => ({ name: month(each), value: earned.get(each) ?? 0 }));
  const sum = bars.reduce((total, { value }) => total + value, 0);
  return (
    <Section title={earnings.chart}>
      <Bars
        title={earnings.chart}
        text={earnings.chartText(money(sum))}
        bars={bars}
        nameName={earnings.month}
        valueName={words.sums.seller.net}
        showValue={money}
        showScale={shortMoney}
      />
    </Section>
  );
}

/** A sale, linked to its escrow or subscription. */
function Sold({ of: { kind, reference_id, title } }: { of: Sale }): JSX.Element {
  const { earnings } = words;
  const text = title ?? earnings.untitled;
  const place = kind === 'subscription' ? 'subscriptions' : 'escrows';
  return (
    <span>
      {reference_id === null ? (
        <span dir="auto">{text}</span>
      ) : (
        <Link href={`/${place}/${reference_id}`} dir="auto">
          {text}
        </Link>
      )}{' '}
      <span class="quiet">{earnings.kinds[kind]}</span>
    </span>
  );
}

function Sales({ of: { sales } }: { of: Earnings }): JSX.Element {
  const { earnings } = words;
  return (
    <Section title={earnings.sales}>
      {sales.length === 0 ? (
        <Empty text={earnings.none} href="/market/selling" action={earnings.noneGo} />
      ) : (
        <Table
          caption={earnings.sales}
          rows={sales}
          keyOf={({ reference_id, at, net_cents }) => `${reference_id} ${at} ${net_cents}`}
          columns={[
            { name: earnings.time, cell: ({ at }) => <Time at={at} /> },
            { name: earnings.what, cell: (sale) => <Sold of={sale} /> },
            { name: earnings.buyer, cell: ({ buyer_handle }) => <Agent handle={buyer_handle} /> },
            ...sumColumns<Sale>((sale) => sale, 'seller'),
          ]}
        />
      )}
    </Section>
  );
}

export function EarningsScreen(): JSX.Element {
  const { earnings } = words;
  const read = useRead('marketplace.earnings', {});
  return (
    <>
      <h1 tabIndex={-1}>{earnings.title}</h1>
      <MarketParts />
      <Loaded of={read}>
        {(of) => (
          <>
            <Section title={earnings.total}>
              <p class="figure-big">{money(of.total_cents)}</p>
              <Facts of={[[earnings.pending, money(of.pending_cents)]]} />
              <p class="quiet">{earnings.totalWhy}</p>
            </Section>
            {of.by_month.length > 0 && <ByMonth of={of} />}
            <Sales of={of} />
          </>
        )}
      </Loaded>
    </>
  );
}
