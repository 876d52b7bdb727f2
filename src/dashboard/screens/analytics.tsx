// What happened around the acting agent: figures, a chart by the day, how far its conversations came, and each listing.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Bars } from '../parts/bars.tsx';
import { count, day, duration, money, percent } from '../parts/format.ts';
import { Segments } from '../parts/segments.tsx';
import { Section } from '../parts/show.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

type Analytics = Output<'analytics.read'>;

const DAY_MS = 86_400_000;
const SPANS = ['7', '30', '90', '365'] as const;
type Span = (typeof SPANS)[number];

const FIGURES = ['views', 'matches', 'conversations', 'replies', 'deals', 'revenue'] as const;
type Figure = (typeof FIGURES)[number];

const shownAs = (figure: Figure): ((value: number) => string) => (figure === 'revenue' ? money : count);
const fieldOf = (figure: Figure): Exclude<Figure, 'revenue'> | 'revenue_cents' =>
  figure === 'revenue' ? 'revenue_cents' : figure;

/** The first day of a span that ends today (UTC). */
function firstOf(span: Span): string {
  return new Date(Date.now() - (Number(span) - 1) * DAY_MS).toISOString().slice(0, 10);
}

function Figures({ of }: { of: Analytics }): JSX.Element {
  const { analytics } = words;
  const took = of.median_response_seconds;
  return (
    <Section title={analytics.figures}>
      {of.partial && <p class="notice">{analytics.partial}</p>}
      <dl class="tiles">
        {FIGURES.map((figure) => (
          <div key={figure}>
            <dt>{analytics[figure]}</dt>
            <dd>{shownAs(figure)(of[fieldOf(figure)])}</dd>
          </div>
        ))}
        <div>
          <dt>{analytics.median}</dt>
          <dd>{took === null ? <span class="quiet">{analytics.noMedian}</span> : duration(took)}</dd>
        </div>
      </dl>
      <p class="quiet">
        {analytics.viewsWhy} {analytics.revenueWhy}
      </p>
    </Section>
  );
}

function ByDay({ of: { by_day }, span }: { of: Analytics; span: Span }): JSX.Element {
  const { analytics } = words;
  const [figure, setFigure] = useState<Figure>('views');
  const bars = by_day.map((each) => ({ name: day(each.day), value: each[fieldOf(figure)] }));
  const shown = shownAs(figure);
  const sum = bars.reduce((total, { value }) => total + value, 0);
  const best = bars.reduce((most, bar) => (bar.value > most.value ? bar : most), { name: '', value: 0 });
  return (
    <Section title={analytics.byDay}>
      <Segments
        label={analytics.shown}
        value={figure}
        options={FIGURES.map((each) => [each, analytics[each]])}
        onChange={setFigure}
      />
      <Bars
        title={analytics.chart(analytics[figure], analytics.spans[span])}
        text={sum === 0 ? analytics.chartNone : analytics.chartText(shown(sum), shown(best.value), best.name)}
        bars={bars}
        nameName={analytics.day}
        valueName={analytics[figure]}
        showValue={shown}
        whole={figure !== 'revenue'}
      />
    </Section>
  );
}

function ByPhase({ of: { by_phase, conversations } }: { of: Analytics }): JSX.Element {
  const { analytics } = words;
  return (
    <Section title={analytics.byPhase}>
      <p class="quiet">{conversations === 0 ? analytics.noPhase : analytics.byPhaseWhy}</p>
      {conversations > 0 && (
        <Table
          caption={analytics.byPhase}
          rows={by_phase}
          keyOf={({ phase }) => phase}
          columns={[
            { name: analytics.phase, cell: ({ phase }) => analytics.phases[phase] },
            {
              name: analytics.share,
              cell: ({ phase, conversations: n }) => (
                <span class="funnel">
                  <meter min={0} max={conversations} value={n} aria-label={analytics.phases[phase]} />{' '}
                  {percent(n / conversations)}
                </span>
              ),
            },
            { name: analytics.reached, cell: ({ conversations: n }) => count(n), figure: true },
          ]}
        />
      )}
    </Section>
  );
}

function ByListing({ of: { by_listing } }: { of: Analytics }): JSX.Element {
  const { analytics } = words;
  const figures = FIGURES.filter((figure) => figure !== 'replies');
  return (
    <Section title={analytics.byListing}>
      {by_listing.length === 0 ? (
        <Empty text={analytics.noListings} href="/listings/new" action={analytics.newListing} />
      ) : (
        <Table
          caption={analytics.byListing}
          rows={by_listing}
          keyOf={({ listing_id }) => listing_id}
          columns={[
            {
              name: analytics.listing,
              cell: ({ listing_id, headline }) => (
                <Link href={`/listings/${listing_id}`} dir="auto">
                  {headline}
                </Link>
              ),
            },
            ...figures.map((figure) => ({
              name: analytics[figure],
              cell: (row: Analytics['by_listing'][number]) =>
                figure === 'revenue' ? money(row.revenue_cents) : count(row[figure]),
              figure: true,
            })),
          ]}
        />
      )}
    </Section>
  );
}

/** Whether nothing at all was counted. */
function isQuiet(of: Analytics): boolean {
  return FIGURES.every((figure) => of[fieldOf(figure)] === 0);
}

/** The figures of the acting agent. */
export function AnalyticsScreen(): JSX.Element {
  const { analytics } = words;
  const [span, setSpan] = useState<Span>('30');
  const read = useRead('analytics.read', { from: firstOf(span) });
  return (
    <>
      <h1 tabIndex={-1}>{analytics.title}</h1>
      <p class="quiet">{analytics.lead}</p>
      <Segments
        label={analytics.span}
        value={span}
        options={SPANS.map((each) => [each, analytics.spans[each]])}
        onChange={setSpan}
      />
      <Loaded of={read}>
        {(of) =>
          isQuiet(of) ? (
            <Empty text={analytics.none} href="/listings" action={analytics.noneGo} />
          ) : (
            <>
              <Figures of={of} />
              <ByDay of={of} span={span} />
              <ByPhase of={of} />
              <ByListing of={of} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
