// The acting agent's analytics: figures, a daily chart, the conversation funnel, and each listing.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { dayOf } from '../../domain/text/day.ts';
import { DAY_MS } from '../../domain/time.ts';
import { Button } from '../parts/button.tsx';
import { type Bar, Bars } from '../parts/chart.tsx';
import { Choice } from '../parts/field.tsx';
import { count, day, duration, listed, money, month, percent, shortMoney } from '../parts/format.ts';
import { Funnel } from '../parts/funnel.tsx';
import { Section, Segments, Table } from '../parts/show.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

// The conversation funnel, of the agent or one listing: how many reached each phase, and the share that continued.

const ALL = '';

/** The section, with a choice of listings that have conversations. */
function ByPhase({ of }: { of: Analytics }): JSX.Element {
  const { analytics, common } = words;
  const [listing, setListing] = useState(ALL);
  const talked = of.by_listing.filter(({ conversations }) => conversations > 0);
  // A newly chosen period may have no conversation about the chosen listing.
  const chosen = talked.find(({ listing_id }) => listing_id === listing);
  const { by_phase } = chosen ?? of;
  // Of a busy agent the newest conversations alone: all of these reached the first phase.
  const conversations = by_phase[0]?.conversations ?? 0;
  const rows = by_phase.map((each, n) => ({ ...each, before: by_phase[n - 1]?.conversations ?? null }));
  return (
    <Section title={analytics.byPhase}>
      <p class="quiet">{of.conversations === 0 ? analytics.noPhase : analytics.byPhaseWhy}</p>
      {talked.length > 0 && (
        <Choice
          label={analytics.phasesOf}
          value={chosen?.listing_id ?? ALL}
          options={[
            [ALL, analytics.allTalks],
            ...talked.map(({ listing_id, headline }) => [listing_id, headline] as const),
          ]}
          onChange={setListing}
        />
      )}
      {of.conversations > 0 && (
        <>
          <Funnel
            title={analytics.byPhase}
            steps={rows.map(({ phase, conversations: n }) => ({
              name: analytics.phases[phase],
              value: n,
              text: `${count(n)} · ${percent(n / conversations)}`,
            }))}
          />
          <details>
            <summary>{common.showTable}</summary>
            <Table
              caption={analytics.byPhase}
              rows={rows}
              keyOf={({ phase }) => phase}
              columns={[
                { name: analytics.phase, cell: ({ phase }) => analytics.phases[phase] },
                { name: analytics.share, cell: ({ conversations: n }) => percent(n / conversations), figure: true },
                {
                  name: analytics.wentOn,
                  cell: ({ conversations: n, before }) => (before === null || before === 0 ? '–' : percent(n / before)),
                  figure: true,
                },
                { name: analytics.reached, cell: ({ conversations: n }) => count(n), figure: true },
              ]}
            />
          </details>
        </>
      )}
    </Section>
  );
}

type Analytics = Output<'analytics.read'>;

const MINUTE_SECONDS = 60;

const SPANS = ['7', '30', '90', '365'] as const;
type Span = (typeof SPANS)[number];

const FIGURES = ['views', 'matches', 'conversations', 'replies', 'deals', 'revenue'] as const;
type Figure = (typeof FIGURES)[number];

const shownAs = (figure: Figure): ((value: number) => string) => (figure === 'revenue' ? money : count);
const fieldOf = (figure: Figure): Exclude<Figure, 'revenue'> | 'revenue_cents' =>
  figure === 'revenue' ? 'revenue_cents' : figure;

/** Names of the figures. */
const nameOf = (field: Analytics['partial_in'][number]): string =>
  words.analytics[field === 'revenue_cents' ? 'revenue' : field === 'by_phase' ? 'byPhase' : field];

/** The first day of a period that ends today (UTC). */
function firstOf(span: Span): string {
  return dayOf(Date.now() - (Number(span) - 1) * DAY_MS);
}

/** How long an answer took; seconds are told as less than a minute. */
const responseTime = (seconds: number): string =>
  seconds < MINUTE_SECONDS ? words.analytics.underMinute : duration(seconds);

function Figures({ of }: { of: Analytics }): JSX.Element {
  const { analytics } = words;
  const took = of.median_response_seconds;
  return (
    <Section title={analytics.figures}>
      {of.partial && <p class="notice">{analytics.partial(listed(of.partial_in.map(nameOf)))}</p>}
      <dl class="tiles">
        {FIGURES.map((figure) => (
          <div key={figure}>
            <dt>{analytics[figure]}</dt>
            <dd>{shownAs(figure)(of[fieldOf(figure)])}</dd>
          </div>
        ))}
        <div>
          <dt>{analytics.median}</dt>
          <dd>{took === null ? <span class="quiet">{analytics.noMedian}</span> : responseTime(took)}</dd>
        </div>
      </dl>
      <p class="quiet">
        {analytics.viewsWhy} {analytics.revenueWhy}
      </p>
    </Section>
  );
}

/** The charts over time: the figures, and the response time. */
const DRAWN = [...FIGURES, 'median'] as const;

