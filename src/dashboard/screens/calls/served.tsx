// Success rate and duration of the capabilities that the agent provides, by week.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { dayOf } from '../../../domain/text/day.ts';
import { DAY_MS } from '../../../domain/time.ts';
import { Bars } from '../../parts/chart.tsx';
import { Choice } from '../../parts/field.tsx';
import { count, day, percent } from '../../parts/format.ts';
import { Section, Segments } from '../../parts/show.tsx';
import { useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type Served = Output<'analytics.read'>['by_capability'][number];
type Week = Served['by_week'][number];

/** Unpaid calls are stored for so many days. */
const DAYS = 90;

const FIGURES = ['rate', 'typical'] as const;

const took = (ms: number): string => words.calls.ms(count(ms));

function Weeks({ of: { capability, calls, served, median_latency_ms, by_week } }: { of: Served }): JSX.Element {
  const { calls: text, analytics } = words;
  const [drawn, setDrawn] = useState<(typeof FIGURES)[number]>('rate');
  const figureOf = (week: Week): number | null =>
    drawn === 'typical' ? week.median_latency_ms : week.calls === 0 ? null : week.served / week.calls;
  const all = text.servedOf(count(served), count(calls));
  return (
    <>
      <Segments
        label={analytics.shown}
        value={drawn}
        options={FIGURES.map((each) => [each, text[each]])}
        onChange={setDrawn}
      />
      <Bars
        title={text.byWeek(text[drawn], capability)}
        text={text.weeksText(all, median_latency_ms === null ? words.common.none : took(median_latency_ms))}
        bars={by_week.map((week) => ({ name: day(week.week), value: figureOf(week) }))}
        nameName={analytics.week}
        valueName={text[drawn]}
        showValue={drawn === 'rate' ? percent : took}
      />
    </>
  );
}

/** The section; nothing without calls. */
export function ServedByWeek(): JSX.Element | null {
  const { calls } = words;
  const [from] = useState(() => dayOf(Date.now() - (DAYS - 1) * DAY_MS));
  const read = useRead('analytics.read', { from });
  const [chosen, choose] = useState('');
  const all = read.state === 'ready' ? read.value.by_capability : [];
  const shown = all.find(({ capability }) => capability === chosen) ?? all[0];
  if (!shown) return null;
  return (
    <Section title={calls.overTime}>
      {all.length > 1 && (
        <Choice
          label={calls.what}
          value={shown.capability}
          options={all.map(({ capability }) => [capability, capability])}
          onChange={choose}
        />
      )}
      <Weeks key={shown.capability} of={shown} />
    </Section>
  );
}