/** The response time by week. */
function AnswerTime({
  of: { by_week, median_response_seconds: median },
  span,
}: {
  of: Analytics;
  span: Span;
}): JSX.Element {
  const { analytics } = words;
  return (
    <Bars
      title={analytics.chart.week(analytics.median, analytics.spans[span])}
      text={median === null ? analytics.chartNone : analytics.chartText.week(responseTime(median))}
      bars={by_week.map(({ week, median_response_seconds }) => ({ name: day(week), value: median_response_seconds }))}
      nameName={analytics.week}
      valueName={analytics.median}
      showValue={responseTime}
      showScale={duration}
    />
  );
}

/** Daily bars; for a year monthly ones, since 365 bars are too thin. */
function barsOf({ by_day }: Analytics, figure: Figure, span: Span): (Bar & { readonly value: number })[] {
  const field = fieldOf(figure);
  if (span !== '365') return by_day.map((each) => ({ name: day(each.day), value: each[field] }));
  const months = new Map<string, number>();
  for (const each of by_day) {
    const name = month(each.day.slice(0, 7));
    months.set(name, (months.get(name) ?? 0) + each[field]);
  }
  return [...months].map(([name, value]) => ({ name, value }));
}

/** A figure by day or month. */
function Counted({ of, span, figure }: { of: Analytics; span: Span; figure: Figure }): JSX.Element {
  const { analytics } = words;
  const bars = barsOf(of, figure, span);
  const shown = shownAs(figure);
  const sum = bars.reduce((total, { value }) => total + value, 0);
  const best = bars.reduce((most, bar) => (bar.value > most.value ? bar : most), { name: '', value: 0 });
  const each = span === '365' ? 'month' : 'day';
  return (
    <Bars
      title={analytics.chart[each](analytics[figure], analytics.spans[span])}
      text={sum === 0 ? analytics.chartNone : analytics.chartText[each](shown(sum), shown(best.value), best.name)}
      bars={bars}
      nameName={analytics[each]}
      valueName={analytics[figure]}
      showValue={shown}
      showScale={figure === 'revenue' ? shortMoney : count}
      whole={figure !== 'revenue'}
    />
  );
}

function OverTime({ of, span }: { of: Analytics; span: Span }): JSX.Element {
  const { analytics } = words;
  const [drawn, setDrawn] = useState<(typeof DRAWN)[number]>('views');
  return (
    <Section title={analytics.overTime}>
      <Segments
        label={analytics.shown}
        value={drawn}
        options={DRAWN.map((each) => [each, analytics[each]])}
        onChange={setDrawn}
      />
      {drawn === 'median' ? <AnswerTime of={of} span={span} /> : <Counted of={of} span={span} figure={drawn} />}
    </Section>
  );
}

const shownTime = (seconds: number | null): string => (seconds === null ? '–' : responseTime(seconds));

/** The share of a listing's conversations that reached the last phase. */
function closedOf({ by_phase, conversations }: Analytics['by_listing'][number]): string {
  const closed = by_phase.at(-1)?.conversations ?? 0;
  return conversations === 0 ? '–' : percent(closed / conversations);
}

function ByListing({ of: { by_listing } }: { of: Analytics }): JSX.Element {
  const { analytics } = words;
  type Row = Analytics['by_listing'][number];
  const figure = (name: string, cell: (row: Row) => string) => ({ name, cell, figure: true });
  const counted = (each: Figure) => figure(analytics[each], (row) => shownAs(each)(row[fieldOf(each)]));
  return (
    <Section title={analytics.byListing}>
      {by_listing.length === 0 ? (
        <Empty text={analytics.noListings} href="/listings/new" action={analytics.newListing} />
      ) : (
        <div class="wide">
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
              ...(['views', 'matches', 'conversations', 'replies'] as const).map(counted),
              figure(analytics.took, (row) => shownTime(row.median_response_seconds)),
              figure(analytics.closed, closedOf),
              figure(analytics.sold, (row) => shownAs('deals')(row.deals)),
              counted('revenue'),
            ]}
          />
        </div>
      )}
    </Section>
  );
}

/** Whether all counts are zero. */
function isQuiet(of: Analytics): boolean {
  return FIGURES.every((figure) => of[fieldOf(figure)] === 0);
}

/** The empty state: suggests a listing when there is none, otherwise a longer period. */
function Quiet({ of, span, setSpan }: { of: Analytics; span: Span; setSpan: (span: Span) => void }): JSX.Element {
  const { analytics } = words;
  if (of.by_listing.length === 0) {
    return <Empty text={analytics.noListings} href="/listings/new" action={analytics.newListing} />;
  }
  return (
    <>
      <Empty text={analytics.none} href="/listings" action={analytics.noneGo} />
      {span !== '365' && <Button onClick={() => setSpan('365')}>{analytics.longer}</Button>}
    </>
  );
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
            <Quiet of={of} span={span} setSpan={setSpan} />
          ) : (
            <>
              <Figures of={of} />
              <OverTime of={of} span={span} />
              <ByPhase of={of} />
              <ByListing of={of} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
